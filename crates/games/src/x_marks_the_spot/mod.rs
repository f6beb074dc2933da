//! X Marks the Spot: pirates lay cards on a sea chart without edges, to make X's of a flag that only they know.
//!
//! A position is small data: hands and piles are multisets (`card`), the chart is a list of cards with a window of
//! squares around them (`chart`, `cells`). What a turn consists of is an enum (`phase`); `legal` lists and picks
//! actions, `check` says why others are refused, `play` makes them and `scoring` looks for X's. `memory` keeps what
//! each player has seen of hidden cards, for `sample`.

mod accessors;
mod action;
mod card;
mod cells;
mod chart;
mod check;
mod legal;
mod memory;
mod options;
mod phase;
mod picture;
mod pile;
mod play;
mod refusal;
mod sample;
mod scoring;
mod square;
#[cfg(test)]
mod tests;
mod view;

use quincunx_core::{Actor, Credits, Fold, Game, Outcome, Reason, Scratch, Seat, SeatSet, SetupError, Turn, Viewer};
use rand::{Rng, RngExt};

pub use self::{
    accessors::Target,
    action::{Action, Gift},
    card::{Card, Icon, Pirate},
    cells::Surface,
    options::{Deck, Options},
    refusal::Refusal,
    square::{Direction, Square},
    view::{CardView, DoubloonView, HalfView, PhaseView, PlayerView, Stack, TableOffer, TradeView, View},
};
use self::{card::Cards, chart::Chart, memory::Memory, phase::Phase, pile::Pile};

/// How many cards each player is dealt.
const DEALT: u16 = 4;
/// How many cards a player plays in a turn.
const ACTIONS: u8 = 2;

/// A position of X Marks the Spot.
#[derive(Clone, Debug)]
pub struct XMarksTheSpot {
    seats: u8,
    /// How many doubloons win, and each player has.
    doubloons: u8,
    turn_limit: u16,
    /// Whose turn it is, also while others answer and chance draws.
    player: Seat,
    phase: Phase,
    /// How many cards the player has still to play in this turn; 0 only when the last turn is over.
    actions_left: u8,
    /// Turns that are over.
    turns: u16,
    /// Passes in a row, without a card played or a scuttle in between.
    passes: u8,
    flags: [Option<Pirate>; Seat::MAX as usize],
    revealed: SeatSet,
    /// The doubloons that each player has laid.
    laid: [u8; Seat::MAX as usize],
    hands: [Cards; Seat::MAX as usize],
    pile: Pile,
    discard: Cards,
    chart: Chart,
    memory: Memory,
}

/// Positions are equal if the game goes on alike from them. What players remember is a help for sampling and does not
/// count, nor does it for the key.
impl PartialEq for XMarksTheSpot {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            seats,
            doubloons,
            turn_limit,
            player,
            phase,
            actions_left,
            turns,
            passes,
            flags,
            revealed,
            laid,
            hands,
            pile,
            discard,
            chart,
            memory: _,
        } = self;
        (seats, doubloons, turn_limit) == (&other.seats, &other.doubloons, &other.turn_limit)
            && (player, phase, actions_left) == (&other.player, &other.phase, &other.actions_left)
            && (turns, passes, flags) == (&other.turns, &other.passes, &other.flags)
            && (revealed, laid, hands) == (&other.revealed, &other.laid, &other.hands)
            && (pile, discard, chart) == (&other.pile, &other.discard, &other.chart)
    }
}

impl XMarksTheSpot {
    fn hand(&self, seat: Seat) -> &Cards {
        &self.hands[seat.index()]
    }

    /// The hand of the player on turn.
    fn own_hand(&self) -> &Cards {
        self.hand(self.player)
    }

    /// The others that hold cards: who can be plundered or asked to trade.
    fn others_with_cards(&self) -> impl Iterator<Item = Seat> {
        self.player.clockwise(self.seats).skip(1).filter(|&seat| !self.hand(seat).is_empty())
    }

    /// The most cards that the player and this seat can trade: the smaller of the two hands.
    fn most_to_trade(&self, seat: Seat) -> u8 {
        self.own_hand().total().min(self.hand(seat).total()) as u8
    }

    /// The flags that nobody was dealt (yet).
    fn flags_left(&self) -> impl Iterator<Item = Pirate> {
        Pirate::ALL.into_iter().filter(|&pirate| !self.flags.contains(&Some(pirate)))
    }

    /// The seat that a flag or a card is drawn for.
    fn drawing(&self) -> Option<Seat> {
        match self.phase {
            Phase::Flags(seat) | Phase::Hands(seat) => Some(seat),
            Phase::Draw | Phase::Refill(_) => Some(self.player),
            _ => None,
        }
    }

    fn key_with(&self, chart: u64) -> u64 {
        let (phase, gift) = self.phase_words();
        let flags = self.flags.iter().fold(0, |word, flag| word << 4 | flag.map_or(0, |flag| 1 + flag as u64));
        let shown = Seat::all(Seat::MAX).fold(0, |word, seat| word << 1 | u64::from(self.revealed.contains(seat)));
        let settings = u64::from(self.doubloons) << 32 | u64::from(self.turn_limit) << 8 | u64::from(self.seats);
        let counters = u64::from(self.turns) << 16 | u64::from(self.passes) << 8 | u64::from(self.actions_left);
        Fold::default()
            .words([chart, settings, counters, u64::from(self.player.number()), flags, shown])
            .words(phase)
            .words(self.hands[..usize::from(self.seats)].iter().map(Cards::key))
            .words([gift.key(), self.discard.key()])
            .words(self.pile.segments().map(|segment| segment.cards.key()))
            .key()
    }

    /// The phase for hashing: what is due and what it needs to know, and the cards given so far.
    fn phase_words(&self) -> ([u64; 3], Cards) {
        let seat = |seat: Seat| u64::from(seat.number());
        let none = Cards::EMPTY;
        let talk = self.phase.talk().map_or(0, |talk| {
            let offers = talk.offers.iter().fold(0, |word, offer| word << 4 | u64::from(offer.unwrap_or(0)));
            let counter = u64::from(talk.counter.unwrap_or(0));
            offers << 16 | counter << 12 | u64::from(talk.offer) << 8 | seat(talk.target)
        });
        let deal = self.phase.deal().map_or(0, |deal| u64::from(deal.cards) << 8 | seat(deal.partner));
        let (number, detail, gift) = match self.phase {
            Phase::Flags(to) => (0, seat(to), none),
            Phase::Hands(to) => (1, seat(to), none),
            Phase::Start => (2, 0, none),
            Phase::Draw => (3, 0, none),
            Phase::Refill(left) => (4, u64::from(left), none),
            Phase::Act => (5, 0, none),
            Phase::Steal(from) => (6, seat(from), none),
            // From whom it was stolen is seen by who may see the card, and changes nothing else.
            Phase::Plundered(card, _) => (7, card.index() as u64, none),
            Phase::Answer(_) => (8, 0, none),
            Phase::Reply(_) => (9, 0, none),
            Phase::Offer(_, asked) => (10, seat(asked), none),
            Phase::Choose(_) => (11, 0, none),
            Phase::PartnerGives(..) => (12, deal, none),
            Phase::PlayerGives(.., gift) => (13, deal, gift.cards()),
            Phase::Over(_) => (14, 0, none),
        };
        ([number, detail, talk], gift)
    }
}

impl Game for XMarksTheSpot {
    const ID: &'static str = "x-marks-the-spot";
    const TITLE: &'static str = "X Marks the Spot";
    const CREDITS: Credits = Credits { by: "Rather Dashing Games", also: "artwork Nigel Sade" };
    const RULES: &'static str = include_str!("../../../../docs/rules/x-marks-the-spot.md");
    const SEATS: &'static [u8] = &[2, 3, 4];
    const HIDDEN_INFORMATION: bool = true;

    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(seats: u8, options: &Options) -> Result<Self, SetupError> {
        let first = Seat::new(0);
        Ok(Self {
            seats,
            doubloons: options.doubloons.get() as u8,
            turn_limit: options.turn_limit.get() as u16,
            player: first,
            phase: Phase::Flags(first),
            actions_left: ACTIONS,
            turns: 0,
            passes: 0,
            flags: [None; Seat::MAX as usize],
            revealed: SeatSet::EMPTY,
            laid: [0; Seat::MAX as usize],
            hands: [Cards::EMPTY; Seat::MAX as usize],
            pile: Pile::new(options.deck.cards(seats)?),
            discard: Cards::EMPTY,
            chart: Chart::default(),
            memory: Memory::default(),
        })
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    #[inline]
    fn turn(&self) -> Turn {
        match &self.phase {
            Phase::Flags(_) | Phase::Hands(_) | Phase::Draw | Phase::Refill(_) => Turn::Chance,
            Phase::Answer(talk) => Turn::Seat(talk.target),
            Phase::Offer(_, asked) => Turn::Seat(*asked),
            Phase::PartnerGives(_, deal) => Turn::Seat(deal.partner),
            Phase::Over(_) => Turn::Over,
            _ => Turn::Seat(self.player),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn score(&self, seat: Seat) -> i32 {
        i32::from(self.laid[seat.index()])
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.turn() == Turn::Seat(seat) {
            self.list(seat, out);
        }
    }

    fn chances(&self, out: &mut Vec<(Action, u32)>) {
        match self.phase {
            Phase::Flags(_) => out.extend(self.flags_left().map(|pirate| (Action::Flag(pirate), 1))),
            Phase::Hands(_) | Phase::Draw | Phase::Refill(_) => {
                let next = self.pile.next();
                out.extend(next.kinds().iter().map(|card| (Action::Drawn(card), u32::from(next.copies(card)))));
            }
            _ => {}
        }
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.turn().admit(by)?;
        let checked = match by {
            Actor::Seat(seat) => self.check_seat(seat, action),
            Actor::Chance => self.check_chance(action),
        };
        Ok(checked?)
    }

    fn play(&mut self, _by: Actor, action: Action) {
        self.make(action);
    }

    fn random<R: Rng + ?Sized>(&self, by: Actor, rng: &mut R, scratch: &mut Scratch<Action>) -> Action {
        match by {
            Actor::Seat(seat) => {
                if let Some(action) = self.random_play(rng) {
                    return action;
                }
                scratch.actions.clear();
                self.list(seat, &mut scratch.actions);
                scratch.actions[rng.random_range(0..scratch.actions.len())]
            }
            Actor::Chance if matches!(self.phase, Phase::Flags(_)) => {
                let number = rng.random_range(0..self.flags_left().count());
                Action::Flag(self.flags_left().nth(number).expect("a number below the count"))
            }
            Actor::Chance => {
                let next = self.pile.next();
                Action::Drawn(next.nth(rng.random_range(0..next.total())))
            }
        }
    }

    fn redacted(&self, by: Actor, action: Action, viewer: Viewer) -> Option<&'static str> {
        let owner = match (action, by) {
            (Action::Flag(_) | Action::Drawn(_), _) => self.drawing(),
            (Action::Give(_), Actor::Seat(giver)) => Some(giver),
            (Action::Steal(_), _) => Some(self.player),
            _ => return None,
        };
        let victim = match self.phase {
            Phase::Steal(victim) => Some(victim),
            _ => None,
        };
        if [owner, victim].into_iter().flatten().any(|seat| viewer.sees_hand_of(seat)) {
            return None;
        }
        Some(match action {
            Action::Flag(_) => "flag:?",
            Action::Drawn(_) => "+?",
            Action::Give(_) => "give ?",
            _ => "steal ?",
        })
    }

    fn view(&self, viewer: Viewer) -> View {
        View::new(self, viewer)
    }

    fn sample<R: Rng + ?Sized>(&self, viewer: Viewer, rng: &mut R) -> Self {
        self.sampled(viewer, rng)
    }

    fn key(&self) -> u64 {
        self.key_with(self.chart.key())
    }

    fn key_from_scratch(&self) -> u64 {
        self.key_with(self.chart.key_from_scratch())
    }
}
