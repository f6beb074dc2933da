//! The rules page once more, slow and obvious: cards are texts, the table is a list of cards in the order in which they
//! were laid, and every question is answered by looking at all of it.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_core::{Seat, Turn};

use super::super::{Options, card::Card};

pub(super) type Square = (i32, i32);

#[derive(Clone, Debug)]
pub(super) struct Laid {
    pub(super) card: String,
    pub(super) squares: [Square; 2],
}

#[derive(Clone, PartialEq, Debug)]
enum Stage {
    Flag(usize),
    Hand(usize),
    Begin,
    Draw,
    ScuttleDraw(usize),
    Action,
    Steal(usize),
    MustPlay(String),
    Answer,
    Reply,
    Offers(Vec<usize>),
    Choose,
    GivePartner(usize, usize),
    GivePlayer(usize, usize, Vec<String>),
    Over,
}

#[derive(Clone, Debug)]
pub(super) struct Reference {
    seats: usize,
    doubloons: usize,
    turn_limit: usize,
    player: usize,
    stage: Stage,
    actions_done: usize,
    turns: usize,
    passes: usize,
    pub(super) flags: Vec<char>,
    pub(super) hands: Vec<Vec<String>>,
    pub(super) pile: Vec<Vec<String>>,
    pub(super) discard: Vec<String>,
    /// A later card lies above an earlier one.
    pub(super) table: Vec<Laid>,
    /// Squares with doubloons, and whose they are.
    pub(super) spent: Vec<(Square, usize)>,
    target: usize,
    offered: usize,
    counter: usize,
    offers: BTreeMap<usize, usize>,
    pub(super) result: Option<(Vec<usize>, &'static str)>,
}

/// The order of the deck table.
fn rank(card: &str) -> usize {
    Card::all().position(|kind| kind.name() == card).unwrap()
}

fn is_tile(card: &str) -> bool {
    card.len() == 2
}

fn is_double(card: &str) -> bool {
    is_tile(card) && card[..1] == card[1..]
}

fn icon(card: &str, half: usize) -> char {
    card.chars().nth(half).unwrap()
}

fn step((x, y): Square, direction: char) -> Square {
    match direction {
        'n' => (x, y + 1),
        'e' => (x + 1, y),
        's' => (x, y - 1),
        'w' => (x - 1, y),
        _ => panic!("{direction}"),
    }
}

fn directions(card: &str) -> &'static str {
    if is_double(card) { "ne" } else { "nesw" }
}

fn text((x, y): Square) -> String {
    format!("{x},{y}")
}

fn square(text: &str) -> Square {
    let (x, y) = text.split_once(',').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}

fn may_cover(upper: char, lower: char) -> bool {
    match upper {
        'g' => true,
        'o' => "crawgo".contains(lower),
        'k' => "gok".contains(lower),
        pirate => lower == pirate || lower == 'g' || lower == 'o',
    }
}

fn lower_square(laid: &Laid) -> Square {
    let [a, b] = laid.squares;
    if (a.1, a.0) < (b.1, b.0) { a } else { b }
}

impl Reference {
    pub(super) fn new(seats: u8, options: &Options) -> Self {
        let deck = serde_json::to_value(&options.deck).unwrap();
        let copies = |(card, copies): (&String, &serde_json::Value)| {
            vec![card.clone(); usize::try_from(copies.as_u64().unwrap()).unwrap()]
        };
        let seats = usize::from(seats);
        Self {
            seats,
            doubloons: options.doubloons.get() as usize,
            turn_limit: options.turn_limit.get() as usize,
            player: 0,
            stage: Stage::Flag(0),
            actions_done: 0,
            turns: 0,
            passes: 0,
            flags: Vec::new(),
            hands: vec![Vec::new(); seats],
            pile: vec![deck.as_object().unwrap().iter().flat_map(copies).collect()],
            discard: Vec::new(),
            table: Vec::new(),
            spent: Vec::new(),
            target: 0,
            offered: 0,
            counter: 0,
            offers: BTreeMap::new(),
            result: None,
        }
    }

    pub(super) fn turn(&self) -> Turn {
        let seat = |number: usize| Turn::Seat(Seat::new(number as u8));
        match &self.stage {
            Stage::Over => Turn::Over,
            Stage::Flag(_) | Stage::Hand(_) | Stage::Draw | Stage::ScuttleDraw(_) => Turn::Chance,
            Stage::Answer => seat(self.target),
            Stage::Offers(asked) => seat(asked[0]),
            Stage::GivePartner(partner, _) => seat(*partner),
            _ => seat(self.player),
        }
    }

    pub(super) fn score(&self, seat: usize) -> usize {
        self.spent.iter().filter(|(_, owner)| *owner == seat).count()
    }

    /// All legal actions, or chance outcomes with their weights, sorted.
    pub(super) fn legal(&self) -> Vec<String> {
        let mut list = match &self.stage {
            Stage::Flag(_) => {
                let left = "craw".chars().filter(|flag| !self.flags.contains(flag));
                left.map(|flag| format!("flag:{flag} x1")).collect()
            }
            Stage::Hand(_) | Stage::Draw | Stage::ScuttleDraw(_) => {
                let first = &self.pile[0];
                let kinds: BTreeSet<&String> = first.iter().collect();
                let weight = |card: &String| first.iter().filter(|&other| other == card).count();
                kinds.into_iter().map(|card| format!("+{card} x{}", weight(card))).collect()
            }
            Stage::Begin => {
                let scuttle = (!self.hands[self.player].is_empty()).then(|| "scuttle".to_owned());
                ["draw".to_owned()].into_iter().chain(scuttle).collect()
            }
            Stage::Action => {
                let mut list = self.plays(&self.hands[self.player]);
                if list.is_empty() {
                    list.push("pass".to_owned());
                }
                if self.actions_done == 0 && !self.hands[self.player].is_empty() {
                    list.push("scuttle".to_owned());
                }
                list
            }
            Stage::MustPlay(card) => self.plays(std::slice::from_ref(card)),
            Stage::Steal(victim) => {
                let kinds: BTreeSet<&String> = self.hands[*victim].iter().collect();
                kinds.into_iter().map(|card| format!("steal {card}")).collect()
            }
            Stage::Answer => {
                let mut list = vec!["accept".to_owned()];
                for number in 1..=self.range(self.target) {
                    if number != self.offered {
                        list.push(format!("counter n{number}"));
                    }
                }
                list
            }
            Stage::Reply => {
                let mut list = vec!["accept".to_owned(), "force".to_owned()];
                if self.seats > 2 {
                    list.push("open".to_owned());
                }
                list
            }
            Stage::Offers(asked) => {
                let mut list = vec!["decline".to_owned()];
                list.extend((1..=self.range(asked[0])).map(|number| format!("offer n{number}")));
                list
            }
            Stage::Choose => {
                let mut list = vec!["force".to_owned(), format!("take {}", self.target)];
                list.extend(self.offers.keys().map(|seat| format!("take {seat}")));
                list
            }
            Stage::GivePartner(partner, number) => gifts(&self.hands[*partner], *number),
            Stage::GivePlayer(_, number, _) => gifts(&self.hands[self.player], *number),
            Stage::Over => Vec::new(),
        };
        list.sort();
        list
    }

    fn range(&self, seat: usize) -> usize {
        self.hands[self.player].len().min(self.hands[seat].len())
    }

    /// All ways to play one of these cards, which are in the hand.
    fn plays(&self, cards: &[String]) -> Vec<String> {
        let kinds: BTreeSet<&String> = cards.iter().collect();
        let mut list = Vec::new();
        for card in kinds {
            let mut rest = self.hands[self.player].clone();
            rest.remove(rest.iter().position(|other| other == card).unwrap());
            let others = (0..self.seats).filter(|&seat| seat != self.player && !self.hands[seat].is_empty());
            match card.as_str() {
                "cannon" => {
                    list.extend(self.targets().iter().map(|laid| format!("cannon {}", text(lower_square(laid)))));
                }
                "heading" => {
                    for laid in self.targets() {
                        let tiles: BTreeSet<&String> = rest.iter().filter(|card| is_tile(card)).collect();
                        let upright = laid.squares[0].0 == laid.squares[1].0;
                        for new in tiles {
                            for direction in directions(new).chars() {
                                if upright == (direction == 'n' || direction == 's') {
                                    list.push(format!("heading {} {new} {direction}", text(lower_square(&laid))));
                                }
                            }
                        }
                    }
                }
                "parlay" => {
                    for seat in others {
                        let most = rest.len().min(self.hands[seat].len());
                        list.extend((1..=most).map(|number| format!("parlay {seat} n{number}")));
                    }
                }
                "plunder" => {
                    list.extend(others.map(|seat| format!("plunder {seat}")));
                    let kinds: BTreeSet<&String> = self.discard.iter().filter(|card| *card != "plunder").collect();
                    list.extend(kinds.into_iter().map(|card| format!("plunder discard {card}")));
                }
                tile => list.extend(self.places(tile)),
            }
        }
        list
    }

    /// The topmost icon.
    pub(super) fn icon_at(&self, at: Square) -> Option<char> {
        let laid = self.table.iter().rev().find(|laid| laid.squares.contains(&at))?;
        Some(icon(&laid.card, usize::from(laid.squares[1] == at)))
    }

    fn is_spent(&self, at: Square) -> bool {
        self.spent.iter().any(|(square, _)| *square == at)
    }

    fn places(&self, card: &str) -> Vec<String> {
        let mut list = Vec::new();
        if self.table.is_empty() {
            return directions(card).chars().map(|direction| format!("place {card} 0,0 {direction}")).collect();
        }
        let squares = || self.table.iter().flat_map(|laid| laid.squares);
        let [left, right] = [squares().map(|at| at.0).min().unwrap() - 3, squares().map(|at| at.0).max().unwrap() + 3];
        let [low, high] = [squares().map(|at| at.1).min().unwrap() - 3, squares().map(|at| at.1).max().unwrap() + 3];
        // The icons as they lie, later cards over earlier ones, with room on all sides.
        let place = |(x, y): Square| ((x - left + 2) as usize, (y - low + 2) as usize);
        let mut tops = vec![vec![None; (high - low + 5) as usize]; (right - left + 5) as usize];
        for laid in &self.table {
            for half in 0..2 {
                let (column, row) = place(laid.squares[half]);
                tops[column][row] = Some(icon(&laid.card, half));
            }
        }
        let touches = |at: Square| {
            let (column, row) = place(at);
            (column - 1..=column + 1).any(|column| (row - 1..=row + 1).any(|row| tops[column][row].is_some()))
        };
        for x in left..=right {
            for y in low..=high {
                for direction in directions(card).chars() {
                    let both = [(x, y), step((x, y), direction)];
                    let fits = (0..2).all(|half| match tops[place(both[half]).0][place(both[half]).1] {
                        None => true,
                        Some(below) => !self.is_spent(both[half]) && may_cover(icon(card, half), below),
                    });
                    if fits && (touches(both[0]) || touches(both[1])) {
                        list.push(format!("place {card} {x},{y} {direction}"));
                    }
                }
            }
        }
        list
    }

    pub(super) fn is_covered(&self, number: usize) -> bool {
        self.table[number + 1..]
            .iter()
            .any(|upper| upper.squares.iter().any(|at| self.table[number].squares.contains(at)))
    }

    /// The cards that can be destroyed or taken.
    fn targets(&self) -> Vec<Laid> {
        let free = |&number: &usize| {
            !self.is_covered(number) && !self.table[number].squares.iter().any(|&at| self.is_spent(at))
        };
        (0..self.table.len()).filter(free).map(|number| self.table[number].clone()).collect()
    }

    fn take_off(&mut self, at: Square) -> Laid {
        let number = self.table.iter().rposition(|laid| laid.squares.contains(&at)).unwrap();
        self.table.remove(number)
    }

    fn leave_hand(&mut self, seat: usize, card: &str) {
        let number = self.hands[seat].iter().position(|other| other == card).unwrap();
        self.hands[seat].remove(number);
    }

    pub(super) fn apply(&mut self, action: &str) {
        let words: Vec<&str> = action.split(' ').collect();
        if let Some(flag) = action.strip_prefix("flag:") {
            self.flags.push(flag.chars().next().unwrap());
            self.stage = if self.flags.len() == self.seats { Stage::Hand(0) } else { Stage::Flag(self.flags.len()) };
            return;
        }
        if let Some(card) = action.strip_prefix('+') {
            self.drawn(card);
            return;
        }
        let me = self.player;
        match words[0] {
            "draw" => self.go_on_drawing(),
            "scuttle" => {
                self.passes = 0;
                let hand = std::mem::take(&mut self.hands[me]);
                self.stage = Stage::ScuttleDraw(hand.len());
                self.pile.push(hand);
            }
            "pass" => {
                self.passes += 1;
                self.turn_over();
            }
            "place" => {
                self.passes = 0;
                self.leave_hand(me, words[1]);
                let at = square(words[2]);
                let to = step(at, words[3].chars().next().unwrap());
                self.table.push(Laid { card: words[1].to_owned(), squares: [at, to] });
                self.look_for_x();
                self.action_over();
            }
            "cannon" => {
                self.passes = 0;
                self.leave_hand(me, "cannon");
                let hit = self.take_off(square(words[1]));
                self.discard.extend(["cannon".to_owned(), hit.card]);
                self.look_for_x();
                self.action_over();
            }
            "heading" => {
                self.passes = 0;
                self.leave_hand(me, "heading");
                self.leave_hand(me, words[2]);
                self.discard.push("heading".to_owned());
                let old = self.take_off(square(words[1]));
                let lower = lower_square(&old);
                let upper = if old.squares[0] == lower { old.squares[1] } else { old.squares[0] };
                let squares = if "ne".contains(words[3]) { [lower, upper] } else { [upper, lower] };
                self.table.push(Laid { card: words[2].to_owned(), squares });
                self.hands[me].push(old.card);
                self.look_for_x();
                self.action_over();
            }
            "parlay" => {
                self.passes = 0;
                self.leave_hand(me, "parlay");
                self.discard.push("parlay".to_owned());
                self.target = words[1].parse().unwrap();
                self.offered = words[2][1..].parse().unwrap();
                self.offers.clear();
                self.stage = Stage::Answer;
            }
            "plunder" => {
                self.passes = 0;
                self.leave_hand(me, "plunder");
                if words[1] == "discard" {
                    let number = self.discard.iter().position(|card| card == words[2]).unwrap();
                    let card = self.discard.remove(number);
                    self.plundered(card);
                } else {
                    self.stage = Stage::Steal(words[1].parse().unwrap());
                }
            }
            "steal" => {
                let Stage::Steal(victim) = self.stage else { panic!("{action}") };
                self.leave_hand(victim, words[1]);
                self.plundered(words[1].to_owned());
            }
            "give" => self.give(words[1..].iter().map(|&card| card.to_owned()).collect()),
            _ => self.say(&words),
        }
    }

    fn drawn(&mut self, card: &str) {
        let number = self.pile[0].iter().position(|other| other == card).unwrap();
        let card = self.pile[0].remove(number);
        if self.pile[0].is_empty() {
            self.pile.remove(0);
        }
        match self.stage.clone() {
            Stage::Hand(seat) => {
                self.hands[seat].push(card);
                if self.hands[seat].len() == 4 {
                    self.stage = if seat + 1 == self.seats { Stage::Begin } else { Stage::Hand(seat + 1) };
                }
            }
            Stage::Draw => {
                self.hands[self.player].push(card);
                self.go_on_drawing();
            }
            Stage::ScuttleDraw(left) => {
                self.hands[self.player].push(card);
                if left == 1 {
                    self.turn_over();
                } else {
                    self.stage = Stage::ScuttleDraw(left - 1);
                }
            }
            stage => panic!("{stage:?}"),
        }
    }

    fn go_on_drawing(&mut self) {
        self.stage = Stage::Action;
        if self.hands[self.player].len() < 6 {
            if self.pile.is_empty() && !self.discard.is_empty() {
                self.pile.push(std::mem::take(&mut self.discard));
            }
            if !self.pile.is_empty() {
                self.stage = Stage::Draw;
            }
        }
    }

    fn plundered(&mut self, card: String) {
        self.discard.push("plunder".to_owned());
        self.hands[self.player].push(card.clone());
        if self.plays(std::slice::from_ref(&card)).is_empty() {
            self.action_over();
        } else {
            self.stage = Stage::MustPlay(card);
        }
    }

    fn say(&mut self, words: &[&str]) {
        let target = self.target;
        let number = |word: &str| word[1..].parse::<usize>().unwrap();
        self.stage = match (self.stage.clone(), words[0]) {
            (Stage::Answer, "accept") => Stage::GivePartner(target, self.offered),
            (Stage::Answer, "counter") => {
                self.counter = number(words[1]);
                Stage::Reply
            }
            (Stage::Reply, "accept") => Stage::GivePartner(target, self.counter),
            (Stage::Reply | Stage::Choose, "force") => Stage::GivePartner(target, 1),
            (Stage::Reply, "open") => {
                let others: Vec<usize> = (1..self.seats)
                    .map(|ahead| (self.player + ahead) % self.seats)
                    .filter(|&seat| seat != target && !self.hands[seat].is_empty())
                    .collect();
                if others.is_empty() { Stage::Choose } else { Stage::Offers(others) }
            }
            (Stage::Offers(mut asked), said) => {
                let seat = asked.remove(0);
                if said == "offer" {
                    self.offers.insert(seat, number(words[1]));
                }
                if asked.is_empty() { Stage::Choose } else { Stage::Offers(asked) }
            }
            (Stage::Choose, "take") => {
                let seat: usize = words[1].parse().unwrap();
                Stage::GivePartner(seat, if seat == target { self.counter } else { self.offers[&seat] })
            }
            (stage, said) => panic!("{said} in {stage:?}"),
        };
    }

    fn give(&mut self, cards: Vec<String>) {
        match self.stage.clone() {
            Stage::GivePartner(partner, number) => self.stage = Stage::GivePlayer(partner, number, cards),
            Stage::GivePlayer(partner, _, theirs) => {
                for card in &theirs {
                    self.leave_hand(partner, card);
                }
                for card in &cards {
                    self.leave_hand(self.player, card);
                }
                self.hands[self.player].extend(theirs);
                self.hands[partner].extend(cards);
                self.action_over();
            }
            stage => panic!("{stage:?}"),
        }
    }

    /// Looks at every square for the X's of each player in order.
    fn look_for_x(&mut self) {
        let diagonal = [(0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];
        let orthogonal = [(0, 0), (0, -1), (-1, 0), (1, 0), (0, 1)];
        let squares: BTreeSet<(i32, i32)> =
            self.table.iter().flat_map(|laid| laid.squares).map(|(x, y)| (y, x)).collect();
        let icons: BTreeMap<Square, char> =
            squares.iter().map(|&(y, x)| ((x, y), self.icon_at((x, y)).unwrap())).collect();
        for ahead in 0..self.seats {
            let seat = (self.player + ahead) % self.seats;
            let mut centres = Vec::new();
            for &(y, x) in &squares {
                for form in [diagonal, orthogonal] {
                    let shows = |(dx, dy): Square| {
                        let at = (x + dx, y + dy);
                        !self.is_spent(at)
                            && icons.get(&at).is_some_and(|&icon| icon == self.flags[seat] || icon == 'g')
                    };
                    if form.into_iter().all(shows) {
                        centres.push((x, y));
                    }
                }
            }
            for centre in centres {
                if self.score(seat) < self.doubloons {
                    self.spent.push((centre, seat));
                }
            }
            if self.score(seat) == self.doubloons {
                self.stage = Stage::Over;
                self.result = Some((vec![seat], "three-doubloons"));
                return;
            }
        }
    }

    fn action_over(&mut self) {
        if self.stage == Stage::Over {
            return;
        }
        self.actions_done += 1;
        self.stage = Stage::Action;
        if self.actions_done == 2 {
            self.turn_over();
        }
    }

    fn turn_over(&mut self) {
        self.turns += 1;
        self.actions_done = 0;
        let reason = if self.passes == self.seats {
            "stalemate"
        } else if self.turns == self.turn_limit {
            "turn-limit"
        } else {
            self.player = (self.player + 1) % self.seats;
            self.stage = Stage::Begin;
            return;
        };
        let most = (0..self.seats).map(|seat| self.score(seat)).max().unwrap();
        let best: Vec<usize> = (0..self.seats).filter(|&seat| self.score(seat) == most).collect();
        self.stage = Stage::Over;
        self.result = Some((if best.len() == 1 { best } else { Vec::new() }, reason));
    }
}

/// All different ways to give so many cards of a hand.
fn gifts(hand: &[String], number: usize) -> Vec<String> {
    let mut different = BTreeSet::new();
    for choice in 0_u32..1 << hand.len() {
        if choice.count_ones() as usize == number {
            let mut cards: Vec<&String> =
                (0..hand.len()).filter(|card| choice >> card & 1 == 1).map(|card| &hand[card]).collect();
            cards.sort_by_key(|card| rank(card));
            different.insert(cards);
        }
    }
    different
        .into_iter()
        .map(|cards| cards.into_iter().fold("give".to_owned(), |text, card| text + " " + card))
        .collect()
}
