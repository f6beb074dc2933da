//! Leaderboards and profiles.

use axum::Json;
use axum::extract::State;
use quincunx_core::find;
use quincunx_games::GAMES;
use quincunx_table::protocol::Listing;
use quincunx_table::{Millis, Person, Status};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::input::{Asked, Place};
use super::people::named;
use super::{Answer, App, Problem, now};
use crate::model::{Ranked, RatedAt, Rating};
use crate::store::{PlayerFilter, TableFilter};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(leaderboard)).routes(routes!(player))
}

/// A line of a leaderboard.
#[derive(Serialize, ToSchema)]
pub struct Rank {
    player: Person,
    #[serde(flatten)]
    rating: Rating,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Board {
    game: String,
    /// The class of the clock: `none`, `bullet`, `blitz`, `rapid` or `correspondence`.
    class: String,
    /// Whether bots are listed, and not people.
    #[serde(default)]
    bots: bool,
    /// How many at most, up to 200.
    limit: Option<usize>,
}

const CLASSES: [&str; 5] = ["none", "bullet", "blitz", "rapid", "correspondence"];

/// The best people, or the best bots, at a game with a class of clocks: those whose deviation is 110 or less.
#[utoipa::path(get, path = "/api/leaderboard", tag = "players", params(Board), responses((status = 200, body = Vec<Rank>)))]
async fn leaderboard(State(app): State<App>, Asked(board): Asked<Board>) -> Answer<Json<Vec<Rank>>> {
    const USUAL: usize = 50;
    find(GAMES, &board.game).map_err(|unknown| Problem::malformed(unknown.to_string()))?;
    if !CLASSES.contains(&board.class.as_str()) {
        return Err(Problem::malformed(format!("a class of clocks is one of {}", CLASSES.join(", "))));
    }
    let limit = board.limit.unwrap_or(USUAL).clamp(1, crate::store::LONGEST_PAGE);
    let ranked = app.store.leaderboard(&board.game, &board.class, board.bots, now(), limit).await?;
    let ranks = ranked.into_iter().map(|Ranked { user, name, kind, rating }| {
        let player = Person { id: user, name, kind };
        Rank { player, rating }
    });
    Ok(Json(ranks.collect()))
}

/// Somebody who plays here.
#[derive(Serialize, ToSchema)]
pub struct Profile {
    player: Person,
    /// Since when.
    since: Millis,
    ratings: Vec<RatedAt>,
    /// The last public games that ended; the search of tables finds the others.
    games: Vec<Listing>,
}

/// Somebody's profile.
#[utoipa::path(get, path = "/api/players/{name}", tag = "players", params(("name" = String, Path)), responses((status = 200, body = Profile)))]
async fn player(State(app): State<App>, Place(name): Place<String>) -> Answer<Json<Profile>> {
    const GAMES_SHOWN: usize = 20;
    let user = named(&app, &name).await?;
    let filter = TableFilter {
        status: Some(Status::Finished),
        public: Some(true),
        player: Some(PlayerFilter::new(user.id)),
        limit: GAMES_SHOWN,
        ..TableFilter::default()
    };
    Ok(Json(Profile {
        player: Person::from(&user),
        since: user.created,
        ratings: app.store.ratings_of(user.id).await?,
        games: app.store.tables(&filter).await?,
    }))
}
