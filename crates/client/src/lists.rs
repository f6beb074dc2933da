//! The lists of tables that a lobby shows.

use quincunx_core::TurnJson;
use quincunx_table::protocol::{Listing, Snapshot};
use quincunx_table::{Person, Status, TableId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Client, ClientError};

/// At how many running tables it is looked whose turn it is.
const LOOKED_AT: usize = 12;

/// The tables of the lobby and those of a user, and at which of them they are on turn.
pub async fn lists(client: &Client, user: Option<&Person>) -> Result<(Vec<Listing>, Vec<TableId>), ClientError> {
    #[derive(Deserialize)]
    struct Page {
        tables: Vec<Listing>,
    }
    let mut paths = vec!["status=open&limit=100".to_owned(), "status=playing&limit=50".to_owned()];
    if let Some(user) = user {
        let own = |status: &str| format!("player={}&{status}", encoded(&user.name));
        paths.extend(["status=open", "status=playing", "status=finished&limit=8"].map(own));
    }
    let mut tables: Vec<Listing> = Vec::new();
    for path in paths {
        let page: Page = understood(client.get(&format!("/api/tables?{path}")).await?)?;
        for table in page.tables {
            if tables.iter().all(|known| known.table != table.table) {
                tables.push(table);
            }
        }
    }
    let mut turns = Vec::new();
    let Some(user) = user else { return Ok((tables, turns)) };
    let mine = |listing: &&Listing| listing.seats.iter().flatten().any(|sitting| sitting.user == Some(user.id));
    let running = tables.iter().filter(|listing| listing.status == Status::Playing).filter(mine);
    for listing in running.take(LOOKED_AT) {
        // A list does not tell whose turn it is.
        let path = format!("/api/tables/{}", encoded(&listing.table.0));
        let snapshot = client.get(&path).await.and_then(understood::<Snapshot>);
        let on_turn = |snapshot: &Snapshot| match snapshot.position.turn {
            TurnJson::Seat { seat } => {
                snapshot.seats.get(usize::from(seat)).is_some_and(|seated| seated.user == Some(user.id))
            }
            TurnJson::Chance | TurnJson::Over => false,
        };
        if snapshot.is_ok_and(|snapshot| on_turn(&snapshot)) {
            turns.push(listing.table.clone());
        }
    }
    Ok((tables, turns))
}

fn understood<R: DeserializeOwned>(answer: Value) -> Result<R, ClientError> {
    serde_json::from_value(answer).map_err(|error| ClientError::Nonsense(error.to_string()))
}

/// A text as a part of an address.
pub fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}
