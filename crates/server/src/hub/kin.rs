//! People and their bots: who may play rated games with whom, and what becomes of the games of who is deleted.

use std::collections::HashMap;
use std::sync::Arc;

use quincunx_table::{Command, Decision, Person, Refusal, Request, State, Status, UserId};

use super::{CommandError, Done, Hub, Slot, TRIES};
use crate::store::{PlayerFilter, StoreError, TableFilter};

/// For each user the account behind it: its own, or that of a bot's owner.
type Accounts = HashMap<UserId, UserId>;

impl Hub {
    /// The accounts behind some users. A bot never changes its owner.
    async fn accounts(&self, users: impl Iterator<Item = UserId>) -> Result<Accounts, StoreError> {
        let mut accounts = Accounts::new();
        for user in users {
            let owner = self.inner.store.user(user).await?.and_then(|known| known.owner);
            accounts.insert(user, owner.unwrap_or(user));
        }
        Ok(accounts)
    }

    /// Refuses a rated game among users of whom two are of one account.
    pub async fn check_kin(&self, users: &[UserId]) -> Result<(), CommandError> {
        let accounts = self.accounts(users.iter().copied()).await?;
        let mut behind: Vec<UserId> = accounts.into_values().collect();
        behind.sort_unstable();
        if behind.windows(2).any(|two| two[0] == two[1]) { Err(Refusal::OwnBot.into()) } else { Ok(()) }
    }

    /// Lets somebody sit down by a decision, at a rated table only if nobody of the same account sits there.
    pub(super) async fn seat(
        &self,
        slot: &Arc<Slot>,
        person: &Person,
        mut sit: impl FnMut(&mut State, Request<'_>, &mut chacha20::ChaCha20Rng) -> Result<Decision, Refusal>,
        id: Option<&str>,
    ) -> Result<Done, CommandError> {
        for _ in 0..TRIES {
            let seated = {
                let mut live = slot.live.lock().await;
                let state = self.load(slot, &mut live).await?;
                let rated = state.setup.rated;
                state.seats.iter().filter_map(|seated| seated.user).filter(|_| rated).collect::<Vec<_>>()
            };
            let accounts = self.accounts(seated.into_iter().chain([person.id])).await?;
            let mut strangers = false;
            let done = self
                .change(slot, |state, at, rng| {
                    if state.setup.rated {
                        let others =
                            state.seats.iter().filter_map(|seated| seated.user).filter(|&user| user != person.id);
                        for user in others {
                            match accounts.get(&user) {
                                Some(account) if *account == accounts[&person.id] => return Err(Refusal::OwnBot),
                                Some(_) => {}
                                // Somebody has sat down meanwhile: who that is has to be looked up first.
                                None => {
                                    strangers = true;
                                    return Ok(Decision::default());
                                }
                            }
                        }
                    }
                    sit(state, Request { person, seat: None, command: id, at }, rng)
                })
                .await?;
            if !strangers {
                return Ok(done);
            }
        }
        Err(CommandError::Busy)
    }

    /// Somebody is about to be deleted: resigns the games that are on, leaves the tables where none has begun, and counts what has
    /// ended by that while the ratings are still there.
    pub async fn retire(&self, person: &Person) -> Result<(), CommandError> {
        for status in [Status::Open, Status::Playing] {
            let (player, status) = (Some(PlayerFilter::new(person.id)), Some(status));
            for table in self.all_tables(TableFilter { status, player, ..TableFilter::default() }).await? {
                for command in [Command::Resign, Command::Leave] {
                    match self.command(&table.table, person, None, &command, None).await {
                        // What does not fit how the table stands needs not be done.
                        Ok(_)
                        | Err(CommandError::Refused(_) | CommandError::NoSuchTable | CommandError::Corrupt(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        self.count_all().await
    }
}
