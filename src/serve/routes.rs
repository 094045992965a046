//! The routes of the API, declared once. The router, the check of parameters, the
//! counters and the OpenAPI description follow from this list.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::routing::on;
use axum::{Extension, Router};

use super::app::App;
use super::params::Params;
use super::route::{Answer, BASE, Body, EXACT, Holds, Param, Route};
use super::route::{changing, filtered, get, optional, post, required};
use super::{api, limits, openapi};

const METRICS: Holds = Holds::OneOf(&["moves", "steps"]);
const BOARD: Param = required(
    "board",
    "A board in any form that the command line reads, or the number of a puzzle",
    Holds::Text,
);
const MAYBE_BOARD: Param = optional("board", BOARD.about, Holds::Text);
const METRIC: Param = optional("metric", "What a distance counts; moves by default", METRICS);
const PRIMARY: Param =
    optional("primary", "The letter of the red car, unless there is only one candidate", Holds::Letter);
const SIZE: Param = optional("size", "Rows and columns; 6 by default", Holds::Number(4, 6));
const RULES: Param = optional(
    "rules",
    "Which rules the puzzles follow; classic by default",
    Holds::OneOf(&["all", "classic", "rush"]),
);
const KIND: Param =
    optional("kind", "Some line has this kind, such as 2,3; more than once: some line each", Holds::Texts);
const INVENTORY: Param = optional("inventory", "At most so many cars and trucks, as 12,4", Holds::Text);
const SORT: Param = optional(
    "sort",
    "Up to four columns separated by commas, a minus before the falling ones; -moves by default",
    Holds::Text,
);
const DISTINCT: Param =
    optional("distinct", "No two puzzles that differ by so few vehicles", Holds::Number(0, 3));
const SEED: Param = optional(
    "seed",
    "The random seed: the same one draws the same puzzles; without it, a new one, which is in the answer",
    Holds::Number(0, EXACT),
);
const LIMIT: Param = optional(
    "limit",
    "How many puzzles; 20 by default; /status has the most",
    Holds::Number(0, limits::LISTED as u64),
);
const OFFSET: Param = optional(
    "offset",
    "How many puzzles to leave out before the first",
    Holds::Number(0, limits::OFFSET as u64),
);
const FORMAT: Param = optional(
    "format",
    "A list to download instead, or a sheet to print",
    Holds::OneOf(&["json", "jsonl", "csv", "rush", "txt", "svg", "pdf"]),
);
const COLUMN: Param = optional("column", "What to count by; moves by default", Holds::Text);
const ID: Param = required("id", "The number of the puzzle", Holds::Number(0, u64::MAX));
const NAME: Param = required("name", "The name of the experiment", Holds::Text);

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// All routes.
pub static ROUTES: &[Route] = &[
    get(
        "/lookup",
        "The distance of a board, where it comes from, and every move, best first, with the distance after it and what it loses",
        &[BOARD, METRIC, PRIMARY],
        Answer::Json("lookup"),
        |method| on(method, api::boards::lookup),
    ),
    post(
        "/lookup",
        "Many boards: one a line, in any form that the command line reads; one JSON object a line, in order",
        &[METRIC, PRIMARY],
        Some(Body { kind: TEXT, schema: "api boards", example: "..B.AAB.........\n" }),
        Answer::Lines,
        |method| on(method, api::boards::lookup_many),
    ),
    get(
        "/solve",
        "A shortest solution; its first move is one of the best of /lookup",
        &[BOARD, METRIC, PRIMARY, optional("count", "Count the optimal solutions, too", Holds::Flag)],
        Answer::Json("solve"),
        |method| on(method, api::boards::solve),
    ),
    post(
        "/solve",
        "Shortest solutions of many boards, one a line, in order",
        &[METRIC, PRIMARY],
        Some(Body { kind: TEXT, schema: "api boards", example: "..B.AAB.........\n" }),
        Answer::Lines,
        |method| on(method, api::boards::solve_many),
    ),
    get(
        "/hint",
        "As much help as is asked for: which vehicle, which move, or the whole line",
        &[
            BOARD,
            METRIC,
            PRIMARY,
            optional(
                "degree",
                "How much to reveal; vehicle by default",
                Holds::OneOf(&["vehicle", "move", "line"]),
            ),
        ],
        Answer::Json("hint"),
        |method| on(method, api::boards::hint),
    ),
    get(
        "/read",
        "Reads a board in any form",
        &[required("text", "The text", Holds::Text), PRIMARY],
        Answer::Json("api read"),
        |method| on(method, api::boards::read),
    ),
    post(
        "/read",
        "Reads a board in any form, in a body that has room for more than an address",
        &[PRIMARY],
        Some(Body { kind: TEXT, schema: "api text", example: "..B.\nAAB.\n....\n....\n" }),
        Answer::Json("api read"),
        |method| on(method, api::boards::read_long),
    ),
    get(
        "/without",
        "For each vehicle but the red car: the distance if it were gone",
        &[BOARD, METRIC, PRIMARY],
        Answer::Json("api without"),
        |method| on(method, api::boards::without),
    ),
    post(
        "/grade",
        "A game judged move by move",
        &[],
        Some(Body {
            kind: JSON,
            schema: "api game",
            example: r#"{"board":"..B.AAB.........","moves":["B+1","B+1","A+2"]}"#,
        }),
        Answer::Json("grade"),
        |method| on(method, api::games::grade),
    ),
    get(
        "/cluster",
        "The map of all boards that moves reach, by distance, with the optimal ways from this one, their forks, and a game on it",
        &[
            BOARD,
            METRIC,
            PRIMARY,
            optional("moves", "A game, moves with commas or spaces between", Holds::Text),
        ],
        Answer::Json("api cluster"),
        |method| on(method, api::cluster::cluster),
    ),
    filtered(get(
        "/puzzles",
        "The puzzles of the catalogue that match: every filter of the command line, sorted, page by page",
        &[SIZE, RULES, KIND, INVENTORY, DISTINCT, SORT, LIMIT, OFFSET, FORMAT],
        Answer::Json("api puzzles"),
        |method| on(method, api::puzzles::puzzles),
    )),
    filtered(get(
        "/puzzles/count",
        "How many puzzles match",
        &[SIZE, RULES, KIND, INVENTORY],
        Answer::Json("puzzles count"),
        |method| on(method, api::puzzles::count),
    )),
    filtered(get(
        "/puzzles/histogram",
        "How often each value of a column is among the puzzles that match",
        &[SIZE, RULES, KIND, INVENTORY, COLUMN],
        Answer::Json("api histogram"),
        |method| on(method, api::puzzles::histogram),
    )),
    get("/puzzles/{id}", "One puzzle", &[ID, SIZE], Answer::Json("puzzle"), |method| {
        on(method, api::puzzles::puzzle)
    }),
    get(
        "/filters",
        "What puzzles can be filtered and sorted by, and between which values",
        &[SIZE],
        Answer::Json("api filters"),
        |method| on(method, api::puzzles::filters),
    ),
    changing(filtered(get(
        "/random",
        "Puzzles drawn at random: all that match are equally likely",
        &[SIZE, RULES, KIND, INVENTORY, DISTINCT, SORT, LIMIT, SEED, FORMAT],
        Answer::Json("api drawn"),
        |method| on(method, api::puzzles::random),
    ))),
    changing(get(
        "/similar",
        "Other puzzles with about as many moves and vehicles, drawn at random",
        &[BOARD, PRIMARY, RULES, LIMIT, SEED, FORMAT],
        Answer::Json("api drawn"),
        |method| on(method, api::puzzles::similar),
    )),
    get(
        "/stats",
        "How many boards of a size have each distance",
        &[SIZE, METRIC],
        Answer::Json("stats"),
        |method| on(method, api::status::stats),
    ),
    get(
        "/heuristics",
        "The building blocks of heuristics, with their values for a board, and the algorithms",
        &[MAYBE_BOARD, METRIC, PRIMARY],
        Answer::Json("api heuristics"),
        |method| on(method, api::lab::heuristics),
    ),
    post(
        "/compare",
        "Algorithms and heuristics on one board, within limits",
        &[],
        Some(Body {
            kind: JSON,
            schema: "api comparison",
            example: r#"{"board":"..B.AAB.........","algorithms":["bfs","astar"],"heuristics":["zero","blocking"]}"#,
        }),
        Answer::Json("api compared"),
        |method| on(method, api::lab::compare),
    ),
    get(
        "/render.svg",
        "A picture of a board",
        &[BOARD, PRIMARY, optional("title", "A text above it", Holds::Text)],
        Answer::Other("image/svg+xml"),
        |method| on(method, api::pictures::svg),
    ),
    get(
        "/render.png",
        "A picture of a board, also the preview of a shared link",
        &[BOARD, PRIMARY, optional("width", "In pixels; 600 by default", Holds::Number(64, limits::PIXELS))],
        Answer::Other("image/png"),
        |method| on(method, api::pictures::png),
    ),
    changing(get(
        "/status",
        "What there is: tables, catalogues, limits",
        &[],
        Answer::Json("api status"),
        |method| on(method, api::status::status),
    )),
    get("/openapi.json", "This description", &[], Answer::Json("api description"), |method| {
        on(method, description)
    }),
    changing(get("/healthz", "Is the server there?", &[], Answer::Json("api health"), |method| {
        on(method, api::status::healthz)
    })),
    changing(get(
        "/metrics",
        "Counters for Prometheus",
        &[],
        Answer::Other("text/plain; version=0.0.4"),
        |method| on(method, api::status::metrics),
    )),
    changing(get(
        "/experiments",
        "The experiments of the folder; with the token of the server's start, as all about them: Authorization: Bearer TOKEN",
        &[],
        Answer::Json("api experiments"),
        |method| on(method, api::experiments::all),
    )),
    post(
        "/experiments",
        "Begins an experiment",
        &[],
        Some(Body { kind: JSON, schema: "api new experiment", example: r#"{"name":"mine","text":"…"}"# }),
        Answer::Made("api experiment"),
        |method| on(method, api::experiments::begin),
    ),
    changing(get(
        "/experiments/templates/{name}",
        "An experiment to begin with",
        &[NAME],
        Answer::Json("api template"),
        |method| on(method, api::experiments::template),
    )),
    changing(get(
        "/experiments/{name}",
        "One experiment with its curves",
        &[NAME],
        Answer::Json("api experiment with curves"),
        |method| on(method, api::experiments::one),
    )),
    changing(get(
        "/experiments/{name}/best.svg",
        "The best individual, drawn",
        &[NAME],
        Answer::Other("image/svg+xml"),
        |method| on(method, api::experiments::best),
    )),
    post(
        "/experiments/{name}/pause",
        "Pauses an experiment after what is done",
        &[NAME],
        None,
        Answer::Json("api experiment"),
        |method| on(method, api::experiments::pause),
    ),
    post(
        "/experiments/{name}/resume",
        "Goes on with an experiment",
        &[NAME],
        None,
        Answer::Json("api experiment"),
        |method| on(method, api::experiments::resume),
    ),
];

/// All routes with their handlers.
pub fn router() -> Router<Arc<App>> {
    let mut router = Router::new();
    for route in ROUTES {
        // By it the parameters are checked.
        let handler = route.handler().route_layer(Extension(route));
        router = router.route(&format!("{BASE}{}", route.path), handler);
    }
    router.method_not_allowed_fallback(api::not_allowed)
}

async fn description(_: Params) -> api::Answer {
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| openapi::text(ROUTES).into());
    Ok(api::bytes(JSON, TEXT.clone()))
}

/// The route of a method and a path as the router writes it.
pub fn find(method: &str, path: &str) -> Option<usize> {
    let path = path.strip_prefix(BASE)?;
    // What asks for the head alone is the same without a body.
    let method = if method == "HEAD" { "GET" } else { method };
    ROUTES.iter().position(|route| route.path == path && route.method.name() == method)
}
