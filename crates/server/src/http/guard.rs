//! What every request goes through: whose it is, how many there are, and what browsers are told to allow.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use quincunx_table::protocol::Refused;

use super::pages::{IsPage, list};
use super::session::is_secure;
use super::{App, Problem, now};
use crate::limiter::{CONNECTIONS_PER_SITE, network, site};
use crate::{lock, metrics};

/// The address of a client: that of the connection or, behind a proxy that we trust, what the proxy says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientAddress(pub IpAddr);

/// The address that a request comes from. Each proxy adds the address that it has seen to the end of the list; the last one
/// that is no proxy of ours is the client, and everything before it is only what the client says.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted = |address: &IpAddr| trusted.contains(&address.to_canonical());
    if !is_trusted(&peer) {
        return peer;
    }
    let hops: Vec<&str> = list(headers, HeaderName::from_static("x-forwarded-for")).collect();
    let mut nearest = peer;
    for hop in hops.iter().rev() {
        let Ok(address) = hop.parse::<IpAddr>() else { return nearest };
        nearest = address;
        if !is_trusted(&address) {
            return address;
        }
    }
    nearest
}

/// How many connections there are, in all, from each network and, with IPv6, from each site.
#[derive(Debug)]
pub struct Visitors {
    most: usize,
    most_per_address: usize,
    counts: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

/// One of the visitors, counted until it is dropped.
#[derive(Debug)]
pub struct Visitor {
    visitors: Arc<Visitors>,
    from: IpAddr,
}

impl Visitors {
    pub fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        Arc::new(Self { most, most_per_address, counts: Mutex::default() })
    }

    /// Counts one more from an address, if it may come in.
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Option<Visitor> {
        let mut counts = lock(&self.counts);
        let (all, of_address) = &mut *counts;
        let many = |(place, most): (IpAddr, usize)| of_address.get(&place).is_some_and(|&here| here >= most);
        if *all >= self.most || self.places(from).any(many) {
            return None;
        }
        *all += 1;
        for (place, _) in self.places(from) {
            *of_address.entry(place).or_default() += 1;
        }
        Some(Visitor { visitors: self.clone(), from })
    }

    /// Where somebody is counted, and how many may be there. A site is no network: its last bits are marked.
    fn places(&self, from: IpAddr) -> impl Iterator<Item = (IpAddr, usize)> + use<> {
        let of_site = self.most_per_address.saturating_mul(CONNECTIONS_PER_SITE);
        let site = site(from).map(|site| match site {
            IpAddr::V6(site) => IpAddr::V6((u128::from(site) | 1).into()),
            v4 @ IpAddr::V4(_) => v4,
        });
        std::iter::once((network(from), self.most_per_address)).chain(site.map(|site| (site, of_site)))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        lock(&self.counts).0
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let mut counts = lock(&self.visitors.counts);
        counts.0 -= 1;
        for (place, _) in self.visitors.places(self.from) {
            if let Some(here) = counts.1.get_mut(&place) {
                *here -= 1;
                if *here == 0 {
                    counts.1.remove(&place);
                }
            }
        }
    }
}

/// Notes the client's address, and sends away who asks too often or comes from a page of somebody else.
pub async fn admit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let Some(peer) = peer else { return Problem::internal(&"a request without an address").into_response() };
    let client = client_address(peer, request.headers(), &app.config.trusted_proxies);
    request.extensions_mut().insert(ClientAddress(client));
    if let Err(wait) = app.limits.requests.attempt(client, now()) {
        return Problem::rate_limited("too many requests from this address", wait)
            .coded("too_many_requests", serde_json::Value::Null)
            .into_response();
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrades = request.headers().contains_key(header::UPGRADE);
    if (changes || upgrades)
        && !is_from_our_page(request.headers(), &app.config.origins, is_secure(request.headers(), peer, &app.config))
    {
        let reason = "this page may not use the server; its operator can allow it by the setting `origins`";
        return Problem::new(Refused::NotAllowed, reason).into_response();
    }
    next.run(request).await
}

/// Whether a request that changes something comes from a page of ours, or from no page at all. Browsers say truly where a
/// page comes from; other programs have no cookies of other people that could be misused.
///
/// A page that was loaded without TLS may have been written by whoever sits in between: where we are reached with TLS, only
/// pages are ours that were, too.
fn is_from_our_page(headers: &HeaderMap, origins: &[String], secure: bool) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        return site.is_none_or(|site| matches!(site, "same-origin" | "none"));
    };
    let Ok(origin) = origin.to_str() else { return false };
    if !origins.is_empty() {
        return origins.iter().any(|allowed| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin));
    }
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
    let from = match origin.split_once("://") {
        Some(("https", host)) => Some(host),
        Some(("http", host)) if !secure => Some(host),
        _ => None,
    };
    from.is_some() && host.is_some() && from.map(str::to_ascii_lowercase) == host.map(str::to_ascii_lowercase)
}

/// Counts requests by what they ask for.
pub async fn count(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = match &route {
        _ if response.extensions().get::<IsPage>().is_some() => "pages",
        Some(route) => route.as_str(),
        None => "other",
    };
    metrics::requested(route, response.status().as_u16());
    response
}

/// What browsers are told with every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Tells browsers to be careful with what we send, and nobody to keep answers that depend on who asks.
pub async fn harden(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_about_the_client() {
        let proxy = address("10.0.0.1");
        let said = headers(&[("x-forwarded-for", "1.2.3.4, 5.6.7.8"), ("x-forwarded-for", "9.9.9.9")]);
        assert_eq!(client_address(address("8.8.8.8"), &said, &[proxy]), address("8.8.8.8"));
        assert_eq!(client_address(proxy, &said, &[proxy]), address("9.9.9.9"), "the last is what the proxy saw");
        let chain = headers(&[("x-forwarded-for", "1.2.3.4, 5.6.7.8, 10.0.0.2")]);
        assert_eq!(client_address(proxy, &chain, &[proxy, address("10.0.0.2")]), address("5.6.7.8"));
        assert_eq!(client_address(proxy, &headers(&[("x-forwarded-for", "nonsense")]), &[proxy]), proxy);
        assert_eq!(client_address(address("::ffff:10.0.0.1"), &said, &[proxy]), address("9.9.9.9"));
    }

    #[test]
    fn pages_of_others_change_nothing() {
        let own = [("host", "games.example:8080"), ("origin", "https://Games.example:8080")];
        assert!(is_from_our_page(&headers(&own), &[], true));
        let plain = [("host", "games.example"), ("origin", "http://games.example")];
        assert!(is_from_our_page(&headers(&plain), &[], false));
        assert!(!is_from_our_page(&headers(&plain), &[], true), "loaded without TLS");
        assert!(!is_from_our_page(&headers(&[("host", "a.example"), ("origin", "ftp://a.example")]), &[], false));
        let other = [("host", "games.example"), ("origin", "https://evil.example")];
        assert!(!is_from_our_page(&headers(&other), &[], true));
        assert!(!is_from_our_page(&headers(&[("host", "games.example"), ("origin", "null")]), &[], true));
        assert!(!is_from_our_page(&headers(&[("origin", "https://games.example")]), &[], true));
        let allowed = ["https://games.example/".to_owned()];
        assert!(is_from_our_page(
            &headers(&[("host", "inside:80"), ("origin", "https://games.example")]),
            &allowed,
            true
        ));
        assert!(!is_from_our_page(&headers(&own), &allowed, true));
        assert!(is_from_our_page(&headers(&[("host", "games.example")]), &[], true), "a program sends no origin");
        assert!(!is_from_our_page(&headers(&[("sec-fetch-site", "cross-site")]), &[], true));
    }

    #[test]
    fn visitors_are_counted_while_they_are_here() {
        let visitors = Visitors::new(3, 2);
        let (here, there) = (address("1.1.1.1"), address("2.2.2.2"));
        let first = visitors.enter(here).expect("the first");
        let _second = visitors.enter(here).expect("the second");
        assert!(visitors.enter(here).is_none(), "two from one address");
        let third = visitors.enter(there).expect("the third");
        assert!(visitors.enter(there).is_none(), "three in all");
        drop((first, third));
        assert!(visitors.enter(here).is_some());
        assert!(visitors.enter(address("3.3.3.3")).is_some());
    }

    #[test]
    fn a_site_with_many_ipv6_networks_has_eight_times_the_connections_of_one() {
        let visitors = Visitors::new(1000, 2);
        let enter = |network: u16| visitors.enter(address(&format!("2001:db8:1:{network:x}::1")));
        let here: Vec<Visitor> = (0..100).filter_map(enter).collect();
        assert_eq!(here.len(), 16);
        assert!(visitors.enter(address("2001:db8:2::1")).is_some());
        drop(here);
        assert_eq!(lock(&visitors.counts).1.len(), 0);
    }
}
