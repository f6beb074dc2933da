//! The clocks of a table. They know no time of their own: every moment comes out of the log.

use quincunx_core::Seat;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::setup::{DAY, SECOND, TimeControl};
use crate::model::Millis;

const SEATS: usize = Seat::MAX as usize;

/// How much time each seat has, and whose is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Millis; SEATS],
    running: Option<(Seat, Millis)>,
}

/// The clocks as they are shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, TS, ToSchema)]
pub struct ClockFace {
    /// What each seat has left, in milliseconds, when its clock last stopped.
    pub left: Vec<Millis>,
    /// Whose clock is running, and since when.
    pub running: Option<(u8, Millis)>,
}

impl Clocks {
    pub(super) fn new(control: TimeControl) -> Self {
        let left = match control {
            TimeControl::None => 0,
            TimeControl::RealTime { seconds, .. } => Millis::from(seconds) * SECOND,
            TimeControl::Correspondence { days } => Millis::from(days) * DAY,
        };
        Self { control, left: [left; SEATS], running: None }
    }

    /// The seat that has to act now, or nobody. The clock runs on while the same seat has to act.
    pub(super) fn hand_over(&mut self, to: Option<Seat>, at: Millis) {
        if self.running.map(|(seat, _)| seat) == to {
            return;
        }
        if let Some((seat, since)) = self.running.take() {
            let left = &mut self.left[seat.index()];
            match self.control {
                TimeControl::None => {}
                TimeControl::RealTime { increment, .. } => {
                    *left = (*left - (at - since).max(0)).max(0) + Millis::from(increment) * SECOND;
                }
                TimeControl::Correspondence { days } => *left = Millis::from(days) * DAY,
            }
        }
        if self.control != TimeControl::None {
            self.running = to.map(|seat| (seat, at));
        }
    }

    /// Whose time runs out next, and when.
    pub fn deadline(&self) -> Option<(Seat, Millis)> {
        self.running.map(|(seat, since)| (seat, since + self.left[seat.index()]))
    }

    pub fn face(&self, seats: u8) -> Option<ClockFace> {
        (self.control != TimeControl::None).then(|| ClockFace {
            left: self.left[..usize::from(seats)].to_vec(),
            running: self.running.map(|(seat, since)| (seat.number(), since)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Seat = Seat::new(0);
    const SECOND_SEAT: Seat = Seat::new(1);

    #[test]
    fn time_is_taken_from_who_has_to_act_and_an_increment_is_given_when_the_move_is_handed_over() {
        let mut clocks = Clocks::new(TimeControl::RealTime { seconds: 60, increment: 2 });
        clocks.hand_over(Some(FIRST), 1_000);
        assert_eq!(clocks.deadline(), Some((FIRST, 61_000)));
        // A turn of several actions: the clock of the acting seat runs on.
        clocks.hand_over(Some(FIRST), 5_000);
        assert_eq!(clocks.deadline(), Some((FIRST, 61_000)));
        clocks.hand_over(Some(SECOND_SEAT), 11_000);
        assert_eq!(clocks.face(2).unwrap().left, [52_000, 60_000]);
        assert_eq!(clocks.deadline(), Some((SECOND_SEAT, 71_000)));
        clocks.hand_over(None, 12_000);
        assert_eq!(clocks.deadline(), None);
    }

    #[test]
    fn by_correspondence_every_move_has_its_days() {
        let mut clocks = Clocks::new(TimeControl::Correspondence { days: 3 });
        clocks.hand_over(Some(FIRST), 0);
        clocks.hand_over(Some(SECOND_SEAT), 2 * DAY);
        clocks.hand_over(Some(FIRST), 3 * DAY);
        assert_eq!(clocks.deadline(), Some((FIRST, 6 * DAY)));
    }

    #[test]
    fn without_a_clock_nothing_runs() {
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.hand_over(Some(FIRST), 0);
        assert_eq!((clocks.deadline(), clocks.face(2)), (None, None));
    }

    #[test]
    fn a_log_whose_moments_go_backwards_gives_no_time_for_free() {
        let mut clocks = Clocks::new(TimeControl::RealTime { seconds: 10, increment: 0 });
        clocks.hand_over(Some(FIRST), 5_000);
        clocks.hand_over(Some(SECOND_SEAT), 1_000);
        assert_eq!(clocks.face(2).unwrap().left, [10_000, 10_000]);
    }
}
