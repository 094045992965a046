//! What a route is declared with: what is asked, what may be said, what is answered, by
//! whom.

use std::sync::Arc;

use axum::routing::{MethodFilter, MethodRouter};

use super::app::App;
use crate::catalogue::Column;

/// What every path of the API begins with.
pub const BASE: &str = "/api/v1";

/// The largest number that JSON is exact up to everywhere.
pub const EXACT: u64 = (1 << 53) - 1;

/// A route.
pub struct Route {
    pub method: Method,
    /// Behind [`BASE`].
    pub path: &'static str,
    pub about: &'static str,
    /// The parameters of the address, and of the path in braces.
    pub params: &'static [Param],
    /// May columns be filtered by?
    pub filters: bool,
    pub body: Option<Body>,
    pub answer: Answer,
    /// The same for the same database: it has an ETag.
    pub keeps: bool,
    handler: Handler,
}

/// Gives a method its handler.
type Handler = fn(MethodFilter) -> MethodRouter<Arc<App>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    Get,
    Post,
}

/// A parameter.
pub struct Param {
    pub name: &'static str,
    pub about: &'static str,
    pub holds: Holds,
    pub is_required: bool,
}

/// What a parameter may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    Text,
    Letter,
    Flag,
    /// From one number to another.
    Number(u64, u64),
    OneOf(&'static [&'static str]),
    /// Texts; may be there more than once.
    Texts,
}

/// What comes with a request.
pub struct Body {
    pub kind: &'static str,
    /// The definition in the schema.
    pub schema: &'static str,
    pub example: &'static str,
}

/// What is answered.
pub enum Answer {
    /// JSON of this definition of the schema.
    Json(&'static str),
    /// JSON with status 201.
    Made(&'static str),
    /// JSON a line, each as of the same path with GET.
    Lines,
    /// Something else.
    Other(&'static str),
}

pub const fn optional(name: &'static str, about: &'static str, holds: Holds) -> Param {
    Param { name, about, holds, is_required: false }
}

pub const fn required(name: &'static str, about: &'static str, holds: Holds) -> Param {
    Param { name, about, holds, is_required: true }
}

pub const fn get(
    path: &'static str,
    about: &'static str,
    params: &'static [Param],
    answer: Answer,
    handler: Handler,
) -> Route {
    let (method, filters, body, keeps) = (Method::Get, false, None, true);
    Route { method, path, about, params, filters, body, answer, keeps, handler }
}

pub const fn post(
    path: &'static str,
    about: &'static str,
    params: &'static [Param],
    body: Option<Body>,
    answer: Answer,
    handler: Handler,
) -> Route {
    let (method, filters, keeps) = (Method::Post, false, false);
    Route { method, path, about, params, filters, body, answer, keeps, handler }
}

/// Columns may be filtered by.
pub const fn filtered(route: Route) -> Route {
    Route { filters: true, ..route }
}

/// It may not be the same for the same database.
pub const fn changing(route: Route) -> Route {
    Route { keeps: false, ..route }
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }

    fn filter(self) -> MethodFilter {
        match self {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
        }
    }
}

impl Route {
    pub fn handler(&self) -> MethodRouter<Arc<App>> {
        (self.handler)(self.method.filter())
    }

    /// For counters and logs.
    pub fn label(&self) -> String {
        format!("{} {BASE}{}", self.method.name(), self.path)
    }

    /// Does the path have this parameter?
    pub fn has_in_path(&self, param: &Param) -> bool {
        self.path.contains(&format!("{{{}}}", param.name))
    }

    /// What may be filtered by: the name, the column, and what it asks for.
    pub fn filters(&self) -> impl Iterator<Item = (&'static str, Column, &'static str)> {
        Column::filters().filter(|_| self.filters)
    }
}
