//! Tables in a browser: a line in for each request, each engine's answer and each moment, a line out with all that follows.
//!
//! A line in has the time as `now`, in milliseconds since 1970, and a request of the protocol as `ask` or an engine's answer
//! as `answer`; without either, time has passed. A line comes from a `page`: 0 if it is not said, and each page that is new
//! has the next number.

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quincunx_core::{GameKind, Turn};
use quincunx_table::protocol::{Message, Refused, Request};
use quincunx_table::{Answer, ConnectionId, Effect, Host, Job, Millis, Person, SeatPlan, TableId, UserId, UserKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A host, and each page as a connection, which all who play at that screen share.
#[derive(Debug)]
pub struct Tables {
    host: Host,
    rng: ChaCha20Rng,
    pages: Vec<ConnectionId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    now: Millis,
    #[serde(default)]
    page: u16,
    #[serde(default)]
    ask: Option<Request>,
    #[serde(default)]
    answer: Option<Answer>,
}

/// What follows from a line.
#[derive(Default, Serialize)]
struct Outcome {
    /// For each page.
    messages: Vec<Vec<Message>>,
    think: Vec<Wanted>,
    halt: Vec<TableId>,
    keep: Vec<Kept>,
    /// When the next clock runs out.
    deadline: Option<Millis>,
}

/// What an engine is to think about.
#[derive(Serialize)]
struct Wanted {
    table: TableId,
    /// A person is on turn: engines may say what was overlooked, but not before the person had time to see it.
    unprompted: bool,
    job: Box<Job>,
}

/// A game as browsers keep it. What is missing is as it was.
#[derive(Serialize)]
struct Kept {
    id: TableId,
    seats: Vec<SeatPlan>,
    record: String,
    changed: Millis,
    #[serde(flatten)]
    about: Option<About>,
}

#[derive(Serialize)]
struct About {
    game: String,
    options: Map<String, Value>,
    plies: usize,
    winners: Option<Vec<u8>>,
}

impl Tables {
    pub fn new(games: &'static [&'static dyn GameKind], seed: u64) -> Self {
        Self { host: Host::new(games), rng: ChaCha20Rng::seed_from_u64(seed), pages: Vec::new() }
    }

    /// Takes a line; gives what follows from it. The first one of a page greets it.
    pub fn line(&mut self, line: &str) -> String {
        let mut outcome = Outcome { messages: vec![Vec::new(); self.pages.len().max(1)], ..Outcome::default() };
        let read = serde_json::from_str::<Line>(line).map_err(|why| why.to_string()).and_then(|line| {
            if usize::from(line.page) <= self.pages.len() {
                Ok(line)
            } else {
                Err(format!("there is no page {} yet", line.page))
            }
        });
        match read {
            Ok(line) => self.take(line, &mut outcome),
            Err(why) => outcome.messages[0].push(Message::Refused {
                id: None,
                code: Refused::Malformed,
                reason: format!("the message cannot be read: {why}"),
                why: None,
            }),
        }
        serde_json::to_string(&outcome).expect("what follows is plain data with text keys")
    }

    fn take(&mut self, Line { now, page, ask, answer }: Line, outcome: &mut Outcome) {
        let user = UserId(i64::from(page) + 1);
        let page = usize::from(page);
        if page == self.pages.len() {
            let person = Person { id: user, name: "here".to_owned(), kind: UserKind::Guest };
            let (connection, welcome) = self.host.connect(Some(person), now);
            self.pages.push(connection);
            outcome.messages.resize(self.pages.len(), Vec::new());
            outcome.messages[page].push(welcome);
        }
        let page = self.pages[page];
        // A clock that has run out has run out before whatever comes now.
        let mut effects = self.host.tick(now, &mut self.rng);
        effects.extend(ask.into_iter().flat_map(|request| self.host.handle(page, request, now, &mut self.rng)));
        effects.extend(answer.into_iter().flat_map(|answer| self.host.answer(&answer, now, &mut self.rng)));
        for effect in effects {
            self.note(effect, now, outcome);
        }
        outcome.deadline = self.host.deadline();
    }

    fn note(&self, effect: Effect, now: Millis, outcome: &mut Outcome) {
        match effect {
            Effect::Send { to, message } => {
                let page = self.pages.iter().position(|page| *page == to);
                outcome.messages[page.expect("a page gave its connection")].push(message);
            }
            Effect::Think(job) => {
                let turn = self.host.state(&job.table).map(|state| state.game.turn());
                let prompted = matches!(turn, Some(Turn::Seat(seat)) if job.asked().iter().any(|(asked, _)| *asked == seat.number()));
                outcome.think.push(Wanted { table: job.table.clone(), unprompted: !prompted, job });
            }
            Effect::Halt(table) => outcome.halt.push(table),
            Effect::Keep { table, record, seats, .. } => {
                let about = self.host.state(&table).map(|state| About {
                    game: state.setup.game.clone(),
                    options: state.setup.options.clone(),
                    plies: state.game.ply(),
                    winners: state.ending.as_ref().map(|ending| ending.winners.clone()),
                });
                // Of several in a row only the last one counts.
                outcome.keep.retain(|kept| kept.id != table);
                outcome.keep.push(Kept { id: table, seats, record, changed: now, about });
            }
        }
    }
}
