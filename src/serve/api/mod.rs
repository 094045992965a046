//! The answers to the routes: parse, ask, answer.

pub mod boards;
pub mod cluster;
pub mod experiments;
pub mod games;
pub mod lab;
pub mod pictures;
pub mod puzzles;
pub mod status;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::app::{App, to_json};
use super::limits;
use super::refusal::Refusal;

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

/// What a handler answers.
pub type Answer = Result<Response, Refusal>;

/// The answer to a method that no route of the path has.
pub async fn not_allowed() -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method",
        "this route has another method: the description says which",
    )
}

/// An answer of some kind.
pub fn bytes(kind: &'static str, body: impl Into<Body>) -> Response {
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
