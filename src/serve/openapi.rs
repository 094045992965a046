//! The description of the API: the routes as they are declared, with the answers of
//! `docs/schema.json`, the definitions that the command line's JSON is tested against.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::limits;
use super::route::{Answer, BASE, EXACT, Holds, Param, Route};

/// All definitions of JSON that this program prints.
const SCHEMA: &str = include_str!("../../docs/schema.json");
/// A board that tools can ask about.
const EXAMPLE: &str = "..B.AAB.........";
/// The version that tools know best.
const VERSION: &str = "3.1.0";
/// What a filter may be.
const RANGE: &str = r"^([0-9]+|[0-9]+\.\.|\.\.[0-9]+|[0-9]+\.\.[0-9]+)$";
const ABOUT: &str = "Exact distances of Rush Hour boards, their best moves and solutions, and all interesting puzzles. \
                     The fields are those of the command line's JSON.";

/// The description of some routes.
pub fn text(routes: &[Route]) -> String {
    let mut api = json!({
        "openapi": VERSION,
        "info": {
            "title": "Tailback",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "MIT" },
        },
    });
    for route in routes {
        let method = route.method.name().to_lowercase();
        api["paths"][format!("{BASE}{}", route.path)][method] = operation(route);
    }
    api["components"]["schemas"] = definitions(&api).into();
    api.sort_all_objects();
    serde_json::to_string_pretty(&api).expect("it is JSON") + "\n"
}

fn operation(route: &Route) -> Value {
    let id = format!("{} {}", route.method.name().to_lowercase(), route.path.trim_start_matches('/'));
    let id: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let error = reference("api refusal");
    let mut operation = json!({
        "operationId": id,
        "summary": route.about,
        "responses": {
            "default": {
                "description": "No answer; a sentence names the problem and the fix",
                "content": { "application/json": { "schema": error } },
            },
        },
    });
    let params = route.params.iter().map(|param| parameter(param, route.has_in_path(param)));
    let filters = route.filters().map(|(name, _, about)| {
        json!({
            "name": name,
            "in": "query",
            "required": false,
            "description": format!("{about}; a range as 20..30, 20.., ..30 or 20"),
            "schema": { "type": "string", "pattern": RANGE },
        })
    });
    let params: Vec<Value> = params.chain(filters).collect();
    if !params.is_empty() {
        operation["parameters"] = params.into();
    }
    if let Some(body) = &route.body {
        let example = match body.kind {
            "application/json" => serde_json::from_str(body.example).expect("the example is JSON"),
            _ => Value::from(body.example),
        };
        let content = json!({ body.kind: { "schema": reference(body.schema), "example": example } });
        operation["requestBody"] = json!({ "content": content, "required": true });
    }
    let string = json!({ "type": "string" });
    let (status, kind, schema) = match route.answer {
        Answer::Json(name) => ("200", "application/json", reference(name)),
        Answer::Made(name) => ("201", "application/json", reference(name)),
        Answer::Lines => ("200", "application/x-ndjson", string.clone()),
        Answer::Other(kind) => ("200", kind, string.clone()),
    };
    let mut done = json!({ "description": "The answer", "content": { kind: { "schema": schema } } });
    if route.params.iter().any(|param| param.name == "format") {
        for kind in ["application/x-ndjson", "text/csv", "text/plain", "image/svg+xml", "application/pdf"] {
            done["content"][kind] = json!({ "schema": string });
        }
    }
    operation["responses"][status] = done;
    if route.keeps {
        operation["responses"]["304"] = json!({ "description": "The caller has it" });
    }
    operation
}

fn parameter(param: &Param, is_in_path: bool) -> Value {
    let schema = match param.holds {
        Holds::Text => json!({ "type": "string", "maxLength": limits::URL_BYTES }),
        Holds::Letter => json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
        Holds::Flag => json!({ "type": "boolean" }),
        Holds::OneOf(words) => json!({ "type": "string", "enum": words }),
        Holds::Number(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most.min(EXACT) })
        }
        Holds::Texts => json!({ "type": "array", "items": { "type": "string" } }),
    };
    let mut parameter = json!({
        "name": param.name,
        "in": if is_in_path { "path" } else { "query" },
        "required": param.is_required,
        "description": param.about,
        "schema": schema,
    });
    if ["board", "text"].contains(&param.name) {
        parameter["example"] = EXAMPLE.into();
    }
    parameter
}

/// The name of a definition in the description, which has no spaces.
fn name(definition: &str) -> String {
    definition.split(' ').map(|word| word.trim_start_matches('-')).collect::<Vec<_>>().join("_")
}

fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("{HERE}{}", name(definition)) })
}

/// The definitions that are used, and those that they use.
fn definitions(api: &Value) -> Map<String, Value> {
    let all: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let all = all["$defs"].as_object().expect("the schema has definitions");
    let mut wanted = BTreeSet::new();
    mentioned(api, &mut wanted);
    let mut used = Map::new();
    while let Some(next) = wanted.pop_first() {
        if used.contains_key(&next) {
            continue;
        }
        let (_, definition) = all.iter().find(|(known, _)| name(known) == next).unwrap_or_else(|| {
            panic!("docs/schema.json has no definition {next}");
        });
        let definition = renamed(definition);
        mentioned(&definition, &mut wanted);
        used.insert(next, definition);
    }
    used
}

const HERE: &str = "#/components/schemas/";

/// All names that are referred to.
fn mentioned(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            if let Some(name) =
                object.get("$ref").and_then(Value::as_str).and_then(|at| at.strip_prefix(HERE))
            {
                names.insert(name.to_owned());
            }
            object.values().for_each(|value| mentioned(value, names));
        }
        Value::Array(list) => list.iter().for_each(|value| mentioned(value, names)),
        _ => {}
    }
}

/// A definition whose references lead to where they are in the description.
fn renamed(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let entry = |(key, value): (&String, &Value)| match (key.as_str(), value) {
                ("$ref", Value::String(at)) => {
                    let target = at.strip_prefix("#/$defs/").unwrap_or(at).replace("%20", " ");
                    (key.clone(), Value::from(format!("{HERE}{}", name(&target))))
                }
                _ => (key.clone(), renamed(value)),
            };
            Value::Object(object.iter().map(entry).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(renamed).collect()),
        other => other.clone(),
    }
}
