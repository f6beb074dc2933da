//! The seats where the engine plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quincunx_core::{Seat, Table, Turn};
use quincunx_engine::{Clock, Control, Engine, Level};
use rand::RngExt;

use super::{Hub, Slot, lock};
use crate::model::Status;
use crate::table::{Decision, State};

/// The clock of this machine.
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Marks a table as thought about for as long as it lives, also when a thought ends in a panic.
struct Thinking(Arc<Slot>);

impl Drop for Thinking {
    fn drop(&mut self) {
        self.0.thinking.store(false, Ordering::Release);
    }
}

/// A position in which engines are to be asked.
struct Question {
    game: Box<dyn Table>,
    version: u64,
    /// Who is asked, one after the other, until one wants to act.
    asked: Vec<(Seat, Level)>,
}

impl Question {
    /// Seats with something to say out of turn come before the one on turn. A version is asked about only once.
    fn of(state: &State, asked_before: u64) -> Option<Self> {
        if state.status != Status::Playing || asked_before == state.version {
            return None;
        }
        let engines = Seat::all(state.game.seats())
            .filter_map(|seat| Some((seat, state.seats[seat.index()].engine?.parse::<Level>().ok()?)));
        let on_turn = |seat: Seat| state.game.turn() == Turn::Seat(seat);
        let mut asked: Vec<(Seat, Level)> =
            engines.filter(|&(seat, _)| on_turn(seat) || !state.game.actions(seat).is_empty()).collect();
        asked.sort_by_key(|&(seat, _)| on_turn(seat));
        (!asked.is_empty()).then(|| Self { game: state.game.boxed_clone(), version: state.version, asked })
    }

    fn answer(&self, seed: u64) -> Option<(Seat, String)> {
        self.asked.iter().find_map(|&(seat, level)| {
            let engine = Engine::Level(level);
            let stop = AtomicBool::new(false);
            let clock = WallClock(Instant::now());
            let control = Control::new(engine.budget(), seed, &clock, &stop);
            let thought = engine.thinker(self.game.kind().id())?.think(self.game.as_ref(), seat, &control)?;
            Some((seat, thought.action))
        })
    }
}

impl Hub {
    /// Lets engines act at a table, if any play there, until it is somebody else's turn.
    pub(super) fn think(&self, slot: &Arc<Slot>) {
        if !slot.engines.load(Ordering::Relaxed) || slot.thinking.swap(true, Ordering::AcqRel) {
            return;
        }
        let (hub, thinking) = (self.clone(), Thinking(slot.clone()));
        tokio::spawn(async move {
            let slot = &thinking.0;
            while let Some(question) = {
                let live = slot.live.lock().await;
                live.as_ref().and_then(|state| Question::of(state, slot.asked.load(Ordering::Relaxed)))
            } {
                let version = question.version;
                slot.asked.store(version, Ordering::Relaxed);
                let Ok(turn) = hub.inner.thinkers.acquire().await else { return };
                let seed = lock(&hub.inner.rng).random();
                let answer = tokio::task::spawn_blocking(move || question.answer(seed)).await;
                drop(turn);
                let Ok(Some((seat, action))) = answer else { continue };
                let acted = hub.change(slot, |state, at, rng| {
                    // A thought about another position is worth nothing.
                    if state.version == version {
                        state.engine_acts(seat, &action, at, rng)
                    } else {
                        Ok(Decision::default())
                    }
                });
                if acted.await.is_err() {
                    // The next tick asks again.
                    slot.asked.store(0, Ordering::Relaxed);
                    return;
                }
            }
        });
    }
}
