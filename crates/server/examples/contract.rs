//! Prints what clients have to know: the JSON Schema of the live connection
//! (`cargo run -p quincunx-server --example contract protocol`), the HTTP API as OpenAPI (`contract api`), the JSON Schema of
//! what the rules answer over JSON-RPC (`contract results`), or that of each game's view (`contract views`).

use std::process::ExitCode;

use quincunx_games::GAMES;
use quincunx_table::protocol;
use serde_json::{Map, Value};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("protocol") => println!("{}", protocol::schema()),
        Some("api") => {
            let api = quincunx_server::http::description();
            println!("{}", serde_json::to_string(&api).expect("the description is plain data"));
        }
        Some("results") => println!("{}", quincunx_rpc::schema()),
        Some("views") => {
            let views: Map<String, Value> =
                GAMES.iter().map(|game| (game.id().to_owned(), game.view_schema())).collect();
            println!("{}", Value::Object(views));
        }
        _ => {
            eprintln!("usage: contract protocol | api | results | views");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
