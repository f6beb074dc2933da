//! Prints what clients have to know about the server: the messages of the live connection as TypeScript
//! (`cargo run -p quincunx-server --example contract wire`), or the HTTP API as OpenAPI (`contract api`).

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("wire") => print!("{}", quincunx_server::wire::typescript()),
        Some("api") => {
            let api = quincunx_server::http::description();
            println!("{}", serde_json::to_string(&api).expect("the description is plain data"));
        }
        _ => {
            eprintln!("usage: contract wire | contract api");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
