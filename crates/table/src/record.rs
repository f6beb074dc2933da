//! Tables as records, which people can read and mail, and records as tables.

use quincunx_core::record::Headers;
use quincunx_core::{DynSession, GameKind, Record, Seat};
use quincunx_engine::Level;

use crate::{
    Entry, Event, Millis, Refusal, Request, SeatPlan, Seated, Setup, State, Status, TableId, TimeControl, UndoPolicy,
    UserId,
};

const CLOCK: &str = "Clock";
/// What the clocks showed when the game was interrupted, in milliseconds.
const LEFT: &str = "Left";
/// How a game ended that is not over by its rules; `Result` is for those that are.
const ENDING: &str = "Ending";

fn player(seat: usize) -> String {
    format!("Player {seat}")
}

/// What the headers of a record say about its table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    pub players: Vec<Option<String>>,
    pub clock: TimeControl,
    pub left: Option<Vec<Millis>>,
    /// Winners and reason of a game that is not over by its rules.
    pub ending: Option<(Vec<u8>, String)>,
}

impl About {
    pub fn read(record: &Record) -> Result<Self, Refusal> {
        let headers = &record.headers;
        Ok(Self {
            players: (0..usize::from(record.seats)).map(|seat| headers.get(&player(seat)).cloned()).collect(),
            clock: clock(headers)?,
            left: headers.get(LEFT).map(|text| left(text, record.seats)).transpose()?,
            ending: headers.get(ENDING).map(|text| ending(text)).transpose()?,
        })
    }

    /// What ends a game that is not over by its rules.
    pub fn last_event(&self, game: &dyn DynSession) -> Result<Option<Event>, Refusal> {
        let Some((winners, reason)) = &self.ending else { return Ok(None) };
        if game.outcome().is_some() {
            return Err(Refusal::TwoEndings);
        }
        let loser = Seat::all(game.seats()).map(Seat::number).find(|seat| !winners.contains(seat));
        match (reason.as_str(), loser) {
            ("resigned", Some(seat)) => Ok(Some(Event::Resigned { seat })),
            ("time", Some(seat)) => Ok(Some(Event::FlagFell { seat })),
            ("agreed", _) => Ok(Some(Event::DrawAgreed)),
            ("left", _) if winners.is_empty() => Ok(Some(Event::DrawClaimed { seat: 0 })),
            ("left", Some(seat)) => Ok(Some(Event::Abandoned { seat })),
            ("unfinished", _) => Ok(Some(Event::BrokenOff)),
            _ => Err(Refusal::NoSuchEnding { ending: reason.clone() }),
        }
    }

    /// Who sits where, by the names in a record: a level is an engine, and everything else a person. A record that came from
    /// elsewhere must not start programs.
    pub fn seat_plans(&self) -> Vec<SeatPlan> {
        let plan = |(seat, name): (usize, &Option<String>)| match name {
            Some(level) if level.parse::<Level>().is_ok() => SeatPlan::Engine { level: level.clone() },
            Some(name) => SeatPlan::Person { name: name.clone() },
            None => SeatPlan::Person { name: format!("Seat {seat}") },
        };
        self.players.iter().enumerate().map(plan).collect()
    }
}

impl State {
    /// The game so far, everything shown, with who plays and what the clocks show; nothing where no game has begun.
    pub fn record(&self, now: Millis) -> Option<Record> {
        if !matches!(self.status, Status::Playing | Status::Finished) {
            return None;
        }
        let mut record = self.game.record();
        let mut header = |name: &str, value: String| drop(record.headers.insert(name.to_owned(), value));
        for (seat, Seated { name, engine, .. }) in self.seats.iter().enumerate() {
            if let Some(name) = name.as_ref().or(engine.as_ref()) {
                header(&player(seat), name.clone());
            }
        }
        match self.setup.clock {
            TimeControl::None => {}
            TimeControl::RealTime { seconds, increment } => header(CLOCK, format!("{seconds}+{increment}")),
            TimeControl::Correspondence { days } => header(CLOCK, format!("{days} days")),
        }
        if let Some(face) = self.clocks.face(self.game.seats()).filter(|_| self.status == Status::Playing) {
            let left = (0..face.left.len()).filter_map(|seat| face.left_at(seat, now)).map(|left| left.to_string());
            header(LEFT, left.collect::<Vec<_>>().join(" "));
        }
        if let Some(ending) = self.ending.as_ref().filter(|_| self.game.outcome().is_none()) {
            let winners: Vec<String> = ending.winners.iter().map(ToString::to_string).collect();
            let winners = if winners.is_empty() { "draw".to_owned() } else { winners.join(",") };
            header(ENDING, format!("{winners} {}", ending.reason));
        }
        Some(record)
    }

    /// Who plays on which seat when the game goes on later.
    pub fn seat_plans(&self) -> Vec<SeatPlan> {
        let plan = |seated: &Seated| match &seated.engine {
            Some(level) => SeatPlan::Engine { level: level.clone() },
            None => SeatPlan::Person { name: seated.name.clone().unwrap_or_default() },
        };
        self.seats.iter().map(plan).collect()
    }

    /// A table of one's own on which the game of a record goes on, with the first lines of its log.
    pub fn resume(
        games: &[&'static dyn GameKind],
        id: TableId,
        record: &Record,
        seats: Option<Vec<SeatPlan>>,
        request: Request<'_>,
    ) -> Result<(Self, Vec<Entry>), Refusal> {
        let refuse = |why: Refusal| Refusal::Record { why: why.into() };
        let about = About::read(record).map_err(refuse)?;
        let game = record.replay(games)?;
        let last = about.last_event(game.as_ref()).map_err(refuse)?;
        let seats = seats.unwrap_or_else(|| about.seat_plans());
        if seats.len() != usize::from(record.seats) {
            return Err(refuse(Refusal::RecordSeats { seats: record.seats, given: seats.len() }));
        }
        let players = seats.iter().map(|plan| match plan {
            SeatPlan::Person { name } => Some((Some(request.person.id), name.clone())),
            _ => None,
        });
        let players = players.collect();
        let setup = Setup {
            game: record.game.clone(),
            options: record.options.clone(),
            seats,
            shuffled: false,
            clock: about.clock,
            rated: false,
            public: false,
            undo: UndoPolicy::Free,
        };
        let mut events = events(record, setup, request.person.id, String::new(), players);
        events.extend(about.left.map(|left| Event::ClocksSet { left }));
        events.extend(last);
        let log = written(&events, request.at);
        let state = Self::replay(games, id, &log).map_err(|corrupt| refuse(Refusal::Damaged { said: corrupt.why }))?;
        Ok((state, log))
    }
}

/// The events of a game from its set-up up to the last action of a record. `players` tells who sits on each seat: a user, or
/// just a name; nobody where an engine plays.
pub fn events(
    record: &Record,
    setup: Setup,
    host: UserId,
    invitation: String,
    players: Vec<Option<(Option<UserId>, String)>>,
) -> Vec<Event> {
    let mut events = vec![Event::Created { host, setup: Box::new(setup), invitation }];
    for (seat, player) in (0..).zip(players) {
        events.extend(player.map(|(user, name)| match user {
            Some(user) => Event::Joined { seat, user, name },
            None => Event::Named { seat, name },
        }));
    }
    events.push(Event::Started { order: (0..record.seats).collect() });
    let acted = |step: &quincunx_core::Step| Event::Acted {
        seat: step.by.seat().map(Seat::number),
        action: step.action.clone(),
        lag: None,
    };
    events.extend(record.steps.iter().map(acted));
    events
}

/// Events as the lines of a new log, all of one moment.
pub fn written(events: &[Event], at: Millis) -> Vec<Entry> {
    let write = |(seq, event): (u64, &Event)| {
        let event = serde_json::to_string(event).expect("events are plain data with text keys");
        Entry { seq, at, by: None, command: None, event }
    };
    (0..).zip(events).map(write).collect()
}

fn clock(headers: &Headers) -> Result<TimeControl, Refusal> {
    let Some(text) = headers.get(CLOCK) else { return Ok(TimeControl::None) };
    let days = text.strip_suffix(" days").and_then(|days| days.parse().ok());
    let real_time = text.split_once('+').and_then(|(seconds, increment)| {
        Some(TimeControl::RealTime { seconds: seconds.parse().ok()?, increment: increment.parse().ok()? })
    });
    days.map(|days| TimeControl::Correspondence { days }).or(real_time).ok_or(Refusal::ClockHeader)
}

fn left(text: &str, seats: u8) -> Result<Vec<Millis>, Refusal> {
    /// A correspondence clock shows at most two months.
    const MOST: Millis = 100 * crate::setup::DAY;
    let left: Option<Vec<Millis>> = text.split(' ').map(|number| number.parse().ok()).collect();
    left.filter(|left| left.len() == usize::from(seats) && left.iter().all(|left| (0..=MOST).contains(left)))
        .ok_or(Refusal::LeftHeader)
}

fn ending(text: &str) -> Result<(Vec<u8>, String), Refusal> {
    let (winners, reason) = text.split_once(' ').ok_or(Refusal::EndingHeader)?;
    let winners = match winners {
        "draw" => Vec::new(),
        seats => {
            seats.split(',').map(|seat| seat.parse().map_err(|_| Refusal::EndingHeader)).collect::<Result<_, _>>()?
        }
    };
    Ok((winners, reason.to_owned()))
}
