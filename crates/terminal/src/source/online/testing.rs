//! A server made by hand, for tests.

use std::sync::mpsc::{Receiver, channel};

use quincunx_core::{DynSession, Viewer, find};
use quincunx_games::GAMES;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc::UnboundedReceiver;

use super::{Link, News, Online, Person, Place, Snapshot, Welcome, What, Wish};
use crate::event::{self, Event, Reporter};
use crate::files::Shelf;
use crate::screens::desk::Desk;

/// The end of a link where the server would be.
#[derive(Debug)]
pub struct Server {
    pub link: Link,
    pub desk: Desk,
    _folder: TempDir,
    wishes: UnboundedReceiver<Wish>,
    /// What the background reports, such as hints.
    pub events: Receiver<Event>,
}

impl Server {
    pub fn open() -> Self {
        let (link, wishes) = Link::new("https://games.example.org").unwrap();
        let (sender, events) = channel();
        let folder = tempfile::tempdir().unwrap();
        let desk = Desk { reporter: Reporter(sender), shelf: Shelf::at(folder.path()) };
        Self { link, desk, _folder: folder, wishes, events }
    }

    /// What was wished since this was last asked.
    pub fn wishes(&mut self) -> Vec<Wish> {
        std::iter::from_fn(|| self.wishes.try_recv().ok()).collect()
    }

    /// The requests that were sent since this was last asked.
    pub fn requests(&mut self) -> Vec<Value> {
        let sent = |wish| if let Wish::Send { request, .. } = wish { Some(request) } else { None };
        self.wishes().into_iter().filter_map(sent).collect()
    }

    pub fn news(&self, what: What) -> event::News {
        event::News::Online(News { link: self.link.number(), what })
    }

    /// Ada sits before a table.
    pub fn table(&self, told: Snapshot) -> Online {
        let place = Place::of(&told.table);
        Online::new(self.link.clone(), self.desk.reporter.clone(), welcome(), place, told)
    }
}

pub fn welcome() -> Welcome {
    let user = Person { id: 1, name: "Ada".to_owned(), kind: "guest".to_owned() };
    Welcome { user: Some(user), ahead: 0, foreign: false }
}

/// A game after some actions.
pub fn played(game: &str, actions: &[&str]) -> Box<dyn DynSession> {
    let mut table = find(GAMES, game).unwrap().start(Some(2), &json!({})).unwrap();
    for action in actions {
        table.apply(None, action).unwrap();
    }
    table
}

/// What the server tells Ada, on seat 0, of a table with Bob; `change` makes it another one.
pub fn told(table: &dyn DynSession, change: impl FnOnce(&mut Value)) -> Snapshot {
    let seat = Viewer::Seat(quincunx_core::Seat::new(0));
    let log: Vec<Value> = table
        .log(seat)
        .into_iter()
        .map(crate::moment::Said::from)
        .map(|said| json!({"seat": said.seat, "action": said.action}))
        .collect();
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
        "log": log,
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
