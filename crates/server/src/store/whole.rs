//! Everything that is kept, row by row, to move it from one database to another.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// What the rows of one kind are.
#[derive(Debug)]
pub(super) struct Kind {
    /// The word for one of them.
    pub word: &'static str,
    pub table: &'static str,
    pub columns: &'static [Column],
    /// How many of the columns are the key, from the first on.
    pub key: usize,
    /// Whether a row by itself lets somebody in.
    pub secret: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub name: &'static str,
    pub holds: Holds,
    /// Whether the value helps somebody to get in. Left out, it is missing.
    pub secret: bool,
    /// Whether files of older versions do not have it: then it is empty.
    pub later: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    Number,
    Real,
    Text,
}

const fn number(name: &'static str) -> Column {
    Column { name, holds: Holds::Number, secret: false, later: false }
}

const fn real(name: &'static str) -> Column {
    Column { name, holds: Holds::Real, secret: false, later: false }
}

const fn text(name: &'static str) -> Column {
    Column { name, holds: Holds::Text, secret: false, later: false }
}

/// A column that came with a later version.
const fn later(column: Column) -> Column {
    Column { later: true, ..column }
}

const fn kind(word: &'static str, table: &'static str, key: usize, columns: &'static [Column]) -> Kind {
    Kind { word, table, columns, key, secret: false }
}

/// In an order in which nothing comes before what it refers to. Left out are leases, which belong to running processes, and
/// what engines made of finished games, which they can make again; how names look is worked out when a database is opened.
pub(super) const KINDS: [Kind; 16] = [
    kind("counter", "counters", 1, &[text("name"), number("value")]),
    kind(
        "user",
        "users",
        1,
        &[
            number("id"),
            text("name"),
            text("name_key"),
            text("kind"),
            number("owner"),
            Column { name: "password", holds: Holds::Text, secret: true, later: false },
            number("created"),
            number("banned"),
            later(text("role")),
            later(number("silenced")),
        ],
    ),
    Kind {
        secret: true,
        ..kind(
            "session",
            "sessions",
            1,
            &[text("hash"), number("id"), number("user_id"), number("created"), text("label")],
        )
    },
    kind(
        "table",
        "tables",
        1,
        &[
            text("id"),
            text("game"),
            text("options"),
            text("status"),
            number("public"),
            number("rated"),
            text("clock"),
            number("created"),
            number("changed"),
            text("winners"),
            later(number("host")),
            later(number("ended")),
        ],
    ),
    kind(
        "seat",
        "seats",
        2,
        &[text("table_id"), number("seat"), number("user_id"), text("name"), text("result"), number("kept_for")],
    ),
    kind(
        "entry",
        "entries",
        2,
        &[text("table_id"), number("seq"), number("at"), number("user_id"), text("command"), text("event")],
    ),
    kind(
        "rating",
        "ratings",
        3,
        &[
            number("user_id"),
            text("game"),
            text("class"),
            real("value"),
            real("deviation"),
            real("volatility"),
            number("games"),
        ],
    ),
    kind("rated", "rated", 1, &[text("table_id")]),
    kind(
        "rated_player",
        "rated_players",
        2,
        &[text("table_id"), number("user_id"), text("game"), text("class"), number("at"), number("gone")],
    ),
    kind(
        "base_rating",
        "base_ratings",
        3,
        &[
            number("user_id"),
            text("game"),
            text("class"),
            real("value"),
            real("deviation"),
            real("volatility"),
            number("games"),
        ],
    ),
    kind(
        "remark",
        "remarks",
        2,
        &[
            text("table_id"),
            number("number"),
            number("user_id"),
            text("name"),
            number("at"),
            text("words"),
            later(number("spectator")),
        ],
    ),
    kind("mute", "mutes", 2, &[number("user_id"), number("other_id")]),
    kind("block", "blocks", 2, &[number("user_id"), number("other_id")]),
    kind(
        "report",
        "reports",
        1,
        &[
            number("id"),
            number("at"),
            number("reporter"),
            number("about"),
            text("table_id"),
            text("reason"),
            text("words"),
            number("closed"),
            number("closed_by"),
        ],
    ),
    kind(
        "deed",
        "deeds",
        1,
        &[
            number("id"),
            number("at"),
            number("moderator"),
            text("action"),
            number("about"),
            text("table_id"),
            text("words"),
        ],
    ),
    kind("moment", "moments", 1, &[text("name"), number("at")]),
];

/// One thing that is kept: a user, a line of a log, a remark.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its place in [`KINDS`].
    pub(super) kind: usize,
    /// What its columns hold, or null.
    pub(super) cells: Vec<Value>,
}

impl Row {
    /// As a line of JSON, the columns in their order.
    pub fn to_json(&self) -> String {
        let kind = &KINDS[self.kind];
        let mut line = format!("{{\"row\":\"{}\"", kind.word);
        for (column, value) in kind.columns.iter().zip(&self.cells) {
            write!(line, ",\"{}\":{value}", column.name).expect("writing to a string does not fail");
        }
        line.push('}');
        line
    }

    pub fn from_json(mut object: Map<String, Value>) -> Result<Self, String> {
        let word = object.remove("row");
        let kind = KINDS.iter().position(|kind| word.as_ref().and_then(Value::as_str) == Some(kind.word));
        let kind = kind.ok_or("it is of no kind that this version knows")?;
        let cells = KINDS[kind]
            .columns
            .iter()
            .map(|column| {
                let name = column.name;
                let value = match object.remove(name) {
                    None if column.later => Value::Null,
                    value => value.ok_or_else(|| format!("{name:?} is missing"))?,
                };
                let fits = match column.holds {
                    Holds::Number => value.is_i64(),
                    Holds::Real => value.is_number(),
                    Holds::Text => value.is_string(),
                };
                if fits || value.is_null() { Ok(value) } else { Err(format!("{name:?} is of the wrong type")) }
            })
            .collect::<Result<_, String>>()?;
        match object.keys().next() {
            Some(unknown) => Err(format!("{unknown:?} is not known")),
            None => Ok(Self { kind, cells }),
        }
    }
}
