//! Those who are not there: a player who has left, and a server that was down.

use quincunx_core::Seat;

use crate::{Decision, Event, Millis, Refusal, Request, State, Status, TimeControl, UserId};

/// How long somebody is away before the others need not wait any longer.
pub const AWAY: Millis = 60_000;
/// How long the clocks stand still after an interruption, so that people can come back.
pub const COME_BACK: Millis = 10_000;
/// By correspondence an interruption shorter than this makes no difference.
const LONG: Millis = 60 * 60 * 1000;

/// A time in which nobody could play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interruption {
    /// When it was last certain that people could play.
    pub from: Millis,
    /// Since when they can again. It is the earlier moment if the clock of the machine was set back meanwhile.
    pub to: Millis,
}

impl State {
    /// The seats against which somebody plays and that are not engines', and which of them have been away.
    fn opponents(&self, seat: Seat, away: &dyn Fn(UserId) -> bool) -> Vec<(Seat, bool)> {
        let others =
            Seat::all(self.game.seats()).filter(|&other| !self.same_side(other, seat) && !self.is_engine(other));
        others.map(|other| (other, self.seats[other.index()].user.is_some_and(away))).collect()
    }

    /// The seat for which somebody may claim something, if the game is one of those in which others can be waited for in vain.
    fn claiming_seat(&self, request: Request<'_>) -> Result<Seat, Refusal> {
        let seat = self.playing_seat(request)?;
        if matches!(self.setup.clock, TimeControl::RealTime { .. }) { Ok(seat) } else { Err(Refusal::NotLive) }
    }

    /// Between two sides the game is won if nobody of the other side is left. Otherwise those who are there play on, with the
    /// engine for those who are not.
    pub(crate) fn claim_win(
        &mut self,
        request: Request<'_>,
        away: &dyn Fn(UserId) -> bool,
    ) -> Result<Decision, Refusal> {
        let seat = self.claiming_seat(request)?;
        let opponents = self.opponents(seat, away);
        let gone: Vec<Seat> = opponents.iter().filter(|(_, away)| *away).map(|(other, _)| *other).collect();
        let first = *gone.first().ok_or(still_here())?;
        let ends = self.sides() == 2 && gone.len() == opponents.len();
        let mut writer = self.writer(request);
        if ends {
            return Ok(writer.just(Event::Abandoned { seat: first.number() }));
        }
        for seat in gone {
            writer.add(Event::TakenOver { seat: seat.number() });
        }
        Ok(writer.decision)
    }

    pub(crate) fn claim_draw(
        &mut self,
        request: Request<'_>,
        away: &dyn Fn(UserId) -> bool,
    ) -> Result<Decision, Refusal> {
        let seat = self.claiming_seat(request)?;
        if self.sides() != 2 {
            return Err(Refusal::NotTwoSides);
        }
        let opponents = self.opponents(seat, away);
        if opponents.is_empty() || opponents.iter().any(|(_, away)| !away) {
            return Err(still_here());
        }
        Ok(self.writer(request).just(Event::DrawClaimed { seat: seat.number() }))
    }

    /// Whether an interruption took time from a clock that is running here.
    pub fn was_interrupted(&self, interruption: Interruption) -> bool {
        let Interruption { from, to } = interruption;
        let lasted = (to - from).abs();
        let matters = match self.setup.clock {
            TimeControl::None => false,
            TimeControl::RealTime { .. } => true,
            TimeControl::Correspondence { .. } => lasted >= LONG,
        };
        // A clock that has begun since, or that stood still already, goes on at one of these moments. One that runs since a still
        // later moment was started before the clock of the machine was set back.
        let untouched = |since: Millis| (to..=to + COME_BACK).contains(&since);
        self.status == Status::Playing
            && matters
            && self.clocks.running().is_some_and(|(_, since)| !untouched(since))
            // A flag that was due before falls.
            && self.clocks.deadline().is_some_and(|(_, deadline)| deadline > from)
    }

    /// Gives the time of an interruption back, with ten seconds to come back.
    pub fn interrupted(&mut self, interruption: Interruption, at: Millis) -> Decision {
        if !self.was_interrupted(interruption) {
            return Decision::default();
        }
        let Interruption { from, to } = interruption;
        self.own_writer(at).just(Event::Interrupted { from, until: to + COME_BACK })
    }
}

fn still_here() -> Refusal {
    Refusal::StillHere { seconds: (AWAY / 1000) as u32 }
}
