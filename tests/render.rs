//! Pictures: everything of a board is drawn, once, in its place, and any title
//! makes a well-formed document.

mod boards;

use boards::any_board;
use proptest::prelude::*;
use resvg::usvg::roxmltree::{Document, Node};
use tailback::board::{Axis, Board, Move, Square};
use tailback::render::picture::Picture;
use tailback::render::png;
use tailback::render::sheet::{Sheet, Tile, solution};

/// Units a cell of a picture and of a sheet.
const PICTURE: f64 = 60.0;
const SHEET: f64 = 24.0;

fn parsed(svg: &str) -> Document<'_> {
    Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"))
}

/// The groups that are boards: those with a description.
fn boards<'a, 'b>(document: &'a Document<'b>) -> Vec<Node<'a, 'b>> {
    document.descendants().filter(|node| node.has_tag_name("desc")).map(|d| d.parent().unwrap()).collect()
}

fn with_class<'a, 'b>(node: Node<'a, 'b>, class: &str) -> Vec<Node<'a, 'b>> {
    node.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// The cells that a shape covers, more or less.
fn cells(shape: Node, cell: f64) -> [f64; 4] {
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(shape, name) / cell);
    [x.floor(), y.floor(), width.ceil(), height.ceil()]
}

/// Everything that covers cells is drawn once and where it is; colours differ.
fn check_board(drawn: Node, board: &Board, cell: f64, letters: bool) {
    assert_eq!(drawn.first_element_child().unwrap().text(), Some(&*board.text()));
    let mut colours = Vec::new();
    for vehicle in board.vehicles() {
        let class = vehicle.letter.to_string();
        let [shape] = with_class(drawn, &class)[..] else { panic!("{class} is not drawn once") };
        let (line, start, len) = (vehicle.line.into(), vehicle.start.into(), vehicle.len.into());
        let expected = match vehicle.axis {
            Axis::Horizontal => [start, line, len, 1.0],
            Axis::Vertical => [line, start, 1.0, len],
        };
        assert_eq!(cells(shape, cell), expected, "{class}");
        colours.push(shape.attribute("fill").unwrap());
        let label =
            drawn.descendants().filter(|node| node.text() == Some(&class) && node.has_tag_name("text"));
        assert_eq!(label.count(), usize::from(letters), "{class}");
    }
    let count = colours.len();
    colours.sort_unstable();
    colours.dedup();
    assert_eq!(colours.len(), count);

    let walls: Vec<[f64; 4]> = with_class(drawn, "x").into_iter().map(|wall| cells(wall, cell)).collect();
    let size = board.size();
    let expected = (0..size * size).map(Square::new).filter(|square| board.walls() & square.bit() != 0);
    let expected: Vec<[f64; 4]> =
        expected.map(|square| [square.col(size) as f64, square.row(size) as f64, 1.0, 1.0]).collect();
    assert_eq!(walls, expected);
}

/// The words of the document's own text, not that of its boards.
fn title(document: &Document) -> String {
    let texts = document.root_element().children().filter(|node| node.has_tag_name("text"));
    let words: Vec<&str> =
        texts.flat_map(|text| text.text().unwrap_or_default().split_whitespace()).collect();
    words.join(" ")
}

#[test]
fn a_title_is_text() {
    let board = Board::parse("..B. AAB. .... ....").unwrap();
    let title = "<&> \"51\" </svg> &amp; 'x'\n]]>";
    let picture = Picture { board: &board, title: title.into(), letters: true }.draw();
    let words: Vec<&str> = title.split_whitespace().collect();
    assert_eq!(self::title(&parsed(&picture.svg)), words.join(" "));
    let sheet = Sheet { title: title.into(), tiles: vec![], room: 0, letters: true }.draw();
    assert_eq!(self::title(&parsed(&sheet.svg)), words.join(" "));
}

#[test]
fn a_sheet_shows_every_move() {
    let board = Board::parse("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.").unwrap();
    let moves = ["B+1", "D-1", "F-1", "G-3", "C+3", "H-2", "E+2", "A+3"];
    let moves = moves.map(|text| board.parse_move(text).unwrap());
    let tiles = solution(&board, &moves).unwrap();
    assert_eq!(tiles.len(), 9);
    assert!(tiles[8].board.is_solved());
    let sheet = Sheet { title: "8 moves".into(), tiles: tiles.clone(), room: 0, letters: true }.draw();
    let document = parsed(&sheet.svg);
    assert_eq!(title(&document), "8 moves start 1. B+1 2. D-1 3. F-1 4. G-3 5. C+3 6. H-2 7. E+2 8. A+3");
    let drawn = boards(&document);
    assert_eq!(drawn.len(), 9);
    for (drawn, tile) in drawn.into_iter().zip(&tiles) {
        check_board(drawn, &tile.board, SHEET, true);
        // A ghost where the vehicle was, an arrow beside that of the exit.
        let dashed = drawn.descendants().filter(|node| node.has_attribute("stroke-dasharray"));
        let ghosts: Vec<[f64; 4]> = dashed.map(|ghost| cells(ghost, SHEET)).collect();
        let arrows = drawn.descendants().filter(|node| node.has_tag_name("polygon")).count();
        let Some(mv) = tile.moved else {
            assert_eq!((ghosts.len(), arrows), (0, 1));
            continue;
        };
        let before = tile.board.apply(mv.reversed()).unwrap();
        let letter = before.vehicles()[usize::from(mv.vehicle)].letter.to_string();
        let alone = Picture { board: &before, title: String::new(), letters: false }.draw();
        let expected = cells(with_class(parsed(&alone.svg).root(), &letter)[0], PICTURE);
        assert_eq!((ghosts, arrows), (vec![expected], 2));
    }
}

#[test]
fn an_illegal_move_is_refused() {
    let board = Board::parse("..B. AAB. .... ....").unwrap();
    assert!(solution(&board, &[Move { vehicle: 0, delta: 1 }]).is_err());
}

/// The shapes of pages from one board to the longest known solution and more.
#[test]
fn sheets_have_the_shape_of_paper() {
    let board = Board::parse("BCC.D.BEF.DGBEFAAGHHHI.G..JIKKLLJMM.").unwrap();
    for count in 0..=120 {
        let tile =
            Tile { board: board.clone(), caption: "100. B+2".into(), note: String::new(), moved: None };
        let sheet =
            Sheet { title: "100 moves".into(), tiles: vec![tile; count], room: 0, letters: true }.draw();
        let ratio = f64::from(sheet.height) / f64::from(sheet.width);
        let ratio = ratio.max(1.0 / ratio);
        assert!(ratio < if count < 6 { 2.5 } else { 1.75 }, "{count} boards: {ratio}");
    }
}

#[test]
fn pixels() {
    let board = Board::parse("..B. AAB. .x.. ....").unwrap();
    let picture = Picture { board: &board, title: "2 moves".into(), letters: true }.draw();
    for scale in [1u32, 2] {
        let png = png::from_svg(&picture.svg, scale as f32).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n"));
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((side(16), side(20)), (picture.width * scale, picture.height * scale));
    }
}

proptest! {
    #[test]
    fn every_vehicle_and_every_wall_is_drawn_once(board in any_board(), letters in any::<bool>()) {
        let picture = Picture { board: &board, title: String::new(), letters }.draw();
        let document = parsed(&picture.svg);
        let [drawn] = boards(&document)[..] else { panic!("one board expected") };
        check_board(drawn, &board, PICTURE, letters);
    }

    #[test]
    fn any_walk_can_be_drawn(board in any_board(), choices in prop::collection::vec(0usize..1000, 0..20)) {
        let mut moves = Vec::new();
        let mut last = board.clone();
        for choice in choices {
            let list = last.moves();
            if !list.is_empty() {
                moves.push(list[choice % list.len()]);
                last = last.apply(list[choice % list.len()]).unwrap();
            }
        }
        let tiles = solution(&board, &moves).unwrap();
        prop_assert_eq!(&tiles.last().unwrap().board, &last);
        let sheet = Sheet { title: String::new(), tiles, room: 0, letters: true }.draw();
        prop_assert_eq!(boards(&parsed(&sheet.svg)).len(), moves.len() + 1);
    }

    #[test]
    fn any_title_can_be_drawn(title in any::<String>(), size in 4usize..=8) {
        let board = Board::parse(&format!("AA{}", ".".repeat(size * size - 2))).unwrap();
        let picture = Picture { board: &board, title, letters: true }.draw();
        parsed(&picture.svg);
    }
}
