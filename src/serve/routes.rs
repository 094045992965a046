//! The routes of the API, declared once: what is asked, what may be said, what is
//! answered. The router, the check of parameters, the counters and the OpenAPI
//! description follow from this list.

use super::limits;
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
}

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

const fn optional(name: &'static str, about: &'static str, holds: Holds) -> Param {
    Param { name, about, holds, is_required: false }
}

const fn required(name: &'static str, about: &'static str, holds: Holds) -> Param {
    Param { name, about, holds, is_required: true }
}

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

const fn get(path: &'static str, about: &'static str, params: &'static [Param], answer: Answer) -> Route {
    Route { method: Method::Get, path, about, params, filters: false, body: None, answer, keeps: true }
}

const fn post(path: &'static str, about: &'static str, body: Option<Body>, answer: Answer) -> Route {
    Route { method: Method::Post, path, about, params: &[], filters: false, body, answer, keeps: false }
}

/// All routes.
pub static ROUTES: &[Route] = &[
    get(
        "/lookup",
        "The distance of a board, where it comes from, and every move, best first, with the distance after it and what it loses",
        &[BOARD, METRIC, PRIMARY],
        Answer::Json("lookup"),
    ),
    Route {
        params: &[METRIC, PRIMARY],
        ..post(
            "/lookup",
            "Many boards: one a line, in any form that the command line reads; one JSON object a line, in order",
            Some(Body { kind: TEXT, schema: "api boards", example: "..B.AAB.........\n" }),
            Answer::Lines,
        )
    },
    get(
        "/solve",
        "A shortest solution; its first move is one of the best of /lookup",
        &[BOARD, METRIC, PRIMARY, optional("count", "Count the optimal solutions, too", Holds::Flag)],
        Answer::Json("solve"),
    ),
    Route {
        params: &[METRIC, PRIMARY],
        ..post(
            "/solve",
            "Shortest solutions of many boards, one a line, in order",
            Some(Body { kind: TEXT, schema: "api boards", example: "..B.AAB.........\n" }),
            Answer::Lines,
        )
    },
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
    ),
    get(
        "/read",
        "Reads a board in any form",
        &[required("text", "The text", Holds::Text), PRIMARY],
        Answer::Json("api read"),
    ),
    Route {
        params: &[PRIMARY],
        ..post(
            "/read",
            "Reads a board in any form, in a body that has room for more than an address",
            Some(Body { kind: TEXT, schema: "api text", example: "..B.\nAAB.\n....\n....\n" }),
            Answer::Json("api read"),
        )
    },
    get(
        "/without",
        "For each vehicle but the red car: the distance if it were gone",
        &[BOARD, METRIC, PRIMARY],
        Answer::Json("api without"),
    ),
    post(
        "/grade",
        "A game judged move by move",
        Some(Body {
            kind: JSON,
            schema: "api game",
            example: r#"{"board":"..B.AAB.........","moves":["B+1","B+1","A+2"]}"#,
        }),
        Answer::Json("grade"),
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
    ),
    Route {
        filters: true,
        ..get(
            "/puzzles",
            "The puzzles of the catalogue that match: every filter of the command line, sorted, page by page",
            &[SIZE, RULES, KIND, INVENTORY, DISTINCT, SORT, LIMIT, OFFSET, FORMAT],
            Answer::Json("api puzzles"),
        )
    },
    Route {
        filters: true,
        ..get(
            "/puzzles/count",
            "How many puzzles match",
            &[SIZE, RULES, KIND, INVENTORY],
            Answer::Json("puzzles count"),
        )
    },
    Route {
        filters: true,
        ..get(
            "/puzzles/histogram",
            "How often each value of a column is among the puzzles that match",
            &[SIZE, RULES, KIND, INVENTORY, COLUMN],
            Answer::Json("api histogram"),
        )
    },
    get("/puzzles/{id}", "One puzzle", &[ID, SIZE], Answer::Json("puzzle")),
    get(
        "/filters",
        "What puzzles can be filtered and sorted by, and between which values",
        &[SIZE],
        Answer::Json("api filters"),
    ),
    Route {
        filters: true,
        keeps: false,
        ..get(
            "/random",
            "Puzzles drawn at random: all that match are equally likely",
            &[SIZE, RULES, KIND, INVENTORY, DISTINCT, SORT, LIMIT, SEED, FORMAT],
            Answer::Json("api drawn"),
        )
    },
    Route {
        keeps: false,
        ..get(
            "/similar",
            "Other puzzles with about as many moves and vehicles, drawn at random",
            &[BOARD, PRIMARY, RULES, LIMIT, SEED, FORMAT],
            Answer::Json("api drawn"),
        )
    },
    get("/stats", "How many boards of a size have each distance", &[SIZE, METRIC], Answer::Json("stats")),
    get(
        "/heuristics",
        "The building blocks of heuristics, with their values for a board, and the algorithms",
        &[MAYBE_BOARD, METRIC, PRIMARY],
        Answer::Json("api heuristics"),
    ),
    post(
        "/compare",
        "Algorithms and heuristics on one board, within limits",
        Some(Body {
            kind: JSON,
            schema: "api comparison",
            example: r#"{"board":"..B.AAB.........","algorithms":["bfs","astar"],"heuristics":["zero","blocking"]}"#,
        }),
        Answer::Json("api compared"),
    ),
    get(
        "/render.svg",
        "A picture of a board",
        &[BOARD, PRIMARY, optional("title", "A text above it", Holds::Text)],
        Answer::Other("image/svg+xml"),
    ),
    get(
        "/render.png",
        "A picture of a board, also the preview of a shared link",
        &[BOARD, PRIMARY, optional("width", "In pixels; 600 by default", Holds::Number(64, limits::PIXELS))],
        Answer::Other("image/png"),
    ),
    Route {
        keeps: false,
        ..get("/status", "What there is: tables, catalogues, limits", &[], Answer::Json("api status"))
    },
    get("/openapi.json", "This description", &[], Answer::Json("api description")),
    Route { keeps: false, ..get("/healthz", "Is the server there?", &[], Answer::Json("api health")) },
    Route {
        keeps: false,
        ..get("/metrics", "Counters for Prometheus", &[], Answer::Other("text/plain; version=0.0.4"))
    },
    Route {
        keeps: false,
        ..get(
            "/experiments",
            "The experiments of the folder; with the token of the server's start, as all about them: Authorization: Bearer TOKEN",
            &[],
            Answer::Json("api experiments"),
        )
    },
    post(
        "/experiments",
        "Begins an experiment",
        Some(Body { kind: JSON, schema: "api new experiment", example: r#"{"name":"mine","text":"…"}"# }),
        Answer::Made("api experiment"),
    ),
    Route {
        keeps: false,
        ..get(
            "/experiments/templates/{name}",
            "An experiment to begin with",
            &[NAME],
            Answer::Json("api template"),
        )
    },
    Route {
        keeps: false,
        ..get(
            "/experiments/{name}",
            "One experiment with its curves",
            &[NAME],
            Answer::Json("api experiment with curves"),
        )
    },
    Route {
        keeps: false,
        ..get(
            "/experiments/{name}/best.svg",
            "The best individual, drawn",
            &[NAME],
            Answer::Other("image/svg+xml"),
        )
    },
    Route {
        params: &[NAME],
        ..post(
            "/experiments/{name}/pause",
            "Pauses an experiment after what is done",
            None,
            Answer::Json("api experiment"),
        )
    },
    Route {
        params: &[NAME],
        ..post(
            "/experiments/{name}/resume",
            "Goes on with an experiment",
            None,
            Answer::Json("api experiment"),
        )
    },
];

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

impl Route {
    /// For counters and logs.
    pub fn label(&self) -> String {
        format!("{} {BASE}{}", self.method.name(), self.path)
    }

    /// The route of a method and a path as the router writes it.
    pub fn find(method: &str, path: &str) -> Option<usize> {
        let path = path.strip_prefix(BASE)?;
        // What asks for the head alone is the same without a body.
        let method = if method == "HEAD" { "GET" } else { method };
        ROUTES.iter().position(|route| route.path == path && route.method.name() == method)
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
