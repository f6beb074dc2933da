//! What browsers are shown: the files of the web client, kept in memory with all that is said about them.
//!
//! An address is looked up as it comes, in a list of names. None of them needs an escape, so nothing is decoded, and no
//! address leads anywhere but to a file of the list.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use sha2::{Digest, Sha256};

use super::nothing_here;

const PAGE: &str = "/index.html";
/// The build puts a hash into the names of files under it: what is there never changes.
const HASHED: &str = "/assets/";
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// May be kept, but is asked for each time whether it still holds.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
/// The first parts of addresses at which there is never a page.
const NOT_FOR_PEOPLE: [&str; 4] = ["api", "healthz", "readyz", "metrics"];

/// Put on an answer, so that all files are counted as one.
#[derive(Clone, Copy, Debug)]
pub(super) struct IsPage;

/// The web client, or nothing: then visitors are led to what there is for programs.
#[derive(Default)]
pub struct Pages {
    files: HashMap<String, File>,
}

struct File {
    kind: HeaderValue,
    keep: HeaderValue,
    plain: Content,
    gzip: Option<Content>,
}

/// A file in one coding.
struct Content {
    bytes: Bytes,
    tag: HeaderValue,
}

impl Pages {
    /// The client out of these files, with their names as in `assets/page.js`. One whose name ends in `.gz` is no file of
    /// its own but a compressed copy of the one with the rest of the name.
    pub fn new(files: impl IntoIterator<Item = (Cow<'static, str>, Cow<'static, [u8]>)>) -> Self {
        let (mut plain, mut gzip) = (Vec::new(), HashMap::new());
        for (name, bytes) in files {
            let content = Content::new(bytes);
            if let Some(name) = name.strip_suffix(".gz") {
                gzip.insert(format!("/{name}"), content);
            } else {
                plain.push((format!("/{name}"), content));
            }
        }
        let file = |(name, plain): (String, Content)| {
            let keep = if name.starts_with(HASHED) { FOR_EVER } else { ASK_AGAIN };
            let file = File { kind: kind(&name), keep, plain, gzip: gzip.remove(&name) };
            (name, file)
        };
        Self { files: plain.into_iter().map(file).collect() }
    }

    pub(super) fn answer(&self, request: &Request) -> Response {
        let path = request.uri().path();
        let looks = matches!(*request.method(), Method::GET | Method::HEAD);
        match self.file(path).filter(|_| looks) {
            Some(file) => file.answer(request.headers()),
            None if path == "/" => Redirect::temporary("/api/docs").into_response(),
            None => nothing_here().into_response(),
        }
    }

    /// The file at an address: the page itself wherever the client has a page of its own, which it makes from the address.
    fn file(&self, path: &str) -> Option<&File> {
        let first = path.split('/').nth(1).unwrap_or_default();
        if NOT_FOR_PEOPLE.contains(&first) {
            return None;
        }
        // A dot stands in the names of files, and of no page.
        let is_page = !path.contains('.') && !path.starts_with(HASHED);
        self.files.get(if is_page { PAGE } else { path })
    }
}

impl File {
    fn answer(&self, asked: &HeaderMap) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| takes_gzip(asked));
        let content = gzip.unwrap_or(&self.plain);
        let mut response = if knows(asked, &content.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            content.bytes.clone().into_response()
        };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, content.tag.clone());
        headers.insert(header::CACHE_CONTROL, self.keep.clone());
        headers.insert(header::VARY, HeaderValue::from_name(header::ACCEPT_ENCODING));
        headers.insert(header::CONTENT_TYPE, self.kind.clone());
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response.extensions_mut().insert(IsPage);
        response
    }
}

impl Content {
    fn new(bytes: Cow<'static, [u8]>) -> Self {
        let hash = Sha256::digest(&bytes);
        let half = hash.first_chunk().map_or(0, |half| u128::from_be_bytes(*half));
        let tag = HeaderValue::from_str(&format!("\"{half:032x}\"")).expect("quoted digits are a header");
        let bytes = match bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        Self { bytes, tag }
    }
}

fn kind(name: &str) -> HeaderValue {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    HeaderValue::from_static(match ending {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    })
}

/// What stands between the commas of a header, all of its lines together.
pub(super) fn list(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

/// Whether a client takes what is packed by gzip. What it says about gzip counts more than what it says about all (`*`).
fn takes_gzip(asked: &HeaderMap) -> bool {
    let mut any = None;
    for coding in list(asked, header::ACCEPT_ENCODING) {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let wanted = weight.is_none_or(|weight| weight.parse::<f32>().is_ok_and(|weight| weight > 0.0));
        if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
            return wanted;
        }
        if name == "*" {
            any = Some(wanted);
        }
    }
    any.unwrap_or(false)
}

/// Whether a client has this very content. A proxy between us may have marked the tag as weak.
fn knows(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    list(asked, header::IF_NONE_MATCH).any(|known| known == "*" || tag == known.trim_start_matches("W/"))
}

impl fmt::Debug for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.files.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &HeaderName, lines: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(name, HeaderValue::from_static(line));
        }
        headers
    }

    #[test]
    fn gzip_goes_to_who_takes_it() {
        let takes = |lines: &[&'static str]| takes_gzip(&asked(&header::ACCEPT_ENCODING, lines));
        let fine: [&[&str]; 6] = [
            &["gzip"],
            &["br, GZIP;q=0.1"],
            &["*"],
            &["br", "x-gzip"],
            &["identity;q=0, *;q=0.5"],
            &["gzip ; q=1.000"],
        ];
        for lines in fine {
            assert!(takes(lines), "{lines:?}");
        }
        let refused: [&[&str]; 8] = [
            &[],
            &[""],
            &["br, identity"],
            &["gzip;q=0"],
            &["gzip;q=0.000, *"],
            &["*;q=0"],
            &["*, gzip;Q=0"],
            &["gzip;q=x"],
        ];
        for lines in refused {
            assert!(!takes(lines), "{lines:?}");
        }
    }

    #[test]
    fn a_tag_is_known_in_a_list_and_as_a_weak_one() {
        let tag = HeaderValue::from_static("\"ab\"");
        for line in ["\"ab\"", "W/\"ab\"", "\"x\", \"ab\"", "*"] {
            assert!(knows(&asked(&header::IF_NONE_MATCH, &[line]), &tag), "{line}");
        }
        for line in ["", "ab", "\"abc\"", "\"a\", \"b\""] {
            assert!(!knows(&asked(&header::IF_NONE_MATCH, &[line]), &tag), "{line}");
        }
    }
}
