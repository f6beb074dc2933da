//! Who is who: guests, accounts and their bots, how they prove it, and what their games make of their ratings.

mod bots;
mod error;
mod name;
mod password;
pub mod ratings;
mod recount;
mod token;

use std::collections::VecDeque;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

pub use bots::{MOST_BOTS, MOST_TOKENS};
pub use error::PeopleError;
pub use name::BadName;
pub use password::{BadPassword, NewPassword};
use quincunx_table::{Millis, UserId, UserKind};
pub use recount::recount;
pub use token::Token;

use crate::limiter::{AddressLimiter, Limiter, network};
use crate::lock;
use crate::model::{Login, User};
use crate::store::{AddUserError, NewUser, Store};
use password::{Hasher, Password};
use token::Secret;

const MINUTE: Millis = 60_000;

/// How long a session lasts. Tokens of bots last until they are revoked.
pub const SESSION_LASTS: Millis = 90 * 24 * 60 * MINUTE;

/// How many sessions a user has; the oldest makes room for one more.
pub const MOST_SESSIONS: usize = 20;

/// How long the label of a session or a token is.
const LONGEST_LABEL: usize = 100;

/// People and bots over the storage that keeps them. Clones are the same people.
#[derive(Clone)]
pub struct People {
    store: Store,
    shared: Arc<Shared>,
}

struct Shared {
    hasher: Hasher,
    /// Wrong passwords for a name from one network; without one, by somebody who has a session of that name.
    failures_at_name: Limiter<(String, Option<IpAddr>)>,
    /// Wrong passwords for a name from wherever its owner has not been.
    failures_of_name: Limiter<String>,
    failures_from_address: AddressLimiter,
    /// From where people have logged in, the last last.
    known: Mutex<VecDeque<(String, IpAddr)>>,
    /// Held from counting bots or tokens until one more is added.
    counting: tokio::sync::Mutex<()>,
}

/// A user who has just come in, and the token by which to know that user from now on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Admission {
    pub user: User,
    pub token: Token,
}

/// A session as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    pub login: Login,
    /// Whether it is the one that asks.
    pub current: bool,
}

impl People {
    /// Hashes a password once, and so takes a moment.
    pub fn new(store: Store) -> Result<Self, PeopleError> {
        const KEYS: usize = 10_000;
        let shared = Shared {
            hasher: Hasher::new()?,
            failures_at_name: Limiter::new(10, MINUTE, KEYS),
            // Wide enough that a few strangers do not keep the owner out of a new place, and narrow enough that many do not
            // guess: 14,400 tries a day for one of the passwords that are not among the commonest.
            failures_of_name: Limiter::new(100, MINUTE / 10, KEYS),
            // Several people may share an address.
            failures_from_address: AddressLimiter::new(30, MINUTE / 3, KEYS),
            known: Mutex::default(),
            counting: tokio::sync::Mutex::default(),
        };
        Ok(Self { store, shared: Arc::new(shared) })
    }

    /// Lets somebody play at once, under a name.
    pub async fn guest(&self, name: &str, label: &str, now: Millis) -> Result<Admission, PeopleError> {
        let name = name::checked(name)?;
        let user = self.add(NewUser { name, kind: UserKind::Guest, owner: None, password: None, at: now }).await?;
        self.admit(user, label, now).await
    }

    /// Makes an account, and logs it in.
    pub async fn register(
        &self,
        name: &str,
        password: &str,
        label: &str,
        now: Millis,
    ) -> Result<Admission, PeopleError> {
        let name = name::checked(name)?;
        let password = Password::chosen(password)?;
        if self.store.user_named(&name).await?.is_some() && !self.free_name(&name, now).await? {
            return Err(PeopleError::NameTaken);
        }
        let password = Some(self.shared.hasher.hash(password).await?);
        let user = self.add(NewUser { name, kind: UserKind::Account, owner: None, password, at: now }).await?;
        self.admit(user, label, now).await
    }

    /// Makes an account of the guest whose token this is, who keeps games, ratings and sessions; under another name, if one is
    /// given.
    pub async fn upgrade(
        &self,
        token: &str,
        name: Option<&str>,
        password: &str,
        now: Millis,
    ) -> Result<User, PeopleError> {
        let (user, _) = self.proven(token, now).await?.ok_or(PeopleError::NotLoggedIn)?;
        if user.kind != UserKind::Guest {
            return Err(PeopleError::NoGuest);
        }
        let new_name = name.map(name::checked).transpose()?.filter(|name| *name != user.name);
        let hash = self.shared.hasher.hash(Password::chosen(password)?).await?;
        if let Some(name) = new_name {
            self.rename(user.id, &name, now).await?;
        }
        self.store.make_account(user.id, &hash).await?;
        self.store.user(user.id).await?.ok_or(PeopleError::NotLoggedIn)
    }

    /// Gives somebody another name.
    pub async fn rename(&self, user: UserId, name: &str, now: Millis) -> Result<(), PeopleError> {
        let name = name::checked(name)?;
        match self.store.rename(user, &name).await {
            Err(AddUserError::NameTaken) if self.free_name(&name, now).await? => {
                Ok(self.store.rename(user, &name).await?)
            }
            renamed => Ok(renamed?),
        }
    }

    /// Logs an account in. Whether the name or the password is wrong can be told neither by the answer nor by its time.
    /// Strangers who try again and again keep out neither somebody with a session of that name (`token`) nor somebody at a
    /// place from where the owner has logged in before.
    pub async fn log_in(
        &self,
        name: &str,
        password: &str,
        from: IpAddr,
        token: Option<&str>,
        label: &str,
        now: Millis,
    ) -> Result<Admission, PeopleError> {
        // What can be no name or no password is known to everybody.
        let name = name::given(name).map_err(|_| PeopleError::WrongLogin)?;
        let password = Password::checked(password).map_err(|_| PeopleError::WrongLogin)?;
        self.shared.failures_from_address.attempt(from, now).map_err(too_many)?;
        let user = self.store.user_named(&name).await?;
        let name = name::folded(user.as_ref().map_or(&name, |user| &user.name));
        let place = (name.clone(), Some(network(from)));
        self.shared.failures_at_name.attempt(&place, now).map_err(too_many)?;
        let at_home = self.is_known(&name, network(from)) || self.has_session(token, user.as_ref(), now).await?;
        if !at_home {
            self.shared.failures_of_name.attempt(&name, now).map_err(too_many)?;
        }
        let hash = user.as_ref().and_then(|user| user.password.as_deref());
        let right = self.shared.hasher.matches(password, hash).await?;
        let user = user.filter(|_| right).ok_or(PeopleError::WrongLogin)?;
        self.shared.failures_at_name.forgive(&place);
        if !at_home {
            self.shared.failures_of_name.forgive(&name);
        }
        self.shared.failures_from_address.forgive(from);
        self.note_known(name, network(from));
        if is_banned(&user, now) {
            return Err(PeopleError::Banned);
        }
        let admission = self.admit(user, label, now).await?;
        // When the password was changed meanwhile, those who know only the old one must not stay.
        let password_now = self.store.user(admission.user.id).await?.and_then(|user| user.password);
        if password_now != admission.user.password {
            self.log_out(admission.token.reveal(), now).await?;
            return Err(PeopleError::WrongLogin);
        }
        Ok(admission)
    }

    /// Whose token it is, unless it has run out or been revoked, or its user or the bot's owner is banned.
    pub async fn who(&self, token: &str, now: Millis) -> Result<Option<User>, PeopleError> {
        Ok(self.proven(token, now).await?.map(|(user, _)| user))
    }

    /// Ends the session of this token, if there is one.
    pub async fn log_out(&self, token: &str, now: Millis) -> Result<(), PeopleError> {
        if let Some((user, login)) = self.proven(token, now).await? {
            self.store.end_session(user.id, login).await?;
        }
        Ok(())
    }

    /// The sessions of the user whose token this is, from the first to the last.
    pub async fn sessions(&self, token: &str, now: Millis) -> Result<Vec<Session>, PeopleError> {
        let (user, current) = self.proven(token, now).await?.ok_or(PeopleError::NotLoggedIn)?;
        let logins = self.store.sessions_of(user.id).await?.into_iter();
        let lasting = logins.filter(|login| user.kind == UserKind::Bot || !has_run_out(login.created, now));
        Ok(lasting.map(|login| Session { current: login.id == current, login }).collect())
    }

    /// Ends a session of a user; gives whether there was one.
    pub async fn revoke(&self, user: UserId, login: i64) -> Result<bool, PeopleError> {
        Ok(self.store.end_session(user, login).await?)
    }

    /// Changes the password of the account whose token this is, and ends all its other sessions.
    pub async fn change_password(&self, token: &str, old: &str, new: &str, now: Millis) -> Result<(), PeopleError> {
        let (user, current) = self.proven(token, now).await?.ok_or(PeopleError::NotLoggedIn)?;
        let new = Password::chosen(new)?;
        self.confirm(&user, old, now).await?;
        let hash = self.shared.hasher.hash(new).await?;
        self.store.set_password(user.id, Some(hash)).await?;
        for login in self.store.sessions_of(user.id).await? {
            if login.id != current {
                self.store.end_session(user.id, login.id).await?;
            }
        }
        Ok(())
    }

    /// Gives an account a new password that nobody has chosen, and ends all its sessions: for somebody who looks after the server.
    pub async fn reset_password(&self, user: &User) -> Result<NewPassword, PeopleError> {
        let (new, password) = Password::random()?;
        let hash = self.shared.hasher.hash(password).await?;
        self.store.set_password(user.id, Some(hash)).await?;
        self.store.end_all_sessions(user.id).await?;
        Ok(new)
    }

    /// Forgets the account whose token this is, and its bots.
    pub async fn delete_account(&self, token: &str, password: &str, now: Millis) -> Result<(), PeopleError> {
        let (user, _) = self.proven(token, now).await?.ok_or(PeopleError::NotLoggedIn)?;
        self.confirm(&user, password, now).await?;
        Ok(self.store.delete_user(user.id).await?)
    }

    /// Whether it is this account's password.
    pub async fn confirm_password(&self, user: &User, password: &str, now: Millis) -> Result<(), PeopleError> {
        self.confirm(user, password, now).await
    }

    /// Whether it is this account's password. A stolen session is not enough to guess it.
    async fn confirm(&self, user: &User, password: &str, now: Millis) -> Result<(), PeopleError> {
        if user.kind != UserKind::Account {
            return Err(PeopleError::NeedsAccount);
        }
        let password = Password::checked(password).map_err(|_| PeopleError::WrongPassword)?;
        let place = (name::folded(&user.name), None);
        self.shared.failures_at_name.attempt(&place, now).map_err(too_many)?;
        if !self.shared.hasher.matches(password, user.password.as_deref()).await? {
            return Err(PeopleError::WrongPassword);
        }
        self.shared.failures_at_name.forgive(&place);
        Ok(())
    }

    /// Whether the owner of a name has logged in from this network before, as far as this process remembers.
    fn is_known(&self, name: &str, from: IpAddr) -> bool {
        lock(&self.shared.known).iter().any(|(known, network)| known == name && *network == from)
    }

    fn note_known(&self, name: String, from: IpAddr) {
        const REMEMBERED: usize = 10_000;
        let mut known = lock(&self.shared.known);
        let place = (name, from);
        known.retain(|other| *other != place);
        if known.len() >= REMEMBERED {
            known.pop_front();
        }
        known.push_back(place);
    }

    /// Whether a token is of a living session of this user.
    async fn has_session(&self, token: Option<&str>, user: Option<&User>, now: Millis) -> Result<bool, PeopleError> {
        let (Some(token), Some(user)) = (token, user) else { return Ok(false) };
        Ok(self.who(token, now).await?.is_some_and(|who| who.id == user.id))
    }

    /// Whose token it is, and the number of its session.
    async fn proven(&self, token: &str, now: Millis) -> Result<Option<(User, i64)>, PeopleError> {
        let Some((login, secret)) = Secret::read(token) else { return Ok(None) };
        let Some(user) = self.store.session(secret.hash(), now).await? else { return Ok(None) };
        if user.kind != UserKind::Bot && has_run_out(secret.made(), now) {
            return Ok(None);
        }
        if let Some(owner) = user.owner {
            let owner = self.store.user(owner).await?;
            if owner.is_none_or(|owner| is_banned(&owner, now)) {
                return Ok(None);
            }
        }
        Ok(Some((user, login)))
    }

    /// Adds a user, also under the name of a guest who is gone.
    async fn add(&self, new: NewUser) -> Result<User, PeopleError> {
        match self.store.add_user(new.clone()).await {
            Err(AddUserError::NameTaken) if self.free_name(&new.name, new.at).await? => {
                Ok(self.store.add_user(new).await?)
            }
            added => Ok(added?),
        }
    }

    /// Takes a name from a guest whom nobody can be any more; gives whether it was one. Accounts and bots keep theirs.
    async fn free_name(&self, name: &str, now: Millis) -> Result<bool, PeopleError> {
        // A guest who is just coming in has no session for a moment.
        Ok(self.store.free_guest_name(name, now - MINUTE, now - SESSION_LASTS).await?)
    }

    async fn admit(&self, user: User, label: &str, now: Millis) -> Result<Admission, PeopleError> {
        let logins = self.store.sessions_of(user.id).await?;
        let surplus = (logins.len() + 1).saturating_sub(MOST_SESSIONS);
        for (place, login) in logins.iter().enumerate() {
            if place < surplus || has_run_out(login.created, now) {
                self.store.end_session(user.id, login.id).await?;
            }
        }
        let (_, token) = self.add_token(user.id, label, now).await?;
        Ok(Admission { user, token })
    }

    async fn add_token(&self, user: UserId, label: &str, now: Millis) -> Result<(Login, Token), PeopleError> {
        let secret = Secret::new(now)?;
        let login = self.store.add_session(secret.hash(), user, now, &shortened(label)).await?;
        let token = secret.token(login.id);
        Ok((login, token))
    }
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").field("store", &self.store).finish_non_exhaustive()
    }
}

fn has_run_out(made: Millis, now: Millis) -> bool {
    now.saturating_sub(made) >= SESSION_LASTS
}

fn is_banned(user: &User, now: Millis) -> bool {
    user.banned.is_some_and(|until| until > now)
}

fn too_many(wait: Millis) -> PeopleError {
    PeopleError::TooManyAttempts { seconds: (wait + 999) / 1_000 }
}

/// Labels come from browsers as often as from people, who could do nothing about an error.
fn shortened(label: &str) -> String {
    label.chars().filter(|character| !character.is_control()).take(LONGEST_LABEL).collect()
}
