//! What connections and tables say to each other: the one place where the shapes of the live connection are written down,
//! whether it leads to a server, to a worker in the browser or to a host in the same process. The types of all clients are
//! these, or are made from their JSON Schema.

use quincunx_core::{Position, Reason, Step, TurnJson};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::patch::Patch;
use crate::{ClockFace, Command, Ending, Event, Millis, Person, Seated, Setup, Status, TableId, Undo, UserId};

/// The version of this page. A client that knows another one asks for a newer client.
pub const PROTOCOL: u32 = 2;

/// What a client says. Every message has an id of the client's choice and is answered by `done`, `refused` or what was asked
/// for, with that id.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Subscribes to a table. A client that has seen it before says up to which version, and which remark was the last, and
    /// gets only what came later.
    Watch {
        id: String,
        table: TableId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        heard: Option<i64>,
        /// Whether the client has no rules of its own: then it gets views and actions also where nothing is hidden.
        #[serde(default, skip_serializing_if = "is_false")]
        full: bool,
    },
    Unwatch {
        id: String,
        table: TableId,
    },
    /// Does something at a table. Sent twice with the same id it is done once.
    Command {
        id: String,
        table: TableId,
        /// For which of the seats that the connection holds. If it is not said: the one on turn, or the only one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        command: Command,
    },
    /// Looks through the eyes of another seat that the connection holds: its player has come to the screen.
    Look {
        id: String,
        table: TableId,
        seat: u8,
    },
    /// Asks for the position after so many actions.
    Position {
        id: String,
        table: TableId,
        ply: usize,
    },
    /// Asks whether an action could be made now, and if not, why.
    Check {
        id: String,
        table: TableId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        action: String,
    },
    /// Sets up a table. Sent twice with the same id, one table is set up.
    Create {
        id: String,
        setup: Box<Setup>,
    },
    /// Goes on with a game that was kept as a record, at a host of one's own. Without `seats`, the names in the record tell
    /// who is a person and who is an engine.
    Open {
        id: String,
        table: TableId,
        record: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seats: Option<Vec<crate::SeatPlan>>,
    },
    /// Says something at a table that one may see.
    Say {
        id: String,
        table: TableId,
        text: String,
    },
    /// Subscribes to public tables that are set up, fill, begin and end.
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Request {
    pub fn id(&self) -> &str {
        match self {
            Self::Watch { id, .. }
            | Self::Unwatch { id, .. }
            | Self::Command { id, .. }
            | Self::Look { id, .. }
            | Self::Position { id, .. }
            | Self::Check { id, .. }
            | Self::Create { id, .. }
            | Self::Open { id, .. }
            | Self::Say { id, .. }
            | Self::WatchLobby { id }
            | Self::UnwatchLobby { id }
            | Self::Ping { id } => id,
        }
    }
}

/// What the other side says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The first message of a connection.
    Welcome {
        protocol: u32,
        /// Who the client is taken for.
        user: Option<Person>,
        now: Millis,
    },
    /// A request was carried out, now or before.
    Done {
        id: String,
        /// After a command: the version that the table has at least.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<u64>,
        /// After a table was set up or opened, or a rematch was asked for: that table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<TableId>,
    },
    /// A request was not carried out.
    Refused {
        /// Missing if the request could not be read so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        code: Refused,
        /// A sentence for people.
        reason: String,
        /// The same as data, where it is a refusal of a table or a game: to translate it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<Reason>,
    },
    Snapshot(Box<Snapshot>),
    Update(Box<Update>),
    /// The position that was asked for.
    Position {
        id: String,
        position: Box<Position>,
    },
    /// What was said at a table.
    Said {
        table: TableId,
        remarks: Vec<Remark>,
    },
    /// Who watches a table now.
    Present {
        table: TableId,
        /// Those who play there.
        seated: Vec<UserId>,
        /// How many others.
        others: u32,
    },
    /// A table of the lobby, or one of this user's, was set up or has changed.
    Listed(Box<Listing>),
    /// The server is about to stop: come back in a moment.
    Closing {
        reason: String,
    },
}

impl Message {
    /// The message as it goes over the wire.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("messages are plain data with text keys")
    }
}

/// Why a request was not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// It cannot be read.
    Malformed,
    /// It is against the rules of the game or of the table.
    NotAllowed,
    /// It needs somebody who is known.
    Unauthenticated,
    NotFound,
    RateLimited,
    /// It may have been done or not: send it again with the same id.
    Unknown,
    /// The server has a problem of its own; later it may work.
    Internal,
}

/// A table as one viewer may see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Snapshot {
    pub table: TableId,
    pub setup: Setup,
    pub host: UserId,
    /// Only for the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// The seat through whose eyes the table is seen, while the game is on.
    pub viewer: Option<u8>,
    /// Several people with hidden hands share the screen: the seat whose player has to come to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand_over: Option<u8>,
    pub log: Vec<Step>,
    /// Its `actions` are those that may be offered to the viewer.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub position: Position,
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

/// What happened at a table: the lines of its log from `from` up to `version`, as one viewer may read them. A member that is
/// missing is as it was before, and `null` says that there is none now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Update {
    pub table: TableId,
    pub from: u64,
    /// The number of lines of the log.
    pub version: u64,
    pub at: Millis,
    pub events: Vec<Event>,
    pub turn: TurnJson,
    pub scores: Vec<i32>,
    /// In games with hidden information, and for clients without rules: all that the viewer may do now. For the others it
    /// follows from the events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<String>>,
    /// Likewise, how the view has changed, as a JSON merge patch (RFC 7396).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Value>")]
    pub view: Option<Patch>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<u8>")]
    pub hand_over: Option<Option<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<Seated>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockFace>,
    /// The seat that has offered a draw.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<u8>")]
    pub draw_offer: Option<Option<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<Undo>")]
    pub undo: Option<Option<Undo>>,
    /// `null` if the end was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<Ending>")]
    pub ending: Option<Option<Ending>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<TableId>,
}

/// Reads a member that may be `null`, which is not the same as missing.
#[expect(clippy::option_option, reason = "missing, null and given are three things")]
fn given<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A line of the chat at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Remark {
    /// 1, 2, 3 and so on at each table.
    pub number: i64,
    pub user: UserId,
    pub name: String,
    pub at: Millis,
    pub text: String,
    /// Whether a spectator said it while the game was on: those who play read it after the end.
    #[serde(default, skip_serializing_if = "is_false")]
    pub spectator: bool,
}

/// A table in a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Listing {
    pub table: TableId,
    /// Who has set it up; missing where that is not known any more.
    #[serde(default)]
    pub host: Option<UserId>,
    pub game: String,
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub options: Map<String, Value>,
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

impl Listing {
    /// The users who sit there, or for whom a seat is kept; and as long as the table waits for players, who has set it up.
    pub fn users(&self) -> Vec<UserId> {
        let seated = self.seats.iter().flatten().filter_map(|sitting| sitting.user);
        let host = self.host.filter(|_| self.status == Status::Open);
        let mut users: Vec<UserId> = seated.chain(self.kept.iter().flatten().copied()).chain(host).collect();
        users.sort_unstable();
        users.dedup();
        users
    }

    /// Whether an engine plays there from the start.
    pub fn has_engines(&self) -> bool {
        self.seats.iter().flatten().any(|sitting| sitting.user.is_none())
    }
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sitting {
    /// Missing for the engine.
    pub user: Option<UserId>,
    /// The name of the person, or of the engine's level.
    pub name: String,
}

/// The JSON Schemas of requests and messages, and of all that they are made of, with the version of the protocol.
pub fn schema() -> Value {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Protocol {
        request: Request,
        message: Message,
    }
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.root_schema_for::<Protocol>();
    schema.insert("version".to_owned(), PROTOCOL.into());
    schema.to_value()
}
