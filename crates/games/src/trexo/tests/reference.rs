//! The rules of Trexo once more, slow and obvious: every square is a stack of halves, every question a walk over
//! coordinates.

use super::super::Options;

/// Half a tile: its symbol, and the number of the tile.
type Half = (char, usize);

#[derive(Clone)]
pub(super) struct Reference {
    size: i32,
    /// Columns of rows of stacks, from the bottom of each stack to its top.
    pub(super) stacks: Vec<Vec<Vec<Half>>>,
    tiles: usize,
    pub(super) laid: usize,
    swap: bool,
    /// The symbol of each seat.
    pub(super) symbols: [char; 2],
    /// The seat to move.
    pub(super) turn: usize,
    /// Winner and reason.
    pub(super) outcome: Option<(Option<usize>, &'static str)>,
}

fn name(col: i32, row: i32) -> String {
    format!("{}{}", char::from(b'a' + col as u8), row + 1)
}

impl Reference {
    pub(super) fn new(options: &Options) -> Self {
        let size = options.size.get() as usize;
        Self {
            size: size as i32,
            stacks: vec![vec![Vec::new(); size]; size],
            tiles: options.tiles.get() as usize,
            laid: 0,
            swap: options.swap,
            symbols: ['X', 'O'],
            turn: 0,
            outcome: None,
        }
    }

    fn stack(&self, col: i32, row: i32) -> Option<&Vec<Half>> {
        let on_board = (0..self.size).contains(&col) && (0..self.size).contains(&row);
        on_board.then(|| &self.stacks[col as usize][row as usize])
    }

    pub(super) fn shown(&self, col: i32, row: i32) -> Option<char> {
        self.stack(col, row)?.last().map(|half| half.0)
    }

    /// Every action that is legal, sorted.
    pub(super) fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        if self.outcome.is_some() {
            return actions;
        }
        for (col, row) in self.squares() {
            for (to_col, to_row) in [(col + 1, row), (col - 1, row), (col, row + 1), (col, row - 1)] {
                let here = self.stack(col, row).unwrap();
                let Some(there) = self.stack(to_col, to_row) else { continue };
                let same_height = here.len() == there.len();
                let one_tile = !here.is_empty() && here.last().map(|half| half.1) == there.last().map(|half| half.1);
                if same_height && !one_tile {
                    actions.push(name(col, row) + &name(to_col, to_row));
                }
            }
        }
        if self.swap && self.laid == 1 && self.symbols == ['X', 'O'] {
            actions.push("swap".to_owned());
        }
        actions.sort();
        actions
    }

    pub(super) fn squares(&self) -> Vec<(i32, i32)> {
        (0..self.size).flat_map(|col| (0..self.size).map(move |row| (col, row))).collect()
    }

    fn has_five(&self, symbol: char) -> bool {
        self.squares().into_iter().any(|(col, row)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .into_iter()
                .any(|(right, up)| (0..5).all(|i| self.shown(col + i * right, row + i * up) == Some(symbol)))
        })
    }

    /// Makes an action out of [`actions`](Self::actions).
    pub(super) fn play(&mut self, action: &str) {
        let layer = self.turn;
        self.turn = 1 - layer;
        if action == "swap" {
            self.symbols = ['O', 'X'];
            return;
        }
        let second = 1 + action[1..].find(|c: char| c.is_ascii_lowercase()).unwrap();
        for (square, symbol) in [(&action[..second], 'X'), (&action[second..], 'O')] {
            let col = usize::from(square.as_bytes()[0] - b'a');
            let row = square[1..].parse::<usize>().unwrap() - 1;
            self.stacks[col][row].push((symbol, self.laid));
        }
        self.laid += 1;
        let owner = |symbol| self.symbols.iter().position(|&own| own == symbol);
        self.outcome = match (self.has_five('X'), self.has_five('O')) {
            (true, true) => Some((Some(1 - layer), "five-in-a-row")),
            (true, false) => Some((owner('X'), "five-in-a-row")),
            (false, true) => Some((owner('O'), "five-in-a-row")),
            (false, false) if self.laid == self.tiles => Some((None, "no-tiles")),
            (false, false) if self.actions().is_empty() => Some((None, "no-place")),
            (false, false) => None,
        };
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 1 {
            return self.actions().len() as u64;
        }
        let after = |action: &String| {
            let mut next = self.clone();
            next.play(action);
            next.perft(depth - 1)
        };
        self.actions().iter().map(after).sum()
    }
}
