//! Every route: good, bad and hostile questions, and answers as they are described.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::http::{Server, encoded};
use crate::{CARD, SMALL, STUCK, nothing, with_tables};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../docs/schema.json")).unwrap());

#[track_caller]
pub fn assert_is(name: &str, value: &Value) {
    let mut schema = SCHEMA.clone();
    assert!(!SCHEMA["$defs"][name].is_null(), "there is no definition of {name}");
    schema["$ref"] = json!(format!("#/$defs/{}", name.replace(' ', "%20")));
    let validator: Validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {}", errors.join("; "));
}

/// The definition of the answer of a route, as the description has it.
fn described(method: &str, path: &str) -> Option<String> {
    let api: Value = serde_json::from_str(include_str!("../../docs/openapi.json")).unwrap();
    let responses = &api["paths"][format!("/api/v1{path}")][method]["responses"];
    let answer = responses.get("200").or_else(|| responses.get("201"))?;
    let at = answer["content"]["application/json"]["schema"]["$ref"].as_str()?;
    at.strip_prefix("#/components/schemas/").map(|name| name.replace('_', " "))
}

#[test]
fn the_committed_description_is_the_one_that_is_served() {
    let shared = with_tables();
    let committed = include_str!("../../docs/openapi.json");
    assert_eq!(shared.get("/api/v1/openapi.json").text(), committed, "made with: tailback serve --describe");
    let api: Value = serde_json::from_str(committed).unwrap();
    let operations: Vec<&str> = api["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    let distinct: BTreeSet<&str> = operations.iter().copied().collect();
    assert_eq!((operations.len(), distinct.len()), (33, 33));
}

/// Questions that have an answer, and what their route is called in the description.
const GOOD: &[(&str, &str)] = &[
    ("/lookup?board=..B.AAB.........", "/lookup"),
    ("/lookup?board=....AABB.CC.....&metric=steps", "/lookup"),
    ("/lookup?board=..B.AAB..x......", "/lookup"),
    ("/solve?board=..B.AAB.........&count=true", "/solve"),
    ("/solve?board=....AABB.CC.....", "/solve"),
    ("/hint?board=..B.AAB.........&degree=line", "/hint"),
    ("/read?text=..B.%20AAB.%20....%20....", "/read"),
    ("/without?board=..B.AAB.........", "/without"),
    ("/cluster?board=..B.AAB.........&moves=B%2B1,B%2B1", "/cluster"),
    ("/cluster?board=....AABB.CC.....", "/cluster"),
    ("/puzzles?size=4&limit=3", "/puzzles"),
    ("/puzzles?size=5&moves=5..&vehicles=..9&kind=2&inventory=9,9&sort=-moves,vehicles&offset=2", "/puzzles"),
    ("/puzzles/count?size=4&rules=all", "/puzzles/count"),
    ("/puzzles/histogram?size=4&column=vehicles", "/puzzles/histogram"),
    ("/filters?size=4", "/filters"),
    ("/filters", "/filters"),
    ("/random?size=4&seed=7", "/random"),
    ("/similar?board=..B.AAB.........&seed=1", "/similar"),
    ("/stats?size=4", "/stats"),
    ("/heuristics", "/heuristics"),
    ("/heuristics?board=..B.AAB.........&metric=steps", "/heuristics"),
    ("/status", "/status"),
    ("/healthz", "/healthz"),
];

#[test]
fn good_questions_have_the_answers_that_are_described() {
    let shared = with_tables();
    for (question, path) in GOOD {
        let answer = shared.json(question);
        let name = described("get", path).unwrap_or_else(|| panic!("{path} is not described"));
        let name = if name == "puzzles count" { "puzzles --count".to_owned() } else { name };
        assert_is(&name, &answer);
    }
    for (path, body) in [
        ("/grade", json!({"board": SMALL, "moves": ["B+1", "B-1", "B+2", "A+2"]})),
        ("/grade", json!({"board": STUCK, "moves": "C+1", "metric": "steps"})),
        (
            "/compare",
            json!({"board": SMALL, "algorithms": ["bfs", "astar"], "heuristics": ["zero", "perfect"]}),
        ),
    ] {
        let reply = shared.post(path, &body.to_string());
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_is(&described("post", path).unwrap(), &reply.json());
    }
}

/// Questions without an answer, the status, and a word of the sentence.
const BAD: &[(&str, u16, &str)] = &[
    ("/lookup", 400, "board is missing"),
    ("/lookup?board=", 400, "empty"),
    ("/lookup?board=xyz", 400, ""),
    ("/lookup?board=..B.AAB.........&metric=hops", 400, "moves, steps"),
    ("/lookup?board=..B.AAB.........&metric=", 400, "moves, steps"),
    ("/lookup?board=..B.AAB.........&colour=red", 400, "there is no parameter"),
    ("/lookup?board=..B.AAB.........&board=..B.AAB.........", 400, "two parameters"),
    ("/lookup?board=..B.AAB.........&primary=AA", 400, "one letter"),
    ("/lookup?board=..B.AAB.........&primary=Q", 400, "Q"),
    ("/lookup?board=%FF%FE", 400, ""),
    ("/lookup?board=99999999999999", 404, "no puzzle"),
    ("/solve?board=..B.AAB.........&count=yes", 400, "neither true nor false"),
    ("/hint?board=..B.AAB.........&degree=all", 400, "vehicle, move, line"),
    ("/read?text=AB", 400, ""),
    ("/without", 400, "board is missing"),
    ("/cluster?board=..B.AAB.........&moves=Z%2B1", 400, "Z"),
    ("/cluster?board=..B.AAB.........&moves=A%2B2", 400, ""),
    ("/puzzles?size=7", 400, "from 4 to 6"),
    ("/puzzles?moves=3..1", 400, "nothing is in the range"),
    ("/puzzles?moves=many", 400, "write a range"),
    ("/puzzles?rules=mine", 400, "classic"),
    ("/puzzles?kind=9,9", 400, "none of"),
    ("/puzzles?inventory=many", 400, "12,4"),
    ("/puzzles?sort=colour", 400, "none of"),
    ("/puzzles?sort=moves,moves,moves,moves,moves", 400, "at most 4"),
    ("/puzzles?limit=-1", 400, "no whole number"),
    ("/puzzles?limit=1e3", 400, "no whole number"),
    ("/puzzles?limit=1001", 413, "at most 1000"),
    ("/puzzles?limit=201&format=pdf", 413, "at most 200"),
    ("/puzzles?format=exe", 400, "none of"),
    ("/puzzles?size=4&moves=90..&format=svg", 404, "nothing to draw"),
    ("/puzzles/99999?size=4", 404, "no puzzle 99999"),
    ("/puzzles/abc", 400, "no whole number"),
    ("/puzzles/99999999999999999999999", 400, "no whole number"),
    ("/puzzles/histogram?column=board", 400, "none of"),
    ("/filters?size=3", 400, "from 4 to 6"),
    ("/random?seed=x", 400, "no whole number"),
    (
        "/similar?board=........................AA......................................",
        404,
        "no puzzles of 8×8",
    ),
    ("/stats?size=6", 404, "no table of 6×6"),
    ("/heuristics?board=bad", 400, ""),
    ("/render.svg?board=bad", 400, ""),
    ("/render.png?board=..B.AAB.........&width=99999", 400, "from 64 to 2048"),
    ("/status?verbose=1", 400, "there are none here"),
    ("/experiments", 403, "off"),
    ("/experiments/mine", 403, "off"),
    ("/experiments/templates/policy", 403, "off"),
    ("/experiments/mine/best.svg", 403, "off"),
];

#[test]
fn bad_questions_are_refused_with_a_sentence() {
    let shared = with_tables();
    for (question, status, words) in BAD {
        let reply = shared.get(&format!("/api/v1{question}"));
        assert_eq!(reply.status, *status, "{question}: {}", reply.text());
        reply.assert_refused(*status, words);
        assert_is("api refusal", &reply.json());
    }
    for (path, body, words) in [
        ("/grade", "", "not the JSON"),
        ("/grade", "[]", "not the JSON"),
        ("/grade", r#"{"board":"..B.AAB.........","moves":["A+2"]}"#, ""),
        ("/grade", r#"{"board":"..B.AAB.........","moves":["B+1"],"extra":1}"#, "extra"),
        ("/grade", r#"{"board":"..B.AAB.........","moves":["B+1"],"metric":"hops"}"#, "moves, steps"),
        ("/compare", r#"{"board":"..B.AAB.........","algorithms":[]}"#, "name one"),
        ("/compare", r#"{"board":"..B.AAB.........","algorithms":["astar"]}"#, "name one"),
        ("/compare", r#"{"board":"..B.AAB.........","algorithms":["quantum"]}"#, "there is no algorithm"),
        ("/compare", r#"{"board":"..B.AAB.........","algorithms":["bfs"],"heuristics":["luck"]}"#, "luck"),
        (
            "/compare",
            r#"{"board":"..B.AAB.........","algorithms":["astar"],"heuristics":["@/etc/passwd"]}"#,
            "",
        ),
    ] {
        let reply = shared.post(path, body);
        assert_eq!(reply.status, 400, "{body}: {}", reply.text());
        reply.assert_refused(400, words);
    }
    let heuristics =
        ["zero", "blockers", "blocking", "distance", "advanced", "hybrid", "rounds", "mobile", "clearing"];
    let many = json!({"board": SMALL, "algorithms": ["astar", "greedy", "ida"], "heuristics": heuristics});
    shared.post("/compare", &many.to_string()).assert_refused(413, "at most 24");
    let endless =
        json!({"board": SMALL, "algorithms": vec!["astar"; 100_000], "heuristics": vec!["zero"; 100_000]});
    shared.post("/compare", &endless.to_string()).assert_refused(413, "at most 24");
    let compare = |heuristic: &str| {
        let asked = json!({"board": CARD, "algorithms": ["astar"], "heuristics": [heuristic]});
        shared.post("/compare", &asked.to_string())
    };
    compare("pattern:999999").assert_refused(413, "patterns");
    compare("max(pattern:1,pattern:2,pattern:3,pattern:4,pattern:5)").assert_refused(413, "patterns");
    compare(&format!("max({}zero)", "zero,".repeat(500))).assert_refused(413, "characters");
    assert_eq!(compare("max(pattern:1000,pattern:2000)").status, 200);
    shared
        .post("/grade?metric=steps", r#"{"board":"..B.AAB.........","moves":[]}"#)
        .assert_refused(400, "no parameter");
    shared.ask("POST", "/api/v1/lookup", &[], b"PAR1\x15\x00").assert_refused(400, "Parquet");
    shared.get("/api/v1/puzzles?distinct=2&limit=900&offset=1500").assert_refused(413, "alike");
}

/// Whatever is sent, nothing breaks: no 5xx, and the server goes on.
#[test]
fn hostile_texts_break_nothing() {
    let shared = with_tables();
    let texts = [
        "\u{0}",
        "\n\n\n",
        "'; DROP TABLE puzzles; --",
        "<script>alert(1)</script>",
        "../../etc/passwd",
        "{{7*7}}",
        "A\u{301}\u{301}",
        "\u{202e}AA",
        "☃☃☃☃☃☃",
        "AAAAAAAAAAAAAAAA",
        "xxxxxxxxxxxxxxxx",
        "%",
        "%00",
        "+",
        "-1",
        "18446744073709551616",
        "NaN",
        "\u{feff}..B.AAB.........",
        "..B.AAB.........\u{0}",
    ];
    let long = "B".repeat(7_000);
    for text in texts.into_iter().chain([long.as_str()]) {
        let text = encoded(text);
        for path in [
            format!("/lookup?board={text}"),
            format!("/lookup?{text}={text}"),
            format!("/solve?board={text}&primary={text}"),
            format!("/puzzles?moves={text}&kind={text}&sort={text}"),
            format!("/puzzles/{text}"),
            format!("/similar?board={text}"),
            format!("/cluster?board={SMALL}&moves={text}"),
            format!("/render.svg?board={SMALL}&title={text}"),
            format!("/experiments/{text}"),
        ] {
            let reply = shared.get(&format!("/api/v1{path}"));
            assert!(reply.status < 500, "{path}: {}", reply.text());
        }
        assert!(shared.get(&format!("/?board={text}")).status < 500, "{text}");
    }
    let svg =
        shared.get(&format!("/api/v1/render.svg?board={SMALL}&title={}", encoded("<script>x</script>")));
    assert!(!svg.text().contains("<script>"), "{}", svg.text());
    let page = shared.get(&format!("/?board={}", encoded("\"><script>alert(1)</script>")));
    assert!(!page.text().contains("<script>alert"));
    for body in [&[0u8; 1000][..], b"\xff\xfe", b"{", b"[[[[[[[[", &[b'['; 100_000]] {
        for path in ["/api/v1/grade", "/api/v1/compare", "/api/v1/lookup", "/api/v1/solve", "/api/v1/read"] {
            let reply = shared.ask("POST", path, &[], body);
            assert!(reply.status < 500, "{path}: {}", reply.text());
        }
    }
    assert_eq!(shared.json("/healthz")["status"], "ok");
}

#[test]
fn the_solution_begins_with_a_best_move() {
    let bare = Server::start(nothing(), &[]);
    for metric in ["moves", "steps"] {
        let lookup = bare.json(&format!("/lookup?board={CARD}&metric={metric}"));
        let solution = bare.json(&format!("/solve?board={CARD}&metric={metric}"));
        let hint = bare.json(&format!("/hint?board={CARD}&metric={metric}&degree=line"));
        let first = &solution["solution"][0];
        let choices = lookup["choices"].as_array().unwrap();
        let best: Vec<&Value> = choices.iter().filter(|c| c["loss"] == 0).map(|c| &c["move"]).collect();
        assert!(best.contains(&first), "{first} of {best:?}");
        assert_eq!(lookup["distance"], solution["solution"].as_array().unwrap().len());
        assert_eq!((&hint["move"], &hint["line"]), (first, &solution["solution"]));
        let losses: Vec<u64> = choices.iter().map(|choice| choice["loss"].as_u64().unwrap()).collect();
        assert!(losses.is_sorted() && losses[0] == 0, "{losses:?}");
    }
}

#[test]
fn many_boards_are_answered_line_by_line() {
    let shared = with_tables();
    let input = format!("{SMALL}\n{{\"board\": \"{STUCK}\"}}\n");
    let reply = shared.ask("POST", "/api/v1/lookup", &[], format!("{SMALL}\nnonsense\n{STUCK}\n").as_bytes());
    assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
    let text = reply.text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_is("lookup", &lines[0]);
    assert_is("bad_line", &lines[1]);
    assert_eq!((&lines[0]["distance"], &lines[1]["line"]), (&json!(2), &json!(2)));
    assert_eq!(lines[2]["solvable"], json!(false));
    let solved = shared.ask("POST", "/api/v1/solve?metric=steps", &[], input.replace('{', " {").as_bytes());
    assert_eq!(solved.status, 200, "{}", solved.text());
    let objects = format!("{{\"board\": \"{SMALL}\"}}\n{{\"board\": \"{STUCK}\"}}\n");
    let solved = shared.ask("POST", "/api/v1/solve?metric=steps", &[], objects.as_bytes());
    let text = solved.text();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["distance"], &lines[1]["solution"]), (2, &json!(4), &Value::Null));
}

#[test]
fn answers_are_kept_until_the_database_changes() {
    let shared = with_tables();
    let bare = Server::start(nothing(), &[]);
    let path = format!("/api/v1/lookup?board={SMALL}");
    let first = shared.get(&path);
    let tag = first.header("etag").unwrap();
    assert!(tag.starts_with('"') && first.header("cache-control").unwrap().starts_with("max-age="));
    let again = shared.ask("GET", &path, &[("If-None-Match", tag)], b"");
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)));
    let weak = shared.ask("GET", &path, &[("If-None-Match", &format!("\"other\", W/{tag}"))], b"");
    assert_eq!(weak.status, 304, "as a proxy sends it");
    let any = shared.ask("GET", "/api/v1/lookup?board=bad", &[("If-None-Match", "*")], b"");
    assert_eq!(any.status, 400);
    let other = shared.get(&format!("{path}&metric=steps"));
    assert_ne!(other.header("etag"), Some(tag));
    assert_ne!(bare.get(&path).header("etag"), Some(tag), "another database");
    let bad = shared.get("/api/v1/lookup?board=bad");
    assert_eq!((bad.header("etag"), bad.header("cache-control")), (None, Some("no-store")));
    let page = shared.get("/page/app.js");
    let tag = page.header("etag").unwrap();
    assert_eq!(shared.ask("GET", "/page/app.js", &[("If-None-Match", tag)], b"").status, 304);
}

#[test]
fn lists_have_every_form() {
    let shared = with_tables();
    let list = |form: &str| shared.get(&format!("/api/v1/puzzles?size=4&limit=5&format={form}"));
    for (form, kind) in [
        ("json", "application/json"),
        ("jsonl", "application/x-ndjson"),
        ("csv", "text/csv; charset=utf-8"),
        ("rush", "text/plain; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
    ] {
        let reply = list(form);
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{form}");
        assert!(reply.header("content-disposition").unwrap().starts_with("attachment"), "{form}");
    }
    assert_eq!(list("csv").text().lines().count(), 6);
    assert_eq!(list("jsonl").text().lines().count(), 5);
    assert!(list("pdf").body.starts_with(b"%PDF"));
    assert!(list("svg").text().starts_with("<svg"));
    // Page by page, all puzzles come, and none twice.
    let all = shared.json("/puzzles?size=4&limit=50");
    let all: Vec<Value> = all["puzzles"].as_array().unwrap().clone();
    for (place, puzzle) in all.iter().enumerate().take(12) {
        let one = shared.json(&format!("/puzzles?size=4&limit=1&offset={place}"));
        assert_eq!(one["puzzles"][0], *puzzle);
        assert_eq!(shared.json(&format!("/puzzles/{}?size=4", puzzle["id"])), *puzzle);
    }
    assert_eq!(shared.json("/random?size=4&seed=3"), shared.json("/random?size=4&seed=3"));
    for seed in 0..20 {
        let board = all[0]["board"].as_str().unwrap();
        let like = shared.json(&format!("/similar?board={board}&seed={seed}&limit=2"));
        let like = like["puzzles"].as_array().unwrap();
        assert!(like.len() <= 2 && like.iter().all(|other| other["board"] != board), "another one");
    }
    let histogram = shared.json("/puzzles/histogram?size=4&column=moves&rules=all");
    let counted: u64 =
        histogram["counts"].as_array().unwrap().iter().map(|bar| bar["count"].as_u64().unwrap()).sum();
    let count = shared.json("/puzzles/count?size=4&rules=all");
    assert_eq!((counted.into(), &histogram["matching"]), (count["count"].clone(), &count["count"]));
}

#[test]
fn the_map_has_every_board_and_every_way() {
    let shared = with_tables();
    let map = shared.json(&format!("/cluster?board={SMALL}&moves=B%2B1"));
    assert_eq!((&map["boards"], &map["drawn"], &map["farthest"]), (&json!(5), &json!("boards"), &json!(2)));
    let nodes = map["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 5);
    let counts: Vec<u64> =
        map["levels"].as_array().unwrap().iter().map(|l| l["boards"].as_u64().unwrap()).collect();
    assert_eq!(counts, [1, 2, 2]);
    for edge in map["edges"].as_array().unwrap() {
        let end = |place: usize| nodes[edge[place].as_u64().unwrap() as usize]["distance"].as_u64().unwrap();
        assert!(end(0).abs_diff(end(1)) <= 1);
    }
    assert_eq!(map["path"].as_array().unwrap().len(), 2);
    assert_eq!(map["path"][1]["move"], "B+1");
    let optimal = map["optimal"].as_array().unwrap();
    assert!(optimal.iter().all(|on| (on["distance"] == 0) == on["best"].as_array().unwrap().is_empty()));
}

#[test]
fn without_a_database_all_works_by_search_and_from_the_starter() {
    let bare = Server::start(nothing(), &[]);
    let status = bare.json("/status");
    assert_eq!((&status["tables"], &status["catalogues"][0]["contents"]), (&json!([]), &json!("starter")));
    assert_eq!(bare.json(&format!("/lookup?board={CARD}"))["source"], "search");
    let puzzles = bare.json("/puzzles?limit=2");
    assert_eq!((&puzzles["catalogue"], &puzzles["puzzles"][0]["moves"]), (&json!("starter"), &json!(51)));
    let id = &puzzles["puzzles"][0]["id"];
    assert_eq!(bare.json(&format!("/lookup?board={id}"))["distance"], 51);
    let page = bare.get("/");
    assert!(page.status == 200 && page.text().contains("<!doctype html>"));
}

#[test]
fn pictures_are_pictures() {
    let shared = with_tables();
    let svg = shared.get(&format!("/api/v1/render.svg?board={CARD}"));
    assert!(svg.status == 200 && svg.text().starts_with("<svg"));
    let png = shared.get(&format!("/api/v1/render.png?board={CARD}&width=300"));
    assert!(png.body.starts_with(b"\x89PNG"));
    assert_eq!(u32::from_be_bytes(png.body[16..20].try_into().unwrap()), 300);
    let page = shared.get(&format!("/?board={CARD}")).text();
    assert!(
        page.contains("og:image") && page.contains("/api/v1/render.png?board=BB...CD"),
        "a preview of the link"
    );
    let moved = shared.get("/?board=..B.AAB.........&moves=B%2B2.A+2&at=1").text();
    assert!(
        moved.contains("render.png?board=....AA....B...B.&amp;primary=A"),
        "with the moves played: {moved}"
    );
}

/// Every file of the page is served, none is forgotten, and together they are small.
#[test]
fn the_page_is_whole_and_small() {
    let shared = with_tables();
    let mut sum = 0;
    for entry in std::fs::read_dir(crate::common::root().join("src/serve/page")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let reply = shared.ask("GET", &format!("/page/{name}"), &[("Accept-Encoding", "gzip")], b"");
        assert_eq!((reply.status, reply.header("content-encoding")), (200, Some("gzip")), "{name}");
        sum += reply.body.len();
    }
    assert!(sum < 150_000, "{sum} bytes");
    println!("{sum} bytes of page, compressed");
}

#[test]
fn counters_count() {
    let server = Server::start(nothing(), &[]);
    for _ in 0..3 {
        server.json("/healthz");
    }
    server.get("/api/v1/lookup?board=bad");
    let text = server.get("/api/v1/metrics").text();
    assert!(
        text.contains("tailback_requests_total{route=\"GET /api/v1/healthz\",status=\"2xx\"} 3"),
        "{text}"
    );
    assert!(
        text.contains("tailback_requests_total{route=\"GET /api/v1/lookup\",status=\"4xx\"} 1"),
        "{text}"
    );
}
