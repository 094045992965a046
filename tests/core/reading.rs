//! Boards as people write them: what is read, what is asked, what is refused.

#[path = "../common/clothes.rs"]
mod clothes;

use crate::boards::any_board;
use clothes::clothes;
use proptest::prelude::*;
use tailback::board::{Board, BoardError, Reader};

/// One board in many clothes. `A` is the red car, on the third row.
const PLAIN: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

fn read(text: &str) -> Board {
    Reader::default().read(text).unwrap_or_else(|unread| panic!("{text:?}: {unread}"))
}

fn refused(text: &str) -> BoardError {
    Reader::default().read(text).expect_err("it is no board").error
}

#[test]
fn one_board_in_many_clothes() {
    let clothes = clothes(PLAIN);
    for text in &clothes {
        assert_eq!(read(text).text(), PLAIN, "{text}");
        // And in small letters, which come back.
        if !text.contains('O') {
            assert_eq!(read(&text.to_lowercase()).text(), PLAIN.to_lowercase(), "{text}");
        }
    }
    assert!(clothes.len() >= 60, "{}", clothes.len());
}

#[test]
fn walls_and_vehicles_that_look_like_signs() {
    let wall = |text: &str| read(text).walls();
    assert_eq!(wall("..x. AA.. .... ...."), 1 << 2);
    assert_eq!(wall("..#. AA.. .... ...."), 1 << 2);
    assert_eq!(wall("..#. aa.. .... ...x"), 1 << 2 | 1 << 15);
    // A truck o and a red car x of small boards are called O and X.
    assert_eq!(read("...o rr.o ...o ....").text(), "...Orr.O...O....");
    assert_eq!(read("..b. xxb. .... ....").text(), "..b.XXb.........");
    assert_eq!(read("aa.. xx.. .... ....").primary().letter, 'X');
    let beside_walls = Reader::with_primary('a').read("aab. ..b. xx.. #...").unwrap();
    assert_eq!((beside_walls.text().as_str(), beside_walls.walls()), ("aab...b.XX..x...", 1 << 12));
    // Two walls that look like a car are printed otherwise.
    let beside = read("##.. aa.. .... ....");
    assert_eq!(beside.text(), "##..aa..........");
    assert_eq!(read("##.. AA.. .... ....").text(), "xx..AA..........");
    assert_eq!(read("AA.. ##.. .... ....").text(), "AA..##..........");
    for doubtful in ["xx.. aa.. .... ....", "AA.. xx.. .... ....", "x... xaa. .... ...."] {
        let error = refused(doubtful);
        assert!(matches!(error, BoardError::WallsOrVehicle { .. }), "{doubtful}: {error}");
        assert!(error.to_string().contains("write # for walls"), "{error}");
    }
}

/// What the rule of `Reader::primary` says: the letter, or the cars that are asked
/// about.
#[test]
fn the_right_red_car_or_a_question() {
    let empty = "......";
    let board = |rows: [&str; 6]| rows.join("/");
    let cases: [(&str, [&str; 6], &str); 23] = [
        ("A in the row of the exit", [empty, empty, "AA....", empty, empty, empty], "A"),
        ("the card of the issue", ["AA...O", "P..Q.O", "PXXQ.O", "P..Q..", "B...CC", "B.RRR."], "X"),
        ("X there, A elsewhere", ["AA....", empty, "XX....", empty, empty, empty], "X"),
        ("R there, A elsewhere", ["AA....", empty, "RR....", empty, empty, empty], "R"),
        ("A there, X elsewhere", ["XX....", empty, "AA....", empty, empty, empty], "A"),
        ("small letters", ["aa....", empty, "rr....", empty, empty, empty], "r"),
        ("another car there, no red one", ["BB....", empty, "CC....", empty, empty, "DD...."], "C"),
        ("another car there, A elsewhere", ["AA....", empty, "CC....", empty, empty, empty], "A1 C3"),
        ("another car there, X elsewhere", [empty, empty, "CC....", empty, "XX....", empty], "C3 X5"),
        ("two cars there, one is red", [empty, empty, "AABB..", empty, empty, empty], "A"),
        ("two cars there, both are red", [empty, empty, "AAXX..", empty, empty, empty], "A3 X3"),
        ("two cars there, none is red", [empty, empty, "BBCC..", empty, empty, empty], "B3 C3"),
        ("two cars there, A elsewhere", ["AA....", empty, "BBCC..", empty, empty, empty], "A1 B3 C3"),
        ("none there, A elsewhere", ["AA....", empty, empty, empty, empty, "BB...."], "A"),
        ("none there, A and X elsewhere", ["AA....", "XX....", empty, empty, empty, empty], "A1 X2"),
        ("none there, one car at all", ["BB....", "C.....", "C.....", empty, empty, empty], "B"),
        ("none there, two cars", ["BB....", "CC....", empty, empty, empty, empty], "B1 C2"),
        ("upside down", [empty, empty, empty, "AA....", empty, "BB...."], "A"),
        ("upside down, with R there", [empty, empty, "RR....", "AA....", empty, empty], "R3 A4"),
        ("upside down, with a car there", [empty, empty, "BB....", "AA....", empty, empty], "B3 A4"),
        ("A is a truck", ["AAA...", empty, "ZZ....", empty, empty, empty], "Z"),
        ("A stands upright", ["A.....", "A.....", "ZZ....", empty, empty, empty], "Z"),
        ("X is upright, A there", ["X.....", "X.....", "AA....", empty, empty, empty], "A"),
    ];
    for (what, rows, expected) in cases {
        let said = match Reader::default().read(&board(rows)) {
            Ok(board) => board.primary().letter.to_string(),
            Err(unread) => match unread.error {
                BoardError::WhichPrimary { cars } => {
                    cars.iter().map(|(letter, row)| format!("{letter}{row}")).collect::<Vec<_>>().join(" ")
                }
                error => panic!("{what}: {error}"),
            },
        };
        assert_eq!(said, expected, "{what}");
    }
    let truck = refused("....../BB..../AAA.../....../....../......");
    assert_eq!(truck, BoardError::PrimaryLength { primary: 'A', found: 3 });
    let question = refused("AA..../....../CC..../....../....../......").to_string();
    assert_eq!(question, "which car is to reach the exit, A in row 1 or C in row 3?");
}

#[test]
fn a_named_primary() {
    let named = |text: &str, letter| Reader::with_primary(letter).read(text).map_err(|unread| unread.error);
    let letter = |text: &str, primary| named(text, primary).unwrap().primary().letter;
    assert_eq!(letter("AA.. CC.. .... ....", 'A'), 'A');
    assert_eq!(letter("AA.. CC.. .... ....", 'c'), 'C');
    assert_eq!(letter("aa.. cc.. .... ....", 'C'), 'c');
    assert_eq!(letter("aa.. .... xx.. ....", 'x'), 'X');
    assert_eq!(letter("aa.. .... oo.. ....", 'o'), 'O');
    // Walls beside a car X could be the car x that is named: printed as # they are not.
    let walled = named("..BB xx.. .... .##.", 'x').unwrap();
    assert_eq!((walled.primary().letter, walled.text().as_str()), ('X', "..BBXX.......##."));
    assert_eq!(named(&walled.text(), 'x'), Ok(walled));
    assert!(matches!(named("..BB XX.. .... .xx.", 'x'), Err(BoardError::WallsOrVehicle { .. })));
    // The truck o stands in the way, whatever the primary is called.
    assert_eq!(named("...o rr.o ...o ....", 'r').unwrap().vehicles().len(), 2);
    assert!(matches!(named("AA.. .... .... ....", 'R'), Err(BoardError::NoPrimary { primary: 'R', .. })));
    assert!(matches!(named("AA.. .... .... ....", '1'), Err(BoardError::BadPrimaryLetter { found: '1' })));
}

#[test]
fn slips_are_named_with_their_place() {
    let says = |text: &str, words: &[&str]| {
        let message = refused(text).to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{text:?}: {message}");
    };
    says("", &["the board is empty"]);
    says("BB...C/D..E.C/DAAE./D..E../F...GG/F.HHH.", &["row 3 has 5 cells", "the others have 6"]);
    says("BB...C/D..E.C/DAAE.CC/D..E../F...GG/F.HHH.", &["row 3 has 7 cells", "the others have 6"]);
    says("BB...C\nD..E.C\nDAAE.C\nD..E..\nF...GG", &["5 rows of 6 cells", "as many rows as columns"]);
    says("BB...C D..E.C DAAE.C D..E.. F...GG F.HHH. ......", &["7 rows of 6 cells"]);
    says("AA. ..... .... ....", &["gap after 3 cells of row 1"]);
    says("AA.. ..?. .... ....", &["'?' in row 2, column 3", "wall"]);
    says("AA.. 1..1 .... ....", &["'1' in row 2, column 1"]);
    says("puzzles.txt", &["16, 25, 36, 49 or 64"]);
    says("AA.. ..B. ..BB ....", &["'B' is bent", "row 2, column 3"]);
    says("AA.. B.B. .... ....", &["'B' is split"]);
    says("AA.. B... .... ....", &["'B' has one cell"]);
    says("B... B... .... ....", &["there is no primary 'A'"]);
    let unread = Reader::default().read("BB...C/D..E.C/DAAE./D..E../F...GG/F.HHH.").unwrap_err();
    assert_eq!(unread.rows[2], "DAAE.");
}

proptest! {
    /// What is read is printed so that it reads back the same, whatever it was.
    #[test]
    fn accepted_texts_read_back(text in "[-._0*#oxOXaArRbB/ \n|+]{16,80}") {
        if let Ok(board) = Reader::default().read(&text) {
            prop_assert_eq!(read(&board.text()), board.clone());
            prop_assert_eq!(read(&board.to_string()), board);
        }
    }

    #[test]
    fn boards_read_back_under_their_primary(board in any_board()) {
        let reader = Reader::with_primary(board.primary().letter);
        prop_assert_eq!(reader.read(&board.text()).unwrap(), board.clone());
        let small = board.text().to_lowercase();
        if let Ok(again) = reader.read(&small) {
            prop_assert_eq!(reader.read(&again.text()).unwrap(), again);
        }
    }
}
