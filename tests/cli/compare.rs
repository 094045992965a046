//! `tailback compare` as a user types it: every form tells the same, and what
//! it tells is what the searches say.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tailback::board::{Board, Metric};
use tailback::cluster::Bounds;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::{Estimator, Traffic};
use tailback::formula::Heuristic;
use tailback::probe::Prober;
use tailback::puzzles::{Bench, Method, Puzzle, PuzzleSet, RushHour, Settings, named_set};
use tailback::render::png;
use tailback::search::{
    Algorithm, Blind, Compared, Comparison, Limits, MethodTotals, Report, Stop, Verdict, run,
};
use tempfile::TempDir;

use common::{code, stderr, stdout, tables, tailback};

const JAM: &str = include_str!("../../src/domains/rush_hour/sets/jam.tsv");
const COURSE: &str = include_str!("../../src/domains/rush_hour/sets/it3105.tsv");

/// Small boards of every sort: names, walls, 8×8, solved, unsolvable.
const MIXED: &str = "\
# a comment
small ..B.AAB.........

..B. AAB. ..CC ....
walled\t..B.AAB..x......\t2
solved ..AA............
stuck ....AABB.CC.....
large ...x.... ...B.... AA.B.... ...C.... ...C.D.. ...C.D.x .....D.. ...EE...
name, \"quoted\"\t..BDAABD..C...C.
";

const METHODS: [&str; 4] =
    ["--algorithms", "astar,bfs,dfs", "--heuristics", "blocking,max(zero,0.5*distance)"];

fn compare(args: &[&str], input: &str) -> Output {
    tailback(Path::new("no-tables")).arg("compare").args(args).write_stdin(input).output().unwrap()
}

fn words(args: &[&str], input: &str) -> String {
    let output = compare(args, input);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn object(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&words(&[args, &["--json"]].concat(), input)).unwrap()
}

fn rows(object: &Value) -> &Vec<Value> {
    object["results"].as_array().unwrap()
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                fields.last_mut().unwrap().push(chars.next().unwrap())
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// The columns of a set that is part of the program.
fn facts(file: &str) -> Vec<Vec<&str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split('\t').collect()).collect()
}

mod forms {
    use super::*;

    /// What the searches say, asked one by one.
    fn asked(metric: Metric) -> Vec<Value> {
        let prober = Prober::without_tables();
        let limits = Limits::default();
        let guided = ["blocking", "max(zero,0.5*distance)"].map(|text| VOCABULARY.read(text).unwrap());
        let mut all = Vec::new();
        let oracle = RushHour.open(Settings::default()).unwrap();
        let set = PuzzleSet::parse("mixed", MIXED, &oracle).unwrap();
        for named in set.iter() {
            let board = Board::parse(&named.puzzle.text()).unwrap();
            let traffic = Traffic::new(&board, metric);
            let mut reports = Vec::new();
            for heuristic in &guided {
                let mut guide = Estimator::new(heuristic, &traffic, &prober, Bounds::default()).unwrap();
                let report = run(Algorithm::A_STAR, &traffic, traffic.start(), &mut guide, &limits).unwrap();
                reports.push(("astar", Some(heuristic.to_string()), report));
            }
            for (name, algorithm) in [("bfs", Algorithm::BreadthFirst), ("dfs", Algorithm::DepthFirst)] {
                let Ok(report) = run(algorithm, &traffic, traffic.start(), &mut Blind, &limits);
                reports.push((name, None, report));
            }
            let distance = prober.session().distance(&board, metric, Bounds::default()).unwrap().0;
            let runs: Vec<Value> = reports
                .iter()
                .map(|(algorithm, heuristic, report)| {
                    json!({
                        "algorithm": algorithm, "heuristic": heuristic,
                        "length": report.solution().map(|solution| solution.cost),
                        "generated": report.counts.generated, "expanded": report.counts.expanded,
                        "distinct": report.counts.distinct, "stored": report.counts.stored,
                        "branching_factor": rounded(report.branching_factor()),
                        "proven_optimal": report.solution().is_some_and(|solution| solution.proven_optimal),
                        "stopped": null, "at_least": null,
                    })
                })
                .collect();
            all.push(json!({
                "puzzle": named.name, "board": named.puzzle.text(),
                "solvable": distance.is_solvable(), "distance": distance, "runs": runs,
            }));
        }
        all
    }

    /// Reading a number from JSON may change its last digit.
    fn rounded(factor: Option<f64>) -> Value {
        json!(factor.map(|factor| format!("{factor:.9}")))
    }

    fn without_seconds(mut rows: Vec<Value>) -> Vec<Value> {
        for run in rows.iter_mut().flat_map(|row| row["runs"].as_array_mut().unwrap()) {
            run["branching_factor"] = rounded(run["branching_factor"].as_f64());
            assert!(run.as_object_mut().unwrap().remove("seconds").unwrap().as_f64().unwrap() >= 0.0);
        }
        rows
    }

    /// What a terminal takes for commands is not passed on; programs have the names as they
    /// are.
    #[test]
    fn names_with_control_characters() {
        let name = "\u{1b}[31mred\u{7}";
        let list = format!("{name}\t..B.AAB.........\n");
        let args = ["--set", "-", "--algorithms", "astar", "--heuristics", "zero"];
        let told = words(&args, &list);
        assert!(told.contains("\u{fffd}[31mred\u{fffd}") && !told.contains(['\u{1b}', '\u{7}']), "{told:?}");
        assert_eq!(rows(&object(&args, &list))[0]["puzzle"], name);
        let output = compare(&["--set", "-", "--only", "\u{1b}[31mblue"], &list);
        assert!(code(&output) == 2 && !stderr(&output).contains('\u{1b}'), "{:?}", stderr(&output));
    }

    #[test]
    fn json_is_what_the_searches_say() {
        for metric in [Metric::Moves, Metric::Steps] {
            let name = metric.to_string();
            let found = object(&[&["--set", "-", "--metric", &name], &METHODS[..]].concat(), MIXED);
            assert_eq!((&found["set"], &found["metric"]), (&json!("standard input"), &json!(metric)));
            let expected = asked(metric);
            assert_eq!(without_seconds(rows(&found).clone()), expected);
            for (index, run) in found["runs"].as_array().unwrap().iter().enumerate() {
                let of_all = || expected.iter().map(|row| (&row["distance"], &row["runs"][index]));
                let sum = |name: &str| of_all().map(|(_, run)| run[name].as_u64().unwrap()).sum::<u64>();
                let factors: Vec<f64> =
                    of_all().filter_map(|(_, run)| run["branching_factor"].as_str()?.parse().ok()).collect();
                let totals = &run["totals"];
                assert_eq!(
                    (&totals["generated"], &totals["expanded"]),
                    (&json!(sum("generated")), &json!(sum("expanded")))
                );
                let solved = of_all().filter(|(_, run)| run["length"].is_u64()).count();
                let optimal = of_all().filter(|(d, run)| d.is_u64() && *d == &run["length"]).count();
                assert_eq!((&totals["solved"], &totals["optimal"]), (&json!(solved), &json!(optimal)));
                assert_eq!((&totals["unsolvable"], &totals["stopped"]), (&json!(7 - solved), &json!(0)));
                let mean = factors.iter().sum::<f64>() / factors.len() as f64;
                assert!((totals["branching_factor"].as_f64().unwrap() - mean).abs() < 1e-6);
                assert_eq!(run["algorithm"], expected[0]["runs"][index]["algorithm"]);
                assert_eq!(run["heuristic"], expected[0]["runs"][index]["heuristic"]);
            }
        }
    }

    #[test]
    fn csv_says_what_json_says() {
        let args = [&["--set", "-", "--format", "csv"], &METHODS[..]].concat();
        let text = words(&args, MIXED);
        let mut lines = text.lines().map(fields);
        let names = lines.next().unwrap();
        let plain = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        let expected = asked(Metric::Moves);
        let mut count = 0;
        for row in &expected {
            for run in row["runs"].as_array().unwrap() {
                let line = lines.next().unwrap();
                assert_eq!(line.len(), names.len());
                for (name, field) in names.iter().zip(line) {
                    match name.as_str() {
                        "metric" => assert_eq!(field, "moves"),
                        "branching_factor" => assert_eq!(rounded(field.parse().ok()), run[name]),
                        "seconds" => assert!(field.parse::<f64>().unwrap() >= 0.0),
                        _ => {
                            let value = row.get(name).or(run.get(name)).unwrap();
                            assert_eq!(field, plain(value), "{name} of {row}");
                        }
                    }
                }
                count += 1;
            }
        }
        assert_eq!((count, lines.next()), (28, None));
        assert!(text.contains("\n\"name, \"\"quoted\"\"\",..BDAABD"), "{text}");
        assert!(text.contains(",astar,\"max(zero,0.5*distance)\","), "{text}");
    }

    /// The number in a cell: without separators and marks.
    fn number(cell: &str) -> String {
        cell.trim_start_matches('>').split('+').next().unwrap().replace(',', "")
    }

    #[test]
    fn tables_say_what_json_says() {
        let expected = asked(Metric::Moves);
        for (measure, name) in [
            ("generated", "generated"),
            ("expanded", "expanded"),
            ("distinct", "distinct"),
            ("stored", "stored"),
            ("length", "length"),
        ] {
            let args = [&["--set", "-", "--measure", measure], &METHODS[..]].concat();
            let text = words(&args, MIXED);
            let markdown = words(&[&args[..], &["--format", "markdown"]].concat(), MIXED);
            let lines: Vec<&str> =
                text.lines().skip_while(|line| !line.starts_with("puzzle")).skip(1).collect();
            let table: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
            assert_eq!(
                table[0],
                "| puzzle | moves | astar blocking | astar max(zero,0.5\\*distance) | bfs | dfs |"
            );
            for (index, row) in expected.iter().enumerate() {
                // A name may have spaces in it, numbers have none.
                let mut cells: Vec<&str> = lines[index].split_whitespace().rev().take(5).collect();
                cells.reverse();
                let marked: Vec<&str> =
                    table[index + 2].trim_matches('|').split(" | ").map(str::trim).collect();
                assert_eq!(marked[0], row["puzzle"].as_str().unwrap());
                assert_eq!(&marked[1..], cells);
                match row["distance"].as_u64() {
                    Some(distance) => assert_eq!(cells[0], distance.to_string()),
                    None => assert_eq!(cells[0], "unsolvable"),
                }
                for (cell, run) in cells[1..].iter().zip(row["runs"].as_array().unwrap()) {
                    let value = if run[name].is_null() { "-".to_owned() } else { run[name].to_string() };
                    assert_eq!(number(cell), value, "{measure}: {}", lines[index]);
                    let excess =
                        run["length"].as_u64().map(|length| length - row["distance"].as_u64().unwrap());
                    let mark = excess.filter(|&n| n > 0).map(|n| n.to_string());
                    assert_eq!(
                        cell.split_once('+').map(|(_, mark)| mark.to_owned()),
                        mark,
                        "{}",
                        lines[index]
                    );
                }
            }
        }
    }

    #[test]
    fn a_table_for_people() {
        let text = words(&["--set", "-", "--algorithms", "bfs,dfs,astar", "--heuristics", "blocking"], MIXED);
        let expected = "\
standard input, 7 puzzles in moves: nodes generated

                                                 astar
puzzle               moves    bfs        dfs  blocking
small                    2     11     11+2           7
4                        3     17     17+3          11
walled                   2     11     11+2           7
solved                   0      1      1             1
stuck           unsolvable      7      7             7
large                    4  4,242  1,649+128       295
name, \"quoted\"  unsolvable      7      7             7
";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("\n\n+n: so many moves longer than a shortest solution.\n"), "{text}");
        let totals: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("all ")).collect();
        assert_eq!(
            totals[0].split_whitespace().collect::<Vec<_>>(),
            [
                "all",
                "solved",
                "optimal",
                "unsolvable",
                "stopped",
                "generated",
                "expanded",
                "branching",
                "seconds"
            ]
        );
        assert!(totals[3].starts_with("astar blocking "), "{}", totals[3]);
    }

    #[test]
    fn factors_and_seconds() {
        let small = "..B.AAB.........";
        let args = ["--set", "-", "--heuristics", "zero", "--measure"];
        let cell = |measure: &str| {
            let text = words(&[&args[..], &[measure]].concat(), small);
            text.lines().nth(4).unwrap().split_whitespace().last().unwrap().to_owned()
        };
        // 1 + b + b² = 9
        assert_eq!(cell("branching"), "2.372");
        let seconds = cell("seconds");
        assert!(seconds.parse::<f64>().is_ok() && seconds.split('.').nth(1).unwrap().len() == 6, "{seconds}");
    }
}

mod sets {
    use super::*;

    fn check(set: &str, file: &str, count: usize) {
        for (metric, column) in [("moves", 2), ("steps", 3)] {
            let found = object(&["--set", set, "--metric", metric], "");
            let facts = facts(file);
            assert_eq!((rows(&found).len(), facts.len(), &found["set"]), (count, count, &json!(set)));
            for (row, fact) in rows(&found).iter().zip(&facts) {
                assert_eq!(row["puzzle"], fact[0]);
                assert_eq!(row["board"], fact[1].replace('o', "."));
                assert_eq!(row["distance"].to_string(), fact[column], "{}", fact[0]);
                for run in row["runs"].as_array().unwrap() {
                    let length = run["length"].as_u64().unwrap();
                    assert!(length >= row["distance"].as_u64().unwrap());
                    assert!(run["proven_optimal"] == false || length == row["distance"], "{run}");
                }
            }
            let heuristics: Vec<&str> = found["runs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|run| run["heuristic"].as_str().unwrap())
                .collect();
            match metric {
                "moves" => {
                    assert_eq!(
                        heuristics,
                        ["zero", "blocking", "advanced", "advanced-admissible", "perfect"]
                    );
                }
                _ => assert_eq!(heuristics, ["zero", "distance-blockers", "advanced-distance", "perfect"]),
            }
        }
    }

    #[test]
    fn the_forty_cards() {
        check("jam", JAM, 40);
    }

    #[test]
    fn the_course_boards() {
        check("it3105", COURSE, 7);
    }

    /// Bounds that hold whatever the order among equals, computed elsewhere.
    #[test]
    fn nodes_are_within_their_bounds() {
        let found = object(&["--heuristics", "zero,blocking"], "");
        for (row, fact) in rows(&found).iter().zip(facts(JAM)) {
            for (run, bounds) in [(0, [5, 6]), (1, [7, 8])] {
                let [least, most] = bounds.map(|column| fact[column].parse::<u64>().unwrap());
                let generated = row["runs"][run]["generated"].as_u64().unwrap();
                assert!((least..=most).contains(&generated), "{}: {generated}", fact[0]);
            }
        }
    }

    #[test]
    fn the_table_has_every_card() {
        let text = words(&["--heuristics", "perfect"], "");
        for fact in facts(JAM) {
            let start = format!("{} ", fact[0]);
            let line = text.lines().find(|line| line.starts_with(&start)).unwrap();
            assert_eq!(line.split_whitespace().nth(1), Some(fact[2]));
        }
        let total = text.lines().last().unwrap();
        assert_eq!(
            total.split_whitespace().take(5).collect::<Vec<_>>(),
            ["astar", "perfect", "40", "40", "0"]
        );
    }

    #[test]
    fn from_a_file() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("mixed.txt");
        fs::write(&path, MIXED).unwrap();
        let path = path.to_str().unwrap();
        let found = object(&["--set", path, "--algorithms", "bfs"], "");
        let names: Vec<&str> = rows(&found).iter().map(|row| row["puzzle"].as_str().unwrap()).collect();
        assert_eq!(names, ["small", "4", "walled", "solved", "stuck", "large", "name, \"quoted\""]);
        assert_eq!((&found["set"], &found["runs"][0]["heuristic"]), (&json!(path), &Value::Null));
        let found = object(&["--set", path, "--only", "large, 4"], "");
        let names: Vec<&str> = rows(&found).iter().map(|row| row["puzzle"].as_str().unwrap()).collect();
        assert_eq!(names, ["4", "large"]);
        let other = object(&["--set", "-", "--primary", "X"], "a ..B.XXB.........\n");
        assert_eq!(rows(&other)[0]["distance"], 2);
    }

    /// The program's own files can be given as files, too.
    #[test]
    fn a_file_with_columns() {
        let found = object(&["--set", "-", "--algorithms", "bfs"], COURSE);
        let built_in = object(&["--set", "it3105", "--algorithms", "bfs"], "");
        let generated = |found: &Value| -> Vec<Value> {
            rows(found).iter().map(|row| json!([row["puzzle"], row["runs"][0]["generated"]])).collect()
        };
        assert_eq!(generated(&found), generated(&built_in));
    }
}

/// More puzzles than a batch, and more than a table shows.
#[test]
fn long_sets() {
    let boards = |count: usize| "..B.AAB.........\n".repeat(count);
    let found = object(&["--set", "-", "--algorithms", "bfs,dfs"], &boards(2500));
    assert_eq!(rows(&found).len(), 2500);
    assert_eq!(
        (&rows(&found)[2499]["puzzle"], &found["runs"][1]["totals"]["solved"]),
        (&json!("2500"), &json!(2500))
    );
    let csv = words(&["--set", "-", "--algorithms", "bfs", "--format", "csv"], &boards(2500));
    assert_eq!(csv.lines().count(), 2501);
    let text = words(&["--set", "-", "--algorithms", "bfs"], &boards(10_001));
    assert!(text.starts_with("standard input, 10,001 puzzles in moves: nodes generated\n"));
    assert!(text.contains("\n10000 ") && !text.contains("\n10001 "));
    assert!(
        text.ends_with("\n\nthe first 10,000 are shown, CSV and JSON have all.\n"),
        "{}",
        &text[text.len() - 500..]
    );
}

mod groups {
    use super::*;

    const GROUPED: &str = "a\t..B.AAB.........\teasy\nb\t..B.AAB...CC....\teasy\nc\t..AA............\tnone\n";

    fn line<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
        let line = text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{text}"));
        line.split_whitespace().collect()
    }

    #[test]
    fn of_the_cards() {
        let found = object(&["--algorithms", "bfs"], "");
        let groups = found["groups"].as_array().unwrap();
        let names: Vec<&str> = groups.iter().map(|group| group["group"].as_str().unwrap()).collect();
        assert_eq!(names, ["beginner", "intermediate", "advanced", "expert"]);
        for (index, group) in groups.iter().enumerate() {
            let rows = &rows(&found)[10 * index..10 * index + 10];
            assert!(rows.iter().all(|row| row["group"] == group["group"]));
            let sum: u64 = rows.iter().map(|row| row["runs"][0]["generated"].as_u64().unwrap()).sum();
            assert_eq!(group["puzzles"], 10);
            assert_eq!(group["runs"][0]["means"]["generated"], sum as f64 / 10.0);
        }
        let text = words(&["--algorithms", "bfs", "--by-group"], "");
        assert!(!text.contains("Jam-1") && line(&text, "expert")[1] == "10", "{text}");
    }

    #[test]
    fn of_a_file() {
        let args = ["--set", "-", "--algorithms", "bfs"];
        let text = words(&args, GROUPED);
        assert_eq!(line(&text, "easy"), ["easy", "2", "2.5", "14"], "{text}");
        assert_eq!(line(&text, "none"), ["none", "1", "0.0", "1"], "{text}");
        let csv = words(&[&args[..], &["--format", "csv"]].concat(), GROUPED);
        assert!(csv.lines().next().unwrap().ends_with(",seconds,group"), "{csv}");
        assert!(csv.lines().nth(1).unwrap().ends_with(",easy"), "{csv}");
        let head = "name\tboard\tmoves\tgroup\na\t..B.AAB.........\t2\t1\n";
        assert_eq!(rows(&object(&args, head))[0]["group"], "1");
        let output = compare(&["--set", "-", "--by-group"], "..B.AAB.........");
        assert!(code(&output) == 2 && stderr(&output).contains("have no groups"), "{}", stderr(&output));
    }

    #[test]
    fn stopped_searches_leave_a_mark() {
        let args = ["--algorithms", "bfs", "--max-nodes", "5000", "--only", "1..10", "--by-group"];
        let text = words(&args, "");
        let means = line(&text, "beginner");
        assert!(means[3].starts_with('>'), "{text}");
        let all = line(&text, "bfs ");
        assert!(all[4].starts_with('>') && all[5].starts_with('>') && all[7].starts_with('>'), "{text}");
        assert!(all[6].ends_with('*') && text.contains("*: of the solved puzzles alone"), "{text}");
    }
}

/// What people type is understood.
mod names {
    use super::*;

    #[test]
    fn of_algorithms() {
        for (typed, name) in [
            ("A*", "astar"),
            ("a-star", "astar"),
            ("AStar", "astar"),
            ("IDA*", "ida"),
            ("ida*-tt", "ida-tt"),
            ("wa*:1.5", "wastar:1.5"),
            ("breadth-first", "bfs"),
            ("Depth First", "dfs"),
            ("iterative-deepening", "iddfs"),
        ] {
            let found = object(&["--set", "-", "--algorithms", typed], "..B.AAB.........");
            assert_eq!(found["runs"][0]["algorithm"], name, "{typed}");
        }
        let said = stderr(&compare(&["--algorithms", "astr"], ""));
        assert!(said.contains("there is no algorithm 'astr' (did you mean astar or wastar?)"), "{said}");
    }

    #[test]
    fn of_puzzles() {
        let names = |only: &str| -> Vec<String> {
            let found = object(&["--only", only, "--algorithms", "bfs"], "");
            rows(&found).iter().map(|row| row["puzzle"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names("jam-1"), ["Jam-1"]);
        assert_eq!(names("1"), ["Jam-1"]);
        assert_eq!(names("3, JAM-2,2..4"), ["Jam-2", "Jam-3", "Jam-4"]);
        let said = stderr(&compare(&["--only", "jam-41"], ""));
        assert!(said.contains("jam has no puzzle 'jam-41'; did you mean Jam-1 or "), "{said}");
    }
}

mod rules_of_others {
    use super::*;

    const THEIRS: [&str; 4] =
        ["--rules", "oldest-first,no-reopening,exit-outside", "--heuristics", "blocking"];

    #[test]
    fn are_named_in_every_form() {
        let args = [&THEIRS[..], &["--only", "1,2"]].concat();
        let found = object(&args, "");
        assert_eq!(found["rules"], THEIRS[1]);
        let csv = words(&[&args[..], &["--format", "csv"]].concat(), "");
        assert!(csv.lines().next().unwrap().ends_with(",group,rules"), "{csv}");
        assert!(csv.lines().nth(1).unwrap().ends_with(&format!(",\"{}\"", THEIRS[1])), "{csv}");
        let text = words(&args, "");
        assert!(text.starts_with(&format!("jam, 2 puzzles in moves ({}): ", THEIRS[1])), "{text}");
        assert!(object(&["--only", "1"], "").get("rules").is_none());
    }

    #[test]
    fn change_counts_and_lengths() {
        let generated = |args: &[&str]| {
            let found =
                object(&[&["--only", "1", "--metric", "steps", "--algorithms", "bfs"], args].concat(), "");
            let run = &rows(&found)[0]["runs"][0];
            (
                run["generated"].as_u64().unwrap(),
                run["length"].as_u64().unwrap(),
                rows(&found)[0]["distance"].clone(),
            )
        };
        let (usual, early) = (generated(&[]), generated(&["--rules", "goal-at-generation"]));
        assert!(early.0 < usual.0 && early.1 == usual.1, "{early:?} {usual:?}");
        let outside = generated(&["--rules", "exit-outside"]);
        assert_eq!((outside.1, &outside.2), (usual.1 + 1, &json!(usual.1 + 1)));
    }

    #[test]
    fn mistakes() {
        for (args, message) in [
            (&["--rules", "oldest"][..], "there is no rule 'oldest': the rules are goal-at-generation, "),
            (&["--rules", "oldest-first", "--algorithms", "bfs"], "about greedy, astar and wastar"),
        ] {
            let said = stderr(&compare(args, ""));
            assert!(said.contains(message), "{said}");
        }
    }
}

mod repeated {
    use super::*;

    #[test]
    fn the_median_lies_between_the_ends() {
        let args = ["--only", "1..3", "--algorithms", "bfs", "--repeat", "5"];
        for row in rows(&object(&args, "")) {
            let run = &row["runs"][0];
            let [least, median, most] =
                ["seconds_least", "seconds", "seconds_most"].map(|name| run[name].as_f64().unwrap());
            assert!(0.0 < least && least <= median && median <= most, "{run}");
        }
        let text = words(&[&args[..], &["--measure", "seconds"]].concat(), "");
        assert!(
            text.contains("times: the median of 5 runs, in brackets the shortest and the longest"),
            "{text}"
        );
        let once = object(&["--only", "1", "--algorithms", "bfs"], "");
        assert!(rows(&once)[0]["runs"][0].get("seconds_least").is_none());
    }
}

mod latex {
    use super::*;

    #[test]
    fn a_table_of_booktabs() {
        let input = "one_100%\t..B.AAB.........\ta&b\ntwo\t..B.AAB...CC....\ta&b\n";
        let args = ["--set", "-", "--algorithms", "astar,dfs", "--heuristics", "max(zero,0.5*distance)"];
        let text = words(&[&args[..], &["--format", "latex"]].concat(), input);
        for part in [
            "% In the preamble: \\usepackage{booktabs}\n\\begin{table}\n",
            "\\begin{tabular}{lrrr}\n    \\toprule\n",
            "puzzle & moves & max(zero,0.5*distance) & dfs \\\\\n    \\midrule\n",
            "one\\_100\\% & 2 & 7 & 11$^{+2}$ \\\\\n",
            "a\\&b & 2 & 2.5 & ",
            "\\bottomrule\n  \\end{tabular}\n\\end{table}\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        for (open, close) in [("\\begin{", "\\end{"), ("{", "}")] {
            assert_eq!(text.matches(open).count(), text.matches(close).count(), "{text}");
        }
    }
}

mod mistakes {
    use super::*;

    fn refused(args: &[&str], input: &str) -> String {
        let output = compare(args, input);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
        stderr(&output)
    }

    #[test]
    fn unknown_names() {
        for (args, message) in [
            (["--set", "no-such-set"], "the sets are jam, it3105, hard8, far8"),
            (["--algorithms", "astar,best"], "there is no algorithm 'best'"),
            (["--algorithms", ""], "there is no algorithm ''"),
            (["--heuristics", "zero,max(blocking,guess)"], "'guess'"),
            (["--only", "Jam-1,Jam-41"], "jam has no puzzle 'Jam-41'"),
            (["--measure", "beauty"], "invalid value 'beauty'"),
            (["--threads", "0"], "invalid value '0'"),
            (["--plot", "picture.gif"], ".svg, .png or .pdf"),
        ] {
            let said = refused(&args, "");
            assert!(said.starts_with("error: ") && said.contains(message), "{said}");
        }
    }

    #[test]
    fn options_without_effect() {
        for (args, message) in [
            (&["--format", "csv", "--measure", "expanded"][..], "have all measures"),
            (&["--algorithms", "bfs,dfs", "--heuristics", "zero"], "use no heuristic"),
            (&["--primary", "Z"], "in the sets of the program the primary is A"),
        ] {
            assert!(refused(args, "").contains(message), "{args:?}");
        }
        for before in [true, false] {
            let mut command = tailback(Path::new("nowhere"));
            command.args(before.then_some("--json")).args(["compare", "--format", "csv"]);
            let output = command.args((!before).then_some("--json")).output().unwrap();
            assert_eq!(code(&output), 2);
            assert!(stdout(&output).contains("choose one"), "{}", stdout(&output));
        }
    }

    #[test]
    fn sets_that_are_none() {
        let good = "..B.AAB.........";
        for (input, message) in [
            ("", "standard input has no puzzle"),
            ("# nothing\n\n", "standard input has no puzzle"),
            (&format!("{good}\none AAB.\n"), "standard input, line 2: a board has 16, 25"),
            (&format!("\n{good}\n..B.BBB.........\n"), "standard input, line 3: "),
            ("\u{0}\u{1}\n", "standard input, line 1: "),
        ] {
            assert!(refused(&["--set", "-"], input).contains(message), "{input:?}");
            let output = compare(&["--set", "-", "--json"], input);
            let error: Value = serde_json::from_str(&stdout(&output)).unwrap();
            assert_eq!(code(&output), 2);
            assert!(error["error"].as_str().unwrap().starts_with(message), "{error}");
        }
        let folder = TempDir::new().unwrap();
        let unreadable = compare(&["--set", folder.path().to_str().unwrap()], "");
        assert_eq!(code(&unreadable), 1);
        assert!(stderr(&unreadable).starts_with("error: cannot read "), "{}", stderr(&unreadable));
        let binary = folder.path().join("binary");
        fs::write(&binary, [0xff, 0xfe, b'\n', 0x80]).unwrap();
        assert!(refused(&["--set", binary.to_str().unwrap()], "").contains("binary, line 1: "));
    }

    #[test]
    fn a_damaged_table() {
        let db = TempDir::new().unwrap();
        fs::write(db.path().join("4x4-moves.tailback"), "something else").unwrap();
        let run = |heuristic: &str| {
            let mut command = tailback(db.path());
            command.args(["compare", "--set", "-", "--heuristics", heuristic]);
            command.write_stdin("..B.AAB.........").output().unwrap()
        };
        let perfect = run("perfect");
        assert_eq!((code(&perfect), stdout(&perfect)), (1, String::new()));
        assert!(stderr(&perfect).contains("4x4-moves.tailback: "), "{}", stderr(&perfect));
        // Nobody needs the table if a search has proven the distance.
        assert_eq!(code(&run("blocking")), 0);
        assert_eq!(code(&run("advanced")), 1);
    }
}

mod stopped {
    use super::*;

    const HARD: &[&str] =
        &["--only", "Jam-1,Jam-40", "--algorithms", "astar,ida", "--heuristics", "blocking"];

    #[test]
    fn past_the_limit_of_nodes() {
        let args = [HARD, &["--max-nodes", "7000"]].concat();
        let found = object(&args, "");
        let runs = |row: usize| &rows(&found)[row]["runs"];
        assert_eq!((&runs(0)[0]["stopped"], &runs(0)[0]["length"]), (&Value::Null, &json!(8)));
        let cut = &runs(1)[0];
        assert_eq!((&cut["stopped"], &cut["length"]), (&json!("nodes"), &Value::Null));
        assert_eq!((&cut["proven_optimal"], &cut["branching_factor"]), (&json!(false), &Value::Null));
        assert_eq!(cut["generated"], 7000);
        let at_least = cut["at_least"].as_u64().unwrap();
        assert!((1..=51).contains(&at_least), "{cut}");
        // The prober knows it, stopped or not.
        assert_eq!(rows(&found)[1]["distance"], 51);
        assert_eq!(found["runs"][0]["totals"]["stopped"], 1);

        let text = words(&args, "");
        let line: Vec<&str> =
            text.lines().find(|line| line.starts_with("Jam-40")).unwrap().split_whitespace().collect();
        assert_eq!(line[1], "51");
        assert!(line[2..] == [">7,000", ">7,000"], "{line:?}");
        assert!(text.ends_with("> or -: stopped before the search knew.\n"), "{text}");
        let lengths = words(&[&args[..], &["--measure", "length"]].concat(), "");
        let line = lengths.lines().find(|line| line.starts_with("Jam-40")).unwrap();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["Jam-40", "51", "-", "-"]);
        let csv = words(&[&args[..], &["--format", "csv"]].concat(), "");
        assert!(csv.lines().nth(3).unwrap().contains(&format!(",false,nodes,{at_least},")), "{csv}");
    }

    #[test]
    fn ten_million_nodes_are_the_default() {
        let help = words(&["--help"], "");
        let option = help.split("--max-nodes").nth(1).unwrap().split("--max-seconds").next().unwrap();
        assert!(option.contains("[default: 10000000]"), "{help}");
    }

    /// The cluster is too large for `perfect`, and for the prober.
    #[test]
    fn what_nobody_knows() {
        let args =
            ["--only", "Jam-2", "--heuristics", "perfect,advanced", "--limit", "100", "--max-nodes", "50"];
        let found = object(&args, "");
        let row = &rows(&found)[0];
        assert_eq!((&row["solvable"], &row["distance"]), (&Value::Null, &Value::Null));
        let run = &row["runs"][0];
        assert_eq!(
            (&run["generated"], &run["stopped"], &run["at_least"]),
            (&json!(0), &json!("memory"), &json!(0))
        );
        let text = words(&args, "");
        let line = text.lines().find(|line| line.starts_with("Jam-2")).unwrap();
        assert_eq!(line.split_whitespace().take(3).collect::<Vec<_>>(), ["Jam-2", "-", "-"]);
    }

    /// Whoever stops a comparison keeps what was finished.
    #[test]
    fn somebody_asks_to_stop() {
        let heuristic: Heuristic = VOCABULARY.read("perfect").unwrap();
        let oracle = RushHour.open(Settings::default()).unwrap();
        let comparison = Comparison {
            contest: &Bench::default(),
            methods: &Method::all(&[Algorithm::A_STAR], &[heuristic]),
            limits: &Limits::default(),
            repeats: 1,
        };
        let cards: Vec<_> = named_set(&oracle, "jam").unwrap().iter().take(5).collect();
        let observer = common::StopAt::new(1);
        let results: Vec<Compared<_>> = common::with_threads(1, || {
            comparison.results(cards.into_iter(), &observer).map(Result::unwrap).collect()
        });
        let is_stopped = |report: &Report<_>| {
            matches!(report.verdict, Verdict::Stopped { reason: Stop::Interrupted, at_least: 0 })
        };
        let stopped: Vec<bool> = results.iter().map(|row| is_stopped(&row.reports[0])).collect();
        assert_eq!(stopped.iter().filter(|&&stopped| stopped).count(), 4);
        let mut totals = MethodTotals::default();
        for (row, stopped) in results.iter().zip(stopped) {
            assert_eq!(row.distance.is_none(), stopped);
            assert_eq!(row.reports[0].counts.generated == 0, stopped);
            totals.add(row, 0);
        }
        assert_eq!((totals.solved, totals.stopped, totals.interrupted), (1, 4, 4));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn by_ctrl_c() {
        use std::process::{Command, Stdio};

        let child = Command::new(common::PROGRAM)
            .args(["--json", "compare", "--only", "Jam-40", "--algorithms", "iddfs", "--no-distinct"])
            .args(["--max-nodes", "1000000000000000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        common::interrupt_at_work(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains("error: interrupted after "), "{}", stderr(&output));
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(found["results"][0]["runs"][0]["stopped"], "interrupted");
        assert_eq!(found["results"][0]["distance"], Value::Null);
    }
}

mod tables_of_distances {
    use super::*;

    #[test]
    fn change_nothing_but_the_time() {
        let args = ["compare", "--set", "-", "--json", "--algorithms", "astar,greedy,ida-tt"];
        let heuristics = ["--heuristics", "advanced,hybrid,perfect"];
        let run = |more: &[&str]| -> Value {
            let mut command = tailback(tables());
            command.args(args).args(heuristics).args(more);
            let output = command.write_stdin(MIXED).output().unwrap();
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            let mut found: Value = serde_json::from_str(&stdout(&output)).unwrap();
            for list in ["runs", "results"] {
                for entry in found[list].as_array_mut().unwrap() {
                    match list {
                        "runs" => drop(entry["totals"].as_object_mut().unwrap().remove("seconds")),
                        _ => entry["runs"].as_array_mut().unwrap().iter_mut().for_each(|run| {
                            run.as_object_mut().unwrap().remove("seconds");
                        }),
                    }
                }
            }
            found
        };
        let with = run(&[]);
        assert_eq!(with, run(&["--no-table"]));
        assert_eq!(with, run(&["--threads", "1"]));
        assert_eq!(with["runs"].as_array().unwrap().len(), 9);
    }
}

mod pictures {
    use super::*;

    fn plot(name: &str, args: &[&str], input: &str) -> Vec<u8> {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        words(&[args, &["--plot", path.to_str().unwrap()]].concat(), input);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::read(path).unwrap()
    }

    fn svg(args: &[&str], input: &str) -> String {
        let svg = String::from_utf8(plot("searches.svg", args, input)).unwrap();
        png::from_svg(&svg, 1.0).expect("it is an SVG");
        svg
    }

    #[test]
    fn a_bar_for_each_number() {
        let bars = |args: &[&str], input: &str| svg(args, input).matches("<title>").count();
        assert_eq!(bars(&[], ""), 3 * 200);
        assert_eq!(bars(&["--only", "Jam-1", "--algorithms", "bfs"], ""), 3);
        // What is unsolvable has no length, but it took time.
        assert_eq!(unsolvable(MIXED), 2);
        assert_eq!(bars(&["--set", "-", "--algorithms", "bfs"], MIXED), 7 + 7 + 7 - unsolvable(MIXED));
        let cut = ["--only", "Jam-40", "--algorithms", "bfs", "--max-nodes", "100"];
        assert_eq!(bars(&cut, ""), 2);
        assert!(svg(&cut, "").contains("pale bars are searches that were stopped"));
        assert!(svg(&cut, "").contains("<title>Jam-40, bfs: more than 10"));
    }

    #[test]
    fn what_is_asked_for() {
        let bars = |args: &[&str]| svg(&[&["--only", "1..3", "--algorithms", "bfs"], args].concat(), "");
        let expanded = bars(&["--measure", "expanded"]);
        assert!(expanded.contains("Nodes expanded (logarithmic)") && !expanded.contains("Nodes generated"));
        assert_eq!(expanded.matches("<title>").count(), 3);
        let more = ["--panels", "branching,distinct", "--title", "Two & more", "--scale", "linear"];
        let chosen = bars(&[&more[..], &["--plot-size", "700x600"]].concat());
        for part in [
            "Effective branching factor<",
            "Distinct states<",
            "Two &amp; more",
            "width=\"700\" height=\"600\"",
        ] {
            assert!(chosen.contains(part), "{part} in {chosen}");
        }
        let groups = svg(&["--by-group", "--algorithms", "bfs"], "");
        assert_eq!(groups.matches("<title>").count(), 3 * 4);
        assert!(groups.contains(">expert</text>") && groups.contains("means of groups"));
        let repeated = bars(&["--measure", "seconds", "--repeat", "3"]);
        assert!(repeated.contains("median of 3 runs"));
    }

    #[test]
    fn sizes_that_are_none() {
        for (size, message) in [
            ("100", "a size is a width and a height"),
            ("0x100", "a size is a width and a height"),
            ("700x200", "these charts need a --plot-size of 230x"),
        ] {
            let output = compare(&["--only", "1", "--plot", "never.svg", "--plot-size", size], "");
            assert!(code(&output) == 2 && stderr(&output).contains(message), "{}", stderr(&output));
        }
        assert!(!Path::new("never.svg").exists());
        assert_eq!(code(&compare(&["--title", "x"], "")), 2);
    }

    fn unsolvable(set: &str) -> usize {
        let found = object(&["--set", "-", "--algorithms", "bfs"], set);
        rows(&found).iter().filter(|row| row["solvable"] == false).count()
    }

    #[test]
    fn names_stand_on_them() {
        let svg = svg(
            &["--set", "-", "--algorithms", "greedy,wastar:1.5", "--heuristics", "hybrid"],
            "<one>\t..B.AAB.........",
        );
        for name in ["&lt;one&gt;", "greedy hybrid", "wastar:1.5 hybrid", "Nodes generated", "Time", "Length"]
        {
            assert!(svg.contains(name), "{name}");
        }
    }

    #[test]
    fn png_too() {
        let bytes = plot("searches.PNG", &["--only", "Jam-1,Jam-2"], "");
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 20_000, "{} bytes", bytes.len());
    }
}
