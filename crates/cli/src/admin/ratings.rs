//! Whether ratings are what the logs say.

use std::io::Write;

use quincunx_server::model::Rating;
use quincunx_server::people::ratings::{Difference, recompute};
use quincunx_server::store::Store;

use crate::failure::Failure;

pub(super) async fn check(store: &Store, out: &mut impl Write) -> Result<(), Failure> {
    let (games, differences) = recompute(store).await?;
    for Difference { user, game, class, kept, recomputed } in &differences {
        let name = store.user(*user).await?.map_or_else(|| format!("user {}", user.0), |user| user.name);
        let shown =
            |rating: &Option<Rating>| rating.map_or_else(|| "none".to_owned(), |rating| format!("{:.2}", rating.value));
        writeln!(out, "{name}, {game}, {class}: {} is kept, {} follows from the logs", shown(kept), shown(recomputed))?;
    }
    match differences.len() {
        0 => writeln!(out, "All ratings follow from the logs of {games} games.")?,
        many => return Err(format!("{many} ratings do not follow from the logs of {games} games").into()),
    }
    Ok(())
}
