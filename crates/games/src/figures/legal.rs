//! Why an action may not be made now.

use quincunx_core::{Actor, Game, Reason, TurnReason};

use super::{
    Action, Figures, Phase,
    board::{Square, Squares},
    colour::{Colour, Stones},
    exchange::Exchanges,
    refusal::Refusal,
};

impl Figures {
    pub(super) fn admit(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.turn().admit(by)?;
        match (self.phase, action) {
            (Phase::Take, Action::Take(colour)) => self.admit_take(colour),
            (Phase::Take, _) => Err(Refusal::TakeFirst.into()),
            (Phase::Exchange(legal), Action::Exchange(low, high)) => self.admit_exchange(legal, low, high),
            (Phase::Exchange(_), _) => Err(Refusal::ExchangeNow.into()),
            (Phase::Return { allowed }, Action::Return(colour)) => self.admit_return(allowed, colour),
            (Phase::Return { .. }, _) => Err(Refusal::ReturnNow.into()),
            (Phase::Over(_), _) => Err(TurnReason::Over.into()),
        }
    }

    fn admit_take(&self, colour: Colour) -> Result<(), Reason> {
        if self.bank().contains(colour) {
            Ok(())
        } else if self.hand().contains(colour) {
            Err(Refusal::AlreadyInHand { colour }.into())
        } else {
            Err(Refusal::OtherSideHolds { colour }.into())
        }
    }

    fn admit_exchange(&self, legal: Exchanges, low: Square, high: Square) -> Result<(), Reason> {
        let (first, second) = self.in_play();
        if legal.pairs(first, second).any(|pair| pair == (low, high)) {
            return Ok(());
        }
        if low >= high {
            return Err(Refusal::NotInOrder.into());
        }
        let colours = self.hand().pair();
        let (here, there) = (self.colour_of(low), self.colour_of(high));
        if (here, there) != colours && (there, here) != colours {
            let (one, other) = colours;
            return Err(Refusal::OtherColours { one, other, low, here, high, there }.into());
        }
        if Exchanges::between(first, second).pairs(first, second).any(|pair| pair == (low, high)) {
            return Err(Refusal::FigureAtFirst.into());
        }
        let isolated = |colour: Colour, from: Square, to: Square| {
            self.markers[colour as usize].toggled(Squares::of(from)).and(Squares::next_to(to)).is_empty()
        };
        let (colour, square, other) = if isolated(here, low, high) { (here, high, there) } else { (there, low, here) };
        Err(Refusal::Isolated { colour, square, other }.into())
    }

    pub(super) fn colour_of(&self, square: Square) -> Colour {
        let here = |colour: &Colour| self.markers[*colour as usize].contains(square);
        Colour::ALL.into_iter().find(here).expect("every square holds a marker")
    }

    fn admit_return(&self, allowed: Stones, colour: Colour) -> Result<(), Reason> {
        if allowed.contains(colour) {
            Ok(())
        } else if self.hand().contains(colour) {
            Err(Refusal::ReturnTheOther { colour }.into())
        } else {
            Err(Refusal::NotInHand { colour }.into())
        }
    }
}
