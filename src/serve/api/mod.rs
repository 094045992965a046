//! The answers to the routes: parse, ask, answer.

mod boards;
mod cluster;
mod experiments;
mod games;
mod lab;
mod pictures;
mod puzzles;
mod status;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::app::{App, to_json};
use super::refusal::Refusal;
use super::routes::{BASE, Method, ROUTES, Route};
use super::{limits, openapi};

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

type Answer = Result<Response, Refusal>;

/// All routes with their handlers.
pub fn router() -> Router<Arc<App>> {
    let mut router = Router::new();
    for route in ROUTES {
        router = router.route(&format!("{BASE}{}", route.path), handler(route));
    }
    router.method_not_allowed_fallback(not_allowed)
}

async fn not_allowed() -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method",
        "this route has another method: the description says which",
    )
}

fn handler(route: &Route) -> MethodRouter<Arc<App>> {
    match (route.method, route.path) {
        (Method::Get, "/lookup") => get(boards::lookup),
        (Method::Post, "/lookup") => post(boards::lookup_many),
        (Method::Get, "/solve") => get(boards::solve),
        (Method::Post, "/solve") => post(boards::solve_many),
        (Method::Get, "/hint") => get(boards::hint),
        (Method::Get, "/read") => get(boards::read),
        (Method::Post, "/read") => post(boards::read_long),
        (Method::Get, "/without") => get(boards::without),
        (Method::Post, "/grade") => post(games::grade),
        (Method::Get, "/cluster") => get(cluster::cluster),
        (Method::Get, "/puzzles") => get(puzzles::puzzles),
        (Method::Get, "/puzzles/count") => get(puzzles::count),
        (Method::Get, "/puzzles/histogram") => get(puzzles::histogram),
        (Method::Get, "/puzzles/{id}") => get(puzzles::puzzle),
        (Method::Get, "/filters") => get(puzzles::filters),
        (Method::Get, "/random") => get(puzzles::random),
        (Method::Get, "/similar") => get(puzzles::similar),
        (Method::Get, "/stats") => get(status::stats),
        (Method::Get, "/heuristics") => get(lab::heuristics),
        (Method::Post, "/compare") => post(lab::compare),
        (Method::Get, "/render.svg") => get(pictures::svg),
        (Method::Get, "/render.png") => get(pictures::png),
        (Method::Get, "/status") => get(status::status),
        (Method::Get, "/openapi.json") => get(description),
        (Method::Get, "/healthz") => get(status::healthz),
        (Method::Get, "/metrics") => get(status::metrics),
        (Method::Get, "/experiments") => get(experiments::all),
        (Method::Post, "/experiments") => post(experiments::begin),
        (Method::Get, "/experiments/templates/{name}") => get(experiments::template),
        (Method::Get, "/experiments/{name}") => get(experiments::one),
        (Method::Get, "/experiments/{name}/best.svg") => get(experiments::best),
        (Method::Post, "/experiments/{name}/pause") => post(experiments::pause),
        (Method::Post, "/experiments/{name}/resume") => post(experiments::resume),
        _ => unreachable!("{} has no handler", route.label()),
    }
}

async fn description(_: super::params::Params) -> Answer {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| openapi::text().into());
    Ok(bytes(JSON, TEXT.clone()))
}

/// An answer of some kind.
fn bytes(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn json(answer: &impl Serialize) -> Response {
    bytes(JSON, to_json(answer))
}

/// The whole body of a request, if it is not too long and comes in time. Only so many
/// long ones are read at once.
async fn body(app: &App, request: Request) -> Result<Bytes, Refusal> {
    let too_large = || {
        Refusal::too_large(format!("a body has at most {} bytes: send several requests", limits::BODY_BYTES))
    };
    let late = || {
        let seconds = limits::BODY_TIME.as_secs();
        let text = format!("the body took longer than {seconds} seconds");
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "timeout", text)
    };
    let told = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let told: Option<usize> = told.and_then(|length| length.parse().ok());
    if told.is_some_and(|length| length > limits::BODY_BYTES) {
        return Err(too_large());
    }
    let read = async {
        let _turn = match told {
            Some(..=limits::SHORT_BODY) => None,
            _ => Some(app.bodies.acquire().await.expect("it is never closed")),
        };
        Limited::new(request.into_body(), limits::BODY_BYTES).collect().await
    };
    match timeout(limits::BODY_TIME, read).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(_)) => Err(Refusal::unreadable("the body ended before it was whole")),
        Err(_) => Err(late()),
    }
}

/// A body that is JSON of some shape.
async fn json_body<T: DeserializeOwned>(app: &App, request: Request) -> Result<T, Refusal> {
    let bytes = body(app, request).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Refusal::unreadable(format!("the body is not the JSON that this route takes: {error}"))
    })
}

/// An answer that is not kept if it may be another one next time.
fn kept_if(is_sure: bool, mut response: Response) -> Response {
    if !is_sure {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// An answer that browsers save as a file of this name.
fn as_file(mut response: Response, name: &str) -> Response {
    let value = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).expect("a plain name");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    response
}

/// Something went wrong that nobody expected.
pub fn panicked() -> Response {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "fault",
        "this is a fault of the program: please report the request",
    )
    .into_response()
}
