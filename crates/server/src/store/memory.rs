//! Storage that is gone with the process: for tests, for measuring what a server costs without a disk, and as the plain
//! statement of what the databases must do.

#![expect(clippy::unnecessary_wraps, reason = "the methods are those of the databases, which can fail")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use quincunx_table::protocol::{Listing, Remark};
use quincunx_table::{Entry, Event, Millis, Status, TableId, UserId, UserKind};

use super::filter::{Cursor, LONGEST_PAGE, TableFilter};
use super::name::{self, DELETED};
use super::{AddUserError, AppendError, KNOWN_WELL, LATELY, NewUser, SecretHash, StoreError};
use crate::lock;
use crate::model::{
    CountedGame, Deed, KeptAnalysis, KeptSeats, Login, NewReport, OwnRemark, Ranked, RatedAt, Rating, RatingOf, Report,
    Role, Standing, User,
};

#[derive(Default)]
pub(super) struct Memory {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tables: HashMap<TableId, Kept>,
    users: BTreeMap<UserId, User>,
    names: HashMap<String, UserId>,
    /// How the names of users look.
    looks: HashMap<String, UserId>,
    deleted: HashSet<UserId>,
    last_user: i64,
    sessions: HashMap<SecretHash, (UserId, Login)>,
    last_session: i64,
    /// By user, game and class of clocks.
    ratings: BTreeMap<(UserId, String, String), Rating>,
    mutes: BTreeSet<(UserId, UserId)>,
    blocks: BTreeSet<(UserId, UserId)>,
    reports: Vec<Report>,
    deeds: Vec<Deed>,
    /// By name: the holder, and until when.
    leases: HashMap<String, (String, Millis)>,
    moments: HashMap<String, Millis>,
    last_ending: i64,
}

/// All about one table.
#[derive(Default)]
struct Kept {
    log: BTreeMap<u64, Entry>,
    summary: Option<Listing>,
    remarks: Vec<Remark>,
    rated: bool,
    ended: Option<i64>,
    counted: Option<Counted>,
    analysis: Option<KeptAnalysis>,
}

/// Who played a game that was counted, and when it ended.
struct Counted {
    game: String,
    class: String,
    at: Millis,
    users: Vec<UserId>,
    gone: Vec<UserId>,
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

    pub fn number_endings(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        let waits = |kept: &&Kept| kept.ended.is_none() && kept.waits_to_be_counted();
        let waiting = state.tables.values().filter(waits).filter_map(|kept| kept.summary.as_ref());
        let mut ended: Vec<(Millis, TableId)> =
            waiting.map(|summary| (summary.changed, summary.table.clone())).collect();
        ended.sort_unstable();
        for (_, table) in ended {
            state.last_ending += 1;
            let number = state.last_ending;
            state.tables.entry(table).or_default().ended = Some(number);
        }
        Ok(())
    }

    pub fn uncounted(&self, after: i64, limit: usize) -> Result<Vec<(i64, TableId)>, StoreError> {
        let state = self.state();
        let waiting = state.tables.iter().filter(|(_, kept)| kept.waits_to_be_counted());
        let numbered = waiting.filter_map(|(table, kept)| Some((kept.ended?, table.clone())));
        let mut page: Vec<(i64, TableId)> = numbered.filter(|(number, _)| *number > after).collect();
        page.sort_unstable();
        page.truncate(limit.min(LONGEST_PAGE));
        Ok(page)
    }

    pub fn counted(&self, after: i64, limit: usize) -> Result<Vec<CountedGame>, StoreError> {
        let state = self.state();
        let counted = state.tables.iter().filter(|(_, kept)| kept.rated);
        let mut page: Vec<CountedGame> = counted
            .filter_map(|(table, kept)| {
                let gone = kept.counted.as_ref().filter(|counted| !counted.users.is_empty())?.gone.clone();
                Some(CountedGame { number: kept.ended?, table: table.clone(), gone })
            })
            .filter(|game| game.number > after)
            .collect();
        page.sort_unstable_by_key(|game| game.number);
        page.truncate(limit.min(LONGEST_PAGE));
        Ok(page)
    }

    pub fn add_user(&self, new: NewUser) -> Result<User, AddUserError> {
        let mut state = self.state();
        let key = name::key(&new.name);
        let look = name::look(&new.name);
        if name::reserved(&key) || state.names.contains_key(&key) || state.looks.contains_key(&look) {
            return Err(AddUserError::NameTaken);
        }
        if let Some(owner) = new.owner {
            state.known(owner)?;
        }
        state.last_user += 1;
        let NewUser { name, kind, owner, password, at } = new;
        let id = UserId(state.last_user);
        let (role, silenced) = (None, None);
        let user = User { id, name, kind, owner, password, created: at, banned: None, role, silenced };
        state.names.insert(key, user.id);
        state.looks.insert(look, user.id);
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
        for &user in &gone {
            state.call(user, DELETED);
        }
        state.deleted.extend(gone);
        Ok(())
    }

    pub fn remove_expired(&self, before: Millis, limit: usize) -> Result<u64, StoreError> {
        let mut state = self.state();
        let is_bot =
            |state: &State, user: &UserId| state.users.get(user).is_some_and(|user| user.kind == UserKind::Bot);
        let sessions =
            state.sessions.iter().filter(|(_, (user, login))| login.created <= before && !is_bot(&state, user));
        let sessions: Vec<SecretHash> = sessions.map(|(&hash, _)| hash).take(limit).collect();
        for hash in &sessions {
            state.sessions.remove(hash);
        }
        let living: HashSet<UserId> = state.sessions.values().map(|(user, _)| *user).collect();
        let guests = state.users.values().filter(|user| user.kind == UserKind::Guest && user.created <= before);
        let guests: HashSet<UserId> =
            guests.map(|user| user.id).filter(|id| !living.contains(id)).take(limit).collect();
        state.forget(&guests);
        Ok((sessions.len() + guests.len()) as u64)
    }

    pub fn rename(&self, id: UserId, new: &str) -> Result<(), AddUserError> {
        let mut state = self.state();
        state.known(id)?;
        let (key, look) = (name::key(new), name::look(new));
        let taken = |map: &HashMap<String, UserId>, key: &str| map.get(key).is_some_and(|&other| other != id);
        if name::reserved(&key) || taken(&state.names, &key) || taken(&state.looks, &look) {
            return Err(AddUserError::NameTaken);
        }
        state.names.retain(|_, user| *user != id);
        state.looks.retain(|_, user| *user != id);
        state.names.insert(key, id);
        state.looks.insert(look, id);
        if let Some(user) = state.users.get_mut(&id) {
            new.clone_into(&mut user.name);
        }
        state.call(id, new);
        Ok(())
    }

    pub fn make_account(&self, id: UserId, hash: &str) -> Result<(), StoreError> {
        let mut state = self.state();
        let guest = state.users.get_mut(&id).filter(|user| user.kind == UserKind::Guest);
        let guest = guest.ok_or(StoreError::NoSuchUser)?;
        (guest.kind, guest.password) = (UserKind::Account, Some(hash.to_owned()));
        Ok(())
    }

    pub fn set_role(&self, id: UserId, role: Option<Role>) -> Result<(), StoreError> {
        self.state().users.get_mut(&id).ok_or(StoreError::NoSuchUser)?.role = role;
        Ok(())
    }

    pub fn set_silenced(&self, id: UserId, until: Option<Millis>) -> Result<(), StoreError> {
        self.state().users.get_mut(&id).ok_or(StoreError::NoSuchUser)?.silenced = until;
        Ok(())
    }

    pub fn tables_in_use(&self, user: UserId) -> Result<u64, StoreError> {
        let state = self.state();
        let sits = |table: &Listing| table.seats.iter().flatten().any(|sitter| sitter.user == Some(user));
        let in_use = state.summaries().filter(|table| {
            matches!(table.status, Status::Open | Status::Playing) && (table.host == Some(user) || sits(table))
        });
        Ok(in_use.count() as u64)
    }

    pub fn kept_seats(&self, user: UserId, host: UserId) -> Result<KeptSeats, StoreError> {
        let state = self.state();
        let mut kept = KeptSeats::default();
        for table in state.summaries().filter(|table| table.status == Status::Open) {
            let seats = table.kept.iter().filter(|&&kept| kept == Some(user)).count() as u64;
            kept.in_all += seats;
            kept.by_host += if table.host == Some(host) { seats } else { 0 };
        }
        Ok(kept)
    }

    pub fn set_blocked(&self, user: UserId, other: UserId, blocked: bool) -> Result<(), StoreError> {
        let mut state = self.state();
        if blocked {
            state.known(user)?;
            state.known(other)?;
            state.blocks.insert((user, other));
        } else {
            state.blocks.remove(&(user, other));
        }
        Ok(())
    }

    pub fn blocked_by(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        Ok(self.state().blocks.iter().filter(|(who, _)| *who == user).map(|&(_, other)| other).collect())
    }

    pub fn blockers_of(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        Ok(self.state().blocks.iter().filter(|(_, other)| *other == user).map(|&(who, _)| who).collect())
    }

    pub fn add_report(&self, report: NewReport) -> Result<i64, StoreError> {
        let reports = &mut self.state().reports;
        let id = reports.len() as i64 + 1;
        reports.push(Report { id, report, closed: None, closed_by: None });
        Ok(id)
    }

    pub fn report(&self, id: i64) -> Result<Option<Report>, StoreError> {
        Ok(self.state().reports.iter().find(|report| report.id == id).cloned())
    }

    pub fn open_reports(&self, after: i64, limit: usize) -> Result<Vec<Report>, StoreError> {
        let state = self.state();
        let open = state.reports.iter().filter(|report| report.closed.is_none() && report.id > after);
        Ok(open.take(limit.min(LONGEST_PAGE)).cloned().collect())
    }

    pub fn reports_by(&self, reporter: UserId, since: Millis, limit: usize) -> Result<Vec<Report>, StoreError> {
        let state = self.state();
        let own = state.reports.iter().filter(|kept| kept.report.reporter == reporter && kept.report.at >= since);
        let mut own: Vec<Report> = own.cloned().collect();
        own.sort_by_key(|kept| std::cmp::Reverse((kept.report.at, kept.id)));
        own.truncate(limit.min(LONGEST_PAGE));
        Ok(own)
    }

    pub fn close_report(&self, id: i64, at: Millis, by: Option<UserId>) -> Result<bool, StoreError> {
        let mut state = self.state();
        let open = state.reports.iter_mut().find(|report| report.id == id && report.closed.is_none());
        Ok(open.map(|report| (report.closed, report.closed_by) = (Some(at), by)).is_some())
    }

    pub fn add_deed(&self, deed: Deed) -> Result<i64, StoreError> {
        let deeds = &mut self.state().deeds;
        let id = deeds.len() as i64 + 1;
        deeds.push(Deed { id, ..deed });
        Ok(id)
    }

    pub fn deeds(&self, before: Option<i64>, limit: usize) -> Result<Vec<Deed>, StoreError> {
        let state = self.state();
        let earlier = state.deeds.iter().rev().filter(|deed| before.is_none_or(|before| deed.id < before));
        Ok(earlier.take(limit.min(LONGEST_PAGE)).cloned().collect())
    }

    pub fn remarks_of(&self, user: UserId, skip: u64, limit: usize) -> Result<Vec<OwnRemark>, StoreError> {
        let state = self.state();
        let said = state.tables.iter().flat_map(|(table, kept)| kept.remarks.iter().map(move |remark| (table, remark)));
        let mut own: Vec<(&TableId, &Remark)> = said.filter(|(_, remark)| remark.user == user).collect();
        own.sort_by_key(|(table, remark)| (remark.at, *table, remark.number));
        let page = own.into_iter().skip(skip as usize).take(limit.min(LONGEST_PAGE));
        Ok(page
            .map(|(table, remark)| OwnRemark { table: table.clone(), at: remark.at, text: remark.text.clone() })
            .collect())
    }

    pub fn annul(&self, table: &TableId) -> Result<bool, StoreError> {
        let mut state = self.state();
        let counted = state.tables.get_mut(table).and_then(|kept| kept.counted.take());
        Ok(counted.is_some_and(|counted| !counted.users.is_empty()))
    }

    pub fn replace_ratings(&self, game: &str, class: &str, ratings: Vec<(UserId, Rating)>) -> Result<(), StoreError> {
        let mut state = self.state();
        state.ratings.retain(|(_, for_game, for_class), _| for_game != game || for_class != class);
        for (user, rating) in ratings {
            if state.users.contains_key(&user) {
                state.ratings.insert((user, game.to_owned(), class.to_owned()), rating);
            }
        }
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
        at: Millis,
        users: &[UserId],
        new_ratings: impl FnOnce(&Standing) -> Vec<Rating>,
    ) -> Result<bool, StoreError> {
        let mut state = self.state();
        let number = match state.tables.get(table) {
            Some(kept) if kept.rated => return Ok(false),
            kept => kept.and_then(|kept| kept.ended),
        };
        let is_earlier = |kept: &Kept| {
            let alike = |summary: &Listing| summary.game == game && summary.clock == class;
            let before = kept.ended.zip(number).is_some_and(|(theirs, ours)| theirs < ours);
            before && kept.waits_to_be_counted() && kept.summary.as_ref().is_some_and(alike)
        };
        if state.tables.values().any(is_earlier) {
            return Err(StoreError::TooEarly);
        }
        let key = |user: UserId| (user, game.to_owned(), class.to_owned());
        let met = |one: UserId, other: UserId| {
            let games = state.tables.values().filter_map(|kept| kept.counted.as_ref());
            let lately = games.filter(|counted| {
                counted.game == game
                    && counted.class == class
                    && counted.at > at - LATELY
                    && counted.users.contains(&one)
                    && counted.users.contains(&other)
            });
            if one == other { 0 } else { lately.count() as u32 }
        };
        let standing = Standing {
            ratings: users.iter().map(|&user| state.ratings.get(&key(user)).copied()).collect(),
            met: users.iter().map(|&one| users.iter().map(|&other| met(one, other)).collect()).collect(),
        };
        let new = new_ratings(&standing);
        let gone = users.iter().copied().filter(|user| !state.users.contains_key(user)).collect();
        let counted = Counted { game: game.to_owned(), class: class.to_owned(), at, users: users.to_vec(), gone };
        let kept = state.tables.entry(table.clone()).or_default();
        (kept.rated, kept.counted) = (true, Some(counted));
        for (&user, rating) in users.iter().zip(new) {
            if state.users.contains_key(&user) {
                state.ratings.insert(key(user), rating);
            }
        }
        Ok(true)
    }

    pub fn all_ratings(&self) -> Result<Vec<RatingOf>, StoreError> {
        let state = self.state();
        let ratings = state.ratings.iter().map(|((user, game, class), &rating)| {
            let at = RatedAt { game: game.clone(), class: class.clone(), rating };
            RatingOf { user: *user, at }
        });
        Ok(ratings.collect())
    }

    /// In memory all games have numbers.
    #[expect(clippy::unused_self, reason = "the method is that of the databases")]
    pub fn base_ratings(&self) -> Result<Vec<RatingOf>, StoreError> {
        Ok(Vec::new())
    }

    pub fn leaderboard(
        &self,
        game: &str,
        class: &str,
        bots: bool,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        let state = self.state();
        let banned = |user: Option<&User>| user.is_some_and(|user| user.banned.is_some_and(|until| until > now));
        let mut board: Vec<Ranked> = state
            .ratings
            .iter()
            .filter(|((_, for_game, for_class), rating)| {
                for_game == game && for_class == class && rating.deviation <= KNOWN_WELL
            })
            .filter_map(|((user, _, _), &rating)| {
                let user = state.users.get(user)?;
                let owner = user.owner.and_then(|owner| state.users.get(&owner));
                let listed = (user.kind == UserKind::Bot) == bots && !banned(Some(user)) && !banned(owner);
                listed.then(|| Ranked { user: user.id, name: user.name.clone(), kind: user.kind, rating })
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
        spectator: bool,
    ) -> Result<i64, StoreError> {
        let mut state = self.state();
        let remarks = &mut state.tables.entry(table.clone()).or_default().remarks;
        let number = remarks.len() as i64 + 1;
        remarks.push(Remark { number, user, name: name.to_owned(), at, text: text.to_owned(), spectator });
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

impl Kept {
    /// Whether a rated game is over here whose result has not been counted.
    fn waits_to_be_counted(&self) -> bool {
        let finished = |summary: &Listing| summary.rated && summary.status == Status::Finished;
        !self.rated && self.summary.as_ref().is_some_and(finished)
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
        self.looks.retain(|_, id| !gone.contains(id));
        self.sessions.retain(|_, (user, _)| !gone.contains(user));
        self.ratings.retain(|(user, _, _), _| !gone.contains(user));
        self.mutes.retain(|(user, other)| !gone.contains(user) && !gone.contains(other));
        self.blocks.retain(|(user, other)| !gone.contains(user) && !gone.contains(other));
    }

    /// Calls a user otherwise in logs and talk, and where lists show seats.
    fn call(&mut self, id: UserId, new: &str) {
        for kept in self.tables.values_mut() {
            for entry in kept.log.values_mut() {
                if let Ok(Event::Joined { seat, user, .. }) = serde_json::from_str(&entry.event)
                    && user == id
                {
                    let event = Event::Joined { seat, user, name: new.to_owned() };
                    entry.event = serde_json::to_string(&event).expect("events are plain data with text keys");
                }
            }
            kept.remarks
                .iter_mut()
                .filter(|remark| remark.user == id)
                .for_each(|remark| new.clone_into(&mut remark.name));
            let seats = kept.summary.iter_mut().flat_map(|summary| summary.seats.iter_mut().flatten());
            seats.filter(|sitter| sitter.user == Some(id)).for_each(|sitter| new.clone_into(&mut sitter.name));
        }
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
