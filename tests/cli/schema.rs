//! What every command prints as JSON is what `docs/schema.json` says.

use crate::common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use tailback::board::Metric;
use tailback::shards::{Plan, Product, Run};
use tempfile::TempDir;

use common::{code, stderr, stdout, tables, tailback};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../docs/schema.json")).unwrap());

/// Plans of one shard, which is done.
static PLAN: LazyLock<String> = LazyLock::new(|| plan("four.plan", Product::Catalogue(4.into())));
static COUNTS: LazyLock<String> =
    LazyLock::new(|| plan("counts.plan", Product::Counts { spaces: 4.into(), metric: Metric::Steps }));

fn plan(name: &str, product: Product) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema").join(name);
    let _ = fs::remove_dir_all(&folder);
    let plan = Plan::new(folder.join(name), product, 1, &()).unwrap();
    plan.write().unwrap();
    Run::new(&plan, 1).run(&()).unwrap();
    plan.path().display().to_string()
}

const SMALL: &str = "..B.AAB.........";
const STUCK: &str = "....AABB.CC.....";
const WALLED: &str = "..B.AAB..x......";

/// Validates by one of the definitions.
fn validator(name: &str) -> Validator {
    let mut schema = SCHEMA.clone();
    let place = name.replace(' ', "%20");
    assert!(!SCHEMA["$defs"][name].is_null(), "there is no definition of {name}");
    schema["$ref"] = json!(format!("#/$defs/{place}"));
    jsonschema::validator_for(&schema).unwrap()
}

/// Every line is one of these answers, and every kind of answer is there.
fn check(args: &str, input: &str, kinds: &[&str]) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("boards.txt"), format!("{SMALL}\n{STUCK}\n")).unwrap();
    let args = &args.replace("PLAN", &PLAN).replace("COUNTS", &COUNTS);
    let words: Vec<&str> = args.split(' ').filter(|word| !word.is_empty()).collect();
    let mut command = tailback(tables());
    let has_form = words.contains(&"--format");
    let output = command
        .args(&words)
        .args((!has_form).then_some("--json"))
        .current_dir(folder.path())
        .write_stdin(input)
        .output();
    let output = output.unwrap();
    assert!(code(&output) <= 2, "{args}: {}", stderr(&output));
    let validators: Vec<(&str, Validator)> = kinds.iter().map(|kind| (*kind, validator(kind))).collect();
    let mut met = BTreeSet::new();
    for line in stdout(&output).lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let Some((kind, _)) = validators.iter().find(|(_, validator)| validator.is_valid(&value)) else {
            let why: Vec<String> = validators
                .iter()
                .map(|(kind, validator)| {
                    let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
                    format!("{kind}: {}", errors.join("; "))
                })
                .collect();
            panic!("{args}: {line}\nis none of these:\n{}", why.join("\n"));
        };
        met.insert(*kind);
    }
    assert_eq!(met, kinds.iter().copied().collect(), "{args}: {}", stdout(&output));
}

/// Command line, standard input, and the answers.
const ANSWERS: &[(&str, &str, &[&str])] = &[
    ("build --size 4", "", &["build"]),
    ("plan --only table --size 4 --shards 1 --out four.plan", "", &["plan"]),
    ("status PLAN", "", &["status"]),
    ("status --puzzles PLAN", "", &["status"]),
    ("build --plan PLAN --shard 1", "", &["build shard"]),
    ("merge PLAN", "", &["merge"]),
    ("merge COUNTS", "", &["counts"]),
    ("lookup ..B.AAB.........", "", &["lookup"]),
    ("lookup ....AABB.CC.....", "", &["lookup"]),
    ("lookup ..B.AAB..x......", "", &["lookup"]),
    ("lookup --reasons -", "..B.AAB.........\n....AABB.CC.....\nbad\n", &["lookup", "bad_line"]),
    ("lookup AB", "", &["error"]),
    ("lookup --no-such-option", "", &["error"]),
    ("solve ..B.AAB.........", "", &["solve"]),
    ("solve --count ..B.AAB.........", "", &["solve"]),
    ("solve ....AABB.CC.....", "", &["solve"]),
    ("solve --algorithm astar --heuristic blocking ..B.AAB.........", "", &["solve"]),
    ("solve --algorithm bfs --max-nodes 2 ..B.AAB.........", "", &["solve"]),
    ("solve -", "..B.AAB.........\nbad\n", &["solve", "bad_line"]),
    ("hint ..B.AAB.........", "", &["hint"]),
    ("hint --degree move ..B.AAB.........", "", &["hint"]),
    ("hint --degree line ....AABB.CC.....", "", &["hint"]),
    ("grade ..B.AAB......... B+1 B+1 A+2", "", &["grade"]),
    (
        "grade -",
        "{\"board\": \"..B.AAB.........\", \"moves\": \"B+2\", \"name\": 7}\n{}\n",
        &["grade", "bad_line"],
    ),
    ("compare --only Jam-1,Jam-2 --heuristics zero,blocking", "", &["compare"]),
    ("compare --only Jam-1 --algorithms bfs,astar --max-nodes 10 --repeat 2", "", &["compare"]),
    ("hardest --size 5 --limit 3", "", &["hardest"]),
    ("puzzles --limit 3", "", &["puzzles"]),
    ("puzzles --size 5 --format jsonl --limit 3", "", &["puzzle"]),
    ("puzzles --count", "", &["puzzles --count"]),
    ("pack --size 5 --levels 6 --tiers 2 --out pack", "", &["pack"]),
    ("show 0 --size 5", "", &["show"]),
    ("show ..B.AAB.........", "", &["show"]),
    ("show ....AABB.CC.....", "", &["show"]),
    ("show ..B.AAB..x......", "", &["show"]),
    ("render ..B.AAB......... -o board.png", "", &["render"]),
    ("render --solution ..B.AAB......... -o way.svg", "", &["render"]),
    ("render --file boards.txt -o page-%n.svg", "", &["render"]),
    ("render --file boards.txt --answers -o page.pdf", "", &["render"]),
    ("import -", "2 ..B.AAB......... 5\n....AABB.CC.....\nbad\n", &["import", "bad_line", "import summary"]),
    ("import --alike -", "2 ..B.AAB......... 5\n2 ..B.AAB..CC.....\n", &["import", "import summary"]),
    (
        "import-dataset -",
        "board,moves\n..B.AAB.........,2\n....AABB.CC.....,7\nbad,1\n",
        &["import-dataset", "bad_line", "import-dataset summary"],
    ),
    ("export csv --size 5 --count 5 --out boards.csv", "", &["export"]),
    ("export csv --from boards.txt --out given.csv", "", &["export"]),
    ("export csv --size 5 --per-distance 9 --split 80/20 --out parts.csv", "", &["export"]),
    ("stats --size 5", "", &["stats"]),
    ("stats --size 4 --recount", "", &["stats"]),
    ("heuristics --size 4", "", &["heuristics"]),
    ("heuristics --size 5 --sample 1000", "", &["heuristics"]),
    ("verify --size 4", "", &["verify"]),
    ("survey --size 5 --signatures 9", "", &["survey"]),
    ("survey --size 4 --signatures 9 --search-only", "", &["survey"]),
    ("survey --size 4 --signature 3 --wall A1 --most-boards 1", "", &["survey"]),
    ("verify --catalogue --size 5", "", &["verify catalogue"]),
    ("evolve boards --size 5 --generations 2", "", &["evolve boards"]),
];

#[test]
fn every_answer() {
    for &(args, input, kinds) in ANSWERS {
        check(args, input, kinds);
    }
}

/// No command is forgotten.
#[test]
fn every_command() {
    let help = stdout(&tailback(tables()).arg("--help").output().unwrap());
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let named: BTreeSet<&str> = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap())
        // What `serve` answers is checked in tests/serve.
        .filter(|name| !["completions", "man", "help", "serve"].contains(name))
        .collect();
    assert!(named.len() > 15, "{named:?}");
    let checked: BTreeSet<&str> = ANSWERS.iter().map(|(args, ..)| args.split(' ').next().unwrap()).collect();
    assert_eq!(checked, named);
}

/// Definitions say which fields there are, and no others.
#[test]
fn nothing_is_left_open() {
    let mut answer = json!({"board": SMALL, "error": "none", "line": 1});
    assert!(validator("bad_line").is_valid(&answer));
    answer["more"] = json!(1);
    assert!(!validator("bad_line").is_valid(&answer));
    let lookup = tailback(tables()).args(["lookup", WALLED, "--json"]).output().unwrap();
    let mut lookup: Value = serde_json::from_str(&stdout(&lookup)).unwrap();
    assert!(validator("lookup").is_valid(&lookup));
    for name in ["board", "primary", "distance", "choices"] {
        let mut less = lookup.clone();
        less.as_object_mut().unwrap().remove(name);
        assert!(!validator("lookup").is_valid(&less), "{name}");
    }
    lookup["rank"] = json!(7);
    assert!(!validator("lookup").is_valid(&lookup));
    assert_eq!(SCHEMA["version"], 1);
}
