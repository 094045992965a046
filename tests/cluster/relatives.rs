//! All boards of a family, against every way to put its vehicles down.

use std::collections::BTreeSet;

use tailback::board::Board;
use tailback::cluster::Relatives;

/// What stands in each line, in order, walls included.
fn lines(text: &str, size: usize) -> Vec<String> {
    let grid: Vec<char> = text.chars().collect();
    let is_horizontal = |cell: usize| {
        let row = &grid[cell / size * size..][..size];
        row.iter().filter(|&&c| c == grid[cell]).count() > 1
    };
    let line = |cells: Vec<usize>, horizontal: bool| {
        let stands = |&cell: &usize| match grid[cell] {
            '.' => false,
            'x' => true,
            _ => is_horizontal(cell) == horizontal,
        };
        let mut line: Vec<char> = cells.into_iter().filter(stands).map(|cell| grid[cell]).collect();
        line.dedup();
        line.into_iter().collect()
    };
    let rows = (0..size).map(|row| line((row * size..(row + 1) * size).collect(), true));
    let columns = (0..size).map(|col| line((col..size * size).step_by(size).collect(), false));
    rows.chain(columns).collect()
}

/// Every way to put the vehicles into their lines, wherever they stand now.
fn by_trying(text: &str, size: usize) -> BTreeSet<String> {
    let empty: String = text.chars().map(|c| if c == 'x' { 'x' } else { '.' }).collect();
    let letters: BTreeSet<char> = text.chars().filter(|&c| c != '.' && c != 'x').collect();
    let mut boards = BTreeSet::from([empty]);
    for letter in letters {
        let cells: Vec<usize> = (0..text.len()).filter(|&i| text.as_bytes()[i] == letter as u8).collect();
        let horizontal = cells[1] == cells[0] + 1;
        let (first, stride) = if horizontal { (cells[0] / size * size, 1) } else { (cells[0] % size, size) };
        let places = (0..=size - cells.len())
            .map(|start| (0..cells.len()).map(|n| first + (start + n) * stride).collect::<Vec<usize>>());
        let places: Vec<Vec<usize>> = places.collect();
        let put = |board: &String| {
            let fits = |cells: &&Vec<usize>| cells.iter().all(|&cell| &board[cell..=cell] == ".");
            let with = |cells: &Vec<usize>| {
                let cell = |(at, c)| if cells.contains(&at) { letter } else { c };
                board.chars().enumerate().map(cell).collect::<String>()
            };
            places.iter().filter(fits).map(with).collect::<Vec<String>>()
        };
        boards = boards.iter().flat_map(put).collect();
    }
    boards.retain(|board| lines(board, size) == lines(text, size));
    boards
}

fn check(board: &Board) -> usize {
    let text = board.text();
    let found: Vec<Board> = Relatives::of(board).collect();
    let texts: BTreeSet<String> = found.iter().map(Board::text).collect();
    assert_eq!(found.len(), texts.len(), "{text}: a board comes twice");
    assert_eq!(texts, by_trying(&text, board.size()), "{text}");
    assert!(found.iter().all(|relative| relative.primary_index() == board.primary_index()));
    found.len()
}

fn parse(text: &str) -> Board {
    Board::parse(text).unwrap()
}

/// One board of each family of 4×4, the first that is met.
fn one_of_each_family() -> Vec<String> {
    let mut families = BTreeSet::new();
    let boards = oracle::all_boards(4).into_iter();
    boards
        .filter(|&code| families.insert(oracle::lines(code, 4)))
        .map(|code| oracle::text_of(code, 4))
        .collect()
}

#[test]
fn are_all_boards_of_the_family() {
    let of_all: usize = one_of_each_family().iter().map(|text| check(&parse(text))).sum();
    assert_eq!(of_all, 13_146);
    // And from wherever one starts.
    for text in one_of_each_family().iter().step_by(50) {
        let family: BTreeSet<String> = Relatives::of(&parse(text)).map(|board| board.text()).collect();
        for text in &family {
            let again: BTreeSet<String> = Relatives::of(&parse(text)).map(|board| board.text()).collect();
            assert_eq!(again, family, "{text}");
        }
    }
}

#[test]
fn with_the_primary_in_any_row() {
    let mut rows = BTreeSet::new();
    for text in one_of_each_family().iter().step_by(3) {
        for primary in parse(text).vehicles() {
            if let Ok(board) = Board::parse_with_primary(text, primary.letter) {
                check(&board);
                rows.insert(board.primary().line);
            }
        }
    }
    assert_eq!(rows.len(), 4);
}

#[test]
fn with_walls() {
    let mut checked = 0;
    for text in one_of_each_family().iter().step_by(5) {
        for (cell, _) in text.match_indices('.') {
            let mut walled = text.clone();
            walled.replace_range(cell..=cell, "x");
            checked += usize::from(check(&parse(&walled)) > 1);
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn on_larger_boards() {
    for text in [
        "BB...C .....C AA...C ..DDD. E..... E..FFF",
        "BBB..x .C.... .CAA.. .C.... D..... D.....",
        "..B.... ..B.... ..BAA.. ....x.. CC..... ....DD. .......",
        "BB...... C....... CAA..... C....... ..DDDD.. ........ ........ ......x.",
    ] {
        assert!(check(&parse(text)) > 10);
    }
}
