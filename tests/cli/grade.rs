//! `tailback grade` as a user types it, and against the oracle.

use crate::common;

use std::collections::HashMap;
use std::fs;
use std::process::Output;

use rand::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{code, drop_vehicles, one_by_one, stderr, stdout, tables, tailback, with_broken_pipe};

const SMALL: &str = "..B.AAB.........";
const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";
/// C has to make way for B.
const THREE: &str = "..B.AAB...CC....";
const WALLED: &str = "..B.AAB..x......";
const BLOCKED: &str = "....AABB.CC.....";
/// The wall holds B in the way of A.
const WALLED_IN: &str = "..B.AAB...x.CC..";
/// B and C fill the column before A.
const FULL: &str = "..BDAABD..C...C.";

/// Runs `grade` on the tables above.
fn grade(args: &[&str]) -> Output {
    tailback(tables()).arg("grade").args(args).output().unwrap()
}

/// The grade of a game as one JSON object.
fn graded(args: &[&str]) -> Value {
    let output = grade(&[args, &["--json"]].concat());
    assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{args:?}: {}", stdout(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn words(args: &[&str]) -> String {
    let output = grade(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn last_line(args: &[&str]) -> String {
    words(args).lines().last().unwrap().to_owned()
}

fn feed(args: &[&str], input: impl Into<Vec<u8>>) -> Output {
    tailback(tables()).arg("grade").args(args).write_stdin(input).output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One field of every move.
fn column(answer: &Value, name: &str) -> Vec<Value> {
    answer["game"].as_array().unwrap().iter().map(|graded| graded[name].clone()).collect()
}

mod one_game {
    use super::*;

    #[test]
    fn for_people() {
        let output = grade(&[THREE, "C-1", "C-1", "B+2", "A+2"]);
        let expected = "\
┌─────────┐
│ . . B . │
│ A A B .  →
│ . . C C │
│ . . . . │
└─────────┘
3 moves to the exit (from the table).

#  move       then
1  C left 1      3  loses 1, better C left 2
2  C left 1      2  optimal
3  B down 2      1  optimal
4  A right 2     0  optimal

Solved by move 4. Played 4 moves instead of 3, lost 1. The first mistake is move 1, C left 1.
";
        assert_eq!((stdout(&output).as_str(), code(&output)), (expected, 0));
        assert_eq!(stderr(&output), "");
    }

    #[test]
    fn for_programs() {
        let expected = json!({
            "board": THREE, "primary": "A", "size": 4, "metric": "moves", "solvable": true, "distance": 3,
            "source": "table", "id": 1392,
            "game": [
                {"move": "C-1", "before": 3, "after": 3, "optimal": false, "loss": 1, "best": ["C-2"]},
                {"move": "C+1", "before": 3, "after": 3, "optimal": false, "loss": 1, "best": ["C-1"]},
                {"move": "C-2", "before": 3, "after": 2, "optimal": true, "loss": 0, "best": ["C-2"]},
            ],
            "played": 3, "total_loss": 2, "first_mistake": 1,
            "solved": false, "solved_at": null, "distance_left": 2, "end": "..B.AAB.CC......",
        });
        assert_eq!(graded(&[THREE, "C-1", "C+1", "C-2"]), expected);
    }

    #[test]
    fn moves_apart_by_anything() {
        let expected = words(&[THREE, "C-2", "B+2", "A+2"]);
        assert!(expected.contains("Solved by move 3. Played 3 moves, lost none."), "{expected}");
        for moves in [&["C-2 B+2 A+2"][..], &["C-2,B+2,A+2"], &[" C-2, B+2 ", "A+2,"], &["C-2\nB+2\tA+2"]] {
            assert_eq!(words(&[&[THREE], moves].concat()), expected, "{moves:?}");
        }
    }

    #[test]
    fn how_a_game_may_end() {
        let end = |moves: &str| last_line(&[SMALL, moves]);
        assert_eq!(end("B+2 A+2"), "Solved by move 2. Played 2 moves, lost none.");
        assert_eq!(end("B+2"), "Not solved, 1 move left. Played 1 move, lost none.");
        assert_eq!(
            end("B+2 B-2"),
            "Not solved, 2 moves left. Played 2 moves, lost 2. The first mistake is move 2, B up 2."
        );
        assert_eq!(
            end("B+2 A+1 A+1"),
            "Solved by move 3. Played 3 moves instead of 2, lost 1. The first mistake is move 2, A right 1."
        );
        assert_eq!(
            end("B+2 A+2 A-2 A+2"),
            "Solved by move 2, and the game went on. Played 4 moves instead of 2, lost 2. \
             The first mistake is move 3, A left 2."
        );
        assert_eq!(
            end("B+2 A+2 A-1"),
            "Solved by move 2, but not at the end, 1 move left. Played 3 moves, lost 2. \
             The first mistake is move 3, A left 1."
        );
        assert_eq!(
            last_line(&["BB....AA........", "B+1"]),
            "Solved from the start, and the game went on. Played 1 move instead of 0, lost 1. \
             The first mistake is move 1, B right 1."
        );
    }

    /// A solved board needs no move, so every move loses something.
    #[test]
    fn moves_after_the_solution() {
        let (board, game) = ("..B.AAB.D...D...", "B+2 A+2 D-1 A-1 A+1");
        let found = graded(&[board, game]);
        assert_eq!(column(&found, "loss"), [0, 0, 1, 2, 0]);
        assert_eq!(column(&found, "after"), [1, 0, 0, 1, 0]);
        assert_eq!((&found["solved"], &found["solved_at"]), (&json!(true), &json!(2)));
        assert_eq!((&found["first_mistake"], &found["total_loss"]), (&json!(3), &json!(3)));
        assert_eq!(found["game"][2]["best"], json!([]));
        let table = words(&[board, game]);
        assert!(table.contains("\n3  D up 1        0  loses 1, solved already\n"), "{table}");
    }

    /// A slide counts its cells, and the better move is a step.
    #[test]
    fn in_steps() {
        let found = graded(&[SMALL, "B+2", "A+2", "--metric", "steps"]);
        assert_eq!((&found["metric"], &found["distance"]), (&json!("steps"), &json!(4)));
        assert_eq!(column(&found, "after"), [2, 0]);
        assert_eq!(column(&found, "loss"), [0, 0]);
        assert_eq!((&found["played"], &found["total_loss"]), (&json!(4), &json!(0)));

        let found = graded(&[THREE, "C-2", "C+1", "C-1", "--metric", "steps"]);
        assert_eq!(column(&found, "loss"), [0, 2, 0]);
        let table = words(&[SMALL, "B+2 B-2 B+1", "--metric", "steps"]);
        assert!(table.contains("4 steps to the exit"), "{table}");
        assert!(table.contains("\n2  B up 2       4  loses 4, better A right 1\n"), "{table}");
        assert!(
            table.ends_with(
                "Not solved, 3 steps left. Played 5 steps, lost 4. The first mistake is move 2, B up 2.\n"
            ),
            "{table}"
        );
    }

    #[test]
    fn an_illegal_move_has_a_number_and_a_reason() {
        for (board, moves, message) in [
            (SMALL, "A+1", "move 1: 'A' cannot move by +1: 'B' is in the way in row 2, column 3"),
            (SMALL, "B+1 B+2 A+2", "move 2: 'B' cannot move by +2: it would leave the board"),
            (WALLED, "B+2 B-1 B+1 C-1", "move 4: there is no vehicle 'C' on the board"),
            (
                "..B.AAB.CCx.....",
                "C+1",
                "move 1: 'C' cannot move by +1: 'x' is in the way in row 3, column 3",
            ),
            (SMALL, "B+2, A+0", "move 2: a move of 'A' by 0 cells is no move"),
            (SMALL, "B+2 A", "move 2: \"A\" is no move: write the letter, the sign"),
        ] {
            let output = grade(&[board, moves]);
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{moves}");
            assert!(
                stderr(&output).starts_with(&format!("error: {message}")),
                "{moves}: {}",
                stderr(&output)
            );

            let output = grade(&[board, moves, "--json"]);
            assert_eq!((code(&output), stderr(&output)), (2, String::new()), "{moves}");
            let [error] = &lines(&output)[..] else { panic!("one line expected: {}", stdout(&output)) };
            assert_eq!(error.as_object().unwrap().len(), 1, "{error}");
            assert!(error["error"].as_str().unwrap().starts_with(message), "{error}");
        }
    }

    #[test]
    fn no_move_of_an_unsolvable_board_is_a_mistake() {
        for (board, moves, source) in
            [(BLOCKED, "C-1 C+2", "rule"), (WALLED_IN, "C+1 C-1", "search"), (FULL, "D+2 D-1", "table")]
        {
            let found = graded(&[board, moves]);
            assert_eq!((&found["source"], &found["solvable"]), (&json!(source), &json!(false)));
            for name in ["distance", "total_loss", "first_mistake", "solved_at", "distance_left"] {
                assert_eq!(found[name], Value::Null, "{name}");
            }
            assert_eq!((&found["played"], &found["solved"]), (&json!(2), &json!(false)));
            for name in ["before", "after", "optimal", "loss"] {
                assert_eq!(column(&found, name), [Value::Null, Value::Null], "{name}");
            }
            assert_eq!(column(&found, "best"), [json!([]), json!([])]);
            let table = words(&[board, moves]);
            assert_eq!(table.matches("     -  unsolvable\n").count(), 2, "{table}");
            assert!(table.ends_with("The board cannot be solved, so no move is a mistake.\n"), "{table}");
        }
    }

    #[test]
    fn every_source() {
        let source = |args: &[&str]| graded(args)["source"].clone();
        assert_eq!(source(&[SMALL, "B+1"]), "table");
        assert_eq!(source(&[SMALL, "B+1", "--metric", "steps"]), "table");
        assert_eq!(source(&[SMALL, "B+1", "--no-table"]), "search");
        assert_eq!(source(&[WALLED, "B+1"]), "search");
        assert_eq!(source(&[CARD, "B+1"]), "search");
        assert_eq!(source(&[BLOCKED, "C+1"]), "rule");
        let walled = words(&[WALLED, "B+1"]);
        assert!(walled.contains("2 moves to the exit (by search)"), "{walled}");
        assert!(walled.contains("loses 1, better B down 2"), "{walled}");
    }

    #[test]
    fn the_callers_letters() {
        let found = graded(&["..Z. XXZ. .... ....", "Z+1", "Z+1", "X+2", "--primary", "X"]);
        assert_eq!((&found["game"][0]["best"], &found["solved_at"]), (&json!(["Z+2"]), &json!(3)));
        assert_eq!(found["end"], "......XX..Z...Z.");
    }

    /// A cluster past the limit is not explored, but each board is searched.
    #[test]
    fn a_search_has_a_limit() {
        let card_of_22_139_boards = "BooCCCBooDoEAAoDFEGGGoFEooHoIIJJHKKo";
        let game = "A+1 B+1 C-3 C+1 C-1 I-1 D-1 F-2 E+2 A+3";
        let whole = graded(&[card_of_22_139_boards, game]);
        assert_eq!((&whole["distance"], &whole["first_mistake"]), (&json!(8), &json!(4)));
        assert_eq!(graded(&[card_of_22_139_boards, game, "--limit", "20000"]), whole);

        let output = grade(&[card_of_22_139_boards, game, "--limit", "10"]);
        assert_eq!((code(&output), stdout(&output)), (1, String::new()));
        assert!(stderr(&output).contains("limit of 10 boards"), "{}", stderr(&output));
    }

    #[test]
    fn a_hint_without_a_table() {
        let db = TempDir::new().unwrap();
        let hint = |args: &[&str]| {
            let output = tailback(db.path()).arg("grade").args(args).output().unwrap();
            assert_eq!(code(&output), 0);
            stderr(&output)
        };
        assert!(hint(&[SMALL, "B+1"]).contains("tailback build --only table --size 4 --metric moves"));
        assert_eq!(hint(&[SMALL, "B+1", "--json"]), "");
        assert!(hint(&[WALLED, "B+1"]).contains("--size 4 --wall B3"));
    }

    #[test]
    fn wrong_usage() {
        for (args, message) in [
            (&[SMALL][..], "no moves to grade"),
            (&[SMALL, " , "], "no moves to grade"),
            (&[SMALL, ""], "no moves to grade"),
            (&["-", "B+1"], "stand in their lines"),
            (&["--file", "games.jsonl", "B+1"], "cannot be used with"),
            (&[], "BOARD"),
            (&[SMALL, "B+1", "--metric", "cells"], "--metric"),
            (&["..B.AAB", "B+1"], "16, 25, 36"),
        ] {
            let output = grade(args);
            assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
            assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
        }
    }
}

mod many_games {
    use super::*;

    #[test]
    fn answers_in_order_with_their_names() {
        let input = [
            json!({"id": 7, "board": SMALL, "moves": ["B+1", "B+1", "A+2"]}),
            json!({"moves": "C-2, B+2 A+2", "board": THREE, "player": "ignored"}),
            json!({"name": {"any": ["name"]}, "board": BLOCKED, "moves": []}),
            json!({"id": null, "board": WALLED, "moves": "B+2"}),
        ];
        let input: String = input.iter().map(|game| format!("{game}\n\n# a comment\n")).collect();
        let output = feed(&["-"], input);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
        let answers = lines(&output);
        assert_eq!(answers.len(), 4);
        assert_eq!((&answers[0]["name"], &answers[0]["total_loss"]), (&json!(7), &json!(1)));
        assert!(answers[1].get("name").is_none(), "{}", answers[1]);
        assert_eq!((&answers[1]["solved_at"], &answers[1]["total_loss"]), (&json!(3), &json!(0)));
        assert_eq!(answers[2]["name"], json!({"any": ["name"]}));
        assert_eq!((&answers[2]["game"], &answers[2]["distance"]), (&json!([]), &Value::Null));
        assert_eq!(answers[3].get("name"), Some(&Value::Null));
        assert_eq!(answers[3]["source"], "search");

        let mut alone = graded(&[SMALL, "B+1", "B+1", "A+2"]);
        alone["name"] = json!(7);
        assert_eq!(answers[0], alone);
    }

    #[test]
    fn a_bad_line_harms_no_other() {
        let good = json!({"board": SMALL, "moves": "B+2 A+2"}).to_string();
        let bad = [
            ("no JSON", None, "this is no JSON (column"),
            (r#"["list"]"#, None, r#"there is no text "board""#),
            (r#"{"id": 1, "moves": "B+2"}"#, Some(json!(1)), r#"there is no text "board""#),
            (r#"{"id": "two", "board": "..B.AAB........."}"#, Some(json!("two")), r#""moves""#),
            (r#"{"board": "..B.AAB.........", "moves": ["B+2", 3]}"#, None, r#""moves""#),
            (r#"{"id": [4], "board": "..B.", "moves": "B+2"}"#, Some(json!([4])), "this text has 4"),
            (r#"{"id": 5, "board": "..B.AAB.........", "moves": "B+2 A+3"}"#, Some(json!(5)), "move 2: 'A'"),
            (r#"{"id": 6, "board": "..B.AAB.........", "moves": ["B+2", "up"]}"#, Some(json!(6)), "move 2: "),
        ];
        let input: String = bad.iter().map(|(line, ..)| format!("{good}\n{line}\n")).collect();
        for args in [&["-"][..], &["-", "--json"]] {
            let output = feed(args, input.as_str());
            assert_eq!(code(&output), 2);
            assert_eq!(stderr(&output), "error: 8 games have no grade; their lines say why\n");
            let answers = lines(&output);
            assert_eq!(answers.len(), 16);
            for (index, (line, name, message)) in bad.iter().enumerate() {
                assert_eq!(answers[2 * index]["solved_at"], 2);
                let answer = &answers[2 * index + 1];
                assert_eq!(answer["line"], 2 * index + 2, "{line}");
                assert_eq!(answer.get("name"), name.as_ref(), "{line}");
                assert!(answer["error"].as_str().unwrap().contains(message), "{line}: {answer}");
            }
        }
        let output = feed(&["-"], "one bad line");
        assert_eq!((code(&output), lines(&output).len()), (2, 1));
        assert_eq!(stderr(&output), "error: 1 game has no grade; its line says why\n");
        let output = feed(&["-"], "");
        assert_eq!((code(&output), stdout(&output)), (0, String::new()));
    }

    /// Long games are fine; a line without end is not kept in memory.
    #[test]
    fn long_lines() {
        let long_game = json!({"board": SMALL, "moves": "B+1 B-1 ".repeat(3000)});
        let too_long = json!({"board": SMALL, "moves": "B+1 B-1 ".repeat(100_000)});
        let output = feed(&["-"], format!("{long_game}\n{too_long}\n"));
        assert_eq!(code(&output), 2);
        let answers = lines(&output);
        assert_eq!((&answers[0]["played"], &answers[0]["total_loss"]), (&json!(6000), &json!(6000)));
        assert_eq!(answers[1]["line"], 2);
        assert!(answers[1]["error"].as_str().unwrap().contains("65536 bytes"), "{}", answers[1]);
    }

    #[test]
    fn a_search_past_its_limit_is_no_bad_line() {
        let input = format!(
            "{}\n{}\n",
            json!({"id": "large", "board": CARD, "moves": "B+1"}),
            json!({"board": SMALL, "moves": "A+2"})
        );
        let output = feed(&["-", "--limit", "10"], input);
        assert_eq!(code(&output), 1);
        assert_eq!(stderr(&output), "error: 2 games have no grade; their lines say why\n");
        assert!(lines(&output)[0]["error"].as_str().unwrap().contains("limit of 10 boards"));
        assert_eq!(lines(&output)[0]["name"], "large");
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        let db = TempDir::new().unwrap();
        fs::write(db.path().join("4x4-moves.tailback"), "something else").unwrap();
        let run = |args: &[&str]| {
            let game = json!({"board": SMALL, "moves": "B+2"}).to_string();
            tailback(db.path()).arg("grade").args(args).write_stdin(game).output().unwrap()
        };
        let one = run(&[SMALL, "B+2"]);
        assert_eq!(code(&one), 1);
        assert!(stderr(&one).contains("4x4-moves.tailback: "), "{}", stderr(&one));
        let many = run(&["-"]);
        assert_eq!(code(&many), 1);
        assert!(lines(&many)[0]["error"].as_str().unwrap().contains("4x4-moves.tailback: "));
    }

    #[test]
    fn from_a_file() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("games.jsonl");
        fs::write(&file, json!({"board": "..B.XXB.........", "moves": "B+2 X+2"}).to_string()).unwrap();
        let found = graded(&["--file", file.to_str().unwrap(), "--primary", "X", "--metric", "steps"]);
        assert_eq!((&found["metric"], &found["distance"]), (&json!("steps"), &json!(4)));
        assert_eq!(found["total_loss"], 0);
        let missing = grade(&["--file", "no/such/file"]);
        assert_eq!(code(&missing), 1);
        assert!(stderr(&missing).starts_with("error: cannot read no/such/file: "), "{}", stderr(&missing));
    }

    /// More than one read brings, so that order and numbers span reads.
    #[test]
    fn many_lines_in_order() {
        let game = |i: usize| match i * i % 7 % 3 {
            0 => json!({"id": i, "board": SMALL, "moves": ["B+2", "A+2"]}),
            1 => json!({"id": i, "board": WALLED, "moves": "B+1 B+1"}),
            _ => json!({"id": i, "board": SMALL, "moves": "A+2"}),
        };
        let output = feed(&["-"], (0..10_000).map(|i| format!("{}\n", game(i))).collect::<String>());
        assert_eq!(code(&output), 2);
        let answers = lines(&output);
        assert_eq!(answers.len(), 10_000);
        for (i, answer) in answers.iter().enumerate() {
            assert_eq!(answer["name"], i);
            match i * i % 7 % 3 {
                0 => assert_eq!((&answer["board"], &answer["total_loss"]), (&json!(SMALL), &json!(0))),
                1 => assert_eq!((&answer["board"], &answer["total_loss"]), (&json!(WALLED), &json!(1))),
                _ => assert_eq!(answer["line"], i + 1),
            }
        }
    }

    /// A program may send a game and wait for its grade.
    #[test]
    fn a_grade_comes_before_the_next_line() {
        let boards = [SMALL, WALLED];
        let games = boards.map(|board| json!({"board": board, "moves": "B+1"}).to_string());
        for (answer, board) in one_by_one(&["grade", "-", "--no-table"], &games).iter().zip(boards) {
            assert_eq!((&answer["board"], &answer["total_loss"]), (&json!(board), &json!(1)));
        }
    }
}

mod random_games {
    use super::*;

    /// A random board: pieces dropped where they fit.
    fn random_board(random: &mut impl Rng, size: usize) -> String {
        let mut grid = vec!['.'; size * size];
        // Now and then in a row that no table has.
        let row = if random.random_bool(0.8) { oracle::primary_row(size) } else { 0 };
        let primary = row * size + random.random_range(0..size - 1);
        grid[primary..primary + 2].fill('A');
        drop_vehicles(random, &mut grid, size);
        if random.random_bool(0.2)
            && let Some(cell) = grid.iter().position(|&cell| cell == '.')
        {
            grid[cell] = 'x';
        }
        grid.into_iter().collect()
    }

    /// Boards, and the moves between them.
    struct Game {
        size: usize,
        boards: Vec<String>,
        moves: Vec<String>,
    }

    /// Slides of any length, at random.
    fn random_game(random: &mut impl Rng, size: usize) -> Game {
        let mut boards = vec![random_board(random, size)];
        let mut moves = Vec::new();
        for _ in 0..random.random_range(1..15) {
            let next = oracle::successors(boards.last().unwrap(), size, false);
            let Some(next) = next.into_iter().choose(random) else { break };
            boards.push(next.text);
            moves.push(next.notation);
        }
        Game { size, boards, moves }
    }

    /// Compares every field with distances of the oracle.
    fn check(game: &Game, answer: &Value, steps: bool, distances: &HashMap<String, Option<u32>>) {
        let distance: Vec<Option<u32>> = game.boards.iter().map(|board| distances[board]).collect();
        let mut total = distance[0].map(|_| 0);
        let mut first_mistake = None;
        let mut played = 0;
        for (i, notation) in game.moves.iter().enumerate() {
            let cost = if steps { notation[2..].parse().unwrap() } else { 1 };
            played += cost;
            let loss = distance[i].map(|before| distance[i + 1].unwrap() + cost - before);
            total = total.zip(loss).map(|(total, loss)| total + loss);
            if loss.is_some_and(|loss| loss > 0) {
                first_mistake = first_mistake.or(Some(i + 1));
            }
            let best: Vec<String> = oracle::successors(&game.boards[i], game.size, steps)
                .into_iter()
                .filter(|next| distances[&next.text].map(|after| after + 1) == distance[i])
                .filter(|_| distance[i].is_some())
                .map(|next| next.notation)
                .collect();
            let expected = json!({
                "move": notation, "before": distance[i], "after": distance[i + 1],
                "optimal": loss.map(|loss| loss == 0), "loss": loss, "best": best,
            });
            assert_eq!(answer["game"][i], expected, "move {i} of {}", game.boards[0]);
        }
        let end = game.boards.last().unwrap();
        let solved_at = game.boards.iter().position(|board| oracle::is_solved(board, game.size));
        for (name, expected) in [
            ("board", json!(game.boards[0])),
            ("distance", json!(distance[0])),
            ("played", json!(played)),
            ("total_loss", json!(total)),
            ("first_mistake", json!(first_mistake)),
            ("solved", json!(oracle::is_solved(end, game.size))),
            ("solved_at", json!(solved_at)),
            ("distance_left", json!(distances[end])),
            ("end", json!(end)),
        ] {
            assert_eq!(answer[name], expected, "{name} of {}", game.boards[0]);
        }
        assert_eq!(answer["game"].as_array().unwrap().len(), game.moves.len());
    }

    #[test]
    fn the_oracle_gives_the_same_grades() {
        let mut random = rand_pcg::Pcg64::seed_from_u64(5);
        let mut games = Vec::new();
        for (size, count) in [(4, 200), (5, 100)] {
            while games.iter().filter(|game: &&Game| game.size == size).count() < count {
                let game = random_game(&mut random, size);
                if oracle::cluster(&game.boards[0], size, 2000).is_some() {
                    games.push(game);
                }
            }
        }
        let input: String = games
            .iter()
            .map(|game| format!("{}\n", json!({"board": game.boards[0], "moves": game.moves})))
            .collect();
        for (metric, steps) in [("moves", false), ("steps", true)] {
            let with = feed(&["-", "--primary", "A", "--metric", metric], input.as_str());
            let without = feed(&["-", "--primary", "A", "--metric", metric, "--no-table"], input.as_str());
            assert_eq!((code(&with), code(&without)), (0, 0));
            let (with, without) = (lines(&with), lines(&without));
            assert_eq!((with.len(), without.len()), (games.len(), games.len()));
            let mut sources: HashMap<&str, usize> = HashMap::new();
            let mut mistakes = 0;
            for ((game, with), without) in games.iter().zip(&with).zip(&without) {
                let distances = oracle::distances_of_cluster(&game.boards[0], game.size, steps);
                check(game, with, steps, &distances);
                check(game, without, steps, &distances);
                *sources.entry(with["source"].as_str().unwrap()).or_default() += 1;
                mistakes += usize::from(with["first_mistake"].is_u64());
            }
            assert!(sources["table"] > 100 && sources["search"] > 50 && sources["rule"] > 5, "{sources:?}");
            assert!(mistakes > 100, "{mistakes}");
        }
    }

    /// What `solve` prints is a game without a mistake.
    #[test]
    fn a_solution_is_optimal() {
        let cards = include_str!("../../src/domains/rush_hour/sets/jam.tsv")
            .lines()
            .filter(|line| line.starts_with("Jam-"));
        let cards: Vec<&str> = cards.map(|line| line.split('\t').nth(1).unwrap()).collect();
        assert_eq!(cards.len(), 40);
        for metric in ["moves", "steps"] {
            let mut solve = tailback(tables());
            solve.args(["solve", "-", "--metric", metric]).write_stdin(cards.join("\n"));
            let solutions = lines(&solve.output().unwrap());
            let input: String = solutions
                .iter()
                .map(|found| format!("{}\n", json!({"board": found["board"], "moves": found["solution"]})))
                .collect();
            let output = feed(&["-", "--primary", "A", "--metric", metric], input);
            assert_eq!(code(&output), 0);
            let grades = lines(&output);
            assert_eq!(grades.len(), 40);
            for (found, grade) in solutions.iter().zip(grades) {
                assert_eq!((&grade["total_loss"], &grade["solved"]), (&json!(0), &json!(true)));
                assert_eq!(grade["played"], found["distance"]);
                assert_eq!(grade["solved_at"], found["solution"].as_array().unwrap().len());
            }
        }
    }
}

/// `tailback grade … | head -1` must end quietly.
#[test]
fn a_broken_pipe_is_no_error() {
    let game = json!({"board": SMALL, "moves": "B+2"}).to_string();
    assert_eq!(with_broken_pipe(&["grade", "-", "--no-table"], &game), (Some(0), String::new()));
}
