//! Why an action is refused. A seat hears only what it can see itself: its own hand, the table and the sizes of hands.

use quincunx_core::{Illegal, Seat};

use super::{
    XMarksTheSpot,
    action::{Action, Gift},
    card::{Card, Icon},
    chart::{NoPlace, NoTarget},
    phase::{Phase, Talk},
    square::{Direction, Square},
};

type Verdict = Result<(), Illegal>;

/// Refuses with a reason unless something holds.
fn unless(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why().into()) }
}

impl XMarksTheSpot {
    pub(super) fn check_chance(&self, action: Action) -> Verdict {
        match (&self.phase, action) {
            (Phase::Flags(_), Action::Flag(pirate)) => {
                unless(self.flags_left().any(|left| left == pirate), || format!("{}'s flag is dealt", pirate.name()))
            }
            (Phase::Flags(_), _) => Err("a flag is dealt now".into()),
            (_, Action::Drawn(card)) => {
                unless(self.pile.next().contains(card), || format!("no {card} is among the next cards of the pile"))
            }
            _ => Err("a card is drawn now".into()),
        }
    }

    /// Whether the seat on turn may do this.
    pub(super) fn check_seat(&self, seat: Seat, action: Action) -> Verdict {
        match (&self.phase, action) {
            (_, Action::Flag(_) | Action::Drawn(_)) => Err("this is for chance to do".into()),
            (Phase::Start, Action::Draw)
            | (Phase::Answer(_) | Phase::Reply(_), Action::Accept)
            | (Phase::Reply(_) | Phase::Choose(_), Action::Force)
            | (Phase::Offer(..), Action::Decline) => Ok(()),
            (Phase::Start | Phase::Act, Action::Scuttle) => self.check_scuttle(),
            (Phase::Act, Action::Pass) => unless(self.must_pass(), || {
                let card = self.own_hand().kinds().iter().find(|&card| self.is_playable(card));
                format!("you can play {}", card.map_or("a card", Card::name))
            }),
            (Phase::Act | Phase::Plundered(..), _) => self.check_play(action),
            (Phase::Steal(victim), Action::Steal(card)) => {
                unless(self.hand(*victim).contains(card), || format!("seat {victim} holds no {card}"))
            }
            (Phase::Answer(talk), Action::Counter(cards)) => {
                unless(cards != talk.offer, || {
                    format!("{cards} is what was offered: accept it, or say another number")
                })?;
                self.check_number(seat, cards)
            }
            (Phase::Reply(_), Action::Open) => {
                unless(self.seats > 2, || "there is nobody else to trade with at a table of two".to_owned())
            }
            (Phase::Offer(..), Action::Offer(cards)) => self.check_number(seat, cards),
            (Phase::Choose(talk), Action::Take(from)) => {
                unless(talk.offer_of(from).is_some(), || format!("there is no offer of seat {from}"))
            }
            (Phase::PartnerGives(_, deal) | Phase::PlayerGives(_, deal, _), Action::Give(gift)) => {
                self.check_gift(seat, deal.cards, gift)
            }
            (phase, _) => Err(due(phase)),
        }
    }

    fn check_scuttle(&self) -> Verdict {
        unless(!self.own_hand().is_empty(), || "there is no card in your hand to scuttle".to_owned())?;
        let first = matches!(self.phase, Phase::Start) || self.may_scuttle();
        unless(first, || "you can scuttle only instead of the first of your two actions".to_owned())
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
            unless(card == plundered, || format!("the plundered card must be played at once: {plundered}"))?;
        }
        self.check_in_hand(card)?;
        match action {
            Action::Place { card, at, direction } => self.check_place(card, at, direction),
            Action::Cannon(at) => self.check_target(at).map(|_| ()),
            Action::Heading { at, card, direction } => self.check_heading(at, card, direction),
            Action::Parlay { target, cards } => {
                self.check_other(target)?;
                unless(self.own_hand().total() > 1, || "you have no other card to trade".to_owned())?;
                let most = self.most_to_offer(target);
                unless((1..=most).contains(&cards), || format!("with seat {target} you can trade 1 to {most} cards"))
            }
            Action::Plunder(victim) => self.check_other(victim),
            Action::PlunderDiscard(card) => {
                unless(card != Card::PLUNDER, || "a plunder card cannot be taken from the discard pile".to_owned())?;
                unless(self.discard.contains(card), || format!("there is no {card} in the discard pile"))
            }
            _ => Err(due(&self.phase)),
        }
    }

    fn check_in_hand(&self, card: Card) -> Verdict {
        unless(self.own_hand().contains(card), || format!("there is no {card} in your hand"))
    }

    fn check_place(&self, card: Card, at: Square, direction: Direction) -> Verdict {
        let Some(icons) = card.icons() else { return Err(format!("{card} is not a tile card").into()) };
        check_double(card, direction)?;
        self.chart.refuse_place(icons, at, direction).map_err(|why| match why {
            NoPlace::FirstCard => "the first card lies with its first icon on 0,0".into(),
            NoPlace::OutOfTouch => "a card must lie on another one or touch one, at least at a corner".into(),
            NoPlace::Spent(square) => format!("square {square} has a doubloon on it and cannot be covered").into(),
            NoPlace::Covering(icon, below, square) => {
                format!("{} cannot lie on {} at {square}", name(icon), name(below)).into()
            }
        })
    }

    /// The slot of the card on the chart that a cannon or a new heading means.
    fn check_target(&self, at: Square) -> Result<usize, Illegal> {
        self.chart.target(at).map_err(|why| match why {
            NoTarget::Bare => format!("no card lies on {at}").into(),
            NoTarget::Covered => format!("the card on {at} is covered").into(),
            NoTarget::Spent => format!("the card on {at} is safe: a doubloon lies on it").into(),
            NoTarget::WrittenOtherwise(lower) => {
                format!("the card on {at} is named by its lower square {lower}").into()
            }
        })
    }

    fn check_heading(&self, at: Square, card: Card, direction: Direction) -> Verdict {
        unless(card.is_tile(), || format!("{card} is not a tile card"))?;
        self.check_in_hand(card)?;
        let slot = self.check_target(at)?;
        let lies = self.chart.cards()[slot].direction;
        let along = direction == lies || direction == lies.opposite();
        unless(along, || {
            let up = if lies.is_up() { lies } else { lies.opposite() };
            format!("the card on {at} lies along {up} and {}", up.opposite())
        })?;
        check_double(card, direction)
    }

    /// Somebody else who holds cards.
    fn check_other(&self, seat: Seat) -> Verdict {
        unless(seat.number() < self.seats, || format!("there is no seat {seat}: this table has {} seats", self.seats))?;
        unless(seat != self.player, || "this is for another player, not for yourself".to_owned())?;
        unless(!self.hand(seat).is_empty(), || format!("seat {seat} has no cards"))
    }

    /// A number of cards that the player and this seat both have.
    fn check_number(&self, seat: Seat, cards: u8) -> Verdict {
        let most = self.most_to_trade(seat);
        unless((1..=most).contains(&cards), || format!("1 to {most} cards can be traded, the smaller of the two hands"))
    }

    fn check_gift(&self, seat: Seat, cards: u8, gift: Gift) -> Verdict {
        let given = gift.cards();
        unless(given.total() == u16::from(cards), || format!("{cards} of your cards are to be given"))?;
        unless(self.hand(seat).includes(&given), || "these cards are not all in your hand".to_owned())
    }
}

fn check_double(card: Card, direction: Direction) -> Verdict {
    unless(!card.is_double() || direction.is_up(), || {
        format!("{card} looks the same both ways round and is written with n or e")
    })
}

fn name(icon: Icon) -> &'static str {
    ["Condent", "Rackham", "Avery", "Wynn", "a ghost ship", "a kraken", "open water"][icon as usize]
}

/// What is to be done instead.
fn due(phase: &Phase) -> Illegal {
    let counter = |talk: &Talk| talk.counter.unwrap_or(talk.offer);
    match phase {
        Phase::Start => "the turn begins with draw, or scuttle".into(),
        Phase::Act => "play a card: place, cannon, heading, parlay or plunder".into(),
        Phase::Plundered(card, _) => format!("the plundered card must be played at once: {card}").into(),
        Phase::Steal(victim) => format!("say which card of seat {victim} you take, such as steal cr").into(),
        Phase::Answer(talk) => format!("answer the offer of {} cards: accept, or counter", talk.offer).into(),
        Phase::Reply(talk) => {
            format!("answer the counter offer of {} cards: accept, force or open", counter(talk)).into()
        }
        Phase::Offer(..) => "say what you offer for a trade, such as offer n1, or decline".into(),
        Phase::Choose(_) => "take an offer, or force the target to trade one card".into(),
        Phase::PartnerGives(_, deal) | Phase::PlayerGives(_, deal, _) => {
            format!("say which {} of your cards you give, such as give cr", deal.cards).into()
        }
        Phase::Flags(_) | Phase::Hands(_) | Phase::Draw | Phase::Refill(_) | Phase::Over(_) => {
            "nothing is to be done by a player now".into()
        }
    }
}
