//! Which actions are legal: listed, and picked at random without listing.

use quincunx_core::Seat;
use rand::{Rng, RngExt};

use super::{
    ACTIONS, XMarksTheSpot,
    action::{Action, Gift},
    card::{Card, Cards, EachKind, Kinds},
    cells::{Cell, Cells},
    phase::Phase,
    square::{Direction, Square},
};

impl XMarksTheSpot {
    /// Whether the player can play this card, which he holds.
    pub(super) fn is_playable(&self, card: Card) -> bool {
        match card {
            Card::CANNON => self.chart.removable().next().is_some(),
            Card::HEADING => self.has_tile() && self.chart.removable().next().is_some(),
            Card::PARLAY => self.own_hand().total() > 1 && self.others_with_cards().next().is_some(),
            Card::PLUNDER => self.others_with_cards().next().is_some() || !self.plunder_in_discard().is_empty(),
            // A tile card always finds a place: the grid is endless, and beside a card the table is bare somewhere.
            _ => true,
        }
    }

    fn has_tile(&self) -> bool {
        !self.own_hand().kinds().and(Kinds::TILES).is_empty()
    }

    /// Whether no card in the player's hand can be played, so that he passes.
    pub(super) fn must_pass(&self) -> bool {
        !self.has_tile() && !self.own_hand().kinds().iter().any(|card| self.is_playable(card))
    }

    /// Whether the player may scuttle instead of his first action.
    pub(super) fn may_scuttle(&self) -> bool {
        self.actions_left == ACTIONS && !self.own_hand().is_empty()
    }

    /// What a plunder card may take from the discard pile. Ruling: no plunder card, or a turn might not end.
    pub(super) fn plunder_in_discard(&self) -> Kinds {
        self.discard.kinds().without(Kinds::PLUNDER)
    }

    /// Appends the legal actions of the seat on turn.
    pub(super) fn list(&self, seat: Seat, out: &mut Vec<Action>) {
        match &self.phase {
            Phase::Start => {
                out.push(Action::Draw);
                out.extend((!self.own_hand().is_empty()).then_some(Action::Scuttle));
            }
            Phase::Act => {
                self.list_plays(self.own_hand().kinds(), out);
                out.extend(self.may_scuttle().then_some(Action::Scuttle));
                out.extend(self.must_pass().then_some(Action::Pass));
            }
            Phase::Plundered(card, _) => self.list_plays(Kinds::only(*card), out),
            Phase::Steal(victim) => out.extend(self.hand(*victim).kinds().iter().map(Action::Steal)),
            Phase::Answer(talk) => {
                out.push(Action::Accept);
                let others = (1..=self.most_to_trade(seat)).filter(|&cards| cards != talk.offer);
                out.extend(others.map(Action::Counter));
            }
            Phase::Reply(_) => {
                out.extend([Action::Accept, Action::Force]);
                out.extend((self.seats > 2).then_some(Action::Open));
            }
            Phase::Offer(..) => {
                out.extend((1..=self.most_to_trade(seat)).map(Action::Offer));
                out.push(Action::Decline);
            }
            Phase::Choose(talk) => {
                let offers = Seat::all(self.seats).filter(|&seat| talk.offer_of(seat).is_some());
                out.extend(offers.map(Action::Take));
                out.push(Action::Force);
            }
            Phase::PartnerGives(_, deal) | Phase::PlayerGives(_, deal, _) => {
                list_gifts(self.hand(seat), self.hand(seat).kinds().iter(), deal.cards, Gift::NOTHING, out);
            }
            Phase::Flags(_) | Phase::Hands(_) | Phase::Draw | Phase::Refill(_) | Phase::Over(_) => {}
        }
    }

    /// Appends all ways to play one of these cards of the hand.
    fn list_plays(&self, kinds: Kinds, out: &mut Vec<Action>) {
        self.list_places(kinds.and(Kinds::TILES), out);
        if kinds.contains(Card::CANNON) {
            out.extend(self.chart.removable().map(|slot| Action::Cannon(self.chart.cards()[slot].lower())));
        }
        if kinds.contains(Card::HEADING) {
            let tiles = self.own_hand().kinds().and(Kinds::TILES);
            for slot in self.chart.removable() {
                out.extend(
                    tiles
                        .iter()
                        .flat_map(|card| [false, true].map(|turned| (card, turned)))
                        .filter_map(|(card, turned)| self.heading_to(slot, card, turned)),
                );
            }
        }
        if kinds.contains(Card::PARLAY) {
            for target in self.others_with_cards() {
                out.extend((1..=self.most_to_offer(target)).map(|cards| Action::Parlay { target, cards }));
            }
        }
        if kinds.contains(Card::PLUNDER) {
            out.extend(self.others_with_cards().map(Action::Plunder));
            out.extend(self.plunder_in_discard().iter().map(Action::PlunderDiscard));
        }
    }

    /// The most cards to offer this seat in a parlay, when the parlay card has left the hand.
    pub(super) fn most_to_offer(&self, target: Seat) -> u8 {
        (self.own_hand().total() - 1).min(self.hand(target).total()) as u8
    }

    fn list_places(&self, tiles: Kinds, out: &mut Vec<Action>) {
        if self.chart.cards().is_empty() {
            for card in tiles {
                out.extend(Direction::ALL.into_iter().filter_map(|direction| first_place(card, direction)));
            }
            return;
        }
        if tiles.is_empty() {
            return;
        }
        let cells = self.chart.cells();
        for (square, here) in cells.near() {
            for direction in Direction::ALL {
                let berth = Berth::new(cells, square, here, direction);
                for card in tiles {
                    out.extend(berth.place(card, false));
                    out.extend(berth.place(card, true));
                }
            }
        }
    }

    /// The new heading that lays this card where another one lies, first icon on the lower square, or turned.
    fn heading_to(&self, slot: usize, card: Card, turned: bool) -> Option<Action> {
        let laid = &self.chart.cards()[slot];
        let up = if laid.direction.is_up() { laid.direction } else { laid.direction.opposite() };
        let direction = if turned { up.opposite() } else { up };
        (!turned || !card.is_double()).then_some(Action::Heading { at: laid.lower(), card, direction })
    }

    /// Picks a play uniformly among the legal ones, where the position is one to play a card.
    ///
    /// Whatever could be a play has a number; numbers are drawn until one falls on a legal play. Each legal play
    /// has exactly one number, so all are equally likely.
    pub(super) fn random_play<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Action> {
        let (kinds, scuttle) = match self.phase {
            Phase::Act if self.must_pass() => return None,
            Phase::Act => (self.own_hand().kinds(), self.may_scuttle()),
            Phase::Plundered(card, _) => (Kinds::only(card), false),
            _ => return None,
        };
        let numbers = self.numbers(kinds, scuttle);
        let total = numbers.total();
        loop {
            if let Some(action) = self.numbered(&numbers, rng.random_range(0..total)) {
                return Some(action);
            }
        }
    }

    fn numbers(&self, kinds: Kinds, scuttle: bool) -> Numbers {
        let cards = self.chart.cards().len() as u32;
        let tiles = kinds.and(Kinds::TILES);
        let when = |card: Card, count: u32| if kinds.contains(card) { count } else { 0 };
        let squares = if cards == 0 { 1 } else { self.chart.cells().stored() as u32 };
        let offers = self.others_with_cards().map(|seat| u32::from(self.most_to_offer(seat)));
        let headings = self.own_hand().kinds().and(Kinds::TILES);
        Numbers {
            tiles,
            headings,
            squares,
            cards,
            scuttle: u32::from(scuttle),
            places: tiles.len() * squares * 8,
            cannon: when(Card::CANNON, cards),
            heading: when(Card::HEADING, headings.len() * cards * 2),
            parlay: if kinds.contains(Card::PARLAY) { offers.sum() } else { 0 },
            plunder: when(Card::PLUNDER, self.others_with_cards().count() as u32 + self.plunder_in_discard().len()),
        }
    }

    /// The play with this number, if it is legal.
    #[inline]
    fn numbered(&self, numbers: &Numbers, mut number: u32) -> Option<Action> {
        let mut within = |count: u32| {
            let here = number < count;
            if !here {
                number -= count;
            }
            here
        };
        if within(numbers.places) {
            let card = numbers.tiles.iter().nth((number / 8 / numbers.squares) as usize)?;
            let direction = Direction::ALL[(number / 2 % 4) as usize];
            let away = number % 2 == 1;
            if numbers.cards == 0 {
                return first_place(card, direction).filter(|_| !away);
            }
            let cells = self.chart.cells();
            let (square, here) = cells.nth((number / 8 % numbers.squares) as usize);
            return if here.is_near() { Berth::new(cells, square, here, direction).place(card, away) } else { None };
        }
        if within(numbers.cannon) {
            let slot = number as usize;
            let target = self.chart.is_removable(slot).then(|| self.chart.cards()[slot].lower());
            return target.map(Action::Cannon);
        }
        if within(numbers.heading) {
            let slot = (number / 2 % numbers.cards) as usize;
            let card = numbers.headings.iter().nth((number / 2 / numbers.cards) as usize)?;
            return if self.chart.is_removable(slot) { self.heading_to(slot, card, number % 2 == 1) } else { None };
        }
        if within(numbers.parlay) {
            return self.others_with_cards().find_map(|target| {
                let most = u32::from(self.most_to_offer(target));
                let here = number < most;
                let cards = number as u8 + 1;
                number = number.wrapping_sub(most);
                here.then_some(Action::Parlay { target, cards })
            });
        }
        if within(numbers.plunder) {
            let seats = self.others_with_cards().map(Action::Plunder);
            return seats.chain(self.plunder_in_discard().iter().map(Action::PlunderDiscard)).nth(number as usize);
        }
        within(numbers.scuttle).then_some(Action::Scuttle)
    }
}

/// Two squares for a card: one near a card that lies there, and its neighbour.
struct Berth {
    square: Square,
    here: Cell,
    direction: Direction,
    there: Cell,
}

impl Berth {
    #[inline]
    fn new(cells: &Cells, square: Square, here: Cell, direction: Direction) -> Self {
        Self { square, here, direction, there: cells.at(square.step(direction)) }
    }

    /// The placing of a card with its first icon on the square or, if `away`, on the neighbour. Where both squares are
    /// near a card, the same placing could be asked for from both: it is given only once, and only if it is legal.
    #[inline]
    fn place(&self, card: Card, away: bool) -> Option<Action> {
        let icons = card.icons()?;
        let alone = !self.there.is_near();
        // A double is the same either way round, and is written upwards.
        let given = if card.is_double() { !away && (alone || self.direction.is_up()) } else { !away || alone };
        let [on_square, on_neighbour] = if away { [icons[1], icons[0]] } else { icons };
        if !given || !self.here.takes(on_square) || !self.there.takes(on_neighbour) {
            return None;
        }
        let turned = away || card.is_double() && !self.direction.is_up();
        Some(if turned {
            Action::Place { card, at: self.square.step(self.direction), direction: self.direction.opposite() }
        } else {
            Action::Place { card, at: self.square, direction: self.direction }
        })
    }
}

/// How many numbers each way to play a card has in [`XMarksTheSpot::random_play`].
struct Numbers {
    tiles: Kinds,
    headings: Kinds,
    squares: u32,
    cards: u32,
    scuttle: u32,
    places: u32,
    cannon: u32,
    heading: u32,
    parlay: u32,
    plunder: u32,
}

impl Numbers {
    fn total(&self) -> u32 {
        self.places + self.cannon + self.heading + self.parlay + self.plunder + self.scuttle
    }
}

/// The placing of the first card on an empty table.
fn first_place(card: Card, direction: Direction) -> Option<Action> {
    (!card.is_double() || direction.is_up()).then_some(Action::Place { card, at: Square::ORIGIN, direction })
}

/// Appends every gift of so many more cards of these kinds.
fn list_gifts(hand: &Cards, mut kinds: EachKind, more: u8, gift: Gift, out: &mut Vec<Action>) {
    if more == 0 {
        out.push(Action::Give(gift));
        return;
    }
    let Some(card) = kinds.next() else { return };
    let mut gift = gift;
    for copies in 0..=hand.copies(card).min(more) {
        if copies > 0 {
            gift = gift.and(card);
        }
        list_gifts(hand, kinds.clone(), more - copies, gift, out);
    }
}
