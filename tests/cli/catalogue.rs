//! The commands on the catalogue as a user types them.

use crate::common;

#[path = "../common/puzzles.rs"]
#[allow(dead_code)]
mod puzzles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::LazyLock;

use common::{PROGRAM, code, root, stderr, stdout, tailback};
use serde_json::Value;
use tailback::catalogue::{Catalogue, Column, Holds, Puzzle, Query, Rules, Summary, Writer, file_name};
use tempfile::TempDir;

/// Catalogues: 4×4 complete, some of 5×5, and 6×6 with the rows of the starter.
static CATALOGUES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-catalogues");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (four, summary) = puzzles::four();
    puzzles::write(&folder, 4, &four, &summary);
    puzzles::write(&folder, 5, &puzzles::five(), &Summary::default());
    let starter = Catalogue::starter().unwrap();
    let every = Query { rules: Rules::All, ..Query::default() };
    let six: Vec<Puzzle> = starter.select(&every).unwrap().map(Result::unwrap).collect();
    puzzles::write(&folder, 6, &six, &Summary::default());
    folder
});

/// Every 5×5 puzzle of the catalogue above, as JSON.
static FIVE: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let mut all = jsonl(&["puzzles", "--size", "5", "--rules", "all", "--sort", "id"]);
    assert!(all.len() > 100, "{}", all.len());
    all.sort_by_key(|p| p["id"].as_u64());
    all
});

fn run(args: &[&str]) -> Output {
    tailback(&CATALOGUES).args(args).output().unwrap()
}

/// The words of a command that must succeed, without a note.
fn said(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
    stdout(&output)
}

fn jsonl(args: &[&str]) -> Vec<Value> {
    let text = said(&[args, &["--format", "jsonl"]].concat());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&said(&[args, &["--json"]].concat())).unwrap()
}

fn ids(puzzles: &[Value]) -> Vec<u64> {
    puzzles.iter().map(|puzzle| puzzle["id"].as_u64().unwrap()).collect()
}

fn number(puzzle: &Value, name: &str) -> u64 {
    puzzle[name].as_u64().unwrap()
}

/// The JSON reader of these tests may be off by a last digit.
fn near(value: &Value, number: f64) -> bool {
    (value.as_f64().unwrap() - number).abs() < 1e-12
}

/// A command that must fail: its code, what it says, and that in JSON as well.
fn refused(db: &Path, args: &[&str], expected: i32) -> String {
    let output = tailback(db).args(args).output().unwrap();
    assert_eq!(code(&output), expected, "{args:?}: {}{}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
    let words = stderr(&output);
    assert!(words.contains("error: "), "{words}");
    if expected == 1 {
        let output = tailback(db).args(args).arg("--json").output().unwrap();
        assert_eq!(code(&output), 1);
        let json: Value = serde_json::from_str(stdout(&output).lines().last().unwrap()).unwrap();
        let error = json["error"].as_str().unwrap();
        assert!(words.contains(error), "{words} / {error}");
    }
    words
}

mod filters {
    use super::*;

    /// The filter gives exactly what a naive one gives, and that is neither
    /// nothing nor everything.
    fn agree(args: &[&str], naive: impl Fn(&Value) -> bool) {
        let expected: Vec<u64> = ids(&FIVE.iter().filter(|p| naive(p)).cloned().collect::<Vec<_>>());
        assert!(!expected.is_empty() && expected.len() < FIVE.len(), "{args:?} tests nothing");
        let base = ["puzzles", "--size", "5", "--rules", "all"];
        let found = jsonl(&[&base[..], args, &["--sort", "id"]].concat());
        assert_eq!(ids(&found), expected, "{args:?}");
        let count = said(&[&base[..], args, &["--count"]].concat());
        assert_eq!(count, format!("{}\n", expected.len()), "{args:?}");
    }

    /// Tries a flag with ranges around the middle of what there is.
    fn agree_on_ranges(flag: &str, name: &str) {
        let mut numbers: Vec<u64> = FIVE.iter().map(|p| number(p, name)).collect();
        numbers.sort();
        let (least, most) = (numbers[0], numbers[numbers.len() - 1]);
        assert!(least < most, "{name} is the same everywhere");
        let middle = numbers[numbers.len() / 2].max(least + 1).min(most);
        agree(&[flag, &format!("{middle}..")], |p| number(p, name) >= middle);
        agree(&[flag, &format!("..{}", middle - 1)], |p| number(p, name) < middle);
        let one = numbers[numbers.len() / 2];
        agree(&[flag, &one.to_string()], |p| number(p, name) == one);
        // Both ends belong to it.
        agree(&[flag, &format!("{}..{middle}", middle - 1)], |p| {
            (middle - 1..=middle).contains(&number(p, name))
        });
    }

    #[test]
    fn ranges() {
        for (flag, name) in [
            ("--moves", "moves"),
            ("--steps", "steps"),
            ("--vehicles", "vehicles"),
            ("--cars", "cars"),
            ("--trucks", "trucks"),
            ("--free-cells", "free_cells"),
            ("--cluster-boards", "cluster_boards"),
            ("--goal-boards", "goal_boards"),
            ("--hardest-boards", "hardest_boards"),
            ("--solutions", "optimal_solutions"),
            ("--first-moves", "optimal_first_moves"),
            ("--moving-vehicles", "moving_vehicles"),
        ] {
            agree_on_ranges(flag, name);
        }
    }

    #[test]
    fn kinds() {
        let has = |p: &Value, kind: &str| p["line_kinds"].as_array().unwrap().iter().any(|k| k == kind);
        for kind in ["3", "2,2", "2,3", "3,2"] {
            agree(&["--having-kind", kind], |p| has(p, kind));
        }
        agree(&["--having-kind", "2,3", "--having-kind", "2,2"], |p| has(p, "2,3") && has(p, "2,2"));
        let six = jsonl(&["puzzles", "--having-kind", "-"]);
        assert!(six.iter().all(|p| has(p, "-")) && !six.is_empty());
        let all = jsonl(&["puzzles"]);
        assert_eq!(six.len(), all.iter().filter(|p| has(p, "-")).count());
        assert!(six.len() < all.len());
        let error = refused(&CATALOGUES, &["puzzles", "--size", "5", "--having-kind", "3,3"], 2);
        assert!(error.contains("\"3,3\"; the kinds are: -  2  3  2,2  2,3  3,2"), "{error}");
        assert_eq!(code(&run(&["puzzles", "--having-kind", "3,3", "--count"])), 0, "6×6 has that kind");
    }

    #[test]
    fn inventory() {
        agree(&["--inventory", "5,1"], |p| number(p, "cars") <= 5 && number(p, "trucks") <= 1);
        for text in ["5", "5,", "a,1", "5,1,2", "-1,2"] {
            let error = refused(&CATALOGUES, &["puzzles", "--inventory", text], 2);
            assert!(error.contains("12,4") || error.contains("unexpected argument"), "{error}");
        }
    }

    #[test]
    fn rules() {
        let with = |rules: &str| ids(&jsonl(&["puzzles", "--size", "5", "--rules", rules, "--sort", "id"]));
        let classic = ids(&FIVE.iter().filter(|p| p["classic"] == true).cloned().collect::<Vec<_>>());
        let rush = ids(&FIVE.iter().filter(|p| p["rush"] == true).cloned().collect::<Vec<_>>());
        assert!(!rush.is_empty() && rush.len() < classic.len() && classic.len() < FIVE.len());
        assert_eq!((with("classic"), with("rush")), (classic.clone(), rush));
        assert_eq!(ids(&jsonl(&["puzzles", "--size", "5", "--sort", "id"])), classic, "the default");
        assert!(refused(&CATALOGUES, &["puzzles", "--rules", "modern"], 2).contains("classic"));
    }

    #[test]
    fn several_at_once() {
        agree(&["--moves", "4..", "--vehicles", "..7", "--solutions", "1..3"], |p| {
            number(p, "moves") >= 4 && number(p, "vehicles") <= 7 && number(p, "optimal_solutions") <= 3
        });
    }

    #[test]
    fn ranges_that_are_none() {
        for text in ["", "..", "x", "3..2", "1-5", "1...5"] {
            let error = refused(&CATALOGUES, &["puzzles", "--moves", text], 2);
            assert!(error.contains("range"), "{text}: {error}");
        }
    }

    #[test]
    fn nothing_matches() {
        assert_eq!(said(&["puzzles", "--moves", "200.."]), "No puzzle matches.\n");
        assert_eq!(said(&["hardest", "--moves", "200.."]), "No puzzle matches.\n");
        assert_eq!(said(&["puzzles", "--moves", "200..", "--count"]), "0\n");
        assert_eq!(said(&["puzzles", "--moves", "200..", "--format", "rush"]), "");
        assert_eq!(json(&["puzzles", "--moves", "200.."])["puzzles"], Value::Array(Vec::new()));
    }
}

mod order {
    use super::*;

    #[test]
    fn every_name_in_both_directions() {
        for (name, field) in [
            ("id", "id"),
            ("moves", "moves"),
            ("steps", "steps"),
            ("vehicles", "vehicles"),
            ("cars", "cars"),
            ("trucks", "trucks"),
            ("free-cells", "free_cells"),
            ("cluster-boards", "cluster_boards"),
            ("goal-boards", "goal_boards"),
            ("hardest-boards", "hardest_boards"),
            ("solutions", "optimal_solutions"),
            ("first-moves", "optimal_first_moves"),
            ("moving-vehicles", "moving_vehicles"),
            ("branching", "branching"),
        ] {
            let key = |p: &Value| (p[field].as_f64().unwrap() * 1e6) as i64;
            let mut rising = FIVE.clone();
            rising.sort_by_key(|p| (key(p), number(p, "id")));
            let mut falling = FIVE.clone();
            falling.sort_by_key(|p| (-key(p), number(p, "id")));
            let sorted = |by: &str| ids(&jsonl(&["puzzles", "--size", "5", "--rules", "all", "--sort", by]));
            assert_eq!(sorted(name), ids(&rising), "{name}");
            assert_eq!(sorted(&format!("-{name}")), ids(&falling), "-{name}");
        }
    }

    #[test]
    fn several_names_and_the_default() {
        let sorted =
            |args: &[&str]| ids(&jsonl(&[&["puzzles", "--size", "5", "--rules", "all"], args].concat()));
        let mut expected = FIVE.clone();
        expected
            .sort_by_key(|p| (std::cmp::Reverse(number(p, "moves")), number(p, "vehicles"), number(p, "id")));
        assert_eq!(sorted(&["--sort", "-moves,vehicles"]), ids(&expected));
        expected.sort_by_key(|p| (std::cmp::Reverse(number(p, "moves")), number(p, "id")));
        assert_eq!(sorted(&[]), ids(&expected));
        assert_eq!(sorted(&["--limit", "7"]), ids(&expected[..7]));
        assert!(sorted(&["--limit", "0"]).is_empty());
    }

    #[test]
    fn names_that_are_none() {
        let error = refused(&CATALOGUES, &["puzzles", "--sort", "difficulty"], 2);
        assert!(error.contains("cluster-boards"), "{error}");
        let many = refused(&CATALOGUES, &["puzzles", "--sort", "id,moves,steps,cars,trucks"], 2);
        assert!(many.contains("at most 4"), "{many}");
    }

    #[test]
    fn lots() {
        let draw = |args: &[&str]| ids(&jsonl(&[&["puzzles", "--size", "5", "--random"], args].concat()));
        let five = draw(&["--limit", "5", "--seed", "1"]);
        assert_eq!(five, draw(&["--limit", "5", "--seed", "1"]), "the same seed");
        assert_ne!(five, draw(&["--limit", "5", "--seed", "2"]), "another seed");
        assert_eq!(draw(&["--limit", "5"]), draw(&["--limit", "5", "--seed", "0"]), "the usual seed");
        let all = draw(&["--seed", "1"]);
        assert_eq!(all[..5], five);
        let classic: BTreeSet<u64> =
            ids(&FIVE.iter().filter(|p| p["classic"] == true).cloned().collect::<Vec<_>>())
                .into_iter()
                .collect();
        assert_eq!(all.len(), classic.len());
        assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), classic);
        let mut sorted = five.clone();
        sorted.sort();
        assert_eq!(draw(&["--limit", "5", "--seed", "1", "--sort", "id"]), sorted);
        refused(&CATALOGUES, &["puzzles", "--seed", "1"], 2);
    }
}

mod formats {
    use super::*;

    #[test]
    fn a_table_for_people() {
        let text = said(&["puzzles", "--size", "5", "--rules", "all"]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 22, "a heading, twenty puzzles, a summary:\n{text}");
        let names: Vec<&str> = lines[0].split_whitespace().collect();
        assert_eq!(names, ["id", "moves", "steps", "cars", "trucks", "cluster", "solutions", "board"]);
        let first = &jsonl(&["puzzles", "--size", "5", "--rules", "all", "--limit", "1"])[0];
        let cells: Vec<String> = lines[1].split_whitespace().map(str::to_owned).collect();
        let expected = ["id", "moves", "steps", "cars", "trucks", "cluster_boards", "optimal_solutions"];
        let mut expected: Vec<String> = expected.iter().map(|name| first[name].to_string()).collect();
        expected.push(first["board"].as_str().unwrap().to_owned());
        assert_eq!(cells, expected);
        assert_eq!(lines[21], format!("20 of {} puzzles; --limit N shows more.", FIVE.len()));
        let all = said(&["puzzles", "--size", "5", "--rules", "all", "--limit", "10000"]);
        assert_eq!(all.lines().count(), FIVE.len() + 2);
        assert!(all.ends_with(&format!("\n{} puzzles.\n", FIVE.len())), "{all}");
        let one = said(&[
            "puzzles",
            "--size",
            "5",
            "--rules",
            "all",
            "--moves",
            &first["moves"].to_string(),
            "--limit",
            "1",
        ]);
        assert!(one.lines().count() == 3, "{one}");
    }

    #[test]
    fn json_has_all_puzzles_and_says_where_from() {
        let answer = json(&["puzzles", "--size", "5", "--rules", "rush", "--limit", "3"]);
        assert_eq!(answer["catalogue"], "complete");
        assert_eq!((&answer["size"], &answer["rules"]), (&5.into(), &"rush".into()));
        let rush = FIVE.iter().filter(|p| p["rush"] == true).count();
        assert_eq!(answer["matching"], rush);
        assert_eq!(
            answer["puzzles"].as_array().unwrap()[..],
            jsonl(&["puzzles", "--size", "5", "--rules", "rush", "--limit", "3"])[..]
        );
        let all = json(&["puzzles", "--size", "5", "--rules", "all"]);
        assert_eq!(all["puzzles"].as_array().unwrap().len(), FIVE.len(), "no limit for machines");
    }

    #[test]
    fn json_lines_have_every_field() {
        let catalogue = Catalogue::open(&CATALOGUES, 5).unwrap();
        for object in FIVE.iter() {
            let puzzle = catalogue.find(number(object, "id")).unwrap().unwrap();
            assert_eq!(object["board"], puzzle.board_text());
            assert_eq!((&object["size"], &object["catalogue"]), (&5.into(), &"complete".into()));
            for column in Column::numbers() {
                let value = &object[column.name()];
                match column.about().holds {
                    Holds::Real => {
                        let key = f64::from_bits(puzzle.key(column));
                        assert!(near(value, key), "{column}");
                    }
                    Holds::Flag => assert_eq!(value.as_bool(), Some(puzzle.key(column) == 1), "{column}"),
                    Holds::LineKinds => {
                        let kinds = value.as_array().unwrap().len();
                        assert_eq!(kinds, puzzle.key(column).count_ones() as usize, "{column}");
                    }
                    _ => assert_eq!(value.as_u64(), Some(puzzle.key(column)), "{column}"),
                }
            }
            let solution: Vec<&str> = puzzle.solution().split(' ').collect();
            assert_eq!(object["solution"], Value::from(solution));
            assert_eq!(object["moves_histogram"], Value::from(puzzle.histogram()));
            let columns = Column::shown().count();
            assert_eq!(object.as_object().unwrap().len(), columns + 2, "size and catalogue besides");
        }
    }

    #[test]
    fn csv() {
        let text = said(&["puzzles", "--size", "5", "--rules", "all", "--sort", "id", "--format", "csv"]);
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(names, Column::shown().map(Column::name).chain(["catalogue"]).collect::<Vec<_>>());
        assert_eq!(lines.clone().count(), FIVE.len());
        for (line, object) in lines.zip(FIVE.iter()) {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), names.len(), "{line}");
            for (name, cell) in names.iter().zip(&cells) {
                let value = &object[name];
                match *name {
                    "board" | "catalogue" => assert_eq!(value, cell),
                    "classic" | "rush" => assert_eq!(value.as_bool().unwrap(), *cell == "1"),
                    "branching" => assert!(near(value, cell.parse().unwrap())),
                    "solution" | "wall_cells" => {
                        assert_eq!(*value, Value::from(cell.split_whitespace().collect::<Vec<_>>()));
                    }
                    "moves_histogram" => {
                        let counts: Vec<u64> = cell.split(' ').map(|n| n.parse().unwrap()).collect();
                        assert_eq!(*value, Value::from(counts));
                    }
                    "line_kinds" => {
                        let bits: u32 = cell.parse().unwrap();
                        assert_eq!(value.as_array().unwrap().len(), bits.count_ones() as usize);
                    }
                    name => assert_eq!(value.to_string(), *cell, "{name}"),
                }
            }
        }
    }

    #[test]
    fn the_form_of_the_public_list() {
        let text = said(&["puzzles", "--rules", "rush", "--format", "rush"]);
        let catalogue = Catalogue::open(&CATALOGUES, 6).unwrap();
        let rush = catalogue.count(&Query { rules: Rules::Rush, ..Query::default() }).unwrap();
        assert_eq!(text.lines().count(), rush);
        assert!(text.starts_with("51 BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo 4780\n"), "{text}");
        for line in text.lines() {
            assert!(line.as_bytes()[2] == b' ' && line.as_bytes()[39] == b' ', "fixed places: {line}");
            assert!(!line.contains('.'));
        }
    }

    #[test]
    fn one_form_at_a_time() {
        for command in ["puzzles", "hardest"] {
            let both = run(&[command, "--json", "--format", "csv"]);
            assert_eq!(code(&both), 2);
            assert!(stdout(&both).contains("cannot be used with"), "{}", stdout(&both));
            assert!(refused(&CATALOGUES, &[command, "--format", "xml"], 2).contains("csv"));
        }
        for other in [&["--limit", "3"][..], &["--sort", "id"], &["--random"], &["--format", "csv"]] {
            refused(&CATALOGUES, &[&["puzzles", "--count"], other].concat(), 2);
        }
    }

    #[test]
    fn count_as_json() {
        let answer = json(&["puzzles", "--size", "5", "--rules", "all", "--count"]);
        assert_eq!(
            answer,
            serde_json::json!({"catalogue": "complete", "size": 5, "rules": "all", "count": FIVE.len()})
        );
    }

    /// A reader that has had enough is not an error.
    #[test]
    fn a_closed_pipe() {
        for args in
            [&["puzzles", "--format", "jsonl"][..], &["puzzles", "--json"], &["puzzles", "--limit", "100"]]
        {
            let mut command = std::process::Command::new(PROGRAM);
            command.arg("--db").arg(&*CATALOGUES).args(args).args(["--size", "5", "--rules", "all"]);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
        }
    }
}

mod hardest {
    use super::*;

    #[test]
    fn drawn_side_by_side() {
        let text = said(&["hardest", "--limit", "5"]);
        let lines: Vec<&str> = text.lines().collect();
        // Four fit 80 characters; eight lines of board, five of words, one between.
        assert_eq!(lines.len(), 2 * 13 + 1, "{text}");
        assert_eq!(lines[0].matches('┌').count(), 4, "{text}");
        assert_eq!(lines[14].matches('┌').count(), 1, "{text}");
        assert!(lines[1].starts_with("│ B C C . D . │"), "{text}");
        assert!(lines[8].starts_with("1. 51 moves") && lines[8].contains("2. 50 moves"), "{text}");
        assert!(lines[9].starts_with("81 steps") && lines[10].starts_with("13 vehicles"), "{text}");
        assert!(lines[11].starts_with("cluster 4,780") && lines[12].starts_with("id 9247034717"), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80));
        assert_eq!(said(&["hardest"]).matches("steps").count(), 10, "ten without --limit");
    }

    #[test]
    fn by_moves_and_by_steps() {
        let found = |args: &[&str]| {
            let base = ["hardest", "--size", "5", "--rules", "all", "--limit", "20"];
            ids(&jsonl(&[&base[..], args].concat()))
        };
        let by = |first: &str, second: &str| {
            let mut all = FIVE.clone();
            all.sort_by_key(|p| (std::cmp::Reverse((number(p, first), number(p, second))), number(p, "id")));
            ids(&all[..20])
        };
        assert_eq!(found(&[]), by("moves", "steps"));
        assert_eq!(found(&["--by", "steps"]), by("steps", "moves"));
        assert_ne!(by("moves", "steps"), by("steps", "moves"));
        refused(&CATALOGUES, &["hardest", "--by", "cells"], 2);
    }

    #[test]
    fn filters_and_formats() {
        let few = jsonl(&["hardest", "--size", "5", "--vehicles", "..6", "--limit", "3"]);
        assert!(few.iter().all(|p| number(p, "vehicles") <= 6 && p["classic"] == true), "{few:?}");
        assert_eq!(few.len(), 3);
        let json = json(&["hardest", "--size", "5", "--limit", "2"]);
        assert_eq!((&json["catalogue"], json["puzzles"].as_array().unwrap().len()), (&"complete".into(), 2));
        assert_eq!(
            said(&["hardest", "--limit", "1", "--format", "rush"]),
            "51 BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo 4780\n"
        );
        assert_eq!(said(&["hardest", "--limit", "4", "--format", "csv"]).lines().count(), 5);
    }
}

mod show {
    use super::*;

    const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";

    #[test]
    fn a_puzzle_of_the_catalogue() {
        let text = said(&["show", "9247034717"]);
        for part in [
            "│ B E F A A G  →",
            "Puzzle 9247034717 of 6×6 (rules: all, classic, rush).",
            "moves                51\n",
            "steps                81\n",
            "vehicles             13: 10 cars, 3 trucks\n",
            "boards in cluster    4,780\n",
            "minimal              yes\n",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let catalogue = Catalogue::open(&CATALOGUES, 6).unwrap();
        let puzzle = catalogue.find(9_247_034_717).unwrap().unwrap();
        for (distance, count) in puzzle.histogram().iter().enumerate() {
            let count = indicatif::HumanCount(*count).to_string();
            let start = format!("\n{distance:>5} {count:>10}  ");
            assert!(text.contains(start.trim_end_matches(' ')), "{start} is not in\n{text}");
        }
        let board = puzzle.board().unwrap();
        let in_words = |mv: &str| board.in_words(board.parse_move(mv).unwrap());
        let moves = text.split("\n\n").last().unwrap().replace('\n', " ");
        let expected: Vec<String> = puzzle.solution().split(' ').map(in_words).collect();
        assert_eq!(moves.trim(), expected.join(", "));
        assert_eq!(said(&["show", "9,247,034,717"]), text);
        assert_eq!(said(&["show", "9_247_034_717"]), text);
    }

    /// What is computed on the spot is what the catalogue has.
    #[test]
    fn a_board_and_its_row_agree() {
        for object in FIVE.iter().step_by(20) {
            let mut row = json(&["show", &object["id"].to_string(), "--size", "5"]);
            let mut board = json(&["show", object["board"].as_str().unwrap()]);
            assert_eq!(row["catalogue"].take(), "complete");
            assert_eq!(board["catalogue"].take(), Value::Null);
            assert_eq!(row, board);
            for (name, value) in object.as_object().unwrap().iter().filter(|(name, _)| *name != "catalogue") {
                assert_eq!(&row[name], value, "{name}");
            }
            assert_eq!(
                (&row["minimal"], &row["hardest"], &row["interesting"]),
                (&true.into(), &true.into(), &true.into())
            );
            assert_eq!(row["cluster_puzzle"], row["board"]);
        }
    }

    #[test]
    fn a_board_that_is_not_the_puzzle() {
        let text = said(&["show", CARD]);
        assert!(
            text.contains("Not the puzzle of its cluster. That is BB...CD....CDAAE.CD..E..F..EGGFHHH..\n"),
            "{text}"
        );
        assert!(
            text.contains("id                   7207405423\n") && text.contains("hardest of cluster   no"),
            "{text}"
        );
        assert!(
            text.ends_with(
                "\nB right 1, D up 1, F up 1, G left 3, C down 3, H left 2, E down 2, A right 3\n"
            ),
            "{text}"
        );
        let json = json(&["show", CARD]);
        assert_eq!(
            (&json["moves"], &json["steps"], &json["cluster_boards"]),
            (&8.into(), &16.into(), &1247.into())
        );
        assert_eq!(
            (&json["optimal_solutions"], &json["hardest"], &json["solvable"]),
            (&61.into(), &false.into(), &true.into())
        );
    }

    #[test]
    fn walls_other_sizes_and_other_letters() {
        let walled = json(&["show", "..B. AAB. .x.. ...."]);
        assert_eq!(
            (&walled["id"], &walled["moves"], &walled["classic"]),
            (&Value::Null, &2.into(), &true.into())
        );
        assert_eq!((&walled["free_cells"], &walled["line_kinds"]), (&11.into(), &vec!["-", "2"].into()));
        assert_eq!((&walled["walls"], &walled["wall_cells"]), (&1.into(), &vec!["B3"].into()));
        let large =
            json(&["show", "........ ........ ..B..... AAB..... ........ ........ ........ ........"]);
        assert_eq!((&large["size"], &large["moves"]), (&8.into(), &2.into()));
        let other = json(&["show", "--primary", "X", "..A. XXA. .... ...."]);
        assert_eq!(
            (&other["board"], &other["solution"]),
            (&"..A.XXA.........".into(), &Value::from(vec!["A+2", "X+2"]))
        );
        let blocked = said(&["show", "....AABB........"]);
        assert!(
            blocked.contains("Unsolvable: B stands before A in its row")
                && blocked.contains("moves                none"),
            "{blocked}"
        );
        let solved = said(&["show", "....  ..AA .... ...."]);
        assert!(solved.contains("moves                0\n"), "{solved}");
    }

    #[test]
    fn what_is_neither() {
        let unknown = refused(&CATALOGUES, &["show", "12"], 1);
        assert!(unknown.contains("the complete catalogue of 6×6 puzzles has no puzzle 12"), "{unknown}");
        assert!(unknown.contains("--size"), "{unknown}");
        refused(&CATALOGUES, &["show", "99999999999999999999999"], 1);
        let board = refused(&CATALOGUES, &["show", "AA.."], 2);
        assert!(board.contains("16, 25, 36"), "{board}");
        refused(&CATALOGUES, &["show"], 2);
        let large = refused(&CATALOGUES, &["show", CARD, "--limit", "10"], 1);
        assert!(large.contains("--limit"), "{large}");
    }
}

mod starter {
    use super::*;

    #[test]
    fn answers_until_there_is_a_complete_one() {
        let empty = TempDir::new().unwrap();
        let run = |args: &[&str]| tailback(empty.path()).args(args).output().unwrap();
        let puzzles = Catalogue::starter().unwrap().puzzles();
        for args in [
            &["hardest"][..],
            &["puzzles"],
            &["puzzles", "--count"],
            &["puzzles", "--format", "rush"],
            &["show", "9247034717"],
            &["puzzles", "--json"],
        ] {
            let output = run(args);
            assert_eq!(code(&output), 0, "{args:?}");
            let note = stderr(&output);
            assert!(note.starts_with("note: answers from the starter catalogue of"), "{note}");
            assert!(note.contains("`tailback build`"), "{note}");
            let number = note.split_whitespace().nth(7).unwrap().replace(',', "");
            assert_eq!(number, puzzles.to_string(), "{note}");
        }
        let json = |args: &[&str]| -> Value {
            serde_json::from_str(&stdout(&run(&[args, &["--json"]].concat()))).unwrap()
        };
        assert_eq!(json(&["puzzles"])["catalogue"], "starter");
        assert_eq!(json(&["puzzles", "--count"])["catalogue"], "starter");
        assert_eq!(json(&["hardest"])["puzzles"][0]["catalogue"], "starter");
        assert_eq!(json(&["show", "9247034717"])["catalogue"], "starter");
        let all = stdout(&run(&["puzzles", "--rules", "all", "--count"]));
        assert_eq!(all, format!("{puzzles}\n"));
        let unknown = refused(empty.path(), &["show", "12"], 1);
        assert!(unknown.contains("the starter catalogue") && unknown.contains("tailback build"), "{unknown}");
    }

    /// A starter with the name of a complete catalogue answered without a word.
    #[test]
    fn under_the_name_of_a_complete_one() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(file_name(6));
        fs::copy(root().join("db/starter-6x6.sqlite"), &path).unwrap();
        let puzzles = indicatif::HumanCount(Catalogue::starter().unwrap().puzzles() as u64);
        for args in [
            &["puzzles", "--count"][..],
            &["puzzles"],
            &["hardest"],
            &["show", "9247034717"],
            &["hardest", "--json"],
        ] {
            let output = tailback(folder.path()).args(args).output().unwrap();
            assert_eq!(code(&output), 0, "{args:?}");
            let note = stderr(&output);
            let start = format!("note: answers from the starter catalogue of {puzzles} puzzles;");
            assert!(note.starts_with(&start), "{note}");
            assert!(note.contains(&format!("move {} away", path.display())), "{note}");
        }
        let output = tailback(folder.path()).args(["verify", "--catalogue"]).output().unwrap();
        assert!(stdout(&output).ends_with("It is the starter, a choice of puzzles.\n"), "{output:?}");
        let output = tailback(folder.path()).args(["verify", "--catalogue", "--json"]).output().unwrap();
        assert!(stdout(&output).contains(r#""catalogue":"starter""#), "{output:?}");
        let output = tailback(folder.path()).args(["puzzles", "--count", "--json"]).output().unwrap();
        assert!(stdout(&output).contains("\"catalogue\":\"starter\""), "{}", stdout(&output));
    }

    /// Boards need no catalogue, so there is nothing to note.
    #[test]
    fn not_for_boards() {
        let empty = TempDir::new().unwrap();
        let output = tailback(empty.path()).args(["show", "..B.AAB........."]).output().unwrap();
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    }

    #[test]
    fn an_unfinished_catalogue_is_no_obstacle() {
        let folder = TempDir::new().unwrap();
        drop(Writer::open(folder.path(), 6).unwrap());
        let output = tailback(folder.path()).args(["puzzles", "--count"]).output().unwrap();
        assert_eq!(code(&output), 0);
        assert!(stderr(&output).contains("starter"));
    }

    #[test]
    fn exported() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("starter.sqlite");
        let text = said(&["puzzles", "--export-starter", file.to_str().unwrap()]);
        assert_eq!(text, "");
        fs::rename(file, folder.path().join(file_name(6))).unwrap();
        let exported = Catalogue::open(folder.path(), 6).unwrap();
        assert!(exported.puzzles() > 0);
        exported.check(&()).unwrap();
    }
}

/// A full disk left a half file under another name.
#[cfg(unix)]
#[test]
fn a_starter_that_does_not_fit_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let limited =
        format!("trap '' XFSZ; ulimit -f 100; exec {PROGRAM} --db \"$0\" puzzles --export-starter \"$1\"");
    let mut command = std::process::Command::new("sh");
    command.arg("-c").arg(limited).arg(&*CATALOGUES).arg(folder.path().join("starter.sqlite"));
    let output = command.output().unwrap();
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{}", stderr(&output));
}

mod errors {
    use super::*;

    const COMMANDS: [&[&str]; 4] = [&["puzzles"], &["puzzles", "--count"], &["hardest"], &["show", "1"]];

    #[test]
    fn missing() {
        let empty = TempDir::new().unwrap();
        for command in COMMANDS {
            for size in ["4", "5"] {
                let error = refused(empty.path(), &[command, &["--size", size]].concat(), 1);
                assert!(error.contains(&format!("tailback build --size {size}")), "{error}");
            }
        }
        assert!(refused(empty.path(), &["verify", "--catalogue"], 1).contains("tailback build"));
        refused(empty.path(), &["verify", "--catalogue", "--size", "6"], 1);
        refused(empty.path(), &["puzzles", "--size", "7"], 2);
    }

    #[test]
    fn unfinished_foreign_newer_older_cut_off() {
        let folder = TempDir::new().unwrap();
        drop(Writer::open(folder.path(), 5).unwrap());
        let unfinished = refused(folder.path(), &["puzzles", "--size", "5"], 1);
        assert!(unfinished.contains("not finished") && unfinished.contains("go on with"), "{unfinished}");

        let file = folder.path().join(file_name(6));
        let whole = fs::read(CATALOGUES.join(file_name(6))).unwrap();
        let mut newer = whole.clone();
        newer[63] = 99;
        let mut older = whole.clone();
        older[63] = 0;
        for (bytes, word) in [
            (b"51 BCCoDoBEFoDGBEFAAGHHHIoGooJIKKLLJMMo 4780".to_vec(), "not a complete Tailback catalogue"),
            (newer, "newer"),
            (older, "older"),
            (whole[..whole.len() - 1].to_vec(), "cut off"),
            (Vec::new(), "damaged"),
        ] {
            fs::write(&file, bytes).unwrap();
            for command in COMMANDS {
                let error = refused(folder.path(), command, 1);
                assert!(error.contains(word) && error.contains("`tailback build`"), "{error}");
                assert!(error.contains(file.to_str().unwrap()), "{error}");
            }
        }
    }

    /// Damage inside a row is met when the row is.
    #[test]
    fn a_changed_row() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join(file_name(6));
        let mut bytes = fs::read(CATALOGUES.join(file_name(6))).unwrap();
        let board = b"BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.";
        // Pages may hold what was there before, too.
        let places: Vec<usize> =
            bytes.windows(36).enumerate().filter(|(_, w)| w == board).map(|(at, _)| at).collect();
        assert!(!places.is_empty());
        places.into_iter().for_each(|at| bytes[at + 1] = b'D');
        fs::write(&file, bytes).unwrap();
        for args in [&["hardest"][..], &["show", "9247034717"], &["verify", "--catalogue"]] {
            let error = refused(folder.path(), args, 1);
            assert!(error.contains("damaged") && error.contains("9247034717"), "{error}");
        }
        let output = tailback(folder.path()).args(["hardest", "--moves", "..40"]).output().unwrap();
        assert_eq!(code(&output), 0, "the other rows are good");
    }

    #[test]
    fn verified() {
        let output = run(&["verify", "--catalogue"]);
        let (text, progress) = (stdout(&output), stderr(&output));
        assert_eq!((code(&output), text.matches(": ok. ").count()), (0, 3), "{text}");
        assert!(!progress.contains("error"), "{progress}");
        let five = run(&["verify", "--catalogue", "--size", "5", "--json"]);
        let five: Value = serde_json::from_str(&stdout(&five)).unwrap();
        assert_eq!((&five["ok"], &five["puzzles"]), (&true.into(), &FIVE.len().into()));
        refused(&CATALOGUES, &["verify", "--catalogue", "--full"], 2);
    }
}

mod help {
    use super::*;

    #[test]
    fn every_command_has_examples() {
        for command in ["hardest", "puzzles", "show"] {
            let text = said(&[command, "--help"]);
            assert!(text.contains("Examples:") && text.contains(&format!("tailback {command}")), "{text}");
        }
        assert!(!said(&["puzzles", "--help"]).contains("export-starter"), "that is for us");
    }
}
