//! Mod X once more, written from the rules page without any cleverness: what the fast code is compared with.

use std::sync::OnceLock;

use super::super::{JOKERS, ModX, Phase, Then};

const SIZE: i32 = 8;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Piece {
    X(usize),
    Joker,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    piece: Option<Piece>,
    /// Owners of the markers, the top one last.
    stack: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    SetUp,
    Place,
    Claim,
}

#[derive(Clone, Debug)]
pub(super) struct Reference {
    seats: usize,
    teams: bool,
    manual: bool,
    joker_win: bool,
    target: usize,
    /// Rows of cells.
    board: Vec<Vec<Cell>>,
    pieces: Vec<usize>,
    markers: Vec<usize>,
    mover: usize,
    said_done: Option<usize>,
    stage: Stage,
    set_up_left: usize,
    /// Who has lifted jokers in hand, and how many.
    in_hand: Option<(usize, usize)>,
    outcome: Option<(Vec<u8>, &'static str)>,
}

fn name((col, row): (i32, i32)) -> String {
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

fn square(name: &str) -> (i32, i32) {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn all_squares() -> Vec<(i32, i32)> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |col| (col, row))).collect()
}

/// The placements of all patterns, each once.
pub(super) fn placements() -> &'static [Vec<(i32, i32)>] {
    static PLACEMENTS: OnceLock<Vec<Vec<(i32, i32)>>> = OnceLock::new();
    PLACEMENTS.get_or_init(|| {
        let mut found = Vec::new();
        for (col, row) in all_squares() {
            found.push(vec![
                (col, row),
                (col + 1, row + 1),
                (col + 1, row - 1),
                (col - 1, row + 1),
                (col - 1, row - 1),
            ]);
            found.push(vec![(col, row), (col + 1, row), (col - 1, row), (col, row + 1), (col, row - 1)]);
            for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
                found.push((0..5).map(|i| (col + i * right, row + i * up)).collect());
            }
        }
        found.retain(|placement| placement.iter().all(|square| all_squares().contains(square)));
        for placement in &mut found {
            placement.sort_unstable();
        }
        found.sort_unstable();
        found.dedup();
        found
    })
}

impl Reference {
    /// The same position as the fast one's.
    pub(super) fn of(game: &ModX) -> Self {
        let seats = game.settled.seats as usize;
        let mut board = vec![vec![Cell::default(); SIZE as usize]; SIZE as usize];
        for (index, (col, row)) in all_squares().into_iter().enumerate() {
            let cell = &mut board[row as usize][col as usize];
            let has = |squares: super::Squares| squares.0 & (1 << index) != 0;
            for seat in 0..seats {
                if has(game.pieces[seat]) {
                    cell.piece = Some(Piece::X(seat));
                }
                if has(game.tops[seat]) {
                    // Whose the covered ones are is not known, and does not matter.
                    cell.stack = vec![seat; usize::from(game.heights[index])];
                }
            }
            if has(game.jokers) {
                cell.piece = Some(Piece::Joker);
            }
        }
        let nothing_yet = game.pieces.iter().chain(&game.tops).all(|squares| squares.0 == 0);
        let mover = game.mover.index();
        let (stage, in_hand) = match game.phase {
            Phase::SetUp { .. } => (Stage::SetUp, None),
            Phase::Place => (Stage::Place, None),
            Phase::Claim => (Stage::Claim, None),
            Phase::JokersBack { by, left, then } => {
                let stage = if then == Then::Place { Stage::Place } else { Stage::Claim };
                (stage, Some((by.index(), usize::from(left))))
            }
            Phase::Over(_) => panic!("a finished game is not gone on with"),
        };
        Self {
            seats,
            teams: game.settled.teams,
            manual: game.settled.manual,
            joker_win: game.settled.joker_win,
            target: game.settled.target.into(),
            board,
            pieces: game.supply[..seats].iter().map(|&count| count.into()).collect(),
            markers: game.markers[..seats].iter().map(|&count| count.into()).collect(),
            mover,
            said_done: (!nothing_yet).then_some((mover + seats - 1) % seats),
            stage,
            set_up_left: usize::from(JOKERS - game.jokers.count()),
            in_hand,
            outcome: None,
        }
    }

    fn piece(&self, (col, row): (i32, i32)) -> Option<Piece> {
        self.board[row as usize][col as usize].piece
    }

    fn top(&self, (col, row): (i32, i32)) -> Option<usize> {
        self.board[row as usize][col as usize].stack.last().copied()
    }

    fn cell(&mut self, (col, row): (i32, i32)) -> &mut Cell {
        &mut self.board[row as usize][col as usize]
    }

    fn complete_for(&self, seat: usize, placement: &[(i32, i32)]) -> bool {
        let pieces: Vec<_> = placement.iter().map(|&square| self.piece(square)).collect();
        pieces.iter().all(|&piece| piece == Some(Piece::X(seat)) || piece == Some(Piece::Joker))
            && pieces.contains(&Some(Piece::X(seat)))
    }

    fn all_jokers(&self, placement: &[(i32, i32)]) -> bool {
        placement.iter().all(|&square| self.piece(square) == Some(Piece::Joker))
    }

    pub(super) fn turn(&self) -> Option<usize> {
        if self.outcome.is_some() { None } else { Some(self.in_hand.map_or(self.mover, |(by, _)| by)) }
    }

    pub(super) fn outcome(&self) -> Option<(Vec<u8>, &'static str)> {
        self.outcome.clone()
    }

    pub(super) fn points(&self, seat: usize) -> usize {
        all_squares().into_iter().filter(|&square| self.top(square) == Some(seat)).count()
    }

    pub(super) fn supplies(&self) -> (Vec<usize>, Vec<usize>) {
        (self.pieces.clone(), self.markers.clone())
    }

    pub(super) fn heights(&self) -> Vec<usize> {
        all_squares().into_iter().map(|(col, row)| self.board[row as usize][col as usize].stack.len()).collect()
    }

    fn side(&self, seat: usize) -> Vec<usize> {
        if self.teams { vec![seat % 2, seat % 2 + 2] } else { vec![seat] }
    }

    fn side_points(&self, seat: usize) -> usize {
        self.side(seat).into_iter().map(|partner| self.points(partner)).sum()
    }

    fn joker_squares(&self) -> Vec<(i32, i32)> {
        let mut after = self.clone();
        let mut found = Vec::new();
        for square in all_squares().into_iter().filter(|&square| self.piece(square).is_none()) {
            after.cell(square).piece = Some(Piece::Joker);
            let forbidden = |placement: &Vec<(i32, i32)>| {
                placement.contains(&square)
                    && ((0..self.seats).any(|seat| after.complete_for(seat, placement))
                        || after.all_jokers(placement) && !self.joker_win)
            };
            if !placements().iter().any(forbidden) {
                found.push(square);
            }
            after.cell(square).piece = None;
        }
        found
    }

    /// What a touch scores.
    fn touched(&self, square: (i32, i32)) -> Vec<(i32, i32)> {
        let mut union = Vec::new();
        for placement in placements().iter().filter(|placement| placement.contains(&square)) {
            for seat in 0..self.seats {
                let counts = self.piece(square) == Some(Piece::X(seat)) || self.piece(square) == Some(Piece::Joker);
                if counts && self.complete_for(seat, placement) {
                    union.extend(placement);
                }
            }
        }
        union
    }

    /// The texts of a seat's legal actions, sorted.
    pub(super) fn legal(&self, seat: usize) -> Vec<String> {
        let mut texts = Vec::new();
        if self.outcome.is_some() {
            return texts;
        }
        if let Some((by, _)) = self.in_hand {
            if by == seat {
                texts.extend(self.joker_squares().into_iter().map(|square| format!("*{}", name(square))));
            }
        } else {
            let may_claim = match self.stage {
                Stage::SetUp => false,
                Stage::Place => self.manual && self.said_done != Some(seat),
                Stage::Claim => self.mover == seat,
            };
            for square in all_squares() {
                let free = self.piece(square).is_none();
                if free && self.mover == seat {
                    match self.stage {
                        Stage::SetUp if self.no_joker_next_to(square) => texts.push(format!("*{}", name(square))),
                        Stage::Place => texts.push(name(square)),
                        _ => {}
                    }
                }
                if may_claim && !free && !self.touched(square).is_empty() {
                    texts.push(format!("!{}", name(square)));
                }
            }
            if self.stage == Stage::Claim && self.mover == seat {
                texts.push("done".to_owned());
            }
        }
        texts.sort();
        texts
    }

    fn no_joker_next_to(&self, (col, row): (i32, i32)) -> bool {
        all_squares()
            .into_iter()
            .filter(|&square| self.piece(square) == Some(Piece::Joker))
            .all(|(other_col, other_row)| (col - other_col).abs() > 1 || (row - other_row).abs() > 1)
    }

    pub(super) fn apply(&mut self, seat: usize, text: &str) {
        if text == "done" {
            self.end_turn();
        } else if let Some(touched) = text.strip_prefix('!') {
            self.score(seat, &self.touched(square(touched)));
        } else if let Some(put) = text.strip_prefix('*') {
            self.put_joker(square(put));
        } else {
            self.place(square(text));
        }
    }

    fn put_joker(&mut self, square: (i32, i32)) {
        self.cell(square).piece = Some(Piece::Joker);
        let Some((by, left)) = self.in_hand else {
            self.set_up_left -= 1;
            if self.set_up_left == 0 {
                self.stage = Stage::Place;
                self.mover = 1;
            }
            return;
        };
        if placements().iter().any(|placement| self.all_jokers(placement)) {
            self.outcome = Some((self.side(by).into_iter().map(|seat| seat as u8).collect(), "all-jokers"));
            return;
        }
        self.in_hand = Some((by, left - 1));
        self.go_on_with_jokers();
    }

    fn place(&mut self, square: (i32, i32)) {
        let mover = self.mover;
        self.cell(square).piece = Some(Piece::X(mover));
        self.pieces[mover] -= 1;
        self.stage = Stage::Claim;
        if self.manual {
            return;
        }
        let mut union = Vec::new();
        for placement in placements() {
            if self.complete_for(mover, placement) {
                union.extend(placement);
            }
        }
        if union.is_empty() {
            self.end_turn();
        } else {
            self.score(mover, &union);
        }
    }

    fn score(&mut self, scorer: usize, union: &[(i32, i32)]) {
        let mut to_mark = Vec::new();
        let mut lifted = 0;
        for square in all_squares().into_iter().filter(|square| union.contains(square)) {
            match self.cell(square).piece.take() {
                Some(Piece::X(owner)) => {
                    self.pieces[owner] += 1;
                    to_mark.push(square);
                }
                Some(Piece::Joker) => lifted += 1,
                None => panic!("a complete placement has no free square"),
            }
        }
        // A stable sort: a1, b1, .. h8 within each class.
        to_mark.sort_by_key(|&square| match self.top(square) {
            Some(owner) if owner != scorer => 0,
            None => 1,
            Some(_) => 2,
        });
        for square in to_mark {
            if self.markers[scorer] > 0 {
                self.markers[scorer] -= 1;
                self.cell(square).stack.push(scorer);
            }
        }
        if self.side_points(scorer) >= self.target {
            self.outcome = Some((self.side(scorer).into_iter().map(|seat| seat as u8).collect(), "points"));
            return;
        }
        if self.markers[scorer] == 0 {
            self.finish("out-of-markers");
            return;
        }
        self.in_hand = Some((scorer, lifted));
        self.go_on_with_jokers();
    }

    fn go_on_with_jokers(&mut self) {
        let (_, left) = self.in_hand.expect("somebody has scored");
        if left > 0 && !self.joker_squares().is_empty() {
            return;
        }
        self.in_hand = None;
        if !self.manual {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        if self.pieces[self.mover] == 0 {
            self.finish("out-of-pieces");
        } else if all_squares().into_iter().all(|square| self.piece(square).is_some()) {
            self.finish("board-full");
        } else {
            self.said_done = Some(self.mover);
            self.mover = (self.mover + 1) % self.seats;
            self.stage = Stage::Place;
        }
    }

    fn finish(&mut self, reason: &'static str) {
        let best = (0..self.seats).map(|seat| self.side_points(seat)).max().unwrap_or(0);
        let leaders: Vec<usize> = (0..self.seats).filter(|&seat| self.side_points(seat) == best).collect();
        let one_side = leaders.iter().all(|&seat| self.side(seat) == self.side(leaders[0]));
        let winners = if one_side { leaders.into_iter().map(|seat| seat as u8).collect() } else { Vec::new() };
        self.outcome = Some((winners, reason));
    }
}
