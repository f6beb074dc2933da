//! Why an action is refused. A seat hears only what it can see itself: its own hand, the table and the sizes of hands.

use quincunx_core::Seat;

use super::{
    XMarksTheSpot,
    action::{Action, Gift},
    card::Card,
    chart::{NoPlace, NoTarget},
    phase::{Phase, Talk},
    refusal::{Picture, Refusal},
    square::{Direction, Square},
};

type Verdict = Result<(), Refusal>;

/// Refuses with a reason unless something holds.
fn unless(holds: bool, why: impl FnOnce() -> Refusal) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

impl XMarksTheSpot {
    pub(super) fn check_chance(&self, action: Action) -> Verdict {
        match (&self.phase, action) {
            (Phase::Flags(_), Action::Flag(pirate)) => {
                unless(self.flags_left().any(|left| left == pirate), || Refusal::FlagDealt { pirate: pirate.name() })
            }
            (Phase::Flags(_), _) => Err(Refusal::FlagNow),
            (_, Action::Drawn(card)) => unless(self.pile.next().contains(card), || Refusal::NotInPile { card }),
            _ => Err(Refusal::CardNow),
        }
    }

    /// Whether the seat on turn may do this.
    pub(super) fn check_seat(&self, seat: Seat, action: Action) -> Verdict {
        match (&self.phase, action) {
            (_, Action::Flag(_) | Action::Drawn(_)) => Err(Refusal::ForChance),
            (Phase::Start, Action::Draw)
            | (Phase::Answer(_) | Phase::Reply(_), Action::Accept)
            | (Phase::Reply(_) | Phase::Choose(_), Action::Force)
            | (Phase::Offer(..), Action::Decline) => Ok(()),
            (Phase::Start | Phase::Act, Action::Scuttle) => self.check_scuttle(),
            (Phase::Act, Action::Pass) => unless(self.must_pass(), || {
                let card = self.own_hand().kinds().iter().find(|&card| self.is_playable(card));
                card.map_or(Refusal::CanPlayCard, |card| Refusal::CanPlay { card })
            }),
            (Phase::Act | Phase::Plundered(..), _) => self.check_play(action),
            (Phase::Steal(victim), Action::Steal(card)) => {
                unless(self.hand(*victim).contains(card), || Refusal::HoldsNone { seat: *victim, card })
            }
            (Phase::Answer(talk), Action::Counter(cards)) => {
                unless(cards != talk.offer, || Refusal::SameOffer { cards })?;
                self.check_number(seat, cards)
            }
            (Phase::Reply(_), Action::Open) => unless(self.seats > 2, || Refusal::NobodyElse),
            (Phase::Offer(..), Action::Offer(cards)) => self.check_number(seat, cards),
            (Phase::Choose(talk), Action::Take(from)) => {
                unless(talk.offer_of(from).is_some(), || Refusal::NoOffer { seat: from })
            }
            (Phase::PartnerGives(_, deal) | Phase::PlayerGives(_, deal, _), Action::Give(gift)) => {
                self.check_gift(seat, deal.cards, gift)
            }
            (phase, _) => Err(due(phase)),
        }
    }

    fn check_scuttle(&self) -> Verdict {
        unless(!self.own_hand().is_empty(), || Refusal::NothingToScuttle)?;
        let first = matches!(self.phase, Phase::Start) || self.may_scuttle();
        unless(first, || Refusal::ScuttleFirst)
    }

    /// Playing a card: one of the hand, or the plundered one.
    fn check_play(&self, action: Action) -> Verdict {
        let card = match action {
            Action::Place { card, .. } => card,
            Action::Cannon(_) => Card::CANNON,
            Action::Heading { .. } => Card::HEADING,
            Action::Parlay { .. } => Card::PARLAY,
            Action::Plunder(_) | Action::PlunderDiscard(_) => Card::PLUNDER,
            _ => return Err(due(&self.phase)),
        };
        if let Phase::Plundered(plundered, _) = self.phase {
            unless(card == plundered, || Refusal::PlayPlundered { card: plundered })?;
        }
        self.check_in_hand(card)?;
        match action {
            Action::Place { card, at, direction } => self.check_place(card, at, direction),
            Action::Cannon(at) => self.check_target(at).map(|_| ()),
            Action::Heading { at, card, direction } => self.check_heading(at, card, direction),
            Action::Parlay { target, cards } => {
                self.check_other(target)?;
                unless(self.own_hand().total() > 1, || Refusal::NoOtherCard)?;
                let most = self.most_to_offer(target);
                unless((1..=most).contains(&cards), || Refusal::TradeWith { seat: target, most })
            }
            Action::Plunder(victim) => self.check_other(victim),
            Action::PlunderDiscard(card) => {
                unless(card != Card::PLUNDER, || Refusal::PlunderInDiscard)?;
                unless(self.discard.contains(card), || Refusal::NotInDiscard { card })
            }
            _ => Err(due(&self.phase)),
        }
    }

    fn check_in_hand(&self, card: Card) -> Verdict {
        unless(self.own_hand().contains(card), || Refusal::NotInHand { card })
    }

    fn check_place(&self, card: Card, at: Square, direction: Direction) -> Verdict {
        let Some(icons) = card.icons() else { return Err(Refusal::NotTile { card }) };
        check_double(card, direction)?;
        self.chart.refuse_place(icons, at, direction).map_err(|why| match why {
            NoPlace::FirstCard => Refusal::FirstCard,
            NoPlace::OutOfTouch => Refusal::OutOfTouch,
            NoPlace::Spent(square) => Refusal::Spent { square },
            NoPlace::Covering(icon, below, square) => {
                Refusal::Covering { icon: Picture(icon), below: Picture(below), square }
            }
        })
    }

    /// The slot of the card on the chart that a cannon or a new heading means.
    fn check_target(&self, at: Square) -> Result<usize, Refusal> {
        self.chart.target(at).map_err(|why| match why {
            NoTarget::Bare => Refusal::Bare { square: at },
            NoTarget::Covered => Refusal::Covered { square: at },
            NoTarget::Spent => Refusal::Safe { square: at },
            NoTarget::WrittenOtherwise(lower) => Refusal::LowerSquare { square: at, lower },
        })
    }

    fn check_heading(&self, at: Square, card: Card, direction: Direction) -> Verdict {
        unless(card.is_tile(), || Refusal::NotTile { card })?;
        self.check_in_hand(card)?;
        let slot = self.check_target(at)?;
        let lies = self.chart.cards()[slot].direction;
        let along = direction == lies || direction == lies.opposite();
        unless(along, || {
            let up = if lies.is_up() { lies } else { lies.opposite() };
            Refusal::Along { square: at, one: up, other: up.opposite() }
        })?;
        check_double(card, direction)
    }

    /// Somebody else who holds cards.
    fn check_other(&self, seat: Seat) -> Verdict {
        unless(seat.number() < self.seats, || Refusal::NoSeat { seat, seats: self.seats })?;
        unless(seat != self.player, || Refusal::Yourself)?;
        unless(!self.hand(seat).is_empty(), || Refusal::NoCards { seat })
    }

    /// A number of cards that the player and this seat both have.
    fn check_number(&self, seat: Seat, cards: u8) -> Verdict {
        let most = self.most_to_trade(seat);
        unless((1..=most).contains(&cards), || Refusal::TradeUpTo { most })
    }

    fn check_gift(&self, seat: Seat, cards: u8, gift: Gift) -> Verdict {
        let given = gift.cards();
        unless(given.total() == u16::from(cards), || Refusal::GiveSoMany { cards })?;
        unless(self.hand(seat).includes(&given), || Refusal::NotAllInHand)
    }
}

fn check_double(card: Card, direction: Direction) -> Verdict {
    unless(!card.is_double() || direction.is_up(), || Refusal::BothWays { card })
}

/// What is to be done instead.
fn due(phase: &Phase) -> Refusal {
    let counter = |talk: &Talk| talk.counter.unwrap_or(talk.offer);
    match phase {
        Phase::Start => Refusal::BeginTurn,
        Phase::Act => Refusal::PlayCard,
        Phase::Plundered(card, _) => Refusal::PlayPlundered { card: *card },
        Phase::Steal(victim) => Refusal::StealNow { seat: *victim },
        Phase::Answer(talk) => Refusal::AnswerOffer { cards: talk.offer },
        Phase::Reply(talk) => Refusal::AnswerCounter { cards: counter(talk) },
        Phase::Offer(..) => Refusal::OfferNow,
        Phase::Choose(_) => Refusal::TakeOffer,
        Phase::PartnerGives(_, deal) | Phase::PlayerGives(_, deal, _) => Refusal::GiveNow { cards: deal.cards },
        Phase::Flags(_) | Phase::Hands(_) | Phase::Draw | Phase::Refill(_) | Phase::Over(_) => Refusal::NothingToDo,
    }
}
