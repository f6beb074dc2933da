//! A real server over real HTTP and WebSockets: alone with SQLite, and on a real PostgreSQL with a real NATS server.

mod served;
mod support {
    pub mod nats;
    pub mod postgres;
    pub mod server;
}

use quincunx_server::config::{Config, Storage, Url};
use support::nats::NatsServer;
use support::postgres::Postgres;
use support::server::{TestServer, config};

/// What processes share.
struct Ground {
    postgres: Postgres,
    nats: NatsServer,
}

impl Ground {
    fn new() -> Self {
        Self { postgres: Postgres::start(), nats: NatsServer::start() }
    }

    /// A server that could share all of it with others.
    async fn server(&self) -> TestServer {
        let storage = Storage::Postgres(Url(self.postgres.fresh_database().await));
        TestServer::with(Config { storage, nats: Some(Url(self.nats.url())), ..config() }).await
    }
}

/// Each behaviour on each kind of server.
macro_rules! on_both {
    ($($behaviour:ident),* $(,)?) => {
        mod alone {
            $(
                #[tokio::test]
                async fn $behaviour() {
                    let server = crate::support::server::TestServer::alone().await;
                    crate::served::$behaviour(&server).await;
                    server.stop().await;
                }
            )*
        }

        mod with_others {
            $(
                #[tokio::test]
                async fn $behaviour() {
                    let ground = crate::Ground::new();
                    let server = ground.server().await;
                    crate::served::$behaviour(&server).await;
                    server.stop().await;
                }
            )*
        }
    };
}

on_both! {
    two_people_play_a_game_to_its_end,
    who_is_nobody_may_look_and_not_play,
    a_client_that_comes_back_gets_exactly_what_it_missed,
    sessions_passwords_and_accounts_end_when_their_owner_says_so,
    a_browser_is_known_by_its_cookie_and_pages_of_others_are_refused,
    people_talk_and_mute_and_see_who_is_there,
    who_sits_down_is_no_longer_among_the_others,
    the_lobby_is_told_of_public_tables_only,
    what_programs_can_ask_for_is_described,
    the_example_bot_sits_where_a_seat_is_kept_for_it_and_plays_to_the_end,
    a_rated_game_moves_both_and_is_found_by_player_opponent_and_result,
    the_engine_plays_a_seat_and_looks_at_the_game_afterwards,
    who_does_not_move_loses_on_time,
    who_deletes_his_account_leaves_games_without_a_name,
    draws_resignations_and_undos_are_told_to_all,
    a_rematch_takes_one_click_each_and_swaps_the_seats,
}
