//! The web client, inside the program: what `cargo xtask web` has built, or a page that says how it is built.

use std::borrow::Cow;

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "$OUT_DIR/client"]
struct Client;

/// Every file with its name, as `assets/page.js`. A name that ends in `.gz` is a compressed copy of the file beside it.
pub fn files() -> impl Iterator<Item = (Cow<'static, str>, Cow<'static, [u8]>)> {
    Client::iter().filter_map(|name| Client::get(&name).map(|file| (name, file.data)))
}

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn there_is_always_a_page() {
        let (_, page) = files().find(|(name, _)| name == "index.html").expect("the page");
        assert!(page.starts_with(b"<!doctype html>"));
    }
}
