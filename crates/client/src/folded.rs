//! What the other side says, as events: snapshots take the updates that follow them.

use std::collections::BTreeMap;

use quincunx_table::TableId;
use quincunx_table::protocol::{Message, Snapshot};

use crate::connection::{Done, Event, sentence};

/// The tables that are watched, as far as they are known.
#[derive(Debug, Default)]
pub struct Tables(BTreeMap<TableId, Snapshot>);

/// What comes of a message.
#[derive(Debug)]
pub enum Heard {
    Event(Event),
    /// Nothing that matters.
    Nothing,
    /// A new snapshot of this table is needed.
    Gap(TableId),
}

impl Tables {
    pub fn get(&self, table: &TableId) -> Option<&Snapshot> {
        self.0.get(table)
    }

    pub fn forget(&mut self, table: &TableId) {
        self.0.remove(table);
    }

    pub fn forget_all(&mut self) {
        self.0.clear();
    }

    /// Takes a message.
    pub fn hear(&mut self, message: Message) -> Heard {
        Heard::Event(match message {
            Message::Done { id, version, table } => Event::Answered { id, answer: Ok(Done { version, table }) },
            Message::Refused { id: Some(id), reason, .. } => Event::Answered { id, answer: Err(sentence(&reason)) },
            Message::Snapshot(snapshot) => {
                self.0.insert(snapshot.table.clone(), (*snapshot).clone());
                Event::Table(snapshot)
            }
            Message::Update(update) => {
                let table = update.table.clone();
                let Some(known) = self.0.get_mut(&table) else { return Heard::Gap(table) };
                match known.apply(*update) {
                    Ok(true) => Event::Table(Box::new(known.clone())),
                    Ok(false) => return Heard::Nothing,
                    Err(_) => {
                        self.forget(&table);
                        return Heard::Gap(table);
                    }
                }
            }
            Message::Said { table, remarks } => Event::Said { table, remarks },
            Message::Present { table, seated, others } => Event::Present { table, seated, others },
            Message::Listed(listing) => Event::Listed(listing),
            Message::Welcome { .. }
            | Message::Refused { id: None, .. }
            | Message::Position { .. }
            | Message::Closing { .. } => return Heard::Nothing,
        })
    }
}
