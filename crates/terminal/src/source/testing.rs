//! A server made by hand, for tests.

use std::sync::mpsc::{Receiver, channel};

use quincunx_client::{Connection, Event as Online, News, Order, Welcome};
use quincunx_core::{DynSession, Viewer};
use quincunx_table::protocol::Snapshot;
use quincunx_table::{Person, UserId, UserKind};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Place, Source};
use crate::event::{self, Event, Reporter};
use crate::files::Shelf;
use crate::screens::desk::Desk;
use crate::testing::after;

/// The end of a link where the server would be.
#[derive(Debug)]
pub struct Server {
    pub connection: Connection,
    pub desk: Desk,
    _folder: TempDir,
    orders: Receiver<Order>,
    /// What the background reports, such as hints.
    pub events: Receiver<Event>,
}

impl Server {
    pub fn open() -> Self {
        let (wanted, orders) = channel();
        let connection = Connection::over("https://games.example.org", move |order| drop(wanted.send(order)));
        let (sender, events) = channel();
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk { reporter: Reporter(sender), shelf: Shelf::at(folder.path()) };
        Self { connection, desk, _folder: folder, orders, events }
    }

    /// What was ordered since this was last asked.
    pub fn orders(&self) -> Vec<Order> {
        self.orders.try_iter().collect()
    }

    /// The requests that were sent since this was last asked.
    pub fn requests(&self) -> Vec<Value> {
        let sent = |order| match order {
            Order::Send(request) => Some(serde_json::to_value(request).unwrap()),
            _ => None,
        };
        self.orders().into_iter().filter_map(sent).collect()
    }

    pub fn news(&self, event: Online) -> event::News {
        event::News::Online(News { connection: self.connection.number(), event })
    }

    /// Ada sits before a table.
    pub fn table(&self, told: Snapshot) -> Source {
        let place = Place::of(&told.table);
        Source::online(self.connection.clone(), self.desk.reporter.clone(), welcome(), place, told)
    }
}

pub fn welcome() -> Welcome {
    let user = Person { id: UserId(1), name: "Ada".to_owned(), kind: UserKind::Guest };
    Welcome { user: Some(user), ahead: 0, foreign: false }
}

/// A game after some actions.
pub fn played(game: &str, actions: &[&str]) -> Box<dyn DynSession> {
    after(game, 2, &json!({}), actions.iter().copied())
}

/// What the server tells Ada, on seat 0, of a table with Bob; `change` makes it another one.
pub fn told(table: &dyn DynSession, change: impl FnOnce(&mut Value)) -> Snapshot {
    let seat = Viewer::Seat(quincunx_core::Seat::new(0));
    let mut value = json!({
        "type": "snapshot",
        "table": "k3vq9x7c2m4n8b5z1t6w0r3ya",
        "setup": {
            "game": table.kind().id(),
            "options": {},
            "seats": [{"kind": "open"}, {"kind": "open"}],
            "shuffled": false,
            "clock": {"kind": "none"},
            "rated": false,
            "public": true,
            "undo": "asked",
        },
        "host": 1,
        "invitation": "d0f2h8s6k1q4j7p9e3g5u2xwb",
        "viewer": 0,
        "log": table.log(seat),
        "position": serde_json::to_value(table.position(seat)).unwrap(),
        "version": 4 + table.ply(),
        "status": "playing",
        "seats": [
            {"user": 1, "name": "Ada", "engine": null, "taken_over": false},
            {"user": 2, "name": "Bob", "engine": null, "taken_over": false},
        ],
        "clocks": null,
        "draw_offer": null,
        "undo": null,
        "ending": null,
        "rematch": null,
    });
    change(&mut value);
    serde_json::from_value(value).unwrap()
}

/// Makes Ada one who only watches.
pub fn watched(value: &mut Value) {
    (value["seats"][0]["user"], value["viewer"], value["position"]["actions"]) = (json!(9), Value::Null, json!([]));
}
