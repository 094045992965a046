//! The description of the API: the routes as they are declared, with the answers of
//! `docs/schema.json`.
//!
//! utoipa makes all but the answers: those are the definitions that the command
//! line's JSON is tested against, taken over as they are.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use utoipa::openapi::path::{Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{
    ContentBuilder, HttpMethod, InfoBuilder, License, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    Required, ResponseBuilder,
};

use super::limits;
use super::routes::{Answer, BASE, EXACT, Holds, Method, Param, ROUTES, Route};

/// All definitions of JSON that this program prints.
const SCHEMA: &str = include_str!("../../docs/schema.json");
/// A board that tools can ask about.
const EXAMPLE: &str = "..B.AAB.........";
/// The version that tools know best.
const VERSION: &str = "3.1.0";

/// The description, as it is in `docs/openapi.json`.
pub fn text() -> String {
    let mut paths = PathsBuilder::new();
    for (place, route) in ROUTES.iter().enumerate() {
        // All methods of a path stand together.
        if ROUTES[..place].iter().any(|before| before.path == route.path) {
            continue;
        }
        let mut item = PathItem::default();
        for route in ROUTES.iter().filter(|other| other.path == route.path) {
            let method = match route.method {
                Method::Get => HttpMethod::Get,
                Method::Post => HttpMethod::Post,
            };
            item.merge_operations(PathItem::new(method, operation(route)));
        }
        paths = paths.path(format!("{BASE}{}", route.path), item);
    }
    let about = "Exact distances of Rush Hour boards, their best moves and solutions, and all interesting puzzles. \
                 The fields are those of the command line's JSON.";
    let info = InfoBuilder::new()
        .title("Tailback")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(about))
        .license(Some(License::new("MIT")));
    let api = OpenApiBuilder::new().info(info).paths(paths).build();
    let mut api = serde_json::to_value(api).expect("a description is JSON");
    api["openapi"] = VERSION.into();
    let schemas = definitions(&api);
    api["components"] = json!({ "schemas": schemas });
    serde_json::to_string_pretty(&api).expect("it is JSON") + "\n"
}

fn operation(route: &Route) -> Operation {
    let id = format!("{} {}", route.method.name().to_lowercase(), route.path.trim_start_matches('/'));
    let id: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut operation = OperationBuilder::new().operation_id(Some(id)).summary(Some(route.about));
    for param in route.params {
        let place = if route.has_in_path(param) { ParameterIn::Path } else { ParameterIn::Query };
        operation = operation.parameter(parameter(param, place));
    }
    for (name, _, about) in route.filters() {
        let range = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r"^([0-9]+|[0-9]+\.\.|\.\.[0-9]+|[0-9]+\.\.[0-9]+)$"));
        let filter = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(format!("{about}; a range as 20..30, 20.., ..30 or 20")))
            .schema(Some(range.build()));
        operation = operation.parameter(filter);
    }
    if let Some(body) = &route.body {
        let example = match body.kind {
            "application/json" => serde_json::from_str(body.example).expect("the example is JSON"),
            _ => Value::from(body.example),
        };
        let content = ContentBuilder::new().schema(Some(reference(body.schema))).example(Some(example));
        let body =
            RequestBodyBuilder::new().content(body.kind, content.build()).required(Some(Required::True));
        operation = operation.request_body(Some(body.build()));
    }
    let (status, kind, schema) = match route.answer {
        Answer::Json(name) => ("200", "application/json", reference(name)),
        Answer::Made(name) => ("201", "application/json", reference(name)),
        Answer::Lines => ("200", "application/x-ndjson", RefOr::T(string())),
        Answer::Other(kind) => ("200", kind, RefOr::T(string())),
    };
    let content = ContentBuilder::new().schema(Some(schema)).build();
    let mut done = ResponseBuilder::new().description("The answer").content(kind, content);
    if route.params.iter().any(|param| param.name == "format") {
        for kind in ["application/x-ndjson", "text/csv", "text/plain", "image/svg+xml", "application/pdf"] {
            done = done.content(kind, ContentBuilder::new().schema(Some(string())).build());
        }
    }
    operation = operation.response(status, done.build());
    if route.keeps {
        operation =
            operation.response("304", ResponseBuilder::new().description("The caller has it").build());
    }
    let error = ContentBuilder::new().schema(Some(reference("api refusal"))).build();
    let refusal = ResponseBuilder::new()
        .description("No answer; a sentence names the problem and the fix")
        .content("application/json", error);
    operation.response("default", refusal.build()).build()
}

fn parameter(param: &Param, place: ParameterIn) -> Parameter {
    let of = |kind: Type| ObjectBuilder::new().schema_type(kind);
    let schema: RefOr<Schema> = match param.holds {
        Holds::Text => Schema::from(of(Type::String).max_length(Some(limits::URL_BYTES)).build()).into(),
        Holds::Letter => {
            Schema::from(of(Type::String).min_length(Some(1)).max_length(Some(1)).build()).into()
        }
        Holds::Flag => Schema::from(of(Type::Boolean).build()).into(),
        Holds::OneOf(words) => {
            Schema::from(of(Type::String).enum_values(Some(words.to_vec())).build()).into()
        }
        Holds::Number(least, most) => {
            let most = most.min(EXACT);
            Schema::from(of(Type::Integer).minimum(Some(least)).maximum(Some(most)).build()).into()
        }
        Holds::Texts => Schema::from(ArrayBuilder::new().items(of(Type::String).build()).build()).into(),
    };
    let required = if param.is_required { Required::True } else { Required::False };
    let parameter = ParameterBuilder::new().name(param.name).parameter_in(place).required(required);
    let example = ["board", "text"].contains(&param.name).then(|| EXAMPLE.into());
    parameter.description(Some(param.about)).schema(Some(schema)).example(example).build()
}

fn string() -> Schema {
    Schema::Object(Object::with_type(SchemaType::new(Type::String)))
}

/// The name of a definition in the description, which has no spaces.
fn name(definition: &str) -> String {
    definition.split(' ').map(|word| word.trim_start_matches('-')).collect::<Vec<_>>().join("_")
}

fn reference(definition: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name(definition)))
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
    used.sort_keys();
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
