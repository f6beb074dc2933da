//! Moves that are taken back: who is asked, and when it is not possible any more.

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quincunx_core::{Actor, DynSession, Seat, Viewer};

use crate::decide::EventWriter;
use crate::{Decision, Event, Refusal, Request, State, Status, UndoPolicy};

impl State {
    pub(crate) fn ask_undo(&mut self, count: u32, request: Request<'_>) -> Result<Decision, Refusal> {
        let free = self.setup.undo == UndoPolicy::Free;
        let seat = if free && self.status == Status::Finished {
            self.own_seat(request, |_| true)?
        } else {
            self.playing_seat(request)?
        };
        if self.setup.undo == UndoPolicy::Never {
            return Err(Refusal::NoUndo);
        }
        self.not_without_end()?;
        if self.undo.is_some() {
            return Err(Refusal::AskedAlready);
        }
        let own = |by: Actor| match by {
            Actor::Seat(by) => by == seat || (free && self.seats_of(request.person.id).any(|own| own == by)),
            Actor::Chance => false,
        };
        let log = self.game.log(Viewer::Everything);
        let mut moves = log.iter().enumerate().rev().filter(|(_, line)| own(line.by)).map(|(ply, _)| ply);
        let ply = moves.nth(count.saturating_sub(1) as usize).ok_or(Refusal::NothingToUndo)?;
        if free {
            return Ok(self.writer(request).just(Event::Undone { ply: ply as u64 }));
        }
        if came_to_light(self.game.as_ref(), ply) {
            return Err(Refusal::CameToLight);
        }
        let mut writer = self.writer(request);
        writer.add(Event::UndoAsked { seat: seat.number(), ply: ply as u64 });
        writer.finish_undo();
        Ok(writer.decision)
    }

    pub(crate) fn answer_undo(&mut self, grant: bool, request: Request<'_>) -> Result<Decision, Refusal> {
        let undo = self.undo.clone();
        let asked = |seat: Seat| {
            undo.as_ref().is_some_and(|undo| undo.seat != seat.number() && !undo.granted.contains(&seat.number()))
        };
        let seat = self.playing_seat_that(request, asked)?;
        if !asked(seat) {
            return Err(Refusal::NotAsked);
        }
        let seat = seat.number();
        let mut writer = self.writer(request);
        writer.add(if grant { Event::UndoGranted { seat } } else { Event::UndoRefused { seat } });
        writer.finish_undo();
        Ok(writer.decision)
    }
}

impl EventWriter<'_> {
    /// Takes the moves back if all who were to be asked have agreed: the engine always does.
    fn finish_undo(&mut self) {
        let Some(undo) = &self.state.undo else { return };
        let asked = Seat::all(self.state.game.seats()).filter(|&seat| !self.state.is_engine(seat));
        let agreed = |seat: Seat| seat.number() == undo.seat || undo.granted.contains(&seat.number());
        if asked.into_iter().all(agreed) {
            let ply = undo.ply;
            self.add(Event::Undone { ply });
        }
    }
}

/// Whether something came to light since so many actions were made: whether somebody may have learnt more than follows from
/// what they saw before and the actions themselves.
///
/// The answer tells nothing itself: it follows from what everybody knows, and is the same whenever it is asked for. Positions
/// are sampled that a spectator could not tell apart then. If from one of them the same actions are impossible, or show them
/// or a player who would sit there something new, they have told something.
fn came_to_light(game: &dyn DynSession, ply: usize) -> bool {
    const IMAGINED: usize = 16;
    let made = game.log_from(ply, Viewer::Everything);
    let drawn = made.iter().any(|line| line.by == Actor::Chance);
    if drawn || game.log_from(ply, Viewer::Spectator) != made {
        return true;
    }
    let mut then = game.boxed_clone();
    if then.undo(made.len() as u64).is_err() {
        return true;
    }
    let after = |mut game: Box<dyn DynSession>| {
        let possible = made.iter().all(|line| game.apply_by(line.by, &line.action).is_ok());
        possible.then_some(game)
    };
    let mut rng = ChaCha20Rng::seed_from_u64(ply as u64);
    let seen = game.view_json(Viewer::Spectator);
    (0..IMAGINED).any(|_| {
        let imagined = then.imagined(Viewer::Spectator, &mut rng);
        let tells_a_seat = |now: &dyn DynSession, rng: &mut ChaCha20Rng| {
            Seat::all(game.seats()).map(Viewer::Seat).any(|viewer| {
                let other = after(imagined.imagined(viewer, rng));
                other.is_none_or(|other| other.view_json(viewer) != now.view_json(viewer))
            })
        };
        let now = after(imagined.boxed_clone());
        now.is_none_or(|now| now.view_json(Viewer::Spectator) != seen || tells_a_seat(now.as_ref(), &mut rng))
    })
}
