//! Prints what clients have to know about the server: the JSON Schema of the live connection
//! (`cargo run -p quincunx-server --example contract protocol`), or the HTTP API as OpenAPI (`contract api`).

use std::process::ExitCode;

use quincunx_table::protocol;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("protocol") => println!("{}", protocol::schema()),
        Some("api") => {
            let api = quincunx_server::http::description();
            println!("{}", serde_json::to_string(&api).expect("the description is plain data"));
        }
        _ => {
            eprintln!("usage: contract protocol | contract api");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
