//! The page: its files are part of the program.

use std::collections::HashMap;
use std::io::Write;
use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::guard::has_tag;
use super::refusal::Refusal;
use super::route::BASE;
use crate::board::{Board, Reader};

/// What a file is, by its ending.
const KINDS: [(&str, &str); 4] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        /// The files of the page, by name.
        pub const FILES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("page/", $name)))),+];
    };
}

files!(
    "address.js",
    "api.js",
    "app.js",
    "board-view.js",
    "board.js",
    "chart.js",
    "controller.js",
    "dom.js",
    "edit.js",
    "experiments.js",
    "favicon.svg",
    "game.js",
    "index.html",
    "lab.js",
    "map.js",
    "moves.js",
    "notation.js",
    "pages.css",
    "play.js",
    "puzzles.js",
    "ranges.js",
    "reason.js",
    "style.css",
    "ways.js",
);

/// Where pages are. They are all the same file: the address is for its script.
const PAGES: [&str; 6] = ["/", "/edit", "/puzzles", "/lab", "/experiments", "/map"];
/// What stands in the file in place of the preview of a shared link.
const PREVIEW: &str = "<!--preview-->";

/// A file, ready to be sent.
struct Ready {
    kind: &'static str,
    tag: String,
    bytes: Bytes,
    compressed: Bytes,
}

static READY: LazyLock<HashMap<&'static str, Ready>> =
    LazyLock::new(|| FILES.iter().map(|&(name, bytes)| (name, Ready::new(name, bytes))).collect());

impl Ready {
    fn new(name: &str, bytes: impl Into<Bytes>) -> Ready {
        let bytes = bytes.into();
        let ending = name.rsplit('.').next().unwrap_or_default();
        let kind = KINDS.iter().find(|(known, _)| *known == ending).expect("all endings are known").1;
        let tag = format!("\"{:08x}-{}\"", crc32fast::hash(&bytes), bytes.len());
        Ready { kind, tag, compressed: compressed(&bytes).into(), bytes }
    }
}

/// As it goes over the line.
pub fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let router = Router::new().route("/page/{file}", get(file)).route("/favicon.ico", get(icon));
    PAGES.into_iter().fold(router, |router, path| router.route(path, get(page))).fallback(nothing)
}

async fn nothing() -> Refusal {
    Refusal::unknown(format!(
        "there is nothing here: the page is at /, the description of the API at {BASE}/openapi.json"
    ))
}

async fn icon(headers: HeaderMap) -> Response {
    sent(&READY["favicon.svg"], &headers)
}

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match READY.get(name.as_str()) {
        Some(ready) => sent(ready, &headers),
        None => nothing().await.into_response(),
    }
}

/// The page, with a preview of the board that its address has.
async fn page(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let Some(preview) = query.and_then(|query| preview(&query, &headers)) else {
        return sent(&READY["index.html"], &headers);
    };
    let html = String::from_utf8_lossy(&READY["index.html"].bytes).replace(PREVIEW, &preview);
    sent(&Ready::new("index.html", html), &headers)
}

/// What other programs show of a link to a board.
fn preview(query: &str, headers: &HeaderMap) -> Option<String> {
    let board = board_of(query)?;
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let host: String = host.chars().filter(|c| c.is_ascii_alphanumeric() || ".-:[]".contains(*c)).collect();
    // A proxy before the server says how it was asked.
    let is_secret = headers.get("x-forwarded-proto").is_some_and(|way| way == "https");
    let way = if is_secret { "https" } else { "http" };
    let path = format!("{way}://{host}{BASE}/render.png?");
    let start = path.len();
    let image: String = form_urlencoded::Serializer::for_suffix(path, start)
        .append_pair("board", &board.text())
        .append_pair("primary", &board.primary().letter.to_string())
        .finish()
        .replace('&', "&amp;");
    let vehicles = board.vehicles().len();
    Some(format!(
        "<meta property=\"og:title\" content=\"A Rush Hour board with {vehicles} vehicles\">\
         <meta property=\"og:type\" content=\"website\">\
         <meta property=\"og:image\" content=\"{image}\">\
         <meta name=\"twitter:card\" content=\"summary_large_image\">"
    ))
}

/// The board that an address of the page shows: with the moves played that it has.
fn board_of(query: &str) -> Option<Board> {
    let value = |name: &str| form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    let primary = value("primary").and_then(|(_, letter)| letter.chars().next());
    let mut board = Reader { primary }.read(&value("board")?.1).ok()?;
    let played = value("at").and_then(|(_, at)| at.parse().ok()).unwrap_or(usize::MAX);
    let moves = value("moves").map_or_else(String::new, |(_, moves)| moves.into_owned());
    for word in moves.split('.').filter(|word| !word.is_empty()).take(played) {
        // A bare plus in an address stands for a space.
        let mv = board.parse_move(&word.replace(' ', "+")).ok()?;
        board = board.apply(mv).ok()?;
    }
    Some(board)
}

/// Sends a file, unless the caller has it.
fn sent(ready: &Ready, headers: &HeaderMap) -> Response {
    let takes =
        headers.get(header::ACCEPT_ENCODING).and_then(|takes| takes.to_str().ok()).unwrap_or_default();
    let gzip = takes.split(',').any(|way| way.split(';').next().is_some_and(|way| way.trim() == "gzip"));
    // Other bytes, another tag.
    let tag = if gzip { format!("{}-gz\"", ready.tag.trim_end_matches('"')) } else { ready.tag.clone() };
    let mut response = match has_tag(headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false if gzip => Response::new(Body::from(ready.compressed.clone())),
        false => Response::new(Body::from(ready.bytes.clone())),
    };
    let is_there = response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(header::ETAG, HeaderValue::from_str(&tag).expect("digits and letters"));
    // A new program may have a new page: it is asked for each time.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_there {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(ready.kind));
        if gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
    }
    response
}
