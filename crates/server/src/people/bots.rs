//! Bots: users who belong to an account and come in by tokens that the owner can revoke.

use quincunx_table::{Millis, UserId, UserKind};

use super::{People, PeopleError, Token, name};
use crate::model::{Login, User};
use crate::store::NewUser;

/// How many bots an account has.
pub const MOST_BOTS: usize = 8;

/// How many tokens a bot has.
pub const MOST_TOKENS: usize = 8;

/// Limits are kept exactly within a process. Several processes could each add one at the same moment: no harm is done.
impl People {
    /// Makes a bot of an account. It comes in by a token.
    pub async fn add_bot(&self, owner: &User, name: &str, now: Millis) -> Result<User, PeopleError> {
        if owner.kind != UserKind::Account {
            return Err(PeopleError::NeedsAccount);
        }
        let name = name::checked(name)?;
        let _counting = self.shared.counting.lock().await;
        if self.store.bots_of(owner.id).await?.len() >= MOST_BOTS {
            return Err(PeopleError::TooManyBots(MOST_BOTS));
        }
        let new = NewUser { name, kind: UserKind::Bot, owner: Some(owner.id), password: None, at: now };
        self.add(new).await
    }

    /// The bots of an account.
    pub async fn bots(&self, owner: &User) -> Result<Vec<User>, PeopleError> {
        Ok(self.store.bots_of(owner.id).await?)
    }

    /// Forgets a bot.
    pub async fn delete_bot(&self, owner: &User, bot: UserId) -> Result<(), PeopleError> {
        self.own(owner, bot).await?;
        Ok(self.store.delete_user(bot).await?)
    }

    /// Makes a token for a bot.
    pub async fn add_bot_token(
        &self,
        owner: &User,
        bot: UserId,
        label: &str,
        now: Millis,
    ) -> Result<(Login, Token), PeopleError> {
        self.own(owner, bot).await?;
        let _counting = self.shared.counting.lock().await;
        if self.store.sessions_of(bot).await?.len() >= MOST_TOKENS {
            return Err(PeopleError::TooManyTokens(MOST_TOKENS));
        }
        self.add_token(bot, label, now).await
    }

    /// The tokens of a bot, without their secrets.
    pub async fn bot_tokens(&self, owner: &User, bot: UserId) -> Result<Vec<Login>, PeopleError> {
        self.own(owner, bot).await?;
        Ok(self.store.sessions_of(bot).await?)
    }

    /// Revokes a token of a bot; gives whether there was one.
    pub async fn revoke_bot_token(&self, owner: &User, bot: UserId, login: i64) -> Result<bool, PeopleError> {
        self.own(owner, bot).await?;
        self.revoke(bot, login).await
    }

    async fn own(&self, owner: &User, bot: UserId) -> Result<(), PeopleError> {
        let bot = self.store.user(bot).await?.filter(|bot| bot.owner == Some(owner.id));
        bot.map(|_| ()).ok_or(PeopleError::NoSuchBot)
    }
}
