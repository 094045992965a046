//! Who may ask, and what every answer carries.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::hosts::{is_loopback, is_same, name};
use super::limits;
use super::refusal::Refusal;
use super::routes::{self, ROUTES};

/// What every answer carries. The page has scripts, styles, pictures and questions
/// of its own alone.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; \
             frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Stands before every request.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let matched = request.extensions().get::<MatchedPath>();
    let route = matched.and_then(|path| routes::find(request.method().as_str(), path.as_str()));
    let origin = request.headers().get(header::ORIGIN).cloned();
    let told = (request.method().clone(), request.uri().clone());
    let mut response = match refused(&app, &request) {
        Some(refusal) => refusal.into_response(),
        None if request.method() == Method::OPTIONS && app.cors => StatusCode::NO_CONTENT.into_response(),
        None => answered(&app, route, request, next).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    if app.cors {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    if let Some(origin) = origin.filter(|_| app.cors) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        let name = HeaderName::from_static("cross-origin-resource-policy");
        headers.insert(name, HeaderValue::from_static("cross-origin"));
    }
    let (took, status) = (started.elapsed(), response.status().as_u16());
    app.metrics.count(route, status, took);
    let (method, uri) = told;
    tracing::debug!(%method, path = uri.path(), status, microseconds = took.as_micros() as u64, "answered");
    response
}

/// Asks on, or says that the caller has the answer already.
async fn answered(app: &App, route: Option<usize>, request: Request, next: Next) -> Response {
    let keeps = route.is_some_and(|route| ROUTES[route].keeps);
    if !keeps {
        let mut response = next.run(request).await;
        let is_api = route.is_some() || response.status() != StatusCode::OK;
        if is_api && !response.headers().contains_key(header::CACHE_CONTROL) {
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        return response;
    }
    // The same question to the same database has the same bytes for an answer.
    let question = request.uri().path_and_query().map_or("", |path| path.as_str());
    let tag = format!("\"{:08x}-{:08x}\"", app.database.now().tag(), crc32fast::hash(question.as_bytes()));
    if has_tag(request.headers(), &tag) {
        return tagged(StatusCode::NOT_MODIFIED.into_response(), &tag);
    }
    let mut response = next.run(request).await;
    let is_kept = !response.headers().contains_key(header::CACHE_CONTROL);
    // The database may have changed meanwhile.
    let is_same = || tag.starts_with(&format!("\"{:08x}-", app.database.now().tag()));
    match response.status() {
        StatusCode::OK if is_kept && is_same() => tagged(response, &tag),
        _ => {
            response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            response
        }
    }
}

fn tagged(mut response: Response, tag: &str) -> Response {
    let max_age = format!("max-age={}", limits::MAX_AGE.as_secs());
    let headers = response.headers_mut();
    headers.insert(header::ETAG, HeaderValue::from_str(tag).expect("hexadecimal digits"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_str(&max_age).expect("a number"));
    response
}

/// Does the caller have what has this tag? A proxy that compresses marks it as weak.
pub fn has_tag(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|given| given.trim().trim_start_matches("W/") == tag)
}

/// Why a request is not even looked at.
fn refused(app: &App, request: &Request) -> Option<Refusal> {
    let forbidden = |code, text: &str| Some(Refusal::new(StatusCode::FORBIDDEN, code, text));
    if request.uri().path_and_query().is_some_and(|path| path.as_str().len() > limits::URL_BYTES) {
        return Some(Refusal::new(
            StatusCode::URI_TOO_LONG,
            "too_large",
            format!("an address has at most {} bytes: send what is longer in a body", limits::URL_BYTES),
        ));
    }
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let mut hosts = request.headers().get_all(header::HOST).into_iter();
    let (_, second) = (hosts.next(), hosts.next());
    let Some(host) = host.filter(|host| second.is_none() && is_ours(app, host)) else {
        return Some(Refusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            "foreign_host",
            "this server does not go by this name: start it with the name as a host",
        ));
    };
    if let Some(origin) = request.headers().get(header::ORIGIN).filter(|_| !app.cors) {
        let origin = origin.to_str().unwrap_or_default();
        if !is_same(origin, host) {
            return forbidden("foreign_origin", "pages of other hosts may not ask this server");
        }
    }
    None
}

/// Is this a name of ours? Otherwise a page of another host whose name leads to this
/// machine could ask in a browser's name (DNS rebinding).
fn is_ours(app: &App, host: &str) -> bool {
    // A number is no name that somebody else could make lead here.
    let is_number = |address: IpAddr| address == app.address || app.address.is_unspecified();
    is_loopback(host)
        || app.hosts.iter().any(|known| known.eq_ignore_ascii_case(name(host)))
        || name(host).parse().is_ok_and(is_number)
}
