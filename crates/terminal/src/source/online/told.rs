//! What a server says, as far as this client reads it. What it does not know it passes over: a server may be newer.

use quincunx_core::{ActionJson, OutcomeJson, TurnJson};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::moment::Said;

/// The version of the live connection that this client speaks.
pub const PROTOCOL: u32 = 2;

/// Moments and times, in milliseconds; moments since 1970.
pub type Millis = i64;

/// A message of the live connection.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    Welcome {
        protocol: u32,
        user: Option<Person>,
        now: Millis,
    },
    Done {
        id: String,
        #[serde(default)]
        version: Option<u64>,
        #[serde(default)]
        table: Option<String>,
    },
    Refused {
        #[serde(default)]
        id: Option<String>,
        code: String,
        reason: String,
    },
    Snapshot(Box<Snapshot>),
    /// What exactly it was, the next snapshot tells.
    Update {
        table: String,
        version: u64,
    },
    Said {
        table: String,
        remarks: Vec<Remark>,
    },
    Present {
        table: String,
        #[serde(flatten)]
        present: Present,
    },
    Listed(Box<Listing>),
    Closing {},
    #[serde(other)]
    Unknown,
}

/// Somebody with a name.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Person {
    pub id: i64,
    pub name: String,
    /// `guest`, `account` or `bot`.
    #[serde(default)]
    pub kind: String,
}

/// A table as this client may see it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Snapshot {
    pub table: String,
    pub setup: Setup,
    pub host: i64,
    /// Only for the host.
    #[serde(default)]
    pub invitation: Option<String>,
    pub log: Vec<Said>,
    pub position: Position,
    pub version: u64,
    pub status: Status,
    pub seats: Vec<Seated>,
    pub clocks: Option<ClockFace>,
    /// The seat that has offered a draw.
    pub draw_offer: Option<u8>,
    pub undo: Option<Undo>,
    pub ending: Option<Ending>,
    pub rematch: Option<String>,
}

impl Snapshot {
    /// The seat of a user.
    pub fn seat_of(&self, user: Option<i64>) -> Option<u8> {
        let user = user?;
        self.seats.iter().position(|seated| seated.user == Some(user)).map(|seat| seat as u8)
    }
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Position {
    pub seats: u8,
    pub ply: usize,
    pub turn: TurnJson,
    /// What may be offered to the viewer.
    #[serde(default)]
    pub actions: Vec<ActionJson>,
    pub scores: Vec<i32>,
    pub outcome: Option<OutcomeJson>,
    pub view: Value,
}

/// How far a table has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Open,
    Playing,
    Finished,
    Aborted,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Seated {
    pub user: Option<i64>,
    pub name: Option<String>,
    /// The level of the engine, if it plays here.
    pub engine: Option<String>,
    #[serde(default)]
    pub taken_over: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ClockFace {
    /// What each seat had left when its clock last stopped.
    pub left: Vec<Millis>,
    /// Whose clock is running, and since when.
    pub running: Option<(u8, Millis)>,
}

/// A wish to take back moves.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Undo {
    pub seat: u8,
    #[serde(default)]
    pub granted: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Ending {
    pub winners: Vec<u8>,
    pub reason: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Remark {
    /// 1, 2, 3 and so on at each table.
    pub number: i64,
    pub user: i64,
    pub name: String,
    pub text: String,
}

/// Who watches a table now.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub struct Present {
    /// The users who sit there.
    pub seated: Vec<i64>,
    pub others: u32,
}

/// A table in a list.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Listing {
    pub table: String,
    pub game: String,
    #[serde(default)]
    pub options: Value,
    pub status: Status,
    pub public: bool,
    #[serde(default)]
    pub rated: bool,
    /// The class of the clock.
    pub clock: String,
    pub changed: Millis,
    /// For each seat who sits there; nobody on an open one.
    pub seats: Vec<Option<Sitting>>,
    /// For each seat for whom it is kept.
    #[serde(default)]
    pub kept: Vec<Option<i64>>,
    #[serde(default)]
    pub winners: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Sitting {
    /// Missing for the engine.
    pub user: Option<i64>,
    pub name: String,
}

/// A page of tables.
#[derive(Debug, Deserialize)]
pub struct Page {
    pub tables: Vec<Listing>,
}

/// A table that was set up.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Created {
    pub table: String,
    pub invitation: String,
}

/// What a table agrees on before play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup {
    pub game: String,
    #[serde(default)]
    pub options: Map<String, Value>,
    pub seats: Vec<SeatPlan>,
    #[serde(default)]
    pub clock: TimeControl,
    #[serde(default)]
    pub rated: bool,
    pub public: bool,
}

/// Who may sit on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatPlan {
    Open,
    Invited,
    Engine {
        level: String,
    },
    Player {
        user: i64,
    },
    #[serde(other)]
    Unknown,
}

/// How much time there is to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControl {
    RealTime {
        seconds: u32,
        increment: u32,
    },
    Correspondence {
        days: u32,
    },
    #[default]
    #[serde(other)]
    None,
}

impl TimeControl {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::None => "no clock".to_owned(),
            Self::RealTime { seconds, increment: 0 } => format!("{} a game", span(seconds)),
            Self::RealTime { seconds, increment } => format!("{} + {increment} s a move", span(seconds)),
            Self::Correspondence { days: 1 } => "a day a move".to_owned(),
            Self::Correspondence { days } => format!("{days} days a move"),
        }
    }
}

fn span(seconds: u32) -> String {
    if seconds.is_multiple_of(60) { format!("{} min", seconds / 60) } else { format!("{seconds} s") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_as_the_server_writes_them() {
        let welcome =
            json!({"type": "welcome", "protocol": 1, "user": {"id": 3, "name": "Ada", "kind": "guest"}, "now": 5});
        let Message::Welcome { user: Some(person), now: 5, .. } = serde_json::from_value(welcome).unwrap() else {
            panic!("a welcome")
        };
        assert_eq!((person.id, person.name.as_str()), (3, "Ada"));
        let present = json!({"type": "present", "table": "t", "seated": [3], "others": 2});
        let Message::Present { present, .. } = serde_json::from_value(present).unwrap() else { panic!("who is there") };
        assert_eq!(present, Present { seated: vec![3], others: 2 });
        let refused = json!({"type": "refused", "code": "malformed", "reason": "what?"});
        assert!(matches!(serde_json::from_value(refused).unwrap(), Message::Refused { id: None, .. }));
        let closing = json!({"type": "closing", "reason": "it stops"});
        assert!(matches!(serde_json::from_value(closing).unwrap(), Message::Closing {}));
    }

    #[test]
    fn what_a_newer_server_says_is_passed_over() {
        let newer = json!({"type": "fireworks", "colour": "red"});
        assert!(matches!(serde_json::from_value(newer).unwrap(), Message::Unknown));
        let plan: SeatPlan = serde_json::from_value(json!({"kind": "lottery", "prize": 3})).unwrap();
        assert_eq!(plan, SeatPlan::Unknown);
        let clock: TimeControl = serde_json::from_value(json!({"kind": "hourglass"})).unwrap();
        assert_eq!(clock, TimeControl::None);
    }

    #[test]
    fn a_setup_is_written_as_the_server_reads_it() {
        let setup = Setup {
            game: "trexo".to_owned(),
            options: Map::new(),
            seats: vec![SeatPlan::Player { user: 3 }, SeatPlan::Engine { level: "club".to_owned() }],
            clock: TimeControl::RealTime { seconds: 600, increment: 5 },
            rated: false,
            public: true,
        };
        assert_eq!(
            serde_json::to_value(setup).unwrap(),
            json!({
                "game": "trexo",
                "options": {},
                "seats": [{"kind": "player", "user": 3}, {"kind": "engine", "level": "club"}],
                "clock": {"kind": "real_time", "seconds": 600, "increment": 5},
                "rated": false,
                "public": true,
            })
        );
    }

    #[test]
    fn clocks_are_told_in_words() {
        let words = |seconds, increment| TimeControl::RealTime { seconds, increment }.words();
        assert_eq!(words(600, 5), "10 min + 5 s a move");
        assert_eq!(words(90, 0), "90 s a game");
        assert_eq!(TimeControl::Correspondence { days: 3 }.words(), "3 days a move");
    }
}
