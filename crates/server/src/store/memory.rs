//! Storage that is gone with the process: for tests, for measuring what a server costs without a disk, and as the plain
//! statement of what the databases must do.

#![expect(clippy::unnecessary_wraps, reason = "the methods are those of the databases, which can fail")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use quincunx_table::protocol::{Listing, Remark};
use quincunx_table::{Entry, Millis, Status, TableId, UserId, UserKind};

use super::filter::{Cursor, LONGEST_PAGE, TableFilter};
use super::name::{self, DELETED};
use super::{AddUserError, AppendError, NewUser, SecretHash, StoreError};
use crate::lock;
use crate::model::{KeptAnalysis, Login, Ranked, RatedAt, Rating, User};

#[derive(Default)]
pub(super) struct Memory {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tables: HashMap<TableId, Kept>,
    users: BTreeMap<UserId, User>,
    names: HashMap<String, UserId>,
    deleted: HashSet<UserId>,
    last_user: i64,
    sessions: HashMap<SecretHash, (UserId, Login)>,
    last_session: i64,
    /// By user, game and class of clocks.
    ratings: BTreeMap<(UserId, String, String), Rating>,
    mutes: BTreeSet<(UserId, UserId)>,
    /// By name: the holder, and until when.
    leases: HashMap<String, (String, Millis)>,
    moments: HashMap<String, Millis>,
}

/// All about one table.
#[derive(Default)]
struct Kept {
    log: BTreeMap<u64, Entry>,
    summary: Option<Listing>,
    remarks: Vec<Remark>,
    rated: bool,
    analysis: Option<KeptAnalysis>,
}

impl Memory {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    pub fn append(&self, table: &TableId, entries: Vec<Entry>, summary: Option<Listing>) -> Result<(), AppendError> {
        let mut state = self.state();
        if !state.tables.contains_key(table) {
            state.tables.insert(table.clone(), Kept::default());
        }
        let kept = state.tables.get_mut(table).expect("it is there or was just put there");
        let twice = |at: usize| entries[..at].iter().any(|earlier| earlier.seq == entries[at].seq);
        if (0..entries.len()).any(|at| kept.log.contains_key(&entries[at].seq) || twice(at)) {
            return Err(AppendError::Taken);
        }
        kept.log.extend(entries.into_iter().map(|entry| (entry.seq, entry)));
        if summary.is_some() {
            kept.summary = summary;
        }
        Ok(())
    }

    pub fn entries(&self, table: &TableId, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let state = self.state();
        let Some(kept) = state.tables.get(table) else { return Ok(Vec::new()) };
        Ok(kept.log.range(from..).take(most).map(|(_, entry)| entry.clone()).collect())
    }

    pub fn versions(&self, tables: &[TableId]) -> Result<Vec<(TableId, u64)>, StoreError> {
        let state = self.state();
        let last = |kept: &Kept| kept.log.last_key_value().map_or(0, |(&seq, _)| seq + 1);
        let known = tables.iter().filter_map(|id| Some((id, state.tables.get(id)?)));
        Ok(known.filter(|(_, kept)| kept.summary.is_some()).map(|(id, kept)| (id.clone(), last(kept))).collect())
    }

    pub fn summary(&self, table: &TableId) -> Result<Option<Listing>, StoreError> {
        let state = self.state();
        Ok(state.tables.get(table).and_then(|kept| kept.summary.as_ref()).map(|summary| state.shown(summary)))
    }

    pub fn tables(&self, filter: &TableFilter) -> Result<Vec<Listing>, StoreError> {
        let state = self.state();
        let mut taken: Vec<&Listing> = state.summaries().filter(|summary| filter.takes(summary)).collect();
        taken.sort_unstable_by_key(|summary| std::cmp::Reverse(Cursor::of(summary)));
        Ok(taken.into_iter().take(filter.limit.min(LONGEST_PAGE)).map(|summary| state.shown(summary)).collect())
    }

    pub fn running(&self, after: Option<&TableId>, limit: usize) -> Result<Vec<TableId>, StoreError> {
        let state = self.state();
        let running = state.summaries().filter(|summary| summary.status == Status::Playing);
        Ok(in_order(running.map(|summary| &summary.table), after, limit))
    }

    pub fn uncounted(&self, after: Option<&TableId>, limit: usize) -> Result<Vec<TableId>, StoreError> {
        let state = self.state();
        let waits = |kept: &Kept| {
            let finished = |summary: &Listing| summary.rated && summary.status == Status::Finished;
            !kept.rated && kept.summary.as_ref().is_some_and(finished)
        };
        let waiting = state.tables.iter().filter(|(_, kept)| waits(kept));
        Ok(in_order(waiting.map(|(id, _)| id), after, limit))
    }

    pub fn add_user(&self, new: NewUser) -> Result<User, AddUserError> {
        let mut state = self.state();
        let key = name::key(&new.name);
        if name::reserved(&key) || state.names.contains_key(&key) {
            return Err(AddUserError::NameTaken);
        }
        if let Some(owner) = new.owner {
            state.known(owner)?;
        }
        state.last_user += 1;
        let NewUser { name, kind, owner, password, at } = new;
        let user = User { id: UserId(state.last_user), name, kind, owner, password, created: at, banned: None };
        state.names.insert(key, user.id);
        state.users.insert(user.id, user.clone());
        Ok(user)
    }

    pub fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        Ok(self.state().users.get(&id).cloned())
    }

    pub fn user_named(&self, name: &str) -> Result<Option<User>, StoreError> {
        let state = self.state();
        Ok(state.names.get(&name::key(name)).and_then(|id| state.users.get(id)).cloned())
    }

    pub fn set_password(&self, id: UserId, hash: Option<String>) -> Result<(), StoreError> {
        self.state().users.get_mut(&id).ok_or(StoreError::NoSuchUser)?.password = hash;
        Ok(())
    }

    pub fn set_banned(&self, id: UserId, until: Option<Millis>) -> Result<(), StoreError> {
        self.state().users.get_mut(&id).ok_or(StoreError::NoSuchUser)?.banned = until;
        Ok(())
    }

    pub fn free_guest_name(&self, name: &str, since: Millis, living_since: Millis) -> Result<bool, StoreError> {
        let mut state = self.state();
        let key = name::key(name);
        let guest = state.names.get(&key).and_then(|id| state.users.get(id));
        let Some(guest) = guest.filter(|user| user.kind == UserKind::Guest && user.created < since) else {
            return Ok(false);
        };
        let id = guest.id;
        if state.sessions.values().any(|(user, login)| *user == id && login.created > living_since) {
            return Ok(false);
        }
        state.forget(&HashSet::from([id]));
        Ok(true)
    }

    pub fn delete_user(&self, id: UserId) -> Result<(), StoreError> {
        let mut state = self.state();
        state.known(id)?;
        let gone: HashSet<UserId> =
            state.users.values().filter(|user| user.id == id || user.owner == Some(id)).map(|user| user.id).collect();
        state.forget(&gone);
        state.deleted.extend(gone);
        Ok(())
    }

    pub fn users(&self, search: &str, after: Option<UserId>, limit: usize) -> Result<Vec<User>, StoreError> {
        let state = self.state();
        let search = name::key(search);
        Ok(state
            .users
            .values()
            .filter(|user| after.is_none_or(|after| user.id > after) && name::key(&user.name).contains(&search))
            .take(limit.min(LONGEST_PAGE))
            .cloned()
            .collect())
    }

    pub fn bots_of(&self, owner: UserId) -> Result<Vec<User>, StoreError> {
        Ok(self.state().users.values().filter(|user| user.owner == Some(owner)).cloned().collect())
    }

    pub fn add_session(&self, hash: SecretHash, user: UserId, at: Millis, label: &str) -> Result<Login, StoreError> {
        let mut state = self.state();
        state.known(user)?;
        if state.sessions.contains_key(&hash) {
            return Err(StoreError::Failed("there is a session with this secret already".to_owned()));
        }
        state.last_session += 1;
        let login = Login { id: state.last_session, created: at, label: label.to_owned() };
        state.sessions.insert(hash, (user, login.clone()));
        Ok(login)
    }

    pub fn session(&self, hash: SecretHash, now: Millis) -> Result<Option<User>, StoreError> {
        let state = self.state();
        let user = state.sessions.get(&hash).and_then(|(user, _)| state.users.get(user));
        Ok(user.filter(|user| user.banned.is_none_or(|until| until <= now)).cloned())
    }

    pub fn sessions_of(&self, user: UserId) -> Result<Vec<Login>, StoreError> {
        let state = self.state();
        let mut logins: Vec<Login> =
            state.sessions.values().filter(|(whose, _)| *whose == user).map(|(_, login)| login.clone()).collect();
        logins.sort_unstable_by_key(|login| login.id);
        Ok(logins)
    }

    pub fn end_session(&self, user: UserId, login: i64) -> Result<bool, StoreError> {
        let mut state = self.state();
        let before = state.sessions.len();
        state.sessions.retain(|_, (whose, kept)| *whose != user || kept.id != login);
        Ok(state.sessions.len() < before)
    }

    pub fn end_all_sessions(&self, user: UserId) -> Result<(), StoreError> {
        self.state().sessions.retain(|_, (whose, _)| *whose != user);
        Ok(())
    }

    pub fn set_muted(&self, user: UserId, other: UserId, muted: bool) -> Result<(), StoreError> {
        let mut state = self.state();
        if muted {
            state.known(user)?;
            state.known(other)?;
            state.mutes.insert((user, other));
        } else {
            state.mutes.remove(&(user, other));
        }
        Ok(())
    }

    pub fn muted_by(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        Ok(self.state().mutes.iter().filter(|(who, _)| *who == user).map(|&(_, other)| other).collect())
    }

    pub fn rating(&self, user: UserId, game: &str, class: &str) -> Result<Option<Rating>, StoreError> {
        Ok(self.state().ratings.get(&(user, game.to_owned(), class.to_owned())).copied())
    }

    pub fn rate(
        &self,
        table: &TableId,
        game: &str,
        class: &str,
        users: &[UserId],
        new_ratings: impl FnOnce(&[Option<Rating>]) -> Vec<Rating>,
    ) -> Result<bool, StoreError> {
        let mut state = self.state();
        if state.tables.get(table).is_some_and(|kept| kept.rated) {
            return Ok(false);
        }
        let key = |user: UserId| (user, game.to_owned(), class.to_owned());
        let old: Vec<Option<Rating>> = users.iter().map(|&user| state.ratings.get(&key(user)).copied()).collect();
        let new = new_ratings(&old);
        state.tables.entry(table.clone()).or_default().rated = true;
        for (&user, rating) in users.iter().zip(new) {
            if state.users.contains_key(&user) {
                state.ratings.insert(key(user), rating);
            }
        }
        Ok(true)
    }

    pub fn leaderboard(&self, game: &str, class: &str, limit: usize) -> Result<Vec<Ranked>, StoreError> {
        let state = self.state();
        let mut board: Vec<Ranked> = state
            .ratings
            .iter()
            .filter(|((_, for_game, for_class), _)| for_game == game && for_class == class)
            .filter_map(|((user, _, _), &rating)| {
                let user = state.users.get(user)?;
                Some(Ranked { user: user.id, name: user.name.clone(), kind: user.kind, rating })
            })
            .collect();
        board.sort_by(|a, b| b.rating.value.total_cmp(&a.rating.value).then(a.user.cmp(&b.user)));
        board.truncate(limit.min(LONGEST_PAGE));
        Ok(board)
    }

    pub fn ratings_of(&self, user: UserId) -> Result<Vec<RatedAt>, StoreError> {
        let state = self.state();
        let of_user = state.ratings.iter().filter(|((whose, _, _), _)| *whose == user);
        Ok(of_user
            .map(|((_, game, class), &rating)| RatedAt { game: game.clone(), class: class.clone(), rating })
            .collect())
    }

    pub fn add_remark(
        &self,
        table: &TableId,
        user: UserId,
        name: &str,
        at: Millis,
        text: &str,
    ) -> Result<i64, StoreError> {
        let mut state = self.state();
        let remarks = &mut state.tables.entry(table.clone()).or_default().remarks;
        let number = remarks.len() as i64 + 1;
        remarks.push(Remark { number, user, name: name.to_owned(), at, text: text.to_owned() });
        Ok(number)
    }

    pub fn remarks(&self, table: &TableId, after: i64, limit: usize) -> Result<Vec<Remark>, StoreError> {
        let state = self.state();
        let Some(kept) = state.tables.get(table) else { return Ok(Vec::new()) };
        let later = kept.remarks.iter().filter(|remark| remark.number > after);
        Ok(later
            .take(limit.min(LONGEST_PAGE))
            .map(|remark| Remark { name: state.name_now(Some(remark.user), &remark.name), ..remark.clone() })
            .collect())
    }

    pub fn last_remark(&self, table: &TableId) -> Result<i64, StoreError> {
        Ok(self.state().tables.get(table).map_or(0, |kept| kept.remarks.len() as i64))
    }

    pub fn analysis(&self, table: &TableId) -> Result<Option<KeptAnalysis>, StoreError> {
        Ok(self.state().tables.get(table).and_then(|kept| kept.analysis.clone()))
    }

    pub fn analyses_under_way(&self, silent: Millis) -> Result<u64, StoreError> {
        let state = self.state();
        let analyses = state.tables.values().filter_map(|kept| kept.analysis.as_ref());
        Ok(analyses.filter(|analysis| analysis.result.is_none() && analysis.heard > silent).count() as u64)
    }

    pub fn begin_analysis(&self, table: &TableId, total: u64, now: Millis, silent: Millis) -> Result<bool, StoreError> {
        let mut state = self.state();
        let analysis = &mut state.tables.entry(table.clone()).or_default().analysis;
        let free = analysis.as_ref().is_none_or(|kept| kept.result.is_none() && kept.heard <= silent);
        if free {
            *analysis = Some(KeptAnalysis { heard: now, done: 0, total, result: None });
        }
        Ok(free)
    }

    pub fn note_analysis(&self, table: &TableId, done: u64, now: Millis) -> Result<(), StoreError> {
        if let Some(kept) = self.state().analysis_under_way(table) {
            (kept.heard, kept.done) = (now, done);
        }
        Ok(())
    }

    pub fn end_analysis(&self, table: &TableId, result: &str) -> Result<(), StoreError> {
        if let Some(kept) = self.state().analysis_under_way(table) {
            (kept.done, kept.result) = (kept.total, Some(result.to_owned()));
        }
        Ok(())
    }

    pub fn lease(&self, name: &str, holder: &str, now: Millis, until: Millis) -> Result<bool, StoreError> {
        let mut state = self.state();
        let free = state.leases.get(name).is_none_or(|(held_by, expires)| held_by == holder || *expires <= now);
        if free {
            state.leases.insert(name.to_owned(), (holder.to_owned(), until));
        }
        Ok(free)
    }

    pub fn release(&self, name: &str, holder: &str) -> Result<(), StoreError> {
        let mut state = self.state();
        if state.leases.get(name).is_some_and(|(held_by, _)| held_by == holder) {
            state.leases.remove(name);
        }
        Ok(())
    }

    pub fn moment(&self, name: &str) -> Result<Option<Millis>, StoreError> {
        Ok(self.state().moments.get(name).copied())
    }

    pub fn set_moment(&self, name: &str, at: Millis) -> Result<(), StoreError> {
        self.state().moments.insert(name.to_owned(), at);
        Ok(())
    }
}

/// A page of tables in the order of their ids.
fn in_order<'a>(ids: impl Iterator<Item = &'a TableId>, after: Option<&TableId>, limit: usize) -> Vec<TableId> {
    let mut ids: Vec<&TableId> = ids.filter(|&id| after.is_none_or(|after| id > after)).collect();
    ids.sort_unstable();
    ids.into_iter().take(limit.min(LONGEST_PAGE)).cloned().collect()
}

impl State {
    fn known(&self, user: UserId) -> Result<(), StoreError> {
        if self.users.contains_key(&user) { Ok(()) } else { Err(StoreError::NoSuchUser) }
    }

    fn analysis_under_way(&mut self, table: &TableId) -> Option<&mut KeptAnalysis> {
        self.tables.get_mut(table)?.analysis.as_mut().filter(|kept| kept.result.is_none())
    }

    /// Takes away all that is about these users alone.
    fn forget(&mut self, gone: &HashSet<UserId>) {
        self.users.retain(|id, _| !gone.contains(id));
        self.names.retain(|_, id| !gone.contains(id));
        self.sessions.retain(|_, (user, _)| !gone.contains(user));
        self.ratings.retain(|(user, _, _), _| !gone.contains(user));
        self.mutes.retain(|(user, other)| !gone.contains(user) && !gone.contains(other));
    }

    fn summaries(&self) -> impl Iterator<Item = &Listing> {
        self.tables.values().filter_map(|kept| kept.summary.as_ref())
    }

    /// A name as it is shown now: that of a deleted user is not.
    fn name_now(&self, user: Option<UserId>, name: &str) -> String {
        let deleted = user.is_some_and(|user| self.deleted.contains(&user));
        if deleted { DELETED.to_owned() } else { name.to_owned() }
    }

    fn shown(&self, summary: &Listing) -> Listing {
        let mut shown = summary.clone();
        for sitter in shown.seats.iter_mut().flatten() {
            sitter.name = self.name_now(sitter.user, &sitter.name);
        }
        shown
    }
}
