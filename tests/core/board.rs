//! Boards: the text form, its errors, moves and their notation.

use crate::boards::{any_board, in_x};

use proptest::prelude::*;
use tailback::board::{Axis, Board, BoardError, Metric, Move, MoveError, Place, Square, Vehicle, nth_letter};

fn error(text: &str) -> BoardError {
    Board::parse(text).expect_err("no board")
}

/// The error, and that its message tells what it should.
fn says(error: BoardError, words: &[&str]) -> BoardError {
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "{message:?} does not say {word:?}");
    }
    error
}

#[test]
fn empty_text() {
    for text in ["", " \n\t\r\n "] {
        assert_eq!(says(error(text), &["empty", "36"]), BoardError::Empty);
    }
}

#[test]
fn lengths() {
    for length in 1..80 {
        let text: String = "AA".chars().chain(std::iter::repeat('.')).take(length).collect();
        match Board::parse(&text) {
            Ok(board) => assert_eq!(board.size() * board.size(), length),
            Err(error) => {
                let found = says(error, &["16, 25, 36, 49 or 64", &length.to_string()]);
                assert_eq!(found, BoardError::WrongLength { found: length, stray: None });
            }
        }
    }
}

#[test]
fn characters_that_are_no_cells_are_named() {
    let found = says(error("AA..:....:....:...."), &["19", "':'", "line breaks"]);
    assert_eq!(found, BoardError::WrongLength { found: 19, stray: Some(':') });
}

#[test]
fn white_space_between_rows_only() {
    let board = Board::parse("  AA..\n....\t....\r\n....  ").unwrap();
    assert_eq!(board.text(), "AA..............");
    let found = says(error("AA. ..... .... ...."), &["row 1", "after 3"]);
    assert_eq!(found, BoardError::BrokenRow { size: 4, row: 1, found: 3 });
}

#[test]
fn unknown_characters() {
    for bad in ['1', '+', 'é', '?', '🚗'] {
        let text = format!("AA.. ..{bad}. .... ....");
        let place = Place { row: 2, col: 3 };
        let found = says(error(&text), &["row 2, column 3", "wall"]);
        assert_eq!(found, BoardError::UnknownCharacter { found: bad, place });
    }
}

#[test]
fn crooked_vehicles() {
    let place = Place { row: 2, col: 3 };
    let bent = says(error("AA.. ..BB ..B. ...."), &["'B'", "bent", "row 2, column 3"]);
    assert_eq!(bent, BoardError::Bent { letter: 'B', place });
    let apart = error("AA.. ..B. ...B ....");
    assert_eq!(apart, BoardError::Bent { letter: 'B', place });
    // Ends in one column, but with a cell beside it.
    let beside = error("AA.. ..B. ...B ..B.");
    assert_eq!(beside, BoardError::Bent { letter: 'B', place });
    let split = says(error("AA.. ..B. .... ..B."), &["'B'", "split", "two letters"]);
    assert_eq!(split, BoardError::Split { letter: 'B', place });
    let place = Place { row: 2, col: 1 };
    assert_eq!(error("AA.. B.BB .... ...."), BoardError::Split { letter: 'B', place });
    assert_eq!(error("AA.. B..B .... ...."), BoardError::Split { letter: 'B', place });
    let one = says(error("AA.. B... .... ...."), &["'B'", "one cell", "at least 2"]);
    assert_eq!(one, BoardError::OneCell { letter: 'B', place });
}

#[test]
fn primary_errors() {
    let none = says(error("BB.. .... .... ...."), &["'A'"]);
    assert_eq!(none, BoardError::NoPrimary { primary: 'A', has_x: false });
    let named = error("XX.. .... .... ....");
    assert_eq!(named, BoardError::NoPrimary { primary: 'A', has_x: true });
    let other = Board::parse_with_primary("AA.. .... .... ....", 'R').unwrap_err();
    assert_eq!(says(other, &["'R'"]), BoardError::NoPrimary { primary: 'R', has_x: false });

    let upright = says(error(".A.. .A.. .... ...."), &["upright", "column 2"]);
    assert_eq!(upright, BoardError::VerticalPrimary { primary: 'A', col: 2 });
    let long = says(error("AAA. .... .... ...."), &["3 cells", "must have 2"]);
    assert_eq!(long, BoardError::PrimaryLength { primary: 'A', found: 3 });
    let place = Place { row: 1, col: 1 };
    assert_eq!(error("A... .... .... ...."), BoardError::OneCell { letter: 'A', place });

    for bad in ['o', 'x', '.', '1', ' ', 'é'] {
        let found = Board::parse_with_primary("AA.. .... .... ....", bad).unwrap_err();
        assert_eq!(says(found, &["'A' or 'X'"]), BoardError::BadPrimaryLetter { found: bad });
    }
}

#[test]
fn another_primary() {
    let board = Board::parse_with_primary(".... XX.A ...A x...", 'X').unwrap();
    assert_eq!(board.primary().letter, 'X');
    assert_eq!(board.text(), "....XX.A...Ax...");
    assert_eq!(board.walls(), 1 << 12);
    assert_eq!(board.without_vehicle(0).unwrap().primary().letter, 'X');
    assert!(board.without_vehicle(1).is_none() && board.without_vehicle(2).is_none());
    assert_eq!(board.without_wall(Square::at(3, 0, 4)).unwrap().text(), "....XX.A...A....");
    assert!(board.without_wall(Square::at(3, 1, 4)).is_none());
}

fn vehicle(letter: char, axis: Axis, line: u8, start: u8, len: u8) -> Vehicle {
    Vehicle { letter, axis, line, start, len }
}

#[test]
fn parts() {
    use Axis::{Horizontal, Vertical};
    let a = vehicle('A', Horizontal, 1, 0, 2);
    let b = vehicle('B', Vertical, 2, 0, 3);
    let board = Board::from_parts(4, 1 << 15, [b, a], 1).unwrap();
    assert_eq!(board.to_string(), "..B.\nAAB.\n..B.\n...x");
    assert_eq!(board.vehicles(), [a, b]);
    assert_eq!((board.horizontal(), board.vertical()), (0b11 << 4, 1 << 2 | 1 << 6 | 1 << 10));

    let fails = |size, walls, list: &[Vehicle], primary| {
        Board::from_parts(size, walls, list.iter().copied(), primary).unwrap_err()
    };
    for size in [0, 3, 9, 1000] {
        assert_eq!(says(fails(size, 0, &[a], 0), &["8×8"]), BoardError::BadSize { found: size });
    }
    assert_eq!(fails(4, 1 << 16, &[a], 0), BoardError::WallOffBoard { size: 4, index: 16 });
    for letter in ['o', 'x', '.', 'é'] {
        let bad = Vehicle { letter, ..b };
        assert_eq!(fails(4, 0, &[a, bad], 0), BoardError::BadLetter { found: letter });
    }
    assert_eq!(fails(4, 0, &[a, Vehicle { letter: 'A', ..b }], 0), BoardError::SameLetter { letter: 'A' });
    for len in [0, 1, 5, 255] {
        let found = usize::from(len);
        let wrong = BoardError::VehicleLength { letter: 'B', found, size: 4 };
        assert_eq!(fails(4, 0, &[a, Vehicle { len, ..b }], 0), wrong);
    }
    let off = BoardError::OffBoard { letter: 'B', size: 4 };
    assert_eq!(fails(4, 0, &[a, Vehicle { start: 2, ..b }], 0), off);
    assert_eq!(fails(4, 0, &[a, Vehicle { start: 255, ..b }], 0), off);
    assert_eq!(fails(4, 0, &[a, Vehicle { line: 4, ..b }], 0), off);
    let place = Place { row: 2, col: 3 };
    let overlap = BoardError::Overlap { letter: 'B', place };
    assert_eq!(says(fails(4, 1 << 6, &[a, b], 0), &["row 2, column 3"]), overlap);
    assert_eq!(fails(4, 0, &[a, b], 2), BoardError::BadPrimaryIndex { index: 2, count: 2 });
    assert_eq!(fails(4, 0, &[], 0), BoardError::BadPrimaryIndex { index: 0, count: 0 });
    assert_eq!(fails(4, 0, &[a, b], 1), BoardError::VerticalPrimary { primary: 'B', col: 3 });
    let truck = Vehicle { len: 3, ..a };
    assert_eq!(fails(4, 0, &[truck], 0), BoardError::PrimaryLength { primary: 'A', found: 3 });
}

#[test]
fn the_fullest_board() {
    let rows = (0..8u8).flat_map(|line| (0..4u8).map(move |i| (line, 2 * i)));
    let list = rows
        .enumerate()
        .map(|(index, (line, start))| vehicle(nth_letter(index), Axis::Horizontal, line, start, 2));
    let board = Board::from_parts(8, 0, list, 3).unwrap();
    assert_eq!(board.occupied(), u64::MAX);
    assert!(board.moves().is_empty() && board.is_solved());
    assert_eq!(Board::parse_with_primary(&board.text(), 'D').unwrap(), board);
}

#[test]
fn letters_are_fifty() {
    let letters: Vec<char> = (0..50).map(nth_letter).collect();
    assert!(letters.is_sorted_by(|a, b| a < b) && !letters.contains(&'o') && !letters.contains(&'x'));
}

#[test]
fn metric_as_text_and_json() {
    for metric in [Metric::Moves, Metric::Steps] {
        assert_eq!(metric.to_string().parse(), Ok(metric));
        assert_eq!(serde_json::to_string(&metric).unwrap(), format!("\"{metric}\""));
    }
    let message = "Moves".parse::<Metric>().unwrap_err().to_string();
    assert!(message.contains("'moves' or 'steps'") && message.contains("Moves"));
}

#[test]
fn move_errors() {
    let board = Board::parse("..B. AAB. x... ....").unwrap();
    for text in ["", "B", "B2", "B+", "+2", "B+x", "B++2", "B+ 2", "B+1000", "é", "B-+1"] {
        let found = board.parse_move(text).unwrap_err();
        assert_eq!(found, MoveError::Notation { found: text.to_owned() });
        assert!(found.to_string().contains("B+2"));
    }
    assert_eq!(board.parse_move("C+1"), Err(MoveError::NoSuchLetter { letter: 'C' }));
    let play = |text: &str| board.apply(board.parse_move(text).unwrap()).unwrap_err();
    assert_eq!(play("B+0"), MoveError::Nowhere { letter: 'B' });
    assert_eq!(play("B+3"), MoveError::OffBoard { letter: 'B', delta: 3 });
    assert_eq!(play("B-1"), MoveError::OffBoard { letter: 'B', delta: -1 });
    assert_eq!(play("B+127"), MoveError::OffBoard { letter: 'B', delta: 127 });
    let place = Place { row: 2, col: 3 };
    assert_eq!(play("A+2"), MoveError::Blocked { letter: 'A', delta: 2, by: 'B', place });
    let none = board.apply(Move { vehicle: 7, delta: 1 });
    assert_eq!(none, Err(MoveError::NoSuchVehicle { index: 7, count: 2 }));
    let lowest = board.apply(Move { vehicle: 0, delta: i8::MIN });
    assert_eq!(lowest, Err(MoveError::OffBoard { letter: 'A', delta: i8::MIN }));
}

/// Guards against an overflow: there is no 128 to go back.
#[test]
fn the_longest_move_that_can_be_written_can_be_reversed() {
    let board = Board::parse("..B. AAB. x... ....").unwrap();
    let back = board.parse_move("B-128").unwrap().reversed();
    assert_eq!(board.apply(back), Err(MoveError::OffBoard { letter: 'B', delta: 127 }));
    assert_eq!(board.parse_words('B', "up", i8::MIN).unwrap().delta, 127);
}

proptest! {
    #[test]
    fn any_text_is_a_board_or_an_error(text in any::<String>(), primary in any::<char>()) {
        let _ = Board::parse(&text);
        let _ = Board::parse_with_primary(&text, primary);
    }

    #[test]
    fn any_cells_are_a_board_or_an_error(text in "[.oxAABBCDa\n ]{36,40}|[.AB]{36}|[.oxA-Za-z#]{36}") {
        if let Ok(board) = Board::parse(&text) {
            // Walls are written # where they could be a vehicle, and text has no gaps.
            let plain = |text: &str| oracle::plain(text).replace('#', "x");
            prop_assert_eq!(plain(&board.text()), plain(&text));
        }
    }

    #[test]
    fn parse_undoes_print(board in any_board()) {
        prop_assert_eq!(&Board::parse(&board.text()).unwrap(), &board);
        prop_assert_eq!(&Board::parse(&board.to_string()).unwrap(), &board);
        prop_assert_eq!(&board.text().replace('.', "o").parse::<Board>().unwrap(), &board);
        prop_assert_eq!(board.rows().collect::<String>(), board.text());
        for (index, letter) in board.text().chars().enumerate() {
            let here = board.at(Square::new(index));
            prop_assert_eq!(here.unwrap_or('.'), if letter == '#' { 'x' } else { letter });
            prop_assert_eq!(board.occupied() >> index & 1 == 1, letter != '.');
        }
    }

    #[test]
    fn moves_are_those_of_the_oracle(board in any_board()) {
        for metric in [Metric::Moves, Metric::Steps] {
            let expected = oracle::successors(&in_x(&board), board.size(), metric == Metric::Steps);
            let found = board.moves_in(metric);
            prop_assert_eq!(found.len(), expected.len());
            for (&mv, expected) in found.iter().zip(expected) {
                prop_assert_eq!(board.notation(mv), &*expected.notation);
                prop_assert_eq!(board.parse_move(&expected.notation), Ok(mv));
                let after = board.apply(mv).unwrap();
                prop_assert_eq!(in_x(&after), expected.text);
                prop_assert_eq!(after.apply(mv.reversed()).unwrap(), board.clone());
            }
        }
        prop_assert_eq!(board.is_solved(), oracle::is_solved(&board.text(), board.size()));
    }

    #[test]
    fn a_move_is_in_the_list_or_refused(board in any_board(), vehicle in 0u8..40, delta in -9i8..=9) {
        let mv = Move { vehicle, delta };
        prop_assert_eq!(board.apply(mv).is_ok(), board.moves().contains(&mv));
    }

    #[test]
    fn mirror_twice_is_nothing(board in any_board()) {
        let mirrored = board.mirrored();
        let upside_down: Vec<String> = board.rows().collect();
        let upside_down: String = upside_down.into_iter().rev().collect();
        prop_assert_eq!(in_x(&mirrored), upside_down.replace('#', "x"));
        prop_assert_eq!(mirrored.is_solved(), board.is_solved());
        prop_assert_eq!(mirrored.mirrored(), board);
    }
}
