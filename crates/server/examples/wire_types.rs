//! Prints the types of the live connection as TypeScript: `cargo run -p quincunx-server --example wire_types`.

fn main() {
    print!("{}", quincunx_server::wire::typescript());
}
