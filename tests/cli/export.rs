//! `tailback export` as a user types it: what is in a dataset, against the oracle.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};

use common::desk::{Desk, Row, column, sha256, table};
use common::{code, stderr, stdout, tables};

/// 2 moves, 4 steps, 5 boards in its cluster.
const SMALL: &str = "..B.AAB.........";
const WALLED: &str = "..B.AAB..x......";
const BLOCKED: &str = "....AABB.CC.....";
/// 60 moves, 103 steps.
const SIX: &str = "IBBx..I..LDDJAAL..J.KEEMFFK..MGGHHHM";
/// 2 moves, 7 steps.
const EIGHT: &str = "................................AA...B.......B..................";

fn desk() -> Desk {
    Desk::new(tables())
}

/// Runs on a desk of its own; gives standard output.
fn said(args: &str) -> String {
    desk().run(args)
}

/// The rows of `tailback export csv ARGS --out -`.
fn rows(args: &str) -> Vec<Row> {
    table(&said(&format!("export csv {args} --out -")))
}

mod forms {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    const HEURISTICS: &str = "blocking,max(blocking,advanced),0.5*distance,move-freed,perfect";

    /// Guards against lines that are no JSON: the path of a heuristic is the name of
    /// its column, whatever is in it.
    #[cfg(unix)]
    #[test]
    fn json_escapes_the_names_of_columns() {
        let desk = desk();
        let path = r#"best\"of\all".txt"#;
        desk.write(path, "blocking");
        let name = format!("@{path}");
        let lines = desk.run_with("export jsonl --size 4 --count 3 --out - --heuristics", &[&name]);
        for line in lines.lines() {
            let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert!(row[&name].is_number(), "{line}");
        }
    }

    #[test]
    fn columns_have_names() {
        let head = |args: &str| said(&format!("export csv --size 4 --count 1 {args} --out -"));
        for (args, expected) in [
            ("", "board,id,moves"),
            ("--metric steps", "board,id,steps"),
            ("--metric both", "board,id,moves,steps"),
            ("--heuristics blocking", "board,id,moves,blocking"),
            (
                "--heuristics max(blocking,advanced),zero --metric both",
                "board,id,moves,steps,\"max(blocking,advanced)\",zero",
            ),
            ("--heuristics zero,move-freed", "board,id,moves,last_move,zero,move-freed"),
            (
                "--heuristics all",
                "board,id,moves,last_move,zero,blockers,blocking,blocked-blockers,distance,\
                 distance-blockers,advanced,advanced-admissible,advanced-distance,goal-distance,hybrid,\
                 move-freed,move-to-secluded",
            ),
        ] {
            assert_eq!(head(args).lines().next(), Some(expected), "{args}");
        }
    }

    /// What CSV says, as JSON says it.
    fn as_json(name: &str, text: &str) -> Value {
        match (name, text) {
            ("board" | "last_move", text) if !text.is_empty() => json!(text),
            ("move-freed", text) => json!(text == "1"),
            (_, "" | "Infinity") => Value::Null,
            (_, text) if text.contains('.') => json!(text.parse::<f64>().unwrap()),
            (_, text) => json!(text.parse::<u64>().unwrap()),
        }
    }

    /// What Parquet says, as JSON says it.
    fn of_parquet(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Str(text) => json!(text),
            Field::Bool(holds) => json!(holds),
            Field::Short(number) => json!(number),
            Field::Int(number) => json!(number),
            Field::Long(number) => json!(number),
            Field::Double(number) if number.is_infinite() => Value::Null,
            Field::Double(number) => json!(number),
            other => panic!("{other:?}"),
        }
    }

    /// JSON does not tell 2 from 2.0.
    fn same(a: &Value, b: &Value) -> bool {
        a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a))
    }

    /// Solutions and best moves against the oracle; families and clusters have
    /// their boards in common, and no others.
    #[test]
    fn more_columns() {
        let desk = desk();
        for (size, metric) in [(4, "moves"), (5, "steps")] {
            let request = format!(
                "--size {size} --metric {metric} --count 150 --include-unsolvable --seed 2 \
                 --with solution,best-moves,family,cluster"
            );
            let csv = rows(&request);
            let steps = metric == "steps";
            let mut by_number: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
            for row in &csv {
                let text = &row["board"];
                let distance = oracle::distance(text, size, steps);
                let (mut board, mut length) = (text.clone(), 0);
                for notation in row["solution"].split_whitespace() {
                    let made = oracle::successors(&board, size, steps);
                    board = made.into_iter().find(|after| after.notation == notation).unwrap().text;
                    length += 1;
                }
                match distance {
                    None => assert_eq!((row["solution"].as_str(), row["best_moves"].as_str()), ("", "")),
                    Some(distance) => {
                        assert!(oracle::is_solved(&board, size) && length == distance, "{row:?}");
                        let best: BTreeSet<String> = oracle::successors(text, size, steps)
                            .into_iter()
                            .filter(|after| oracle::distance(&after.text, size, steps) < Some(distance))
                            .filter(|_| distance > 0)
                            .map(|after| after.notation)
                            .collect();
                        let told = row["best_moves"].split_whitespace().map(str::to_owned).collect();
                        assert_eq!(best, told, "{row:?}");
                    }
                }
                for name in ["family", "cluster"] {
                    assert_eq!(row[name].len(), 16);
                    by_number.entry((name, &row[name])).or_default().push(text);
                }
            }
            assert!(csv.iter().any(|row| row[metric].is_empty()), "unsolvable ones are there");
            assert!(by_number.keys().filter(|(name, _)| *name == "cluster").count() > 100);

            // One cluster has one number, its mirror image too; and it has its boards alone.
            let first = csv.iter().find(|row| row[metric] == "3").unwrap();
            desk.write("one.txt", &first["board"]);
            let cluster = desk.run_with(
                "export csv --with family,cluster --out - --include-unsolvable --whole-cluster",
                &[&first["board"]],
            );
            let cluster = table(&cluster);
            assert_eq!(cluster.len(), oracle::cluster(&first["board"], size, usize::MAX).unwrap().len());
            for name in ["family", "cluster"] {
                assert!(cluster.iter().all(|row| row[name] == first[name]), "{name}");
            }

            // The other forms say the same.
            let jsonl = said(&format!("export jsonl {request} --out -"));
            desk.run(&format!("export parquet {request} --out a.parquet"));
            let file = SerializedFileReader::new(fs::File::open(desk.path("a.parquet")).unwrap()).unwrap();
            let mut compared = 0;
            for ((row, line), record) in csv.iter().zip(jsonl.lines()).zip(file.get_row_iter(None).unwrap()) {
                let object: Value = serde_json::from_str(line).unwrap();
                let record: BTreeMap<String, Field> = record.unwrap().into_columns().into_iter().collect();
                let solvable = !row[metric].is_empty();
                for name in ["solution", "best_moves"] {
                    let moves: Vec<&str> = row[name].split_whitespace().collect();
                    let expected = if solvable { json!(moves) } else { Value::Null };
                    assert_eq!(object[name], expected, "{name} of {row:?}");
                    let text = if solvable { json!(row[name]) } else { Value::Null };
                    assert_eq!(of_parquet(&record[name]), text, "{name} of {row:?}");
                }
                for name in ["family", "cluster"] {
                    assert_eq!(object[name], json!(row[name]));
                    assert_eq!(of_parquet(&record[name]), json!(row[name]));
                }
                compared += 1;
            }
            assert_eq!(compared, 150);
        }
    }

    #[test]
    fn all_say_the_same() {
        let desk = desk();
        for (size, metric, with) in [(4, "both", "--include-unsolvable"), (5, "moves", ""), (5, "steps", "")]
        {
            let args = format!("--size {size} --metric {metric} --heuristics {HEURISTICS} --seed 5 {with}");
            let request = format!("--count 400 {args}");
            let csv = rows(&request);
            assert_eq!(csv.len(), 400);
            assert!(with.is_empty() || column(&csv, "moves").contains(&""));

            let jsonl = said(&format!("export jsonl {request} --out -"));
            assert_eq!(jsonl.lines().count(), 400);
            for (row, line) in csv.iter().zip(jsonl.lines()) {
                let object: Value = serde_json::from_str(line).unwrap();
                assert_eq!(object.as_object().unwrap().len(), row.len());
                for (name, text) in row {
                    assert!(same(&object[name], &as_json(name, text)), "{name} of {row:?}: {line}");
                }
            }

            desk.run(&format!("export parquet {request} --out a.parquet"));
            let file = SerializedFileReader::new(fs::File::open(desk.path("a.parquet")).unwrap()).unwrap();
            let mut read = 0;
            for (row, line) in csv.iter().zip(file.get_row_iter(None).unwrap()) {
                let line = line.unwrap();
                assert_eq!(line.get_column_iter().count(), row.len());
                for (name, field) in line.get_column_iter() {
                    let expected = as_json(name, &row[name]);
                    assert!(same(&of_parquet(field), &expected), "{name} of {row:?}: {field:?}");
                }
                read += 1;
            }
            assert_eq!(read, 400);

            // One h* is all that the others have room for.
            let first = if metric == "both" { "moves" } else { metric };
            let request = request.replace("both", first);
            let hh = said(&format!("export hh-evolver {request} --out -"));
            assert_eq!(hh.lines().count(), 402);
            for (row, line) in csv.iter().zip(hh.lines().skip(2)) {
                let distance = if row[first].is_empty() { "Infinity" } else { &row[first] };
                let mut expected = vec![row["board"].as_str(), distance];
                expected.extend(
                    ["blocking", "max(blocking,advanced)", "0.5*distance", "move-freed", "perfect"]
                        .map(|name| row[name].as_str()),
                );
                assert_eq!(line.split(',').collect::<Vec<_>>(), expected);
            }
        }
    }

    /// Every board of 4×4 by the oracle, which shares no code with the program.
    #[test]
    fn labels_are_exact() {
        let spaces = [false, true].map(|steps| oracle::solve_space(4, steps));
        let known = |distance: u8| match distance {
            oracle::UNSOLVABLE => String::new(),
            distance => distance.to_string(),
        };
        let all = rows(
            "--size 4 --count 13146 --include-unsolvable --metric both \
             --heuristics blocking,distance,advanced,move-freed",
        );
        let mut seen = BTreeSet::new();
        for row in &all {
            let text = &row["board"];
            let board = oracle::code_of(text);
            assert!(seen.insert((board, row["id"].clone())), "{text} comes twice");
            let found = ["moves", "steps"].map(|name| row[name].clone());
            assert_eq!(found, [0, 1].map(|metric| known(spaces[metric][&board])), "{text}");
            assert_eq!(row["blocking"], oracle::heuristics::blocking(text, 4).to_string());
            assert_eq!(row["distance"], oracle::heuristics::distance(text, 4).to_string());
            let advanced = oracle::heuristics::advanced(text, 4);
            assert_eq!(row["advanced"], advanced.map_or("Infinity".to_owned(), |h| h.to_string()), "{text}");
            // The last move is one that may have been.
            let undone = match row["last_move"].split_once(['+', '-']) {
                None => {
                    assert!(oracle::successors(text, 4, false).is_empty(), "{text} has a last move");
                    assert_eq!(row["move-freed"], "-1");
                    continue;
                }
                Some((letter, cells)) if row["last_move"].contains('+') => format!("{letter}-{cells}"),
                Some((letter, cells)) => format!("{letter}+{cells}"),
            };
            let before = oracle::successors(text, 4, false).into_iter().find(|next| next.notation == undone);
            let before = before.unwrap_or_else(|| panic!("{undone} cannot be played on {text}")).text;
            let holds = oracle::heuristics::move_freed(&before, text, 4);
            assert_eq!(row["move-freed"], if holds { "1" } else { "-1" }, "{text} after {before}");
        }
        let ranks: BTreeSet<u64> = all.iter().map(|row| row["id"].parse().unwrap()).collect();
        assert_eq!((seen.len(), ranks.len(), ranks.last()), (13_146, 13_146, Some(&13_145)));
    }

    #[test]
    fn rush_lines_pass_import() {
        let desk = desk();
        desk.run("export rush --size 5 --count 300 --out list.txt");
        desk.run("export rush --size 4 --per-distance 20 --out small.txt");
        desk.write("list.txt", &(desk.text("list.txt") + &desk.text("small.txt")));
        let import = desk.run("import list.txt --json");
        let summary: Value = serde_json::from_str(import.lines().last().unwrap()).unwrap();
        assert_eq!((&summary["lines"], &summary["agree"]), (&json!(440), &json!(440)), "{summary}");
        let line = desk.text("list.txt").lines().next().unwrap().to_owned();
        assert!(line.as_bytes()[..2].iter().all(u8::is_ascii_digit) && !line.contains('.'), "{line}");
    }

    #[test]
    fn hh_evolver_passes_the_audit() {
        let desk = desk();
        for (metric, with) in [("moves", ""), ("steps", "--include-unsolvable")] {
            let args = format!("--size 5 --count 1000 --metric {metric} --heuristics all --seed 7 {with}");
            desk.run(&format!("export hh-evolver {args} --out boards.csv"));
            let audit = format!("import-dataset --metric {metric} --heuristics all boards.csv");
            let told = desk.run(&format!("{audit} --seed 7"));
            assert!(told.contains(": 1,000 lines: 1,000 agree ("), "{told}");
            assert!(told.ends_with("\nAll values of 13 heuristics are right.\n"), "{told}");

            // Conditions are about the seed's last moves.
            let other = desk.command(&format!("{audit} --seed 8"), &[]).output().unwrap();
            assert_eq!(code(&other), 1);
            let told = stdout(&other);
            let wrong = told.lines().find(|line| line.starts_with("Wrong values: ")).unwrap();
            assert!(wrong.contains("move-freed") && !wrong.contains("block"), "{wrong}");

            let text = desk.text("boards.csv");
            for (line, at) in [(2, 1), (700, 1), (700, 3), (1001, 14)] {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let mut values: Vec<String> = lines[line].split(',').map(str::to_owned).collect();
                values[at] = match values[at].as_str() {
                    "Infinity" => "7".to_owned(),
                    "-1" => "1".to_owned(),
                    value => (value.parse::<i32>().unwrap() + 1).to_string(),
                };
                lines[line] = values.join(",");
                desk.write("boards.csv", &(lines.join("\n") + "\n"));
                let output = desk.command(&format!("{audit} --seed 7"), &[]).output().unwrap();
                assert_eq!(code(&output), 1, "line {line}, field {at}");
                assert!(stdout(&output).starts_with(&format!("line {}: ", line + 1)), "{}", stdout(&output));
            }
        }
    }

    #[test]
    fn planning_problems() {
        let desk = desk();
        desk.write("boards.txt", &format!("{SMALL}\n{BLOCKED}\n{EIGHT}\n{SIX}\n"));
        let told =
            desk.run("export pddl --from boards.txt --metric both --include-unsolvable --out planning/");
        assert!(told.starts_with("planning: 4 boards, up to 60 moves, up to 103 steps ("), "{told}");
        assert_eq!(desk.names(), ["boards.txt", "planning", "planning.manifest.json"]);
        let file = |name: &str| fs::read_to_string(desk.path("planning").join(name)).unwrap();
        let mut names: Vec<String> = fs::read_dir(desk.path("planning"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let problems = [
            (SMALL, "moves: 2", "steps: 4"),
            (BLOCKED, "moves: unsolvable", "steps: unsolvable"),
            (EIGHT, "moves: 2", "steps: 7"),
            (SIX, "moves: 60", "steps: 103"),
        ];
        for (number, (board, moves, steps)) in (1..).zip(problems) {
            let name = format!("board-000000{number}");
            let head = format!("; board: {board}\n; {moves}\n; {steps}\n(define (problem {name})\n");
            assert!(file(&format!("{name}.pddl")).starts_with(&head), "{head}");
        }
        for metric in ["moves", "steps"] {
            let domain = file(&format!("domain-{metric}.pddl"));
            assert!(domain.starts_with("; Rush Hour up to 8x8. A plan's length is in "), "{domain}");
            assert!(domain.contains(&format!("in {metric}:")));
        }
        let mut expected: Vec<String> = (1..=4).map(|number| format!("board-000000{number}.pddl")).collect();
        expected.extend(["domain-moves.pddl".to_owned(), "domain-steps.pddl".to_owned()]);
        assert_eq!(names, expected);

        // The checksum is that of all files, one after the other.
        let all: String = names.iter().map(|name| file(name)).collect();
        let manifest = desk.json("planning.manifest.json");
        let entry = &manifest["files"][0];
        assert_eq!((&entry["file"], &entry["bytes"]), (&json!("planning"), &json!(all.len())));
        assert_eq!(entry["sha256"], sha256(all.as_bytes()));

        // An empty folder is as good as none.
        fs::create_dir(desk.path("empty")).unwrap();
        desk.run("export pddl --size 4 --count 2 --metric steps --out empty");
        let mut names: Vec<_> =
            fs::read_dir(desk.path("empty")).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["board-0000001.pddl", "board-0000002.pddl", "domain-steps.pddl"]);
    }
}

mod heads {
    use super::*;

    fn head(args: &str, more: &[&str]) -> Vec<String> {
        let text = desk().run_with(&format!("export hh-evolver {args} --out -"), more);
        text.lines().take(2).map(str::to_owned).collect()
    }

    #[test]
    fn names_and_descriptions() {
        let desk = desk();
        for (given, written) in [
            ("plain", "plain"),
            ("", ""),
            ("one, two", "\"one, two\""),
            ("a \"word\"", "\"a \"\"word\"\"\""),
            (" spaces ", "\" spaces \""),
            ("# 4×4; Größe", "# 4×4; Größe"),
            ("\"", "\"\"\"\""),
            ("\u{feff}mark", "\"\u{feff}mark\""),
        ] {
            let more = ["--name", given, "--description", given];
            desk.run_with("export hh-evolver --size 4 --count 3 --out a.csv", &more);
            assert!(desk.text("a.csv").starts_with(&format!("{written}\n{written}\n")), "{given:?}");
            // And back.
            let summary = desk.run("import-dataset a.csv --json");
            let summary: Value = serde_json::from_str(summary.lines().last().unwrap()).unwrap();
            let manifest = desk.json("a.csv.manifest.json");
            for said in [summary, manifest] {
                assert_eq!((&said["name"], &said["description"]), (&json!(given), &json!(given)));
            }
        }
    }

    /// The file has no other place for what its columns are.
    #[test]
    fn without_a_description_the_file_tells_what_it_is() {
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            head("--size 5 --count 3 --metric steps --heuristics max(blocking,advanced),zero --seed 9", &[]),
            [
                "Rush Hour 5x5 in steps".to_owned(),
                format!(
                    "5x5 Rush Hour boards: drawn by lot; all equally likely; h* is exact in steps; \
                     h1 max(blocking advanced) h2 zero; seed 9; tailback {version}"
                ),
            ]
        );
        for (args, words) in [
            (
                "--size 4 --per-distance 3",
                "4x4 Rush Hour boards: 3 at each of the distances in moves; drawn by lot; ",
            ),
            (
                "--size 4 --count 3 --distance 2..5",
                "drawn by lot at the distances 2..5 in moves; all equally likely; ",
            ),
            (
                "--size 4 --count 3 --per-distance-weighted",
                "by the square root of how many boards each has; h* ",
            ),
            (
                "--size 5 --from catalogue --moves 18..",
                "5x5 Rush Hour boards: puzzles of the complete catalogue; by falling moves: rules classic and moves 18..; h* ",
            ),
            (
                "--size 5 --from catalogue --count 3",
                "puzzles of the complete catalogue; drawn by lot: rules classic; h* is exact",
            ),
            (&format!("--whole-cluster {WALLED}"), &format!("the whole cluster of {WALLED}; h* is exact")),
            (&format!("--whole-family {SMALL}"), &format!("the whole family of {SMALL}; h* is exact")),
        ] {
            let told = &head(args, &[])[1];
            assert!(told.contains(words) && told.contains("in moves; seed 0;"), "{args}: {told}");
        }
        let desk = desk();
        desk.write("my boards.txt", &format!("{SMALL}\n{EIGHT}\n"));
        let told = desk.run_with("export hh-evolver --out - --from", &["my boards.txt"]);
        assert!(
            told.starts_with("Rush Hour in moves\nRush Hour boards: the boards of my boards.txt; h* is ")
        );
    }
}

mod boards {
    use super::*;

    fn counted<'k>(keys: impl IntoIterator<Item = &'k str>) -> BTreeMap<&'k str, u64> {
        let mut counts = BTreeMap::new();
        keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
        counts
    }

    #[test]
    fn by_count() {
        let drawn = rows("--size 5 --count 2000");
        let boards: BTreeSet<&str> = column(&drawn, "board").into_iter().collect();
        assert_eq!((drawn.len(), boards.len()), (2000, 2000));
        assert!(!column(&drawn, "moves").contains(&""));
        let unsolvable = |rows: &[Row]| column(rows, "moves").iter().filter(|moves| moves.is_empty()).count();
        // 32% of all, give or take five standard deviations.
        let with = rows("--size 5 --count 2000 --include-unsolvable");
        assert!((540..750).contains(&unsolvable(&with)), "{}", unsolvable(&with));
        // All of them, each once.
        let all = rows("--size 4 --count 9444");
        let boards: BTreeSet<&str> = column(&all, "board").into_iter().collect();
        assert_eq!((boards.len(), unsolvable(&all)), (9444, 0));
    }

    /// What the table of 4×4 has at each distance, in moves.
    const POPULATION: [u64; 8] = [4592, 2682, 1219, 673, 194, 64, 17, 3];

    #[test]
    fn by_distance() {
        let desk = desk();
        let output =
            desk.command("export csv --size 4 --per-distance 100 --out a.csv", &[]).output().unwrap();
        assert_eq!(code(&output), 0);
        let note = "note: some distances have fewer boards than 100, and all of them are taken: \
                    64 at 5, 17 at 6, 3 at 7\n";
        assert!(stderr(&output).starts_with(note), "{}", stderr(&output));
        let rows = table(&desk.text("a.csv"));
        let counts: Vec<u64> = counted(column(&rows, "moves")).into_values().collect();
        assert_eq!(counts, POPULATION.map(|boards| boards.min(100)));
        assert_eq!(column(&rows, "board").iter().collect::<BTreeSet<_>>().len(), rows.len());
        // At the end, every one of them.
        let hardest = oracle::solve_space(4, false).into_iter().filter(|(_, distance)| *distance == 7);
        let hardest: BTreeSet<_> = hardest.map(|(board, _)| board).collect();
        let found = rows.iter().filter(|row| row["moves"] == "7").map(|row| oracle::code_of(&row["board"]));
        assert_eq!(found.collect::<BTreeSet<_>>(), hardest);

        // With the unsolvable ones last, and by steps if those come first.
        let both = super::rows("--size 4 --per-distance 3 --metric both --include-unsolvable");
        let mut expected: Vec<String> =
            (0..8).flat_map(|moves| [moves.to_string(), moves.to_string(), moves.to_string()]).collect();
        expected.extend([const { String::new() }; 3]);
        assert_eq!(column(&both, "moves"), expected);
        let steps = super::rows("--size 4 --per-distance 2 --metric steps");
        let steps: Vec<u32> = column(&steps, "steps").iter().map(|steps| steps.parse().unwrap()).collect();
        assert_eq!(steps, (0..=10).flat_map(|steps| [steps, steps]).collect::<Vec<u32>>());
    }

    #[test]
    fn shared_by_the_root() {
        let rows = rows("--size 4 --count 600 --per-distance-weighted");
        let counts: Vec<f64> = counted(column(&rows, "moves")).into_values().map(|n| n as f64).collect();
        assert_eq!((rows.len(), counts.len()), (600, 8));
        // Nowhere do the boards run out before their share is taken.
        let roots: Vec<f64> = POPULATION.iter().map(|&boards| (boards as f64).sqrt()).collect();
        let all: f64 = roots.iter().sum();
        for (count, root) in counts.iter().zip(roots) {
            assert!((count - 600.0 * root / all).abs() < 4.0, "{counts:?}");
        }
    }

    #[test]
    fn at_some_distances() {
        let of = |args: &str| {
            let rows = rows(&format!("--size 4 {args}"));
            counted(column(&rows, "moves")).into_iter().map(|(d, n)| (d.to_owned(), n)).collect::<Vec<_>>()
        };
        assert_eq!(of("--count 3 --distance 7"), [("7".to_owned(), 3)]);
        assert_eq!(of("--per-distance 5 --distance 2..3"), [("2".to_owned(), 5), ("3".to_owned(), 5)]);
        assert_eq!(of("--count 20 --distance 6.."), [("6".to_owned(), 17), ("7".to_owned(), 3)]);
        // In proportion, 194 to 64.
        let counts = of("--count 129 --distance 4..5");
        assert_eq!(counts.iter().map(|(_, n)| n).sum::<u64>(), 129);
        assert!((70..125).contains(&counts[0].1), "{counts:?}");
        let weighted = of("--count 20 --per-distance-weighted --distance 5..6");
        assert_eq!(weighted.iter().map(|(_, n)| n).sum::<u64>(), 20);
        assert!((5..9).contains(&weighted[1].1), "8 to 4 by the roots: {weighted:?}");
    }

    /// The filters of puzzles that say what a board is made of.
    #[test]
    fn of_a_shape() {
        for request in ["--count 300", "--per-distance 20", "--count 300 --distance 3.."] {
            let desk = desk();
            let shape = "--vehicles 7..8 --trucks 1 --having-kind 2,2";
            desk.run(&format!("export csv --size 5 {request} {shape} --out a.csv"));
            let rows = table(&desk.text("a.csv"));
            assert!(rows.len() >= 100, "{request}: {}", rows.len());
            for row in &rows {
                let cells: Vec<char> = row["board"].chars().collect();
                let letters: BTreeSet<char> = cells.iter().copied().filter(|&c| c != '.').collect();
                let of_length = |length| {
                    let has = |letter: &char| cells.iter().filter(|&cell| cell == letter).count() == length;
                    letters.iter().copied().filter(has).count()
                };
                assert!((7..=8).contains(&letters.len()) && of_length(3) == 1, "{row:?}");
            }
            let manifest = desk.json("a.csv.manifest.json");
            let words = manifest["boards"].as_str().unwrap();
            assert!(words.ends_with(", vehicles 7..8, trucks 1, kind 2,2"), "{words}");
            // Nobody counted all boards of the shape.
            assert!(manifest["population"].is_null() && manifest["population_unsolvable"].is_null());
        }
    }

    #[test]
    fn from_the_catalogue() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        let filters = "--size 5 --rules all --moves 9.. --vehicles ..8 --having-kind 2,2";
        let found = lines(&said(&format!("export rush --from catalogue {filters} --out -")));
        let listed = lines(&said(&format!("puzzles {filters} --format rush")));
        assert!((5..200).contains(&listed.len()), "{}", listed.len());
        assert_eq!(sorted(found), sorted(listed));
        // By lot, in the order of the lot, both distances as the catalogue has them.
        let drawn = rows("--size 5 --from catalogue --count 9 --seed 4 --metric both");
        let listed = said("puzzles --size 5 --random --seed 4 --limit 9 --format jsonl");
        let listed: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((drawn.len(), listed.len()), (9, 9));
        for (row, puzzle) in drawn.iter().zip(&listed) {
            assert_eq!(row["board"], puzzle["board"].as_str().unwrap());
            for (name, value) in [("id", "id"), ("moves", "moves"), ("steps", "steps")] {
                assert_eq!(row[name], puzzle[value].to_string(), "{name} of {puzzle}");
            }
        }
    }

    #[test]
    fn from_the_starter() {
        let desk = desk();
        let output = desk.command("export rush --from catalogue --moves 50.. --out -", &[]).output().unwrap();
        assert_eq!(code(&output), 0);
        let note = "note: answers from the starter catalogue of 1,543 puzzles; ";
        assert!(stderr(&output).starts_with(note), "{}", stderr(&output));
        let listed = said("puzzles --moves 50.. --format rush --sort id");
        let (comment, listed) = listed.split_once('\n').unwrap();
        assert!(comment.starts_with("# from the starter"), "{comment}");
        assert_eq!(stdout(&output), listed);
        assert!(stdout(&output).starts_with("51 "), "{}", stdout(&output));
    }

    /// Any size, walls, another primary; from a file or standard input.
    #[test]
    fn from_a_list() {
        let desk = desk();
        let list = format!("# boards\n\n{SMALL}\n  {WALLED}\r\n{BLOCKED}\n{SIX}\n{EIGHT}\n{SMALL}\n");
        desk.write("list.txt", &list);
        let solvable = format!(
            "board,id,moves,steps\n{SMALL},14,2,4\n{WALLED},,2,4\n{SIX},,60,103\n{EIGHT},,2,7\n{SMALL},14,2,4\n"
        );
        let told = desk.run("export csv --from list.txt --metric both --out a.csv");
        assert_eq!(desk.text("a.csv"), solvable);
        assert!(told.contains("a.csv: 5 boards, up to 60 moves, up to 103 steps ("), "{told}");
        assert!(
            told.contains("\n1 board left out as unsolvable; --include-unsolvable keeps them\n"),
            "{told}"
        );
        let manifest = desk.json("a.csv.manifest.json");
        assert_eq!((&manifest["rows"], &manifest["left_out_unsolvable"]), (&json!(5), &json!(1)));
        assert_eq!((&manifest["size"], &manifest["population"]), (&Value::Null, &Value::Null));

        // The letters stay what they are.
        let other = list.replace('A', "R").replace('B', "q");
        let mut command = desk.command("export csv --from - --primary R --metric both --out -", &[]);
        let output = command.write_stdin(other).output().unwrap();
        assert_eq!(stdout(&output), solvable.replace('A', "R").replace('B', "q"));
        let note = "note: 1 board left out as unsolvable; --include-unsolvable keeps them\n";
        assert!(stderr(&output).ends_with(note), "{}", stderr(&output));

        let kept = desk.run("export csv --from list.txt --metric both --include-unsolvable --out -");
        assert_eq!(kept, solvable.replace(SIX, &format!("{BLOCKED},,,\n{SIX}")));
        // Nothing is in it, and that is an answer.
        desk.write("none.txt", &format!("# none\n{BLOCKED}\n"));
        assert!(
            desk.run("export jsonl --from none.txt --out b.jsonl").starts_with("b.jsonl: 0 boards (0 B)\n")
        );
        assert_eq!(desk.text("b.jsonl"), "");
    }

    #[test]
    fn a_bad_line_ends_it() {
        let desk = desk();
        // In the second batch.
        let list = format!("{SMALL}\n").repeat(9000) + "# a slip\nAA.B\n";
        desk.write("list.txt", &list);
        desk.write("a.csv", "old");
        let before = desk.contents();
        let output = desk.command("export csv --from list.txt --out a.csv", &[]).output().unwrap();
        assert_eq!((code(&output), stdout(&output)), (2, String::new()));
        let error = "error: line 9002: a board has 16, 25, 36, 49 or 64 cells (4×4 to 8×8), but this text has 4\n  AA.B\n";
        assert!(stderr(&output).ends_with(error), "{}", stderr(&output));
        assert!(desk.contents() == before, "{:?}", desk.names());
        desk.write("list.txt", &format!("{SMALL}\nAA..CC..........\n"));
        let output = desk.command("export csv --from list.txt --out a.csv --json", &[]).output().unwrap();
        assert_eq!(code(&output), 2);
        let error: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let error = error["error"].as_str().unwrap();
        assert!(error.starts_with("line 2: which car is to reach the exit"), "{error}");
    }

    /// Boards and distances, by the oracle; the letters are the caller's.
    #[test]
    fn whole_clusters() {
        let cards = ["BB...CD..E.CDAAE.CD..E..F...GGF.HHH.", "..b.AAb..x....cc"];
        for (board, size, with) in
            [(cards[1], 4, ""), (cards[0], 6, ""), (BLOCKED, 4, "--include-unsolvable")]
        {
            let expected = [false, true].map(|steps| oracle::distances_of_cluster(board, size, steps));
            let text = said(&format!("export hh-evolver --whole-cluster {board} {with} --out -"));
            let mut found = BTreeSet::new();
            for line in text.lines().skip(2) {
                let (board, moves) = line.split_once(',').unwrap();
                assert!(found.insert(board.to_owned()), "{board} comes twice");
                assert_eq!(moves.parse().ok(), expected[0][board], "{board}");
            }
            assert_eq!(found.len(), expected[0].len());
            if size == 4 {
                for row in rows(&format!("--whole-cluster {board} {with} --metric both")) {
                    let distances = ["moves", "steps"].map(|name| row[name].parse().ok());
                    assert_eq!(distances, [0, 1].map(|metric| expected[metric][&row["board"]]), "{row:?}");
                }
            }
        }
        let other = rows("--whole-cluster ..b.RRb..x....cc --primary R");
        assert!(column(&other, "board").contains(&"......RR.xb.ccb.") && other.len() > 5, "{other:?}");
    }

    #[test]
    fn whole_families() {
        let spaces = [false, true].map(|steps| oracle::solve_space(4, steps));
        // The first family has four clusters.
        for board in ["BB.CDAACDEEE..FF", SMALL] {
            let kinds = oracle::lines(oracle::code_of(board), 4);
            let family: BTreeSet<_> =
                spaces[0].keys().copied().filter(|&other| oracle::lines(other, 4) == kinds).collect();
            let mut found = BTreeSet::new();
            for row in rows(&format!("--whole-family {board} --include-unsolvable --metric both")) {
                let code = oracle::code_of(&row["board"]);
                assert!(found.insert(code), "{row:?} comes twice");
                for (name, space) in ["moves", "steps"].iter().zip(&spaces) {
                    assert_eq!(row[*name].parse().unwrap_or(oracle::UNSOLVABLE), space[&code], "{row:?}");
                }
            }
            assert_eq!(found, family);
            let solvable = family.iter().filter(|code| spaces[0][code] != oracle::UNSOLVABLE).count();
            assert_eq!(rows(&format!("--whole-family {board}")).len(), solvable);
        }
        let letters = rows("--whole-family ..z.RRz......... --primary R");
        assert!(column(&letters, "board").contains(&"......RR..z...z."), "{letters:?}");
    }
}

mod splits {
    use super::*;

    /// Rows and columns, or those of the mirror image, whichever come first.
    fn family(board: &str, size: usize) -> Vec<Vec<usize>> {
        let kinds = oracle::lines(oracle::code_of(board), size);
        let (rows, columns) = kinds.split_at(size);
        let upside_down = rows.iter().rev().cloned().chain(columns.iter().map(|kind| {
            let mut kind = kind.clone();
            kind.reverse();
            kind
        }));
        kinds.clone().min(upside_down.collect())
    }

    #[test]
    fn parts_share_no_family() {
        let desk = desk();
        let args = "--size 5 --count 6000 --seed 3 --metric both --include-unsolvable";
        let told = desk.run(&format!("export csv {args} --split train=80,valid=10,test=10 --out b.csv"));
        assert!(told.starts_with("b.train.csv: "), "{told}");
        assert_eq!(desk.names(), ["b.csv.manifest.json", "b.test.csv", "b.train.csv", "b.valid.csv"]);

        let whole = desk.run(&format!("export csv {args} --out -"));
        let parts = ["train", "valid", "test"].map(|part| desk.text(&format!("b.{part}.csv")));
        let mut where_is = BTreeMap::new();
        let mut families = BTreeMap::new();
        for (part, text) in parts.iter().enumerate() {
            assert_eq!(text.lines().next(), whole.lines().next());
            for line in text.lines().skip(1) {
                assert_eq!(where_is.insert(line, part), None, "{line} comes twice");
                let board = line.split(',').next().unwrap();
                let home = *families.entry(family(board, 5)).or_insert(part);
                assert_eq!(home, part, "{line}");
            }
        }
        // Together they are the whole, in its order.
        assert_eq!(where_is.len(), 6000);
        for (part, text) in parts.iter().enumerate() {
            let expected = whole.lines().skip(1).filter(|line| where_is[line] == part);
            assert!(text.lines().skip(1).eq(expected));
        }
        // Weights are of families; five standard deviations, and more.
        for (part, text) in parts.iter().enumerate() {
            let share = (text.lines().count() - 1) as f64 / 6000.0;
            let weight = [0.8, 0.1, 0.1][part];
            assert!((share - weight).abs() < 0.04, "{share} instead of {weight}");
        }

        let manifest = desk.json("b.csv.manifest.json");
        assert_eq!(manifest["split"], "train=80,valid=10,test=10");
        assert_eq!((&manifest["rows"], manifest["files"].as_array().unwrap().len()), (&json!(6000), 3));
        for (part, text) in ["train", "valid", "test"].iter().zip(&parts) {
            let entry = manifest["files"].as_array().unwrap().iter().find(|file| file["part"] == **part);
            let entry = entry.unwrap();
            assert_eq!(entry["file"], format!("b.{part}.csv"));
            assert_eq!(
                (&entry["bytes"], &entry["rows"]),
                (&json!(text.len()), &json!(text.lines().count() - 1))
            );
            assert_eq!(entry["sha256"], sha256(text.as_bytes()));
        }
    }

    /// Boards of other requests go to the same parts, whatever the seed.
    #[test]
    fn parts_are_for_good() {
        let desk = desk();
        let split = "--split-seed 3 --split one=1,two=1 --out";
        desk.run(&format!("export csv --size 4 --count 9444 {split} a.csv"));
        desk.run(&format!("export hh-evolver --size 4 --seed 9 --count 800 --heuristics blocking {split} b"));
        let boards = |name: &str| {
            let text = desk.text(name);
            let lines = text.lines().skip(if name.starts_with('b') { 2 } else { 1 });
            lines.map(|line| line.split(',').next().unwrap().to_owned()).collect::<BTreeSet<_>>()
        };
        for part in ["one", "two"] {
            let (all, some) = (boards(&format!("a.{part}.csv")), boards(&format!("b.{part}")));
            assert!(some.len() > 20 && some.is_subset(&all), "{part}: {}", some.len());
        }
        // Another seed cuts elsewhere.
        desk.run("export csv --size 4 --count 9444 --split-seed 4 --split one=1,two=1 --out c.csv");
        let common = boards("a.one.csv").intersection(&boards("c.one.csv")).count();
        assert!((1500..3200).contains(&common), "{common}");
    }

    #[test]
    fn folders_are_parts_too() {
        let desk = desk();
        desk.run("export pddl --size 4 --count 30 --split a=1,b=1 --out set");
        assert_eq!(desk.names(), ["set.a", "set.b", "set.manifest.json"]);
        let files = |name: &str| fs::read_dir(desk.path(name)).unwrap().count();
        assert_eq!(files("set.a") + files("set.b"), 32);
        let manifest = desk.json("set.manifest.json");
        assert_eq!(manifest["files"][1]["rows"], files("set.b") - 1);
    }
}

mod luck {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        for request in [
            "csv --size 5 --count 5000 --metric both --heuristics blocking,move-freed",
            "hh-evolver --size 5 --count 2500 --include-unsolvable --heuristics all",
            "jsonl --size 5 --per-distance 200",
            "parquet --size 5 --count 3000 --per-distance-weighted --metric both --heuristics hybrid",
            "rush --size 5 --count 300",
            "csv --size 5 --from catalogue --count 300 --heuristics move-to-secluded",
            "jsonl --size 4 --count 3000 --split a=2,b=1",
        ] {
            let made = [1, 2, 5].map(|threads| {
                let desk = desk();
                desk.run(&format!("export {request} --seed 6 --threads {threads} --out a.b"));
                let mut manifest = desk.json("a.b.manifest.json");
                manifest["command"].take();
                let mut contents = desk.contents();
                contents.insert("a.b.manifest.json".to_owned(), manifest.to_string().into_bytes());
                contents
            });
            assert!(made[0] == made[1] && made[0] == made[2], "{request}");
        }
    }

    #[test]
    fn seeds_change_the_rows() {
        for request in [
            "--count 500",
            "--per-distance 20",
            "--count 500 --per-distance-weighted",
            "--from catalogue --count 50",
        ] {
            let boards = |seed: u32| {
                let rows = rows(&format!("--size 5 {request} --seed {seed}"));
                rows.into_iter()
                    .filter(|row| row["moves"].parse::<u32>().unwrap() < 9)
                    .map(|row| row["board"].clone())
                    .collect::<BTreeSet<_>>()
            };
            let (one, two) = (boards(1), boards(2));
            let common = one.intersection(&two).count();
            assert!(one.len() > 30 && common < one.len() / 4, "{request}: {common} of {}", one.len());
        }
    }

    #[test]
    fn more_begin_with_fewer() {
        for request in ["--count", "--include-unsolvable --count", "--distance 3..5 --count"] {
            let made =
                [10, 700, 3000].map(|count| said(&format!("export csv --size 5 {request} {count} --out -")));
            assert!(made[1].starts_with(&made[0]) && made[2].starts_with(&made[1]), "{request}");
        }
        let at = |count: u32, distance: &str| {
            let rows = rows(&format!("--size 5 --per-distance {count}"));
            let boards = rows.into_iter().filter(|row| row["moves"] == distance);
            boards.map(|row| row["board"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(at(40, "7")[..15], at(15, "7"));
    }
}
