//! What the screen sees of a table on a server, and what it asks of it.

use std::time::{Duration, Instant};

use quincunx_core::{Record, Turn, find};
use quincunx_games::GAMES;
use serde_json::json;

use super::{Acting, Advice, Asked, Lost, Online};
use crate::app::Key;
use crate::event::News;
use crate::moment::{Moment, Said};
use crate::source::online::keeper::local_time;
use crate::source::online::place::short;
use crate::source::online::told::{ClockFace, Millis, Seated, Status};
use crate::source::{Hint, Player, Source, Spoken, Stage, advise};

impl Source for Online {
    fn title(&self) -> String {
        let game = &self.told.setup.game;
        let title = find(GAMES, game).map_or(game.as_str(), |kind| kind.title());
        let server = short(self.link.server());
        if let Some(Lost { next }) = &self.lost {
            let pause = next.saturating_duration_since(Instant::now()).as_secs() + 1;
            return format!("{title} at {server} - not connected, next try in {pause} s");
        }
        let watchers = match self.present.as_ref().map_or(0, |present| present.others) {
            0 => String::new(),
            1 => ", one watches".to_owned(),
            several => format!(", {several} watch"),
        };
        format!("{title} at {server} - {}{watchers}", self.agreed())
    }

    fn moment(&self) -> &Moment {
        &self.moment
    }

    fn log(&self) -> &[Said] {
        &self.told.log
    }

    fn players(&self) -> Vec<Player> {
        let now = local_time().saturating_add(self.welcome.ahead);
        let player = |(seat, seated): (usize, &Seated)| Player {
            name: self.seat_name(seat),
            note: self.note(seat, seated),
            clock: self.told.clocks.as_ref().and_then(|face| left(face, seat, now)),
        };
        self.told.seats.iter().enumerate().map(player).collect()
    }

    fn stage(&self) -> Stage {
        match self.told.status {
            Status::Open => self.waiting(),
            Status::Playing => Stage::Playing,
            Status::Finished if self.my_seat().is_some() => Stage::Over(format!("{} M plays again.", self.over())),
            Status::Finished => Stage::Over(self.over()),
            Status::Aborted => Stage::Over("The table was closed before the game began.".to_owned()),
        }
    }

    fn act(&mut self, action: &str) -> Result<(), String> {
        match self.told.status {
            Status::Open => return Err("The game has not begun.".to_owned()),
            Status::Finished | Status::Aborted => return Err("The game is over.".to_owned()),
            Status::Playing => {}
        }
        let mine = self.my_seat().ok_or("You only watch here.")?;
        if self.acting.is_some() {
            return Err("Your last action is still on its way.".to_owned());
        }
        // In the log an action stands with its seat, as in `2: claim c3`.
        let action = match action.split_once(": ") {
            Some((seat, action)) if seat.parse() == Ok(mine) => action,
            _ => action,
        };
        let command = json!({"type": "act", "action": action, "ply": self.moment.ply});
        let id = self.link.command(&self.told.table, command);
        self.acting = Some(Acting { id, done: None });
        self.say_if_lost();
        Ok(())
    }

    fn commands(&self) -> Vec<Key> {
        match self.told.status {
            Status::Open => {
                let mut keys = match self.my_seat() {
                    None => vec![("Enter", "sit down"), ("0 1 ..", "on this seat")],
                    Some(_) => vec![("L", "stand up")],
                };
                if self.is_host() {
                    keys.push(("A A", "close the table"));
                }
                keys
            }
            Status::Playing if self.plays() => vec![
                ("u", "ask to take back your last move"),
                ("D", "offer a draw, or accept it"),
                ("y n", "answer what you are asked"),
                ("X X", "resign"),
            ],
            Status::Finished if self.my_seat().is_some() => vec![("M", "play again, with the same people")],
            Status::Playing | Status::Finished | Status::Aborted => Vec::new(),
        }
    }

    fn command(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.told.status {
            Status::Open => self.while_waiting(key),
            Status::Playing => self.while_playing(key),
            Status::Finished if key == "M" => {
                self.ask(json!({"type": "rematch"}), Asked::Rematch);
                Ok(None)
            }
            Status::Finished | Status::Aborted => Ok(None),
        }
    }

    fn ask_hint(&mut self) -> Result<(), String> {
        if self.told.setup.rated && self.told.status == Status::Playing {
            return Err("A rated game is played without help.".to_owned());
        }
        let table = self.replayed().map_err(|why| format!("There is no hint here. {why}"))?;
        match table.turn() {
            Turn::Seat(seat) if self.moment.viewer == Some(seat.number()) => {
                let seed = local_time() as u64;
                advise(table, seat, seed, self.party, self.reporter.clone())?;
                self.hint = Advice::Thinking;
                Ok(())
            }
            _ => Err("A hint is for whoever is on turn.".to_owned()),
        }
    }

    fn hint(&self) -> Hint<'_> {
        match &self.hint {
            Advice::None => Hint::None,
            Advice::Thinking => Hint::Thinking,
            Advice::Given(thought) => Hint::Given(thought),
        }
    }

    fn hear(&mut self, news: &mut Option<News>) -> bool {
        match news.take() {
            Some(News::Hinted { party, ply, thought }) if party == self.party => {
                if ply == self.moment.ply {
                    self.hint = thought.map_or(Advice::None, Advice::Given);
                }
                true
            }
            Some(News::Online(online)) if online.link == self.link.number() => {
                let changed = self.overhear(&online.what);
                let link = online.link;
                *news = self.take(online.what).map(|what| News::Online(super::super::News { link, what }));
                changed || news.is_none()
            }
            other => {
                *news = other;
                false
            }
        }
    }

    fn tick(&mut self) -> bool {
        self.lost.is_some()
    }

    fn pace(&self) -> Option<Duration> {
        let running = self.told.clocks.as_ref().is_some_and(|face| face.running.is_some());
        if running && self.told.status == Status::Playing {
            Some(Duration::from_millis(100))
        } else {
            self.lost.as_ref().map(|_| Duration::from_millis(500))
        }
    }

    fn notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    fn record(&mut self) -> Result<Record, String> {
        if self.told.status == Status::Open {
            return Err("The game has not begun.".to_owned());
        }
        let mut table = self.replayed()?;
        let mut headers = table.headers().clone();
        for seat in 0..self.told.seats.len() {
            headers.insert(format!("Player {seat}"), self.seat_name(seat));
        }
        table.set_headers(headers);
        Ok(table.record())
    }

    fn talk(&self) -> Option<&[Spoken]> {
        Some(&self.talk)
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        let id = self.link.say(&self.told.table, text);
        self.asked.insert(id, Asked::Other);
        self.say_if_lost();
        Ok(())
    }
}

/// What a clock shows at a moment of the server's time.
fn left(face: &ClockFace, seat: usize, now: Millis) -> Option<Duration> {
    let left = *face.left.get(seat)?;
    let used = match face.running {
        Some((running, since)) if usize::from(running) == seat => now.saturating_sub(since).max(0),
        _ => 0,
    };
    Some(Duration::from_millis(left.saturating_sub(used).max(0) as u64))
}
