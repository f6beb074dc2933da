//! What the player is about to do: which card is held, where, and which way it points. Nothing here knows what is legal; it
//! only knows what was offered.

use std::cmp::Reverse;
use std::collections::HashSet;

use quincunx_games::x_marks_the_spot::{Action, Card, CardView, Direction, Square, View};

use crate::boards::Did;
use crate::boards::round::next;

/// A plan on its way to an action.
#[derive(Debug)]
pub struct Plan {
    offers: Vec<Action>,
    texts: HashSet<String>,
    /// The hand of the viewer, and the cards on the chart that lie free.
    hand: Vec<Card>,
    free: Vec<[Square; 2]>,
    step: Step,
    /// What is pointed at in front: a card of the hand by its place, behind them the words.
    pub focus: usize,
    /// What is pointed at on the chart, and where the second icon of a card that is held there points.
    pub spot: Square,
    direction: Direction,
}

/// What the player chooses next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A card of the hand or one of the words beside it.
    Front,
    /// Where a card is laid.
    Place(Card),
    /// Which card on the chart is shot.
    Shoot,
    /// Which card on the chart a new heading takes, by its lower square.
    Take,
    /// Which card of the hand is laid there instead, and which way.
    Lay { taken: Square, card: Card },
    /// One line of a list.
    List { lines: Vec<Action>, chosen: usize },
    /// The cards of the hand to give away, by their places.
    Give { picked: Vec<usize>, wanted: usize },
}

/// A card that is held above the chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    pub card: Card,
    pub at: Square,
    pub direction: Direction,
}

impl Held {
    pub fn squares(&self) -> [Square; 2] {
        [self.at, self.at.step(self.direction)]
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            offers: Vec::new(),
            texts: HashSet::new(),
            hand: Vec::new(),
            free: Vec::new(),
            step: Step::Front,
            focus: 0,
            spot: Square { x: 0, y: 0 },
            direction: Direction::East,
        }
    }
}

impl Plan {
    /// Begins anew with what is offered now. A card that must be played is held at once.
    pub fn renew(&mut self, view: &View, offers: &[String]) {
        let own = view.players.iter().find(|player| view.viewer == Some(player.seat));
        self.hand = own.and_then(|player| player.hand.clone()).unwrap_or_default();
        self.free = view.chart.iter().filter(|card| !card.covered).map(squares_from_below).collect();
        self.offers = offers.iter().filter_map(|offer| offer.parse().ok()).collect();
        self.texts = offers.iter().cloned().collect();
        self.step = self.first_step();
        self.focus = 0;
        if !self.may_focus(0) {
            self.next_in_front(false);
        }
        if let Some(place) = view.must_play.and_then(|card| self.hand.iter().position(|&held| held == card))
            && self.may_focus(place)
        {
            self.focus = place;
            self.take_up();
        }
    }

    fn first_step(&self) -> Step {
        let talk = |action: &&Action| {
            matches!(
                action,
                Action::Accept
                    | Action::Counter(_)
                    | Action::Force
                    | Action::Open
                    | Action::Offer(_)
                    | Action::Decline
                    | Action::Take(_)
                    | Action::Steal(_)
            )
        };
        let lines: Vec<Action> = self.offers.iter().filter(talk).copied().collect();
        let wanted = self.offers.iter().find_map(|action| match action {
            Action::Give(gift) => Some(gift.iter().count()),
            _ => None,
        });
        match wanted {
            Some(wanted) => Step::Give { picked: Vec::new(), wanted },
            None if lines.is_empty() => Step::Front,
            None => Step::List { lines, chosen: 0 },
        }
    }

    pub fn step(&self) -> &Step {
        &self.step
    }

    pub fn is_ours(&self) -> bool {
        !self.texts.is_empty()
    }

    /// The words beside the hand: what is done without a card.
    pub fn words(&self) -> Vec<Action> {
        if let Step::Give { picked, wanted } = &self.step {
            let ready = if picked.len() == *wanted { self.gift() } else { None };
            return ready.into_iter().collect();
        }
        let plain = |action: &&Action| matches!(action, Action::Draw | Action::Scuttle | Action::Pass);
        self.offers.iter().filter(plain).copied().collect()
    }

    /// What may be done with a card of the hand.
    fn with_card(&self, card: Card) -> impl Iterator<Item = Action> + '_ {
        self.offers.iter().copied().filter(move |action| match action {
            Action::Place { card: laid, .. } => *laid == card,
            Action::Cannon(_) => card == Card::CANNON,
            Action::Heading { .. } => card == Card::HEADING,
            Action::Parlay { .. } => card == Card::PARLAY,
            Action::Plunder(_) | Action::PlunderDiscard(_) => card == Card::PLUNDER,
            _ => false,
        })
    }

    /// Whether something may be done with what lies at this place in front.
    pub fn may_focus(&self, place: usize) -> bool {
        match (self.hand.get(place), &self.step) {
            (Some(_), Step::Give { .. }) => true,
            (Some(&card), _) => self.with_card(card).next().is_some(),
            (None, _) => place < self.hand.len() + self.words().len(),
        }
    }

    fn next_in_front(&mut self, back: bool) {
        let places: Vec<usize> =
            (0..self.hand.len() + self.words().len()).filter(|&place| self.may_focus(place)).collect();
        self.focus = next(&places, &self.focus, back).unwrap_or(self.focus);
    }

    /// All ways to lay a card that are offered, by rows from the top.
    fn places(&self, card: Card) -> Vec<(Square, Direction)> {
        let mut places: Vec<(Square, Direction)> = self
            .with_card(card)
            .filter_map(|action| match action {
                Action::Place { at, direction, .. } => Some((at, direction)),
                _ => None,
            })
            .collect();
        places.sort_by_key(|(at, direction)| (Reverse(at.y), at.x, *direction as u8));
        places
    }

    /// The squares on which the first icon of the card that is held may lie as it is turned now.
    pub fn open_squares(&self) -> Vec<Square> {
        let Step::Place(card) = self.step else { return Vec::new() };
        let turned = |(at, direction): (Square, Direction)| match direction {
            _ if direction == self.direction => Some(at),
            _ if card.is_double() && direction == self.direction.opposite() => Some(at.step(direction)),
            _ => None,
        };
        self.places(card).into_iter().filter_map(turned).collect()
    }

    /// The cards that may be shot or taken, by their lower squares.
    pub fn targets(&self) -> Vec<Square> {
        let mut targets: Vec<Square> = self
            .offers
            .iter()
            .filter_map(|action| match (action, &self.step) {
                (Action::Cannon(at), Step::Shoot) | (Action::Heading { at, .. }, Step::Take) => Some(*at),
                _ => None,
            })
            .collect();
        targets.sort_by_key(|at| (Reverse(at.y), at.x));
        targets.dedup();
        targets
    }

    /// Both squares of the free card at a square; the square alone where there is none.
    pub fn card_at(&self, at: Square) -> Vec<Square> {
        self.free.iter().find(|squares| squares.contains(&at)).map_or_else(|| vec![at], |squares| squares.to_vec())
    }

    /// What may be laid in place of a card that is taken, with the directions.
    fn replacements(&self, taken: Square) -> Vec<(Card, Direction)> {
        let mut found: Vec<(Card, Direction)> = self
            .offers
            .iter()
            .filter_map(|action| match action {
                Action::Heading { at, card, direction } if *at == taken => Some((*card, *direction)),
                _ => None,
            })
            .collect();
        found.sort_by_key(|(card, direction)| (*card, *direction as u8));
        found
    }

    /// The card that is held above the chart.
    pub fn held(&self) -> Option<Held> {
        match self.step {
            Step::Place(card) => Some(Held { card, at: self.spot, direction: self.direction }),
            Step::Lay { taken, card } => {
                let lower = self.direction.is_up();
                let at = if lower { taken } else { taken.step(self.direction.opposite()) };
                Some(Held { card, at, direction: self.direction })
            }
            _ => None,
        }
    }

    /// Whether this card of the hand was taken up, to be played or to be laid by a new heading.
    pub fn is_held(&self, place: usize) -> bool {
        match &self.step {
            Step::Front | Step::Give { .. } => false,
            Step::List { .. } if self.first_step() != Step::Front => false,
            Step::Lay { card, .. } => {
                place == self.focus || self.hand.iter().position(|held| held == card) == Some(place)
            }
            _ => place == self.focus,
        }
    }

    /// The squares on the chart that the plan is about now.
    pub fn aims(&self) -> Vec<Square> {
        match self.step {
            Step::Shoot | Step::Take => self.card_at(self.spot),
            _ => self.held().map_or_else(Vec::new, |held| held.squares().to_vec()),
        }
    }

    /// The action that the plan amounts to, whether it was offered or not.
    pub fn action(&self) -> Option<Action> {
        match &self.step {
            Step::Front | Step::Give { .. } => {
                self.focus.checked_sub(self.hand.len()).and_then(|number| self.words().get(number).copied())
            }
            Step::Place(_) => self.held().map(laying),
            Step::Shoot => Some(Action::Cannon(self.lower(self.spot))),
            Step::Take => None,
            Step::Lay { taken, card } => Some(Action::Heading { at: *taken, card: *card, direction: self.direction }),
            Step::List { lines, chosen } => lines.get(*chosen).copied(),
        }
    }

    pub fn is_offered(&self) -> bool {
        self.action().is_some_and(|action| self.texts.contains(&action.to_string()))
    }

    fn lower(&self, at: Square) -> Square {
        self.card_at(at).first().copied().unwrap_or(at)
    }

    /// The gift that the picked cards make, as it was offered.
    fn gift(&self) -> Option<Action> {
        let Step::Give { picked, .. } = &self.step else { return None };
        let mut cards: Vec<Card> = picked.iter().filter_map(|&place| self.hand.get(place).copied()).collect();
        cards.sort_unstable();
        self.offers
            .iter()
            .copied()
            .find(|action| matches!(action, Action::Give(gift) if gift.iter().eq(cards.iter().copied())))
    }

    /// Tab: on to the next thing that may be chosen, or back.
    pub fn go_to_next(&mut self, back: bool) {
        match self.step.clone() {
            Step::Front | Step::Give { .. } => self.next_in_front(back),
            Step::Place(card) => {
                let here = self.held().map(laying);
                let ways: Vec<Option<Action>> = self
                    .places(card)
                    .into_iter()
                    .map(|(at, direction)| Some(Action::Place { card, at, direction }))
                    .collect();
                if let Some(Some(Action::Place { at, direction, .. })) = next(&ways, &here, back) {
                    (self.spot, self.direction) = (at, direction);
                }
            }
            Step::Shoot | Step::Take => {
                let here = self.lower(self.spot);
                self.spot = next(&self.targets(), &here, back).unwrap_or(self.spot);
            }
            Step::Lay { taken, card } => {
                if let Some((card, direction)) = next(&self.replacements(taken), &(card, self.direction), back) {
                    self.step = Step::Lay { taken, card };
                    self.direction = direction;
                }
            }
            Step::List { .. } => self.move_in_list(if back { -1 } else { 1 }),
        }
    }

    fn move_in_list(&mut self, steps: isize) {
        if let Step::List { lines, chosen } = &mut self.step {
            let count = lines.len().max(1) as isize;
            *chosen = (*chosen as isize + steps).rem_euclid(count) as usize;
        }
    }

    /// An arrow key.
    pub fn go(&mut self, direction: Direction) {
        match self.step.clone() {
            Step::Front | Step::Give { .. } => {
                let count = self.hand.len() + self.words().len();
                let step = if direction.is_up() { 1 } else { -1 };
                self.focus = self.focus.saturating_add_signed(step).min(count.saturating_sub(1));
            }
            Step::Place(_) => self.spot = self.spot.step(direction),
            Step::Shoot | Step::Take => {
                let targets = self.targets();
                self.spot = match nearest(self.spot, direction, &targets) {
                    Some(target) => target,
                    None if targets.is_empty() => self.spot.step(direction),
                    None => self.spot,
                };
            }
            Step::Lay { taken, card } => {
                let mut cards: Vec<Card> = self.replacements(taken).into_iter().map(|(card, _)| card).collect();
                cards.dedup();
                if let Some(other) = next(&cards, &card, !direction.is_up()) {
                    self.lay(taken, other);
                }
            }
            Step::List { .. } => {
                let earlier = matches!(direction, Direction::North | Direction::West);
                self.move_in_list(if earlier { -1 } else { 1 });
            }
        }
    }

    /// Turns the card that is held; one that replaces another only as it may lie there.
    pub fn turn(&mut self, back: bool) {
        match self.step {
            Step::Place(_) => self.direction = next(&Direction::ALL, &self.direction, back).unwrap_or(self.direction),
            Step::Lay { taken, card } => {
                let ways = self.ways(taken, card);
                self.direction = next(&ways, &self.direction, back).unwrap_or(self.direction);
            }
            _ => {}
        }
    }

    fn ways(&self, taken: Square, card: Card) -> Vec<Direction> {
        let replacements = self.replacements(taken).into_iter();
        replacements.filter(|(other, _)| *other == card).map(|(_, direction)| direction).collect()
    }

    fn lay(&mut self, taken: Square, card: Card) {
        let ways = self.ways(taken, card);
        if !ways.contains(&self.direction) {
            self.direction = ways.first().copied().unwrap_or(self.direction);
        }
        self.step = Step::Lay { taken, card };
    }

    /// Enter: goes one step on, or acts.
    pub fn enter(&mut self) -> Did {
        match &self.step {
            Step::Front if self.focus < self.hand.len() => self.take_up(),
            Step::Give { .. } if self.focus < self.hand.len() => self.pick(),
            Step::Take => {
                let taken = self.lower(self.spot);
                match self.replacements(taken).first() {
                    Some(&(card, _)) => {
                        self.lay(taken, card);
                        Did::Changed
                    }
                    None => Did::Nothing,
                }
            }
            _ => self.action().map_or(Did::Nothing, |action| Did::Act(action.to_string())),
        }
    }

    /// Takes the card at the focus up, to say what becomes of it.
    fn take_up(&mut self) -> Did {
        let Some(&card) = self.hand.get(self.focus) else { return Did::Nothing };
        self.step = match card {
            Card::CANNON => Step::Shoot,
            Card::HEADING => Step::Take,
            Card::PARLAY | Card::PLUNDER => {
                let lines: Vec<Action> = self.with_card(card).collect();
                if lines.is_empty() {
                    return Did::Nothing;
                }
                Step::List { lines, chosen: 0 }
            }
            tile => Step::Place(tile),
        };
        self.aim_at_something();
        Did::Changed
    }

    /// Begins where something can be done, near to where it was.
    fn aim_at_something(&mut self) {
        let near = |at: &Square| at.x.abs_diff(self.spot.x).saturating_add(at.y.abs_diff(self.spot.y));
        match self.step {
            Step::Place(card) if !self.is_offered() => {
                if let Some((at, direction)) = self.places(card).into_iter().min_by_key(|(at, _)| near(at)) {
                    (self.spot, self.direction) = (at, direction);
                }
            }
            Step::Shoot | Step::Take => {
                self.spot = self.targets().into_iter().min_by_key(near).unwrap_or(self.spot);
            }
            _ => {}
        }
    }

    /// Picks the card at the focus to give it away, or puts it back. One too many puts the first one back.
    fn pick(&mut self) -> Did {
        let Step::Give { picked, wanted } = &mut self.step else { return Did::Nothing };
        if let Some(place) = picked.iter().position(|&place| place == self.focus) {
            picked.remove(place);
        } else {
            picked.push(self.focus);
            if picked.len() > *wanted {
                picked.remove(0);
            }
        }
        Did::Changed
    }

    /// Takes back the last step that was not an action yet.
    pub fn back(&mut self) -> Did {
        self.step = match &self.step {
            Step::Lay { taken, .. } => {
                self.spot = *taken;
                Step::Take
            }
            Step::Give { picked, wanted } if !picked.is_empty() => Step::Give { picked: Vec::new(), wanted: *wanted },
            Step::Place(_) | Step::Shoot | Step::Take => Step::Front,
            Step::List { .. } if self.first_step() == Step::Front => Step::Front,
            _ => return Did::Nothing,
        };
        Did::Changed
    }

    /// The pointer is above a square.
    pub fn point_at(&mut self, at: Square) -> Did {
        if at == self.spot || matches!(self.step, Step::Lay { .. }) {
            return Did::Nothing;
        }
        self.spot = at;
        Did::Changed
    }

    /// A square was clicked.
    pub fn click(&mut self, at: Square) -> Did {
        match self.step {
            Step::Place(_) | Step::Shoot | Step::Take => {
                self.spot = at;
                self.enter()
            }
            Step::Lay { .. } if self.aims().contains(&at) => self.enter(),
            _ => Did::Nothing,
        }
    }

    /// Something in front was clicked.
    pub fn click_in_front(&mut self, place: usize) -> Did {
        let card = self.hand.get(place).copied();
        match (&self.step, card) {
            (Step::Lay { taken, .. }, Some(card)) if !self.ways(*taken, card).is_empty() => {
                self.lay(*taken, card);
                return Did::Changed;
            }
            (Step::Give { .. } | Step::Front, _) => {}
            _ if self.first_step() == Step::Front => self.step = Step::Front,
            _ => return Did::Nothing,
        }
        self.focus = place.min((self.hand.len() + self.words().len()).saturating_sub(1));
        self.enter()
    }

    /// A line of the list was clicked.
    pub fn click_in_list(&mut self, line: usize) -> Did {
        if let Step::List { lines, chosen } = &mut self.step
            && line < lines.len()
        {
            *chosen = line;
            return self.enter();
        }
        Did::Nothing
    }
}

/// The text of laying a card as it is held. One with two equal icons can be held in two ways that are written as one.
fn laying(held: Held) -> Action {
    let Held { card, at, direction } = held;
    if card.is_double() && !direction.is_up() {
        Action::Place { card, at: at.step(direction), direction: direction.opposite() }
    } else {
        Action::Place { card, at, direction }
    }
}

/// The squares of a card on the chart, the lower one first.
pub fn squares_from_below(card: &CardView) -> [Square; 2] {
    let mut squares = card.halves.map(|half| Square { x: half.x, y: half.y });
    squares.sort_by_key(|square| (square.y, square.x));
    squares
}

/// The target that lies nearest in a direction; those straight ahead are nearer.
fn nearest(from: Square, direction: Direction, targets: &[Square]) -> Option<Square> {
    let ahead = |to: &Square| {
        let (right, up) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        let (along, aside) = match direction {
            Direction::North => (up, right),
            Direction::East => (right, up),
            Direction::South => (-up, right),
            Direction::West => (-right, up),
        };
        (along > 0).then_some(along + 2 * aside.abs())
    };
    targets.iter().filter_map(|to| Some((ahead(to)?, *to))).min_by_key(|(far, _)| *far).map(|(_, to)| to)
}
