//! A request that gets no answer: a status, a code, and a sentence that names the
//! problem and the fix.

use std::error::Error;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::{faults, limits};
use crate::board::{BoardError, MoveError, Unread};
use crate::catalogue::{CatalogueError, InventoryError, RangeError, SortError};
use crate::cluster::ClusterError;
use crate::evolution::{DataError, ExperimentError, FolderError};
use crate::lists::ListError;
use crate::probe::{GradeError, IllegalMove, ProbeError};
use crate::render::png::PngError;
use crate::table::{TableError, with_reasons};

/// Why a request gets no answer.
#[derive(Debug, Clone)]
pub struct Refusal {
    pub status: StatusCode,
    code: &'static str,
    text: String,
    /// Seconds after which it may be tried again.
    retry: Option<u64>,
}

#[derive(Serialize)]
struct ErrorBody<'r> {
    error: &'r str,
    code: &'r str,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Refusal {
        Refusal { status, code, text: text.into(), retry: None }
    }

    /// The request cannot be read.
    pub fn unreadable(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "unreadable", text)
    }

    /// There is no such thing.
    pub fn unknown(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "unknown", text)
    }

    /// The request is larger than the server takes.
    pub fn too_large(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    }

    /// The answer takes more than the server gives.
    pub fn past_limit(text: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "past_limit", text)
    }

    /// There is too much to do at the moment.
    pub fn busy(text: impl Into<String>) -> Refusal {
        Refusal { retry: Some(2), ..Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text) }
    }

    /// This caller, or all together, ask too much.
    pub fn too_many(text: impl Into<String>) -> Refusal {
        Refusal { retry: Some(2), ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too_many", text) }
    }

    /// A file of the database cannot be used; it may be copied just now. Where it is,
    /// and what is wrong with it, is for those who run the server.
    fn database(error: &(dyn Error + 'static)) -> Refusal {
        faults::met(with_reasons(error));
        let text =
            "a file of the database cannot be used: try again when it is whole; the server's log says more";
        let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "database", text);
        Refusal { retry: Some(5), ..refusal }
    }

    /// Names what it is about.
    pub fn about(self, what: impl std::fmt::Display) -> Refusal {
        Refusal { text: format!("{what}: {}", self.text), ..self }
    }

    fn advise(self, advice: &str) -> Refusal {
        Refusal { text: format!("{}: {advice}", self.text), ..self }
    }

    /// Is there no such thing?
    pub fn is_unknown(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }

    /// The sentence.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = ErrorBody { error: &self.text, code: self.code };
        let json = serde_json::to_vec(&body).expect("two texts");
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(seconds) = self.retry {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// What the error alone says.
macro_rules! refused {
    ($($as:ident: $($error:ty),*;)*) => {
        $($(impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::$as(with_reasons(&error))
            }
        })*)*
    };
}

refused! {
    unreadable: MoveError, IllegalMove, ListError, RangeError, SortError, InventoryError, ExperimentError,
        crate::formula::HeuristicError, crate::search::AlgorithmError;
    past_limit: DataError, PngError;
}

impl From<BoardError> for Refusal {
    fn from(error: BoardError) -> Refusal {
        let refusal = Refusal::unreadable(with_reasons(&error));
        match error {
            BoardError::NoPrimary { .. } | BoardError::WhichPrimary { .. } => {
                refusal.advise("name the letter of the red car as the primary")
            }
            _ => refusal,
        }
    }
}

impl From<Unread> for Refusal {
    fn from(unread: Unread) -> Refusal {
        unread.error.into()
    }
}

impl From<ClusterError> for Refusal {
    fn from(error: ClusterError) -> Refusal {
        match error {
            ClusterError::TooLarge { limit } => Refusal::past_limit(format!(
                "this board has no table, and a search of it would look at more than {limit} boards, the most \
                 that this server looks at: the program itself takes more"
            )),
            ClusterError::Stopped => Refusal::past_limit(format!(
                "this board has no table, and a search of it takes longer than {} seconds, the longest that \
                 this server searches: the program itself takes more",
                limits::SEARCH_TIME.as_secs()
            )),
            ClusterError::Memory { .. } => Refusal::busy("other searches have the memory: try again later"),
        }
    }
}

impl From<ProbeError> for Refusal {
    fn from(error: ProbeError) -> Refusal {
        match error {
            ProbeError::Table(error) => error.into(),
            ProbeError::Cluster(error) => error.into(),
        }
    }
}

impl From<GradeError> for Refusal {
    fn from(error: GradeError) -> Refusal {
        match error {
            GradeError::Probe(error) => error.into(),
            error => Refusal::unreadable(with_reasons(&error)),
        }
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        match error {
            TableError::Missing { space, metric, .. } => {
                Refusal::unknown(format!("there is no table of {space} in {metric}"))
                    .advise("it has to be built first")
            }
            error => Refusal::database(&error),
        }
    }
}

impl From<CatalogueError> for Refusal {
    fn from(error: CatalogueError) -> Refusal {
        match error {
            CatalogueError::Missing { spaces, .. } | CatalogueError::Unfinished { spaces, .. } => {
                Refusal::unknown(format!("there is no catalogue of {spaces}"))
                    .advise("it has to be built first")
            }
            CatalogueError::Stopped => Refusal::past_limit(format!(
                "the catalogue takes longer than {} seconds for this: ask for less",
                limits::SEARCH_TIME.as_secs()
            )),
            CatalogueError::NoSpace(error) => {
                Refusal::unknown(with_reasons(&error)).advise("ask for 4, 5 or 6")
            }
            error => Refusal::database(&error),
        }
    }
}

impl From<FolderError> for Refusal {
    fn from(error: FolderError) -> Refusal {
        let conflict = |code| Refusal::new(StatusCode::CONFLICT, code, with_reasons(&error));
        match error {
            FolderError::NoExperiment { .. } => Refusal::unknown(with_reasons(&error)),
            FolderError::NotEmpty { .. } => conflict("taken").advise("choose another name"),
            FolderError::Busy { .. } => conflict("busy"),
            error => Refusal::new(StatusCode::CONFLICT, "folder", with_reasons(&error)),
        }
    }
}
