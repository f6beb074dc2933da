//! Ratings worked out again from the games that count, in the order in which these ended: when a moderator takes the result of
//! one back, everything after it was made from numbers that no longer hold.

use std::collections::HashMap;

use quincunx_games::GAMES;
use quincunx_table::{Millis, State, TableId, UserId};

use super::ratings::{contestants, rate_game};
use crate::model::Rating;
use crate::store::{LONGEST_PAGE, Store, StoreError};

/// How often it is done again because games have ended meanwhile.
const TRIES: usize = 5;

/// Works out all ratings of a game and a class of clocks.
pub async fn recount(store: &Store, game: &str, class: &str) -> Result<(), StoreError> {
    let mut counted = counted(store, game, class).await?;
    for _ in 0..TRIES {
        let ratings = replayed(store, &counted).await?;
        store.replace_ratings(game, class, ratings).await?;
        // A game that has ended meanwhile was counted on ratings that are gone.
        let now = self::counted(store, game, class).await?;
        if now == counted {
            return Ok(());
        }
        counted = now;
    }
    Err(StoreError::Failed("games end faster than they are counted again".to_owned()))
}

async fn counted(store: &Store, game: &str, class: &str) -> Result<Vec<(Millis, TableId)>, StoreError> {
    let mut all: Vec<(Millis, TableId)> = Vec::new();
    loop {
        let page = store.counted(game, class, all.last(), LONGEST_PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

async fn replayed(store: &Store, tables: &[(Millis, TableId)]) -> Result<Vec<(UserId, Rating)>, StoreError> {
    let mut ratings: HashMap<UserId, Rating> = HashMap::new();
    for (_, table) in tables {
        let log = store.entries(table, 0, usize::MAX).await?;
        // Imported games were counted where they were played, and one that cannot be read was not counted either.
        let imported = log.first().is_none_or(|first| first.by.is_none());
        let Some(state) = State::replay(GAMES, table.clone(), &log).ok().filter(|_| !imported) else { continue };
        let Some((users, contestants)) = contestants(&state) else { continue };
        let before: Vec<Rating> = users.iter().map(|user| ratings.get(user).copied().unwrap_or_default()).collect();
        ratings.extend(users.into_iter().zip(rate_game(&contestants, &before)));
    }
    let mut ratings: Vec<(UserId, Rating)> = ratings.into_iter().collect();
    ratings.sort_unstable_by_key(|(user, _)| *user);
    Ok(ratings)
}
