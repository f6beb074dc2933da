//! Ratings worked out again from the games that count, in the order in which these ended: when a moderator takes the result of
//! one back, everything after it was made from numbers that no longer hold.

use super::ratings::count_again;
use crate::store::{Store, StoreError};

/// How often it is done again because games have ended meanwhile.
const TRIES: usize = 5;

/// Works out all ratings of a game and a class of clocks.
pub async fn recount(store: &Store, game: &str, class: &str) -> Result<(), StoreError> {
    let (mut games, mut ratings) = count_again(store).await?;
    for _ in 0..TRIES {
        let concerned = ratings.into_iter().filter(|((_, of, at), _)| of == game && at == class);
        let concerned = concerned.map(|((user, ..), rating)| (user, rating)).collect();
        store.replace_ratings(game, class, concerned).await?;
        // A game that has ended meanwhile was counted on ratings that are gone.
        let again = count_again(store).await?;
        if again.0 == games {
            return Ok(());
        }
        (games, ratings) = again;
    }
    Err(StoreError::Failed("games end faster than they are counted again".to_owned()))
}
