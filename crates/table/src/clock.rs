//! The clocks of a table. They know no time of their own: every moment comes out of the log.

use quincunx_core::{Seat, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Millis;
use crate::setup::{DAY, SECOND, TimeControl};

const SEATS: usize = Seat::MAX as usize;
/// How much of the time that the messages of a move were under way is given back at most.
pub const MOST_LAG: Millis = 500;

/// How much time each seat has, and whose is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Millis; SEATS],
    running: Option<(Seat, Millis)>,
    /// The seat that has the move, also while chance draws in its turn.
    mover: Option<Seat>,
    /// Whether that seat has acted since it has the move.
    acted: bool,
}

/// The clocks as they are shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClockFace {
    /// What each seat has left, in milliseconds, when its clock last stopped.
    pub left: Vec<Millis>,
    /// Whose clock is running, and since when.
    pub running: Option<(u8, Millis)>,
}

impl ClockFace {
    /// What a seat has left at a moment.
    pub fn left_at(&self, seat: usize, now: Millis) -> Option<Millis> {
        let left = *self.left.get(seat)?;
        let used = match self.running {
            Some((running, since)) if usize::from(running) == seat => now.saturating_sub(since).max(0),
            _ => 0,
        };
        Some(left.saturating_sub(used).max(0))
    }
}

impl Clocks {
    pub(crate) fn new(control: TimeControl) -> Self {
        let left = match control {
            TimeControl::None => 0,
            TimeControl::RealTime { seconds, .. } => Millis::from(seconds) * SECOND,
            TimeControl::Correspondence { days } => Millis::from(days) * DAY,
        };
        Self { control, left: [left; SEATS], running: None, mover: None, acted: false }
    }

    /// A seat has acted, on its turn or out of turn. The time that its messages were under way is not taken from it.
    pub(crate) fn act(&mut self, seat: Seat, lag: Millis, at: Millis) {
        self.acted |= self.mover == Some(seat);
        if let Some((running, since)) = &mut self.running
            && *running == seat
            && *since < at
        {
            *since = (*since + lag.clamp(0, MOST_LAG)).min(at);
        }
    }

    /// Nobody could play for a while: the running clock has counted until a moment, and goes on at another one.
    pub(crate) fn interrupt(&mut self, from: Millis, until: Millis) {
        if let Some((seat, since)) = self.running {
            let left = &mut self.left[seat.index()];
            *left = (*left - (from - since).max(0)).max(0);
            self.running = Some((seat, until));
        }
    }

    /// The table has come to this turn. `times` says whether the clock of a seat runs: that of an engine does not.
    ///
    /// A seat earns its increment, or its days for the next move, when it has acted and the move passes to another seat:
    /// not when chance draws in the middle of its turn, and not when its turn is taken back.
    pub(crate) fn hand_over(&mut self, turn: Turn, times: impl FnOnce(Seat) -> bool, at: Millis) {
        if self.control == TimeControl::None {
            return;
        }
        // Draws take no time: the clock of the seat in whose turn chance draws runs on.
        let to = match turn {
            Turn::Seat(seat) => Some(seat),
            Turn::Chance => return,
            Turn::Over => None,
        };
        let runs = to.filter(|&seat| times(seat));
        if self.running.map(|(seat, _)| seat) != runs {
            if let Some((seat, since)) = self.running.take() {
                let left = &mut self.left[seat.index()];
                *left = (*left - (at - since).max(0)).max(0);
            }
            self.running = runs.map(|seat| (seat, at));
        }
        if self.mover != to {
            if let (Some(mover), Some(_), true) = (self.mover, to, self.acted) {
                let left = &mut self.left[mover.index()];
                match self.control {
                    TimeControl::None => {}
                    TimeControl::RealTime { increment, .. } => *left += Millis::from(increment) * SECOND,
                    TimeControl::Correspondence { days } => *left = Millis::from(days) * DAY,
                }
            }
            (self.mover, self.acted) = (to, false);
        }
    }

    /// A game that was interrupted goes on with this time left.
    pub(crate) fn set(&mut self, left: &[Millis], at: Millis) {
        for (mine, &left) in self.left.iter_mut().zip(left) {
            *mine = left.max(0);
        }
        self.running = self.running.map(|(seat, _)| (seat, at));
    }

    /// Whose clock is running, and since when. A clock that goes on later runs since a moment that is to come.
    pub const fn running(&self) -> Option<(Seat, Millis)> {
        self.running
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
    const OTHER: Seat = Seat::new(1);

    /// Clocks of a table where the seats in the list are engines'.
    struct Table(Clocks, &'static [Seat]);

    impl Table {
        fn new(control: TimeControl) -> Self {
            Self(Clocks::new(control), &[])
        }

        /// Somebody has acted, and now it is this turn.
        fn acted(&mut self, by: Seat, turn: Turn, at: Millis) {
            self.0.act(by, 0, at);
            self.0.hand_over(turn, |seat| !self.1.contains(&seat), at);
        }

        fn turn(&mut self, turn: Turn, at: Millis) {
            self.0.hand_over(turn, |seat| !self.1.contains(&seat), at);
        }

        fn left(&self) -> Vec<Millis> {
            self.0.face(2).unwrap().left
        }
    }

    fn minute() -> TimeControl {
        TimeControl::RealTime { seconds: 60, increment: 2 }
    }

    #[test]
    fn time_is_taken_from_the_seat_on_turn_and_an_increment_is_earned_when_the_move_passes_on() {
        let mut table = Table::new(minute());
        table.turn(Turn::Seat(FIRST), 1_000);
        assert_eq!(table.0.deadline(), Some((FIRST, 61_000)));
        // A turn of several actions: the clock of the acting seat runs on.
        table.acted(FIRST, Turn::Seat(FIRST), 5_000);
        assert_eq!(table.0.deadline(), Some((FIRST, 61_000)));
        table.acted(FIRST, Turn::Seat(OTHER), 11_000);
        assert_eq!(table.left(), [52_000, 60_000]);
        assert_eq!(table.0.deadline(), Some((OTHER, 71_000)));
        table.acted(OTHER, Turn::Over, 12_000);
        assert_eq!(
            (table.0.deadline(), table.left()),
            (None, vec![52_000, 59_000]),
            "the end passes the move to nobody"
        );
    }

    #[test]
    fn a_draw_in_the_middle_of_a_turn_earns_nothing() {
        let mut table = Table::new(minute());
        table.turn(Turn::Seat(FIRST), 0);
        table.acted(FIRST, Turn::Chance, 10_000);
        table.turn(Turn::Seat(FIRST), 10_000);
        assert_eq!((table.left(), table.0.deadline()), (vec![60_000, 60_000], Some((FIRST, 60_000))));
        // The draw at the end of a turn does: the move passes on after it.
        table.acted(FIRST, Turn::Chance, 20_000);
        table.turn(Turn::Seat(OTHER), 20_000);
        assert_eq!((table.left(), table.0.deadline()), (vec![42_000, 60_000], Some((OTHER, 80_000))));
    }

    #[test]
    fn a_move_that_passes_to_an_engine_earns_its_increment_at_once() {
        let mut table = Table(Clocks::new(minute()), &[OTHER]);
        table.turn(Turn::Seat(FIRST), 0);
        table.acted(FIRST, Turn::Seat(OTHER), 10_000);
        assert_eq!((table.left(), table.0.deadline()), (vec![52_000, 60_000], None), "the engine's clock does not run");
        table.acted(OTHER, Turn::Seat(FIRST), 15_000);
        assert_eq!(table.0.deadline(), Some((FIRST, 67_000)));
    }

    #[test]
    fn nothing_is_earned_by_what_others_do() {
        let mut table = Table::new(minute());
        table.turn(Turn::Seat(FIRST), 0);
        // The other seat acts out of turn and has the move for a moment.
        table.acted(OTHER, Turn::Seat(OTHER), 10_000);
        assert_eq!(table.left(), [50_000, 60_000]);
        table.acted(OTHER, Turn::Seat(FIRST), 11_000);
        assert_eq!(table.left(), [50_000, 61_000]);
        // A move is taken back.
        table.acted(FIRST, Turn::Seat(OTHER), 12_000);
        table.turn(Turn::Seat(FIRST), 14_000);
        assert_eq!(table.left(), [51_000, 59_000]);
    }

    #[test]
    fn by_correspondence_every_move_has_its_days() {
        let mut table = Table::new(TimeControl::Correspondence { days: 3 });
        table.turn(Turn::Seat(FIRST), 0);
        table.acted(FIRST, Turn::Seat(OTHER), 2 * DAY);
        table.acted(OTHER, Turn::Seat(FIRST), 3 * DAY);
        assert_eq!(table.0.deadline(), Some((FIRST, 6 * DAY)));
    }

    #[test]
    fn without_a_clock_nothing_runs() {
        let mut table = Table::new(TimeControl::None);
        table.turn(Turn::Seat(FIRST), 0);
        assert_eq!((table.0.deadline(), table.0.face(2)), (None, None));
    }

    #[test]
    fn a_log_whose_moments_go_backwards_gives_no_time_for_free() {
        let mut table = Table::new(TimeControl::RealTime { seconds: 10, increment: 0 });
        table.turn(Turn::Seat(FIRST), 5_000);
        table.acted(FIRST, Turn::Seat(OTHER), 1_000);
        assert_eq!(table.left(), [10_000, 10_000]);
    }

    #[test]
    fn the_time_that_a_move_was_under_way_is_given_back_up_to_half_a_second() {
        let mut table = Table::new(TimeControl::RealTime { seconds: 60, increment: 0 });
        table.turn(Turn::Seat(FIRST), 0);
        table.0.act(FIRST, 200, 10_000);
        table.turn(Turn::Seat(OTHER), 10_000);
        assert_eq!(table.left(), [50_200, 60_000]);
        assert_eq!(table.0.deadline(), Some((OTHER, 70_000)), "it is not taken from the other");
        table.0.act(OTHER, 9_000, 20_000);
        table.turn(Turn::Seat(FIRST), 20_000);
        assert_eq!(table.left(), [50_200, 50_500], "no more than half a second");
        table.0.act(FIRST, 400, 20_100);
        table.turn(Turn::Seat(OTHER), 20_100);
        assert_eq!(table.left(), [50_200, 50_500], "no more than was taken");
        // What is done out of turn takes no time, and gives none.
        table.0.act(FIRST, 400, 20_200);
        assert_eq!(table.0.deadline(), Some((OTHER, 70_600)));
    }

    #[test]
    fn a_clock_stands_still_while_nobody_can_play() {
        let mut table = Table::new(TimeControl::RealTime { seconds: 20, increment: 0 });
        table.turn(Turn::Seat(FIRST), 1_000);
        // Down from 5 s to 30 s, and ten seconds to come back.
        table.0.interrupt(5_000, 40_000);
        assert_eq!(table.0.deadline(), Some((FIRST, 56_000)), "four of twenty seconds are used");
        assert_eq!(table.0.face(2).unwrap().left_at(0, 35_000), Some(16_000), "it does not run yet");
        table.acted(FIRST, Turn::Seat(OTHER), 35_000);
        assert_eq!((table.left(), table.0.deadline()), (vec![16_000, 20_000], Some((OTHER, 55_000))));
        // A clock that began to run while nobody looked after it loses nothing.
        table.0.interrupt(30_000, 60_000);
        assert_eq!(table.0.deadline(), Some((OTHER, 80_000)));
    }

    #[test]
    fn a_game_that_goes_on_later_has_the_time_that_was_left() {
        let mut table = Table::new(minute());
        table.turn(Turn::Seat(FIRST), 5_000);
        table.0.set(&[7_000, 8_000], 9_000);
        assert_eq!((table.0.deadline(), table.left()), (Some((FIRST, 16_000)), vec![7_000, 8_000]));
        assert_eq!(table.0.face(2).unwrap().left_at(0, 10_000), Some(6_000));
        assert_eq!(table.0.face(2).unwrap().left_at(0, 99_000), Some(0));
    }
}
