//! The client's side of snapshots and updates: a snapshot takes the updates that follow it.

use quincunx_core::{ActionJson, Actor, OutcomeJson, Seat, Step, TurnJson};
use serde_json::Value;
use thiserror::Error;

use crate::patch::merge;
use crate::protocol::{Snapshot, Update};
use crate::{Event, Status};

/// An update that does not go on where the snapshot is: only a new snapshot helps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("an update goes on from version {from}, but version {have} is known")]
pub struct Gap {
    pub from: u64,
    pub have: u64,
}

impl Snapshot {
    /// Takes an update; gives whether anything in it was new.
    ///
    /// View and actions follow only if the server tells them: where something is hidden, or to a client that has asked for
    /// them.
    pub fn apply(&mut self, update: Update) -> Result<bool, Gap> {
        if update.version <= self.version {
            return Ok(false);
        }
        let gap = Gap { from: update.from, have: self.version };
        if update.from != self.version {
            return Err(gap);
        }
        let undone = update.events.iter().filter_map(|event| match event {
            Event::Undone { ply } => Some(*ply),
            _ => None,
        });
        if undone.max().is_some_and(|ply| ply > (self.log.len() + update.events.len()) as u64) {
            return Err(gap);
        }
        let patch = match &update.view {
            Some(patch) => Some(serde_json::from_str::<Value>(patch.text()).map_err(|_| gap)?),
            None => None,
        };
        self.version = update.version;
        for event in update.events {
            match event {
                Event::Acted { seat, action, .. } => {
                    let by = seat.and_then(|seat| Seat::at_table(seat.into(), Seat::MAX));
                    self.log.push(Step { by: by.map_or(Actor::Chance, Actor::Seat), action });
                }
                Event::Undone { ply } => self.log.truncate(ply as usize),
                Event::Declined { seat } => {
                    let public = self.setup.public;
                    self.setup.seats.get_mut(usize::from(seat)).into_iter().for_each(|plan| plan.decline(public));
                }
                _ => {}
            }
        }
        self.status = update.status.unwrap_or(self.status);
        self.seats = update.seats.unwrap_or_else(|| std::mem::take(&mut self.seats));
        self.clocks = update.clocks.or_else(|| self.clocks.take());
        self.draw_offer = update.draw_offer.unwrap_or(self.draw_offer);
        self.undo = update.undo.unwrap_or_else(|| self.undo.take());
        self.ending = update.ending.unwrap_or_else(|| self.ending.take());
        self.rematch = update.rematch.or_else(|| self.rematch.take());
        self.hand_over = update.hand_over.unwrap_or(self.hand_over);
        self.viewer = update.viewer.or(self.viewer).filter(|_| self.status == Status::Playing);
        let position = &mut self.position;
        (position.ply, position.turn, position.scores) = (self.log.len(), update.turn, update.scores);
        let viewer = self.viewer;
        let offered = |action| ActionJson { seat: viewer, action, weight: None };
        position.actions = update.offers.unwrap_or_default().into_iter().map(offered).collect();
        if let Some(patch) = patch {
            merge(&mut position.view, &patch);
        }
        let over = position.turn == TurnJson::Over;
        let ended = self.ending.clone().filter(|_| over);
        position.outcome = ended.map(|ending| OutcomeJson { winners: ending.winners, reason: ending.reason });
        Ok(true)
    }
}
