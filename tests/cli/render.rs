//! `tailback render` as a user types it. No tables are needed: what these
//! boards ask is searched on the spot.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use resvg::usvg::roxmltree::Document;
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{PROGRAM, code, stderr, stdout, tailback};

const SMALL: &str = "..B.AAB.........";
const WALLED: &str = "..B.AAB..x......";
const CARD: &str = "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo";
const BLOCKED: &str = "....AABB........";

/// A folder to draw into.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `tailback render … -o NAME`.
    fn render(&self, args: &[&str], name: &str) -> Output {
        let mut command = tailback(&self.path("db"));
        command.arg("render").args(args).arg("-o").arg(self.path(name)).output().unwrap()
    }

    /// The object that a command prints which must succeed.
    fn answer(&self, args: &[&str], name: &str) -> Value {
        let output = self.render(&[args, &["--json"]].concat(), name);
        assert_eq!(code(&output), 0, "{args:?}: {}", stdout(&output));
        assert_eq!(stderr(&output), "");
        serde_json::from_str(&stdout(&output)).unwrap()
    }

    fn svg(&self, args: &[&str]) -> String {
        let output = self.render(args, "a.svg");
        assert_eq!(code(&output), 0, "{args:?}: {}", stderr(&output));
        fs::read_to_string(self.path("a.svg")).unwrap()
    }

    /// The names of the files here.
    fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}

/// Width and height of a PNG, from its header.
fn pixels(path: &Path) -> (u32, u32) {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (side(16), side(20))
}

/// The texts of a document's elements of one name.
fn texts(svg: &str, name: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let elements = document.descendants().filter(|node| node.has_tag_name(name));
    elements.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

#[test]
fn one_board_as_svg() {
    let desk = Desk::new();
    let svg = desk.svg(&[CARD]);
    let document = Document::parse(&svg).unwrap();
    for letter in 'A'..='H' {
        let class = letter.to_string();
        let shapes = document.descendants().filter(|node| node.attribute("class") == Some(&class));
        assert_eq!(shapes.count(), 1, "{letter}");
    }
    assert_eq!(texts(&svg, "desc"), [CARD.replace('o', ".")]);
    assert_eq!(texts(&svg, "text"), ["A", "B", "C", "D", "E", "F", "G", "H"]);

    let svg = desk.svg(&["--no-letters", "--title", "<&> one", WALLED]);
    assert_eq!(texts(&svg, "text"), ["<&> one"]);
    assert_eq!(svg.matches("class=\"x\"").count(), 1);
    let svg = desk.svg(&["--primary", "X", "..B. XXB. .... ...."]);
    assert_eq!(texts(&svg, "text"), ["B", "X"]);
}

#[test]
fn one_board_as_png() {
    let desk = Desk::new();
    let output = desk.render(&[CARD], "a.PNG");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let (width, height) = pixels(&desk.path("a.PNG"));
    let file = desk.path("a.PNG");
    assert_eq!(stdout(&output), format!("{}: 1 board, {width}×{height} pixels\n", file.display()));
    assert_eq!(stderr(&output), "");
    // Two pixels for a unit of the SVG.
    let size = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\"", width / 2);
    assert!(desk.svg(&[CARD]).starts_with(&size));

    for chosen in [16, 301, 1000] {
        let found = desk.answer(&[CARD, "--width", &chosen.to_string()], "b.png");
        assert_eq!(pixels(&desk.path("b.png")), (chosen, chosen * height / width));
        let expected = json!({
            "file": desk.path("b.png"), "format": "png", "width": chosen, "height": chosen, "boards": 1, "pages": 1,
        });
        assert_eq!(found, expected);
    }
}

#[test]
fn a_solution() {
    let desk = Desk::new();
    for (metric, distance) in [("moves", 8), ("steps", 16)] {
        let found = desk.answer(&["--solution", "--metric", metric, CARD], "a.svg");
        let svg = fs::read_to_string(desk.path("a.svg")).unwrap();
        let boards = texts(&svg, "desc");
        assert_eq!(boards.len(), distance + 1);
        assert_eq!(boards[0], CARD.replace('o', "."));
        assert_eq!(&boards[distance][16..18], "AA");
        let document = Document::parse(&svg).unwrap();
        let side = |name| document.root_element().attribute(name).unwrap().parse::<u32>().unwrap();
        let expected = json!({
            "file": desk.path("a.svg"), "format": "svg",
            "width": side("width"), "height": side("height"),
            "boards": distance + 1, "pages": 1, "metric": metric, "distance": distance, "source": "search",
        });
        assert_eq!(found, expected);
        let written = texts(&svg, "text");
        assert_eq!(written[..2], [format!("{distance} {metric}"), "start".to_owned()]);
        let numbered = written.iter().filter(|text| text.contains(". "));
        assert_eq!(numbered.count(), distance);
    }
}

#[test]
fn a_solution_in_words() {
    let desk = Desk::new();
    let output = desk.render(&["--solution", SMALL], "a.png");
    let (width, height) = pixels(&desk.path("a.png"));
    let file = desk.path("a.png");
    let expected =
        format!("{}: 3 boards, {width}×{height} pixels\n2 moves to the exit (by search).\n", file.display());
    assert_eq!(stdout(&output), expected);
    assert!(stderr(&output).starts_with("hint: "), "{}", stderr(&output));
    // Solved already: the board alone.
    let svg = desk.svg(&["--solution", "..AA............"]);
    assert_eq!(texts(&svg, "text"), ["0 moves", "start", "A"]);
    let svg = desk.svg(&["--solution", "--title", "", WALLED]);
    assert_eq!(texts(&svg, "text")[0], "start");
}

#[test]
fn with_a_table() {
    let desk = Desk::new();
    tailback(&desk.path("db")).args(["build", "--size", "4"]).assert().success();
    let found = desk.answer(&["--solution", SMALL], "a.png");
    assert_eq!((&found["source"], &found["distance"]), (&json!("table"), &json!(2)));
    let found = desk.answer(&["--solution", "--no-table", SMALL], "a.png");
    assert_eq!(found["source"], "search");

    let file = desk.path("db/4x4-moves.tailback");
    fs::write(&file, "no table").unwrap();
    let output = desk.render(&["--solution", SMALL], "b.png");
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("4x4-moves.tailback"), "{}", stderr(&output));
    assert!(!desk.path("b.png").exists());
    assert_eq!(code(&desk.render(&[SMALL], "b.png")), 0); // no distance, no table
}

#[test]
fn many_boards_on_a_page() {
    let desk = Desk::new();
    let list = desk.path("boards.txt");
    fs::write(&list, format!("# three boards\n{SMALL}\n\n{CARD}\n{WALLED}\n")).unwrap();
    let svg = desk.svg(&["--file", list.to_str().unwrap(), "--title", "Three"]);
    assert_eq!(texts(&svg, "desc"), [SMALL, &CARD.replace('o', "."), WALLED]);
    assert_eq!(texts(&svg, "text")[..2], ["Three", "1."]);

    let page = |input: String| {
        let mut command = tailback(&desk.path("db"));
        command.args(["render", "-", "-o"]).arg(desk.path("b.png")).write_stdin(input).output().unwrap()
    };
    let output = page(format!("{SMALL}\n{SMALL}\n"));
    assert!(stdout(&output).contains(": 2 boards, "), "{}", stdout(&output));
    fs::remove_file(desk.path("b.png")).unwrap();
    let inputs = [
        (format!("{SMALL}\n\nAA\n"), "error: line 3: a board has 16, "),
        (format!("{SMALL}\n{}", "A".repeat(70_000)), "error: line 2: a line has at most "),
        (format!("{SMALL}\n").repeat(10_001), "error: at most 10,000 boards are drawn"),
        ("# none\n".to_owned(), "error: there is no board to draw"),
    ];
    for (input, message) in inputs {
        let output = page(input);
        assert_eq!(code(&output), 2, "{message}");
        assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    }
    let output = desk.render(&["--solution", "--file", list.to_str().unwrap()], "b.png");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("not of many"), "{}", stderr(&output));
    assert!(!desk.path("b.png").exists());
}

/// A file for each page, a PDF with all of them, and the answers behind.
#[test]
fn pages() {
    let desk = Desk::new();
    let list = desk.path("boards.txt");
    let list = list.to_str().unwrap();
    let text = format!("first {SMALL}\nsecond {CARD}\n") + &format!("{SMALL}\n").repeat(9);
    fs::write(list, text).unwrap();
    let all = desk.render(&["--file", list, "--caption", "number,name,moves,steps"], "board-%n.svg");
    assert_eq!(code(&all), 0, "{}", stderr(&all));
    assert_eq!(stdout(&all).lines().count(), 11);
    assert_eq!(desk.files().iter().filter(|name| name.starts_with("board-")).count(), 11);
    let svg = fs::read_to_string(desk.path("board-01.svg")).unwrap();
    assert!(texts(&svg, "text").join(" ").ends_with("1. · first · 2 moves · 4 steps"), "{svg}");
    let svg = fs::read_to_string(desk.path("board-02.svg")).unwrap();
    assert!(texts(&svg, "text").join(" ").ends_with("2. · second · 8 moves · 16 steps"), "{svg}");

    let pages = desk.render(&["--file", list, "--a-page", "4", "--title", "Four"], "page-%n.svg");
    assert_eq!(stdout(&pages).lines().count(), 3);
    let svg = fs::read_to_string(desk.path("page-3.svg")).unwrap();
    let captions: Vec<String> = texts(&svg, "text").into_iter().filter(|text| text.len() > 1).collect();
    assert_eq!(captions, ["Four, page 3 of 3", "9.", "10.", "11."]);
    assert_eq!(texts(&svg, "desc").len(), 3);

    let found = |args: &[&str], name: &str| -> Value {
        let output = desk.render(&[&["--file", list, "--json"], args].concat(), name);
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let pdf = found(&["--answers"], "book.pdf");
    assert_eq!((&pdf["format"], &pdf["boards"], &pdf["pages"]), (&json!("pdf"), &json!(11), &json!(3)));
    assert_eq!((&pdf["width"], &pdf["height"]), (&json!(595), &json!(842)));
    let bytes = fs::read(desk.path("book.pdf")).unwrap();
    assert!(bytes.starts_with(b"%PDF-1.") && bytes.trim_ascii_end().ends_with(b"%%EOF"));
    let count = |needle: &[u8]| bytes.windows(needle.len()).filter(|found| *found == needle).count();
    assert_eq!((count(b"/Type /Page\n"), count(b"/MediaBox")), (3, 3));
    let letter = found(&["--paper", "letter"], "letter.pdf");
    assert_eq!((&letter["pages"], &letter["width"]), (&json!(2), &json!(612)));

    let way = desk.render(&["--solution", SMALL], "way-%n.svg");
    assert_eq!(stdout(&way).matches(": 1 board, ").count(), 3, "{}", stdout(&way));
    let foreign = desk.path("foreign.txt");
    fs::write(&foreign, format!("手\t{SMALL}\n")).unwrap();
    let output = desk.render(&["--file", foreign.to_str().unwrap(), "--caption", "name"], "a.png");
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("Latin letters only"), "{}", stderr(&output));

    for (args, name, word) in [
        (&["--answers"][..], "a.png", "write a PDF"),
        (&["--a-page", "3"], "a.svg", "write a PDF"),
        (&["--paper", "a4"], "a.svg", "--paper"),
        (&[], "a-%n.pdf", "leave %n out"),
        (&["--caption", "colour"], "a.svg", "--caption"),
    ] {
        let output = desk.render(&[&["--file", list], args].concat(), name);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

#[test]
fn standard_output() {
    let desk = Desk::new();
    let render =
        |args: &[&str]| tailback(&desk.path("db")).args(["render", "-o", "-"]).args(args).output().unwrap();
    let output = render(&[CARD]);
    assert_eq!((code(&output), stdout(&output)), (0, desk.svg(&[CARD])));
    let output = render(&["--solution", SMALL]);
    assert_eq!(texts(&stdout(&output), "desc").len(), 3);
    assert!(stderr(&output).starts_with("hint: "));

    let output = render(&["--json", CARD]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).starts_with(r#"{"error":"--json"#), "{}", stdout(&output));
}

#[test]
fn unsolvable_boards() {
    let desk = Desk::new();
    // By rule and by search.
    for board in [BLOCKED, "..BxAAB...B...x."] {
        let output = desk.render(&["--solution", board], "a.svg");
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).starts_with("error: the board is unsolvable"), "{}", stderr(&output));
        let output = desk.render(&["--solution", "--json", board], "a.svg");
        assert_eq!(code(&output), 1);
        assert!(stdout(&output).starts_with(r#"{"error":"the board is unsolvable"#), "{}", stdout(&output));
        assert!(!desk.path("a.svg").exists());
        desk.svg(&[board]);
        fs::remove_file(desk.path("a.svg")).unwrap();
    }
    let output = desk.render(&["--solution", "--limit", "3", CARD], "a.svg");
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("--limit"), "{}", stderr(&output));
}

#[test]
fn wrong_usage() {
    let desk = Desk::new();
    let long = "long ".repeat(41);
    let wrong: [(&[&str], &str, &str); 9] = [
        (&[CARD], "a.gif", ".svg, .png or .pdf"),
        (&[CARD], "a", ".svg, .png or .pdf"),
        (&["AA"], "a.svg", "this text has 2"),
        (&["--width", "100", CARD], "a.svg", "--width is for PNG"),
        (&["--width", "9000", CARD], "a.png", "--width"),
        (&["--title", "51手", CARD], "a.png", "Latin letters only"),
        (&["--title", &long, CARD], "a.svg", "at most 200 characters"),
        (&["--metric", "cells", CARD], "a.png", "--metric"),
        (&[], "a.png", "BOARD"),
    ];
    for (args, name, word) in wrong {
        let output = desk.render(args, name);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()), "{args:?}");
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
    assert_eq!(desk.files(), [""; 0]);
    desk.svg(&["--title", "51手", CARD]);

    let output = tailback(&desk.path("db")).args(["render", CARD]).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--output"), "{}", stderr(&output));
    let output = tailback(&desk.path("db")).args(["render", "--help"]).output().unwrap();
    assert!(stdout(&output).contains("Examples:\n  tailback render"), "{}", stdout(&output));
}

#[test]
fn unwritable_files() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder.svg")).unwrap();
    for name in ["no/folder.svg", "folder.svg"] {
        let output = desk.render(&[CARD], name);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).starts_with("error: cannot write "), "{}", stderr(&output));
    }
    let output = desk.render(&["--json", CARD], "no/folder.svg");
    assert!(stdout(&output).starts_with(r#"{"error":"cannot write "#), "{}", stdout(&output));
    assert_eq!(desk.files(), ["folder.svg"]);
}

/// A limit on the length of files is the nearest thing to a full disk that
/// needs no rights. What was drawn before is still there.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_no_half_file() {
    let desk = Desk::new();
    let before = desk.svg(&[SMALL]);
    let limited = format!("trap '' XFSZ; ulimit -f 2; exec {PROGRAM} render --solution {CARD} -o \"$0\"");
    let mut shell = std::process::Command::new("sh");
    let output = shell.arg("-c").arg(limited).arg(desk.path("a.svg")).output().unwrap();
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).starts_with("error: cannot write "), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(desk.path("a.svg")).unwrap(), before);
    assert_eq!(desk.files(), ["a.svg"]);
}
