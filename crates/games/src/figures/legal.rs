//! Why an action may not be made now.

use quincunx_core::{Actor, Game, Illegal};

use super::{
    Action, Figures, Phase,
    board::{Square, Squares},
    colour::{Colour, Stones},
    exchange::Exchanges,
};

impl Figures {
    pub(super) fn admit(&self, by: Actor, action: Action) -> Result<(), Illegal> {
        self.turn().admit(by)?;
        match (self.phase, action) {
            (Phase::Take, Action::Take(colour)) => self.admit_take(colour),
            (Phase::Take, _) => Err("first a stone is taken from the bank, such as +r".into()),
            (Phase::Exchange(legal), Action::Exchange(low, high)) => self.admit_exchange(legal, low, high),
            (Phase::Exchange(_), _) => Err("two markers are to be exchanged now, such as a1c3".into()),
            (Phase::Return { allowed }, Action::Return(colour)) => self.admit_return(allowed, colour),
            (Phase::Return { .. }, _) => Err("a stone is to be returned now, such as -r".into()),
            (Phase::Over(_), _) => Err("the game is over".into()),
        }
    }

    fn admit_take(&self, colour: Colour) -> Result<(), Illegal> {
        if self.bank().contains(colour) {
            Ok(())
        } else if self.hand().contains(colour) {
            Err(format!("the {colour} stone is already in hand").into())
        } else {
            Err(format!("the other side holds the {colour} stone").into())
        }
    }

    fn admit_exchange(&self, legal: Exchanges, low: Square, high: Square) -> Result<(), Illegal> {
        let (first, second) = self.in_play();
        if legal.pairs(first, second).any(|pair| pair == (low, high)) {
            return Ok(());
        }
        if low >= high {
            return Err("an exchange is two different squares, the lower one first, such as a1c3".into());
        }
        let colours = self.hand().pair();
        let (here, there) = (self.colour_of(low), self.colour_of(high));
        if (here, there) != colours && (there, here) != colours {
            let (one, other) = colours;
            return Err(format!(
                "the stones in hand are {one} and {other}, but {low} holds a {here} marker and {high} a {there} one"
            )
            .into());
        }
        if Exchanges::between(first, second).pairs(first, second).any(|pair| pair == (low, high)) {
            return Err("the first exchange of the game may not make a figure".into());
        }
        let isolated = |colour: Colour, from: Square, to: Square| {
            self.markers[colour as usize].toggled(Squares::of(from)).and(Squares::next_to(to)).is_empty()
        };
        let (colour, to, other) = if isolated(here, low, high) { (here, high, there) } else { (there, low, here) };
        Err(format!("the {colour} marker would arrive isolated on {to}, and the {other} ones not be one group").into())
    }

    pub(super) fn colour_of(&self, square: Square) -> Colour {
        let here = |colour: &Colour| self.markers[*colour as usize].contains(square);
        Colour::ALL.into_iter().find(here).expect("every square holds a marker")
    }

    fn admit_return(&self, allowed: Stones, colour: Colour) -> Result<(), Illegal> {
        if allowed.contains(colour) {
            Ok(())
        } else if self.hand().contains(colour) {
            Err(format!("the other stone must be returned: its colour made the figure, not {colour}").into())
        } else {
            Err(format!("there is no {colour} stone in hand").into())
        }
    }
}
