//! The parameters of a request, checked against what its route declares.

use std::str::FromStr;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;

use super::refusal::Refusal;
use super::route::{Holds, Route};
use crate::board::Metric;
use crate::catalogue::STARTER_SIZE;

/// The parameters of a request: all are known to the route, and each that may be
/// there once is.
pub struct Params {
    pairs: Vec<(String, String)>,
}

impl<S: Send + Sync> FromRequestParts<S> for Params {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Params, Refusal> {
        let in_path = RawPathParams::from_request_parts(parts, state).await;
        let in_path = in_path.map_err(|_| Refusal::unreadable("the path is no text"))?;
        let mut pairs: Vec<(String, String)> =
            in_path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let route = *parts.extensions.get::<&'static Route>().expect("only routes ask for parameters");
        let query = parts.uri.query().unwrap_or_default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if pairs.iter().any(|(given, _)| *given == name) && !route.repeats(&name) {
                return Err(Refusal::unreadable(format!("there are two parameters {name}: give one")));
            }
            pairs.push((name.into_owned(), value.into_owned()));
        }
        route.check(&pairs)?;
        Ok(Params { pairs })
    }
}

impl Route {
    fn repeats(&self, name: &str) -> bool {
        self.params.iter().any(|param| param.name == name && param.holds == Holds::Texts)
    }

    /// Are all parameters known and right, and none missing?
    fn check(&self, pairs: &[(String, String)]) -> Result<(), Refusal> {
        for (name, value) in pairs {
            if let Some(param) = self.params.iter().find(|param| param.name == name) {
                param.holds.check(value).map_err(|wrong| Refusal::unreadable(format!("{name}: {wrong}")))?;
            } else if !self.filters().any(|(filter, _, _)| filter == name) {
                let names = self.params.iter().map(|param| param.name);
                let names: Vec<&str> = names.chain(self.filters().map(|(name, _, _)| name)).collect();
                let known = match names.is_empty() {
                    true => "there are none here".to_owned(),
                    false => format!("there are {}", names.join(", ")),
                };
                return Err(Refusal::unreadable(format!("there is no parameter {name:?}: {known}")));
            }
        }
        match self
            .params
            .iter()
            .find(|param| param.is_required && !pairs.iter().any(|(n, _)| n == param.name))
        {
            Some(param) => {
                Err(Refusal::unreadable(format!("the parameter {} is missing: {}", param.name, param.about)))
            }
            None => Ok(()),
        }
    }
}

impl Holds {
    fn check(self, value: &str) -> Result<(), String> {
        let is_right = match self {
            Holds::Text | Holds::Texts => true,
            Holds::Letter => value.chars().count() == 1,
            Holds::Flag => matches!(value, "true" | "false"),
            Holds::OneOf(words) => words.contains(&value),
            Holds::Number(least, most) => {
                value.bytes().all(|byte| byte.is_ascii_digit())
                    && value.parse().is_ok_and(|number: u64| (least..=most).contains(&number))
            }
        };
        match self {
            _ if is_right => Ok(()),
            Holds::Text | Holds::Texts => Ok(()),
            Holds::Letter => Err(format!("{value:?} is not one letter")),
            Holds::Flag => Err(format!("{value:?} is neither true nor false")),
            Holds::OneOf(words) => Err(format!("{value:?} is none of: {}", words.join(", "))),
            Holds::Number(least, most) => Err(format!("{value:?} is no whole number from {least} to {most}")),
        }
    }
}

impl Params {
    /// All values of a name.
    pub fn all<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p str> {
        self.pairs.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A parameter that the route requires; an empty one otherwise.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// A number that was checked.
    pub fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.get(name)?.parse().ok()
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }

    pub fn metric(&self) -> Metric {
        self.get("metric").and_then(|name| name.parse().ok()).unwrap_or(Metric::Moves)
    }

    pub fn primary(&self) -> Option<char> {
        self.get("primary")?.chars().next()
    }

    pub fn size(&self) -> usize {
        self.number("size").unwrap_or(STARTER_SIZE)
    }
}
