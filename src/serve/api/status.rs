//! The server itself, and what it has.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use super::{Answer, bytes, json};
use crate::answers::TableSummary;
use crate::board::Metric;
use crate::catalogue::{Contents, STARTER_SIZE};
use crate::serve::app::App;
use crate::serve::database::{SIZES, Snapshot};
use crate::serve::deadline::Deadline;
use crate::serve::limits::Limits;
use crate::serve::params::Params;
use crate::serve::refusal::Refusal;
use crate::space::SpaceId;
use crate::table::{TableError, file_name};

#[derive(Serialize)]
struct Status {
    version: &'static str,
    tables: Vec<TableStatus>,
    catalogues: Vec<CatalogueStatus>,
    /// May this caller see and begin experiments?
    experiments: bool,
    limits: Limits,
}

#[derive(Serialize)]
struct TableStatus {
    size: usize,
    metric: Metric,
}

#[derive(Serialize)]
struct CatalogueStatus {
    size: usize,
    contents: Contents,
    puzzles: usize,
}

pub async fn status(State(app): State<Arc<App>>, headers: HeaderMap, _: Params) -> Answer {
    let experiments = app.experiments.as_ref().is_some_and(|experiments| experiments.admits(&headers));
    let limits = Limits { searches: app.searches };
    let status = app.puzzles(move |opened, deadline| {
        let metrics = [Metric::Moves, Metric::Steps];
        let tables = SIZES.iter().flat_map(|&size| metrics.map(|metric| TableStatus { size, metric }));
        let mut catalogues = Vec::new();
        for size in SIZES.into_iter().filter(|&size| size == STARTER_SIZE || opened.has_catalogue(size)) {
            // One that is being copied, or damaged, says so when it is asked.
            if let Ok(status) = opened.catalogue(size, deadline, |catalogue| {
                Ok(CatalogueStatus { size, contents: catalogue.contents(), puzzles: catalogue.puzzles() })
            }) {
                catalogues.push(status);
            }
        }
        Ok(Status {
            version: env!("CARGO_PKG_VERSION"),
            tables: tables.filter(|table| opened.has_table(table.size, table.metric)).collect(),
            catalogues,
            experiments,
            limits,
        })
    });
    Ok(json(&status.await?))
}

pub async fn stats(State(app): State<Arc<App>>, params: Params) -> Answer {
    let (size, metric) = (params.size(), params.metric());
    let summary = move |opened: &Snapshot, _: &Arc<Deadline>| -> Result<TableSummary, Refusal> {
        let path = opened.folder().join(file_name(size, metric));
        match opened.prober().table(SpaceId::of_size(size), metric)? {
            // Where it is, is nobody's business.
            Some(table) => Ok(TableSummary::new(table.header(), Path::new(&file_name(size, metric)))),
            None => Err(TableError::Missing { path, space: size.into(), metric }.into()),
        }
    };
    Ok(json(&app.puzzles(summary).await?))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
}

pub async fn healthz(_: Params) -> Answer {
    Ok(json(&Health { status: "ok" }))
}

pub async fn metrics(State(app): State<Arc<App>>, _: Params) -> Answer {
    Ok(bytes("text/plain; version=0.0.4", app.metrics.text()))
}
