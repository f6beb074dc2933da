//! Where to go: a server, and a table there, as they stand in links.

use std::env;

use quincunx_client::{Client, Connection, encoded};
use quincunx_table::TableId;

use crate::event::{News, Reporter};

/// Where a visit leads, and as whom.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Visit {
    /// The address of the server, such as `https://games.example.org`.
    pub server: String,
    /// The table to go to at once.
    pub table: Option<Place>,
    /// The name of a guest.
    pub name: Option<String>,
    /// What proves who one is.
    pub token: Option<String>,
}

impl Visit {
    /// To a server, or to a table there if this is a link to it. A token in the environment tells who comes.
    pub fn to(address: &str) -> Self {
        let table = if address.contains("/table/") { Place::parse(address) } else { None };
        let token = env::var("QUINCUNX_TOKEN").ok().filter(|token| !token.is_empty());
        let server = server_of(address);
        let server = match server.split_once(':') {
            _ if server.contains("://") => server.to_owned(),
            // A server with a port of its own is the program itself; what stands in front of others encrypts.
            Some(_) => format!("http://{server}"),
            None => format!("https://{server}"),
        };
        Self { server, table, name: None, token }
    }

    /// Connects to the server; what comes of it is told to the reporter.
    pub fn connect(&self, reporter: Reporter) -> Result<Connection, String> {
        let mut client = Client::new(server_of(&self.server)).map_err(|error| error.to_string())?;
        if let Some(token) = &self.token {
            client = client.with_token(token);
        }
        Connection::open(client, move |news| reporter.tell(News::Online(news)))
    }
}

/// Tokens stay out of logs.
impl std::fmt::Debug for Visit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit").field("server", &self.server).field("table", &self.table).finish_non_exhaustive()
    }
}

/// A table, and what lets one see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub table: TableId,
    pub invitation: Option<String>,
}

impl Place {
    pub fn of(table: &TableId) -> Self {
        Self { table: table.clone(), invitation: None }
    }

    /// A table by its id, or by a link to it such as `https://games.example.org/table/ID?invitation=KEY`.
    pub fn parse(text: &str) -> Option<Self> {
        // A link that was copied from several lines has gaps.
        let text: String = text.split_whitespace().collect();
        let rest = match text.split_once("/table/") {
            Some((_, rest)) => rest,
            None if text.contains('/') => return None,
            None => &text,
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let (table, query) = rest.split_once('?').unwrap_or((rest, ""));
        let table = decoded(table.trim_end_matches('/'));
        let key = query.split('&').find_map(|pair| pair.strip_prefix("invitation="));
        let invitation = key.map(decoded).filter(|key| !key.is_empty());
        (!table.is_empty() && !table.contains('/')).then_some(Self { table: TableId(table), invitation })
    }

    /// The link to the table at a server.
    pub fn link(&self, server: &str) -> String {
        let key = self.invitation.as_ref().map_or_else(String::new, |key| format!("?invitation={}", encoded(key)));
        format!("{server}/table/{}{key}", encoded(&self.table.0))
    }
}

/// The server of a link to one of its pages: `https://games.example.org/table/ID` is at `https://games.example.org`.
pub fn server_of(address: &str) -> &str {
    let address = address.trim();
    let start = address.find("://").map_or(0, |at| at + 3);
    let host = address.get(start..).unwrap_or_default();
    match host.find("/table/") {
        Some(end) => &address[..start + end],
        None => address.trim_end_matches('/'),
    }
}

/// A server without what all addresses begin with.
pub fn short(server: &str) -> &str {
    server.split_once("://").map_or(server, |(_, host)| host)
}

/// The text behind a part of an address. What is no code stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%');
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(table: &str, invitation: Option<&str>) -> Place {
        Place { table: TableId(table.to_owned()), invitation: invitation.map(str::to_owned) }
    }

    #[test]
    fn a_table_is_found_by_its_id_and_by_its_links() {
        assert_eq!(Place::parse("k3v"), Some(place("k3v", None)));
        assert_eq!(Place::parse("https://g.org/table/k3v"), Some(place("k3v", None)));
        assert_eq!(Place::parse(" https://g.org/table/k3v/?ply=3&invitation=a%2Bb "), Some(place("k3v", Some("a+b"))));
        assert_eq!(Place::parse("https://g.org/table/k3v?invi\ntation=key#end"), Some(place("k3v", Some("key"))));
        assert_eq!(Place::parse("k3v?invitation=key"), Some(place("k3v", Some("key"))));
        for wrong in ["", "https://g.org/online", "https://g.org/table/", "a/b"] {
            assert_eq!(Place::parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_link_leads_back_to_its_table() {
        for place in [place("k3v", None), place("k3v", Some("a+b &c")), place("ü?", Some("%"))] {
            assert_eq!(Place::parse(&place.link("https://g.org")), Some(place));
        }
    }

    #[test]
    fn a_link_names_its_server() {
        assert_eq!(server_of("https://g.org/table/k3v?invitation=key"), "https://g.org");
        assert_eq!(server_of("http://127.0.0.1:5105/"), "http://127.0.0.1:5105");
        assert_eq!(server_of("https://g.org/games/table/k3v"), "https://g.org/games");
        assert_eq!(short("https://g.org"), "g.org");
        assert_eq!(server_of(""), "");
    }

    #[test]
    fn an_address_may_be_short() {
        let server = |address| Visit::to(address).server;
        assert_eq!(server("localhost:5105"), "http://localhost:5105");
        assert_eq!(server("games.example.org/"), "https://games.example.org");
        assert_eq!(server("http://games.example.org"), "http://games.example.org");
        let link = Visit::to("https://g.org/table/k3v?invitation=key");
        assert_eq!((link.server.as_str(), link.table), ("https://g.org", Some(place("k3v", Some("key")))));
    }

    #[test]
    fn codes_that_are_none_stay_as_they_are() {
        assert_eq!(decoded("%zz%4"), "%zz%4");
        assert_eq!(decoded("%C3%BC%25"), "ü%");
    }
}
