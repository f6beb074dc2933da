//! What clients and the server say to each other: the one place where the shapes of the live connection are written down.
//! The TypeScript types of the browser are made from it.

use std::collections::BTreeMap;

use quincunx_core::{Position, Step, TurnJson};
use quincunx_engine::Judged;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use ts_rs::{TS, TypeVisitor};
use utoipa::ToSchema;

use crate::model::{Millis, Remark, Status, Summary, TableId, UserId, UserKind};
use crate::table::{ClockFace, Command, Ending, Event, Seated, Setup, Undo};

/// The version of this page. A client that knows another one asks for a newer client.
pub const PROTOCOL: u32 = 1;

/// What a client says. Every message has an id of the client's choice and is answered by `done` or `refused` with that id.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Watches a table. Who has seen it before says up to which version, and which remark was the last, and is told only what
    /// came later.
    Watch {
        id: String,
        table: TableId,
        #[serde(default)]
        invitation: Option<String>,
        #[serde(default)]
        since: Option<u64>,
        #[serde(default)]
        heard: Option<i64>,
    },
    Unwatch {
        id: String,
        table: TableId,
    },
    /// Does something at a table. Sent twice with the same id it is done once.
    Command {
        id: String,
        table: TableId,
        command: Command,
    },
    /// Says something at a table that one may see.
    Say {
        id: String,
        table: TableId,
        text: String,
    },
    /// Hears of public tables that are set up, fill, begin and end.
    WatchLobby {
        id: String,
    },
    UnwatchLobby {
        id: String,
    },
    /// Is answered: to see whether the connection lives.
    Ping {
        id: String,
    },
}

impl Request {
    pub fn id(&self) -> &str {
        match self {
            Self::Watch { id, .. }
            | Self::Unwatch { id, .. }
            | Self::Command { id, .. }
            | Self::Say { id, .. }
            | Self::WatchLobby { id }
            | Self::UnwatchLobby { id }
            | Self::Ping { id } => id,
        }
    }
}

/// What the server says.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The first message of a connection.
    Welcome {
        protocol: u32,
        /// Who the server takes the client for.
        user: Option<Person>,
        now: Millis,
    },
    /// A request was carried out, now or before. After a command: the version that the table has at least.
    Done {
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        version: Option<u64>,
        /// After a rematch was asked for: the table where it is played.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        table: Option<TableId>,
    },
    /// A request was not carried out.
    Refused {
        /// Missing if the request could not be read so far.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        id: Option<String>,
        code: Refused,
        /// A sentence for people.
        reason: String,
    },
    Snapshot(Box<Snapshot>),
    Happened(Box<Happened>),
    /// What was said at a table.
    Said {
        table: TableId,
        remarks: Vec<Spoken>,
    },
    /// Who watches a table now.
    Present {
        table: TableId,
        /// Those who sit at it.
        seated: Vec<UserId>,
        /// How many others.
        others: u32,
    },
    /// A public table was set up or has changed.
    Listed(Box<Listing>),
    /// The server is about to stop: come back in a moment.
    Closing {
        reason: String,
    },
}

/// Why a request was not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// It cannot be read.
    Malformed,
    /// It is against the rules of the game or of the table.
    NotAllowed,
    /// It needs somebody who is known.
    WhoAreYou,
    NotFound,
    TooMuch,
    /// It may have been done or not: send it again with the same id.
    Unknown,
    /// The server has a problem of its own; later it may work.
    Trouble,
}

/// A table as one viewer may see it.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct Snapshot {
    pub table: TableId,
    pub setup: Setup,
    pub host: UserId,
    /// Only for the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub invitation: Option<String>,
    pub log: Vec<Step>,
    #[schema(value_type = Object)]
    pub position: Position,
    #[serde(flatten)]
    pub now: Now,
}

/// What happened at a table: the lines of its log from `from` up to `version`, as one viewer may read them. A member that is
/// missing is as it was before, and `null` says that there is none now.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Happened {
    pub table: TableId,
    pub from: u64,
    /// The number of lines of the log.
    pub version: u64,
    pub at: Millis,
    pub events: Vec<Event>,
    pub turn: TurnJson,
    pub scores: Vec<i32>,
    /// In games with hidden information: all that the viewer may do now. In the others it follows from the events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub offers: Option<Vec<String>>,
    /// In games with hidden information: how the view has changed, as a JSON merge patch (RFC 7396). In the others it follows
    /// from the events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub view: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seats: Option<Vec<Seated>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub clocks: Option<ClockFace>,
    /// The seat that has offered a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number | null")]
    pub draw_offer: Option<Option<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Undo | null")]
    pub undo: Option<Option<Undo>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ending: Option<Ending>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rematch: Option<TableId>,
}

/// JSON that is passed on as it is.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Json(Box<RawValue>);

impl Json {
    /// A text, if it is JSON.
    pub fn new(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self)
    }

    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// How the table stands besides the position.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
pub struct Now {
    /// The number of lines of the log.
    pub version: u64,
    pub status: Status,
    pub seats: Vec<Seated>,
    pub clocks: Option<ClockFace>,
    /// The seat that has offered a draw.
    pub draw_offer: Option<u8>,
    pub undo: Option<Undo>,
    pub ending: Option<Ending>,
    pub rematch: Option<TableId>,
}

/// Somebody with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Person {
    pub id: UserId,
    pub name: String,
    pub kind: UserKind,
}

/// A line of the talk at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Spoken {
    /// 1, 2, 3 and so on at each table.
    pub number: i64,
    pub user: UserId,
    pub name: String,
    pub at: Millis,
    pub text: String,
}

impl From<Remark> for Spoken {
    fn from(Remark { number, user, name, at, text }: Remark) -> Self {
        Self { number, user, name, at, text }
    }
}

/// A table in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Listing {
    pub table: TableId,
    pub game: String,
    #[ts(type = "Record<string, unknown>")]
    #[schema(value_type = Object)]
    pub options: Value,
    pub status: Status,
    pub public: bool,
    pub rated: bool,
    /// The class of the clock: `none`, `bullet`, `blitz`, `rapid` or `correspondence`.
    pub clock: String,
    pub created: Millis,
    pub changed: Millis,
    /// For each seat who sits there; nobody on an open one.
    pub seats: Vec<Option<Sitting>>,
    /// For each seat for whom it is kept, as long as the table waits for this user.
    pub kept: Vec<Option<UserId>>,
    /// For a finished game: the winners' seats. Empty for a draw.
    pub winners: Option<Vec<u8>>,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Sitting {
    /// Missing for the engine.
    pub user: Option<UserId>,
    pub name: String,
}

impl From<Summary> for Listing {
    fn from(table: Summary) -> Self {
        let seats = table.seats.into_iter();
        Self {
            table: table.id,
            game: table.game,
            options: serde_json::from_str(&table.options).unwrap_or_default(),
            status: table.status,
            public: table.public,
            rated: table.rated,
            clock: table.clock,
            created: table.created,
            changed: table.changed,
            seats: seats.map(|sitter| sitter.map(|who| Sitting { user: who.user, name: who.name })).collect(),
            kept: table.kept,
            winners: table.winners,
        }
    }
}

/// A message as it goes over the wire.
pub fn text(message: &Message) -> String {
    serde_json::to_string(message).expect("messages are plain data with text keys")
}

/// What an engine makes of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize, TS, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Analysis {
    /// It thinks: so many of the actions are done.
    Running {
        done: u64,
        of: u64,
    },
    Done {
        moves: Vec<Judged>,
    },
}

/// The shapes of this page, and of all that they are made of, as TypeScript.
pub fn typescript() -> String {
    /// Gathers the declaration of each type once.
    #[derive(Default)]
    struct Declarations {
        config: ts_rs::Config,
        by_name: BTreeMap<String, String>,
    }

    impl TypeVisitor for Declarations {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            // What has no place of its own is built into TypeScript.
            if T::output_path().is_some() {
                self.declare::<T>();
            }
        }
    }

    impl Declarations {
        fn declare<T: TS + 'static + ?Sized>(&mut self) {
            let name = T::ident(&self.config);
            if !self.by_name.contains_key(&name) {
                let docs = T::docs().unwrap_or_default();
                self.by_name.insert(name, format!("{docs}export {}", T::decl(&self.config)));
                T::visit_dependencies(self);
            }
        }
    }

    // JSON has one kind of numbers, and these stay far below the largest whole ones.
    let mut types = Declarations { config: ts_rs::Config::new().with_large_int("number"), ..Declarations::default() };
    types.declare::<Request>();
    types.declare::<Message>();
    let mut text = format!("// Made from the server's own types.\n\nexport const PROTOCOL = {PROTOCOL};\n");
    for declaration in types.by_name.values() {
        text.push('\n');
        text.push_str(declaration);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_of_the_browser_are_whole() {
        let text = typescript();
        for name in ["Request", "Message", "Snapshot", "Happened", "Position", "Setup", "Event", "Command", "TableId"] {
            assert_eq!(text.matches(&format!("export type {name} =")).count(), 1, "{name} in {text}");
        }
        assert!(!text.contains("bigint"), "{text}");
        let names: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("export type ")?.split(' ').next()).collect();
        assert!(names.len() > 20, "{names:?}");
    }

    #[test]
    fn typescript_knows_which_members_may_be_missing() {
        let happened = Happened::decl(&ts_rs::Config::default());
        let optional = ["offers", "view", "status", "seats", "clocks", "draw_offer", "undo", "ending", "rematch"];
        for member in optional {
            assert!(happened.contains(&format!("{member}?: ")), "{member}: {happened}");
        }
        assert!(
            happened.contains("draw_offer?: number | null") && happened.contains("undo?: Undo | null"),
            "{happened}"
        );
        assert_eq!(happened.matches("?: ").count(), optional.len(), "{happened}");
        assert!(Message::decl(&ts_rs::Config::default()).contains("table?: TableId"));
    }
}
