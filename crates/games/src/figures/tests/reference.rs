//! Figures once more, written from the rules page without any cleverness: what the fast code is compared with.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use super::super::{Options, Zigzag};

const SIZE: i32 = 5;
const LETTERS: [char; 5] = ['r', 'y', 'g', 'b', 'n'];

type Place = (i32, i32);

/// The figures that a table plays with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes {
    pub(super) staircase: bool,
    pub(super) diagonal_lines: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Take,
    Exchange,
    Return,
}

#[derive(Clone, Debug)]
pub(super) struct Reference {
    seats: usize,
    target: u32,
    turn_limit: u32,
    figures: Rc<BTreeMap<BTreeSet<Place>, &'static str>>,
    display: BTreeMap<Place, char>,
    /// By side.
    hands: Vec<Vec<char>>,
    times_made: BTreeMap<(&'static str, char), usize>,
    points: Vec<u32>,
    turns: u32,
    exchanges: u32,
    mover: usize,
    step: Step,
    /// Colours of the figures made in this turn.
    made: Vec<char>,
    outcome: Option<(Vec<u8>, &'static str)>,
}

fn name((col, row): Place) -> String {
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

/// a1, b1, .. e5.
pub(super) fn all_places() -> Vec<Place> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |col| (col, row))).collect()
}

fn neighbours((col, row): Place) -> Vec<Place> {
    let near = |&(c, r): &Place| (c, r) != (col, row) && (c - col).abs() <= 1 && (r - row).abs() <= 1;
    all_places().into_iter().filter(near).collect()
}

fn connected(group: &BTreeSet<Place>) -> bool {
    let mut reached = BTreeSet::new();
    let mut next: Vec<Place> = group.iter().take(1).copied().collect();
    while let Some(place) = next.pop() {
        if reached.insert(place) {
            next.extend(neighbours(place).into_iter().filter(|near| group.contains(near)));
        }
    }
    reached == *group
}

/// All sets of five places that are a figure.
pub(super) fn figures(shapes: Shapes) -> BTreeMap<BTreeSet<Place>, &'static str> {
    let mut found: Vec<(Vec<Place>, &'static str)> = Vec::new();
    for (c, r) in all_places() {
        found.push((vec![(c, r), (c - 1, r - 1), (c + 1, r - 1), (c - 1, r + 1), (c + 1, r + 1)], "cross"));
        found.push((vec![(c, r), (c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)], "plus"));
    }
    for i in 0..SIZE {
        found.push(((0..SIZE).map(|c| (c, i)).collect(), "line"));
        found.push(((0..SIZE).map(|r| (i, r)).collect(), "line"));
    }
    if shapes.diagonal_lines {
        found.push(((0..SIZE).map(|i| (i, i)).collect(), "line"));
        found.push(((0..SIZE).map(|i| (i, SIZE - 1 - i)).collect(), "line"));
    }
    if shapes.staircase {
        let mut stairs: Vec<Place> = ["a1", "a2", "b2", "b3", "c3"].into_iter().map(place).collect();
        for _ in 0..4 {
            // A quarter turn, then moved to all over the display.
            stairs = stairs.into_iter().map(|(c, r)| (r, -c)).collect();
            for (right, up) in (-SIZE..=SIZE).flat_map(|right| (-SIZE..=SIZE).map(move |up| (right, up))) {
                found.push((stairs.iter().map(|&(c, r)| (c + right, r + up)).collect(), "zig-zag"));
            }
        }
    } else {
        for low in 0..SIZE - 1 {
            for first in 0..2 {
                let zigzag = |i: i32| low + (i + first) % 2;
                found.push(((0..SIZE).map(|c| (c, zigzag(c))).collect(), "zig-zag"));
                found.push(((0..SIZE).map(|r| (zigzag(r), r)).collect(), "zig-zag"));
            }
        }
    }
    found.retain(|(places, _)| places.iter().all(|place| all_places().contains(place)));
    let mut figures = BTreeMap::new();
    for (places, name) in found {
        let before = figures.insert(places.into_iter().collect::<BTreeSet<_>>(), name);
        assert!(before.is_none_or(|before| before == name), "five places are one figure");
    }
    figures
}

impl Reference {
    pub(super) fn new(seats: u8, options: &Options) -> Self {
        let given = String::from(options.layout.clone());
        let letters: Vec<char> = if given == "stripes" {
            all_places().into_iter().map(|(col, row)| LETTERS[((col + row) % 5) as usize]).collect()
        } else {
            given.chars().collect()
        };
        Self {
            seats: seats.into(),
            target: options.target.get(),
            turn_limit: options.turn_limit.get(),
            figures: Rc::new(figures(Shapes {
                staircase: options.zigzag == Zigzag::Staircase,
                diagonal_lines: options.diagonal_lines,
            })),
            display: all_places().into_iter().zip(letters).collect(),
            hands: vec![Vec::new(), Vec::new()],
            times_made: BTreeMap::new(),
            points: vec![0; seats.into()],
            turns: 0,
            exchanges: 0,
            mover: 0,
            step: Step::Take,
            made: Vec::new(),
            outcome: None,
        }
    }

    pub(super) fn turn(&self) -> Option<usize> {
        self.outcome.is_none().then_some(self.mover)
    }

    pub(super) fn outcome(&self) -> Option<(Vec<u8>, &'static str)> {
        self.outcome.clone()
    }

    pub(super) fn points(&self) -> &[u32] {
        &self.points
    }

    pub(super) fn display(&self) -> String {
        all_places().into_iter().map(|place| self.display[&place]).collect()
    }

    fn side_points(&self, side: usize) -> u32 {
        (0..self.seats).filter(|seat| seat % 2 == side).map(|seat| self.points[seat]).sum()
    }

    fn markers(&self, colour: char) -> BTreeSet<Place> {
        self.display.iter().filter(|&(_, &here)| here == colour).map(|(&place, _)| place).collect()
    }

    fn exchange_is_legal(&self, one: Place, other: Place) -> bool {
        let hand = &self.hands[self.mover % 2];
        let (a, b) = (self.display[&one], self.display[&other]);
        if a == b || !hand.contains(&a) || !hand.contains(&b) {
            return false;
        }
        let mut after = self.clone();
        after.display.insert(one, b);
        after.display.insert(other, a);
        for (arrived, colour, other_colour) in [(one, b, a), (other, a, b)] {
            let isolated = neighbours(arrived).into_iter().all(|near| after.display[&near] != colour);
            if isolated && !connected(&after.markers(other_colour)) {
                return false;
            }
        }
        let creates = [a, b].into_iter().any(|colour| self.figures.contains_key(&after.markers(colour)));
        !(self.exchanges == 0 && creates)
    }

    fn exchanges(&self) -> Vec<String> {
        let places = all_places();
        let mut texts = Vec::new();
        for low in 0..places.len() {
            for high in low + 1..places.len() {
                if self.exchange_is_legal(places[low], places[high]) {
                    texts.push(name(places[low]) + &name(places[high]));
                }
            }
        }
        texts
    }

    /// The texts of a seat's legal actions, sorted.
    pub(super) fn legal(&self, seat: usize) -> Vec<String> {
        if self.outcome.is_some() || seat != self.mover {
            return Vec::new();
        }
        let hand = &self.hands[self.mover % 2];
        let mut texts: Vec<String> = match self.step {
            Step::Take => {
                let bank = LETTERS.iter().filter(|letter| !self.hands.iter().any(|hand| hand.contains(letter)));
                bank.map(|letter| format!("+{letter}")).collect()
            }
            Step::Exchange => self.exchanges(),
            Step::Return if self.made.len() == 1 => vec![format!("-{}", self.made[0])],
            Step::Return => hand.iter().map(|letter| format!("-{letter}")).collect(),
        };
        texts.sort();
        texts
    }

    pub(super) fn apply(&mut self, text: &str) {
        let side = self.mover % 2;
        let letter = text.chars().nth(1).expect("a text has two letters or more");
        if text.starts_with('+') {
            self.hands[side].push(letter);
            if self.hands[side].len() == 2 {
                self.made.clear();
                self.step = if self.exchanges().is_empty() { Step::Return } else { Step::Exchange };
            }
        } else if text.starts_with('-') {
            self.hands[side].retain(|&stone| stone != letter);
            self.turns += 1;
            self.mover = (self.mover + 1) % self.seats;
            self.step = Step::Take;
            if self.turns == self.turn_limit {
                let winners = match self.side_points(0).cmp(&self.side_points(1)) {
                    std::cmp::Ordering::Less => self.seats_of(1),
                    std::cmp::Ordering::Equal => Vec::new(),
                    std::cmp::Ordering::Greater => self.seats_of(0),
                };
                self.outcome = Some((winners, "turn-limit"));
            }
        } else {
            self.exchange(place(&text[..2]), place(&text[2..]));
        }
    }

    fn exchange(&mut self, one: Place, other: Place) {
        let (a, b) = (self.display[&one], self.display[&other]);
        self.display.insert(one, b);
        self.display.insert(other, a);
        self.exchanges += 1;
        for colour in [a, b] {
            if let Some(&figure) = self.figures.get(&self.markers(colour)) {
                let times = self.times_made.entry((figure, colour)).or_insert(0);
                self.points[self.mover] += [5, 3, 2].get(*times).copied().unwrap_or(1);
                *times += 1;
                self.made.push(colour);
            }
        }
        self.step = Step::Return;
        let side = self.mover % 2;
        let (own, others) = (self.side_points(side), self.side_points(1 - side));
        if own >= self.target {
            let reason = if own - others >= 11 { "double-victory" } else { "points" };
            self.outcome = Some((self.seats_of(side), reason));
        }
    }

    fn seats_of(&self, side: usize) -> Vec<u8> {
        (0..self.seats).filter(|seat| seat % 2 == side).map(|seat| seat as u8).collect()
    }
}
