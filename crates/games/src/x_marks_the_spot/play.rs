//! Making an action: from one position to the next.

use quincunx_core::{Outcome, Seat};

use super::{
    ACTIONS, DEALT, XMarksTheSpot,
    action::{Action, FULL_HAND, Gift},
    card::{Card, Cards},
    phase::{Deal, Phase, Talk},
    pile::Pile,
    square::{Direction, Square},
};

impl XMarksTheSpot {
    /// Makes a legal action.
    pub(super) fn make(&mut self, action: Action) {
        match action {
            Action::Flag(pirate) => {
                if let Phase::Flags(seat) = self.phase {
                    self.flags[seat.index()] = Some(pirate);
                    let next = seat.next(self.seats);
                    self.phase = if next.index() == 0 { Phase::Hands(next) } else { Phase::Flags(next) };
                }
            }
            Action::Drawn(card) => self.drawn(card),
            Action::Draw => self.draw(),
            Action::Scuttle => self.scuttle(),
            Action::Pass => {
                self.passes += 1;
                self.end_turn();
            }
            Action::Place { card, at, direction } => {
                self.play_card(card);
                self.lay(card, at, direction);
                self.end_action();
            }
            Action::Cannon(at) => {
                self.play_action_card(Card::CANNON);
                let target = self.take_from_chart(at);
                self.discard.add(target);
                self.end_action();
            }
            Action::Heading { at, card, direction } => self.heading(at, card, direction),
            Action::Parlay { target, cards } => {
                self.play_action_card(Card::PARLAY);
                self.phase = Phase::Answer(Talk::new(target, cards));
            }
            Action::Plunder(victim) => {
                // The plunder card lies on the table until its card is taken.
                self.play_card(Card::PLUNDER);
                self.memory.plundered(self.player, victim, self.hands[victim.index()]);
                self.phase = Phase::Steal(victim);
            }
            Action::PlunderDiscard(card) => {
                self.play_card(Card::PLUNDER);
                self.discard.remove(card);
                self.memory.taken(self.player, card);
                self.play_plundered(card, None);
            }
            Action::Steal(card) => {
                if let Phase::Steal(victim) = self.phase {
                    self.hands[victim.index()].remove(card);
                    self.memory.stolen(self.player, victim, card);
                    self.play_plundered(card, Some(victim));
                }
            }
            Action::Accept
            | Action::Counter(_)
            | Action::Force
            | Action::Open
            | Action::Offer(_)
            | Action::Decline
            | Action::Take(_) => self.talk(action),
            Action::Give(gift) => self.give(gift),
        }
    }

    fn drawn(&mut self, card: Card) {
        let Some(seat) = self.drawing() else { return };
        self.pile.draw(card, seat);
        self.hands[seat.index()].add(card);
        match self.phase {
            Phase::Hands(_) if self.hand(seat).total() < DEALT => {}
            Phase::Hands(_) => {
                let next = seat.next(self.seats);
                self.phase = if next.index() == 0 { Phase::Start } else { Phase::Hands(next) };
            }
            Phase::Refill(1) => self.end_turn(),
            Phase::Refill(left) => self.phase = Phase::Refill(left - 1),
            _ => self.draw(),
        }
    }

    /// Goes on to draw a card if one is missing and there is one; otherwise to the player's actions.
    fn draw(&mut self) {
        if self.own_hand().total() < FULL_HAND {
            if self.pile.total() == 0 {
                self.pile = Pile::new(std::mem::replace(&mut self.discard, Cards::EMPTY));
            }
            if self.pile.total() > 0 {
                self.phase = Phase::Draw;
                return;
            }
        }
        self.phase = Phase::Act;
    }

    fn scuttle(&mut self) {
        let hand = std::mem::replace(&mut self.hands[self.player.index()], Cards::EMPTY);
        self.memory.scuttled(self.player);
        self.passes = 0;
        self.phase = Phase::Refill(hand.total());
        self.pile.put_under(hand, self.player);
    }

    /// Takes a card out of the player's hand, to be seen by all.
    fn play_card(&mut self, card: Card) {
        self.hands[self.player.index()].remove(card);
        self.memory.played(self.player, card);
        self.passes = 0;
    }

    fn play_action_card(&mut self, card: Card) {
        self.play_card(card);
        self.discard.add(card);
    }

    fn lay(&mut self, card: Card, at: Square, direction: Direction) {
        self.chart.lay(card, at, direction);
        self.claim([at, at.step(direction)]);
    }

    /// Destroys a card.
    fn take_from_chart(&mut self, at: Square) -> Card {
        let slot = self.chart.target(at).expect("a legal action names a card that can be taken");
        let laid = self.chart.remove(slot);
        self.claim(laid.squares());
        laid.card
    }

    fn heading(&mut self, at: Square, card: Card, direction: Direction) {
        self.play_action_card(Card::HEADING);
        self.play_card(card);
        let slot = self.chart.target(at).expect("a legal action names a card that can be taken");
        let taken = self.chart.remove(slot).card;
        self.hands[self.player.index()].add(taken);
        self.memory.taken(self.player, taken);
        let first = if direction.is_up() { at } else { at.step(direction.opposite()) };
        self.lay(card, first, direction);
        self.end_action();
    }

    /// The plundered card comes to the hand and must be played at once. Ruling: if it cannot be, it stays there.
    fn play_plundered(&mut self, card: Card, from: Option<Seat>) {
        self.discard.add(Card::PLUNDER);
        self.hands[self.player.index()].add(card);
        if self.is_playable(card) {
            self.phase = Phase::Plundered(card, from);
        } else {
            self.end_action();
        }
    }

    /// What is said in a parlay.
    fn talk(&mut self, action: Action) {
        self.phase = match (self.phase, action) {
            (Phase::Answer(talk), Action::Accept) => trade(talk, talk.target, talk.offer),
            (Phase::Answer(talk), Action::Counter(cards)) => Phase::Reply(Talk { counter: Some(cards), ..talk }),
            (Phase::Reply(talk), Action::Accept) => trade(talk, talk.target, talk.counter.unwrap_or(talk.offer)),
            (Phase::Reply(talk) | Phase::Choose(talk), Action::Force) => trade(talk, talk.target, 1),
            (Phase::Choose(talk), Action::Take(seat)) => trade(talk, seat, talk.offer_of(seat).unwrap_or(1)),
            (Phase::Reply(talk), Action::Open) => self.ask_next(talk, self.player),
            (Phase::Offer(talk, asked), said) => {
                let mut talk = Talk { heard: talk.heard.with(asked), ..talk };
                talk.offers[asked.index()] = match said {
                    Action::Offer(cards) => Some(cards),
                    _ => None,
                };
                self.ask_next(talk, asked)
            }
            (phase, _) => phase,
        };
    }

    /// After this seat the next one is asked for an offer; back at the player, he chooses.
    fn ask_next(&self, talk: Talk, after: Seat) -> Phase {
        let mut next = after.next(self.seats);
        while next != self.player {
            if next != talk.target && !self.hand(next).is_empty() {
                return Phase::Offer(talk, next);
            }
            next = next.next(self.seats);
        }
        Phase::Choose(talk)
    }

    fn give(&mut self, gift: Gift) {
        match self.phase {
            Phase::PartnerGives(talk, deal) => self.phase = Phase::PlayerGives(talk, deal, gift),
            Phase::PlayerGives(_, deal, partners) => {
                let pair = [self.player, deal.partner];
                let given = [gift.cards(), partners.cards()];
                for (side, seat) in pair.into_iter().enumerate() {
                    let hand = &mut self.hands[seat.index()];
                    given[side].iter().for_each(|card| hand.remove(card));
                    hand.extend(given[1 - side].iter());
                }
                self.memory.traded(pair, given);
                self.end_action();
            }
            _ => {}
        }
    }

    fn end_action(&mut self) {
        if matches!(self.phase, Phase::Over(_)) {
            return;
        }
        self.actions_left -= 1;
        if self.actions_left == 0 {
            self.end_turn();
        } else {
            self.phase = Phase::Act;
        }
    }

    fn end_turn(&mut self) {
        self.turns += 1;
        let end = if self.passes == self.seats {
            Some("stalemate")
        } else {
            (self.turns == self.turn_limit).then_some("turn-limit")
        };
        self.phase = match end {
            None => {
                self.player = self.player.next(self.seats);
                self.actions_left = ACTIONS;
                Phase::Start
            }
            Some(reason) => {
                self.actions_left = 0;
                let points = |seat: Seat| i32::from(self.laid[seat.index()]);
                Phase::Over(Outcome::most(self.seats, Seat::number, points, reason))
            }
        };
    }
}

fn trade(talk: Talk, partner: Seat, cards: u8) -> Phase {
    Phase::PartnerGives(talk, Deal { partner, cards })
}
