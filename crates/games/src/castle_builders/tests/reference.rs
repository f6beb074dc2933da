//! The rules of Castle Builders once more, slow and obvious: counters are letters in lists.

use super::super::{Kind, Options};

/// Whose counter, and its text without the tower: `O`, `C`, `Bv` or `Bh`.
type Counter = (usize, String);

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Turn {
    /// Who draws, and what comes after: for whom else the deal goes on, then whose turn it is.
    Draw {
        seat: usize,
        deal: Vec<usize>,
        then: usize,
    },
    Play(usize),
    Over(&'static str),
}

#[derive(Clone)]
pub(super) struct Reference {
    heights: Vec<usize>,
    roofs: Vec<i32>,
    rows: Vec<i32>,
    /// From the bottom to the top.
    pub(super) towers: Vec<Vec<Counter>>,
    pub(super) hands: [Vec<char>; 2],
    pub(super) piles: [Vec<char>; 2],
    pub(super) discards: [Vec<char>; 2],
    pub(super) turn: Turn,
}

impl Reference {
    pub(super) fn new(options: &Options) -> Self {
        let mut pile = Vec::new();
        for kind in Kind::ALL {
            pile.extend(vec![kind.letter(); options.counters.get(kind) as usize]);
        }
        let each = pile.len().min(2);
        let mut deal = [vec![0; each], vec![1; each]].concat();
        let seat = deal.remove(0);
        Self {
            heights: options.heights.iter().map(|height| height.get() as usize).collect(),
            roofs: options.roofs.iter().map(|value| value.get() as i32).collect(),
            rows: options.rows.iter().map(|value| value.get() as i32).collect(),
            towers: vec![Vec::new(); options.heights.len()],
            hands: [Vec::new(), Vec::new()],
            piles: [pile.clone(), pile],
            discards: [Vec::new(), Vec::new()],
            turn: Turn::Draw { seat, deal, then: 0 },
        }
    }

    /// The legal actions of the seat to move, sorted.
    pub(super) fn actions(&self) -> Vec<String> {
        let mut actions = Vec::new();
        let Turn::Play(seat) = self.turn else { return actions };
        for &letter in &self.hands[seat] {
            for (index, tower) in self.towers.iter().enumerate() {
                let number = index + 1;
                let free = tower.len() < self.heights[index];
                match letter {
                    'O' | 'C' if free => actions.push(format!("{letter}{number}")),
                    'B' if free => actions.extend([format!("Bv{number}"), format!("Bh{number}")]),
                    'R' | 'K' if !tower.is_empty() => actions.push(format!("{letter}{number}")),
                    _ => {}
                }
            }
            let all_empty = self.towers.iter().all(Vec::is_empty);
            if letter == 'S' || (all_empty && (letter == 'R' || letter == 'K')) {
                actions.push(letter.to_string());
            }
        }
        actions.sort();
        actions.dedup();
        actions
    }

    /// The draws that are possible, with their weights, sorted.
    pub(super) fn chances(&self) -> Vec<(String, u32)> {
        let Turn::Draw { seat, .. } = self.turn else { return Vec::new() };
        let pile = &self.piles[seat];
        let weight = |letter| pile.iter().filter(|&&other| other == letter).count() as u32;
        let mut chances: Vec<_> = pile.iter().map(|&letter| (format!("+{letter}"), weight(letter))).collect();
        chances.sort();
        chances.dedup();
        chances
    }

    pub(super) fn play(&mut self, action: &str) {
        match self.turn.clone() {
            Turn::Draw { seat, mut deal, then } => {
                let letter = action.chars().nth(1).unwrap();
                take(&mut self.piles[seat], letter);
                self.hands[seat].push(letter);
                if deal.is_empty() {
                    self.begin_turn(then);
                } else {
                    let seat = deal.remove(0);
                    self.turn = Turn::Draw { seat, deal, then };
                }
            }
            Turn::Play(seat) => self.play_counter(seat, action),
            Turn::Over(_) => panic!("the game is over"),
        }
    }

    fn play_counter(&mut self, seat: usize, action: &str) {
        let letter = action.chars().next().unwrap();
        take(&mut self.hands[seat], letter);
        let tower =
            action.trim_start_matches(|c: char| c.is_alphabetic()).parse::<usize>().ok().map(|number| number - 1);
        if "OCB".contains(letter) {
            let counter = action.trim_end_matches(|c: char| c.is_numeric()).to_owned();
            self.towers[tower.unwrap()].push((seat, counter));
        } else {
            self.discards[seat].push(letter);
            if let Some(tower) = tower {
                let (owner, counter) = self.towers[tower].pop().unwrap();
                self.discards[owner].push(counter.chars().next().unwrap());
            }
        }
        if self.towers.iter().zip(&self.heights).all(|(tower, &height)| tower.len() == height) {
            self.turn = Turn::Over("castle-complete");
            return;
        }
        let then = if "CK".contains(letter) { seat } else { 1 - seat };
        if self.piles[seat].is_empty() {
            self.begin_turn(then);
        } else {
            self.turn = Turn::Draw { seat, deal: Vec::new(), then };
        }
    }

    fn begin_turn(&mut self, seat: usize) {
        self.turn = match (self.hands[seat].is_empty(), self.hands[1 - seat].is_empty()) {
            (false, _) => Turn::Play(seat),
            (true, false) => Turn::Play(1 - seat),
            (true, true) => Turn::Over("out-of-counters"),
        };
    }

    pub(super) fn scores(&self) -> [i32; 2] {
        let mut scores = [0, 0];
        for (tower, roof) in self.towers.iter().zip(&self.roofs) {
            if let Some(&(owner, _)) = tower.last() {
                let doubled = tower.iter().any(|(seat, counter)| *seat == owner && counter == "Bv");
                scores[owner] += if doubled { 2 * roof } else { *roof };
            }
        }
        for (row, value) in self.rows.iter().enumerate() {
            let counters: Vec<&Counter> = self.towers.iter().filter_map(|tower| tower.get(row)).collect();
            let of = |seat: usize| counters.iter().filter(|counter| counter.0 == seat).count();
            if of(0) != of(1) {
                let owner = usize::from(of(1) > of(0));
                let doubled = counters.iter().any(|(seat, counter)| *seat == owner && counter == "Bh");
                scores[owner] += if doubled { 2 * value } else { *value };
            }
        }
        scores
    }

    /// The winner, or `None` for a draw, and the reason.
    pub(super) fn outcome(&self) -> Option<(Option<usize>, &'static str)> {
        let Turn::Over(reason) = self.turn else { return None };
        let [yellow, green] = self.scores();
        let winner = match yellow - green {
            0 => None,
            more => Some(usize::from(more < 0)),
        };
        Some((winner, reason))
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |action: String| {
            let mut next = self.clone();
            next.play(&action);
            next.perft(depth - 1)
        };
        let draws = self.chances().into_iter().map(|(draw, _)| draw);
        self.actions().into_iter().chain(draws).map(after).sum()
    }
}

fn take(letters: &mut Vec<char>, letter: char) {
    let place = letters.iter().position(|&other| other == letter).expect("the counter is there");
    letters.remove(place);
}
