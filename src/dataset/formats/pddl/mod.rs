//! Boards as planning problems, in PDDL: a domain for each metric and a
//! problem for each board, so that planners can be run on the same instances.
//!
//! The planning problem is plain STRIPS with types and unit costs, and a
//! shortest plan is as long as the board's distance: an action is a step in the
//! one domain and a slide of any length in the other. A problem names no
//! metric and goes with both. The actions in steps are some of the actions in
//! moves, so a plan in steps is a plan in moves too, only a longer one.
//!
//! The domain knows the rows and columns by name and has an action for each
//! length, start and end of a slide, so that the vehicle and its line are the
//! only parameters. A shorter domain with the cells as parameters gave Fast
//! Downward 1,404 operators instead of 236 on card 40 of the boxed game, and
//! pyperplan, which tries every tuple of objects, could not ground a 4×4 board.

mod folder;

use std::ops::Range;

use crate::board::{Axis, Board, Metric, Square};
pub use folder::FORMAT;

/// What an axis is called in the files.
struct Words {
    /// The type of a vehicle; its length is added.
    vehicle: &'static str,
    /// The type of the lines that vehicles lie in.
    line: &'static str,
    /// The predicate for a vehicle and its line.
    lies: &'static str,
    /// The predicate for a vehicle and the place of its first cell.
    starts: &'static str,
    /// The directions of smaller and of greater places.
    back: &'static str,
    on: &'static str,
}

const AXES: [Axis; 2] = [Axis::Horizontal, Axis::Vertical];

fn words(axis: Axis) -> Words {
    match axis {
        Axis::Horizontal => Words {
            vehicle: "horizontal",
            line: "row",
            lies: "in-row",
            starts: "left-end",
            back: "left",
            on: "right",
        },
        Axis::Vertical => Words {
            vehicle: "vertical",
            line: "column",
            lies: "in-column",
            starts: "top-end",
            back: "up",
            on: "down",
        },
    }
}

/// The domain in a metric for boards of this size, and for smaller ones.
///
/// ```
/// use tailback::board::Metric;
/// use tailback::dataset::pddl::domain;
///
/// let one_step = "(:action right-2-col1-col2";
/// let two_cells = "(:action right-2-col1-col3";
/// assert!(domain(Metric::Steps, 4).contains(one_step));
/// assert!(!domain(Metric::Steps, 4).contains(two_cells));
/// assert!(domain(Metric::Moves, 4).contains(two_cells));
/// ```
pub fn domain(metric: Metric, size: usize) -> String {
    let counts = match metric {
        Metric::Moves => "moves: an action slides a vehicle any number of empty cells",
        Metric::Steps => "steps: an action slides a vehicle one cell",
    };
    let lengths = |axis: Axis| joined((2..=size).map(|len| vehicle_type(axis, len)));
    let names = |axis: Axis| joined((0..size).map(|place| place_name(axis, place)));
    let mut text = format!(
        "; Rush Hour up to {size}x{size}. A plan's length is in {counts}.\n\
         ; direction-length-from-to names an action by the first cell of the vehicle.\n\
         ; No action adds a fact that it deletes.\n\
         (define (domain rush-hour)\n\
         \x20 (:requirements :strips :typing)\n\
         \x20 (:types\n\
         \x20   row column horizontal vertical - object\n\
         \x20   {} - horizontal\n\
         \x20   {} - vertical)\n\
         \x20 (:constants\n\
         \x20   {} - row\n\
         \x20   {} - column)\n\
         \x20 (:predicates\n\
         \x20   (in-row ?v - horizontal ?r - row)       ; never changes\n\
         \x20   (in-column ?v - vertical ?c - column)   ; never changes\n\
         \x20   (left-end ?v - horizontal ?c - column)\n\
         \x20   (top-end ?v - vertical ?r - row)\n\
         \x20   (empty ?r - row ?c - column))\n",
        lengths(Axis::Horizontal),
        lengths(Axis::Vertical),
        names(Axis::Vertical),
        names(Axis::Horizontal),
    );
    for axis in AXES {
        for len in 2..=size {
            for from in 0..=size - len {
                let reached =
                    (0..=size - len).filter(|&to| (1..=metric.reach()).contains(&to.abs_diff(from)));
                for to in reached {
                    text += &action(axis, len, from, to);
                }
            }
        }
    }
    text + ")\n"
}

/// One slide of a vehicle of this length in any line of this axis.
fn action(axis: Axis, len: usize, from: usize, to: usize) -> String {
    let Words { line, lies, starts, back, on, .. } = words(axis);
    let (before, after) = (from..from + len, to..to + len);
    let swept = before.start.min(after.start)..before.end.max(after.end);
    let difference = |cells: &Range<usize>, without: &Range<usize>| {
        let rest = cells.clone().filter(|place| !without.contains(place));
        rest.map(|place| empty(axis, "?line", place)).collect::<Vec<String>>()
    };
    let deleted = |fact: &String| format!("(not {fact})");
    format!(
        "  (:action {}-{len}-{}-{}\n\
         \x20   :parameters (?v - {} ?line - {line})\n\
         \x20   :precondition (and ({lies} ?v ?line) ({starts} ?v {1}) {})\n\
         \x20   :effect (and (not ({starts} ?v {1})) ({starts} ?v {2}) {} {}))\n",
        if to < from { back } else { on },
        place_name(axis, from),
        place_name(axis, to),
        vehicle_type(axis, len),
        difference(&swept, &before).join(" "),
        joined(difference(&after, &before).iter().map(deleted)),
        difference(&before, &after).join(" "),
    )
}

/// The problem of a board, for the domain of its size or of a larger one.
///
/// Vehicle `v3` is the one with index 3 in [`Board::vehicles`]; a comment beside
/// it has its letter, which cannot be its name since PDDL does not tell small
/// letters from large ones. Characters that no PDDL name may have become `-` in
/// `name`. The notes are comment lines at the top.
///
/// ```
/// use tailback::board::Board;
/// use tailback::dataset::pddl::problem;
///
/// let board = Board::parse("..b. AAb. .... ....")?;
/// let text = problem(&board, "first", &["2 moves".to_owned()]);
/// assert!(text.starts_with("; 2 moves\n(define (problem first)\n"));
/// assert!(text.contains("v1 - vertical-2 ; b\n"));
/// assert!(text.contains("(in-column v1 col3) (top-end v1 row1)\n"));
/// assert!(text.contains("(:goal (and (left-end v0 col3)))"));
/// # Ok::<(), tailback::board::BoardError>(())
/// ```
pub fn problem(board: &Board, name: &str, notes: &[String]) -> String {
    // Some readers take a lone carriage return for the end of a comment.
    let notes = notes.iter().flat_map(|note| note.lines()).flat_map(|note| note.split('\r'));
    let mut lines: Vec<String> = notes.map(|note| format!("; {note}").trim_end().to_owned()).collect();

    lines.push(format!("(define (problem {})", plain_name(name)));
    lines.extend(["  (:domain rush-hour)", "  (:objects"].map(str::to_owned));
    for (index, vehicle) in board.vehicles().iter().enumerate() {
        let kind = vehicle_type(vehicle.axis, vehicle.len.into());
        lines.push(format!("    v{index} - {kind} ; {}", vehicle.letter));
    }
    lines.extend(["  )", "  (:init"].map(str::to_owned));
    for (index, vehicle) in board.vehicles().iter().enumerate() {
        let Words { lies, starts, .. } = words(vehicle.axis);
        let line = line_name(vehicle.axis, vehicle.line.into());
        let place = place_name(vehicle.axis, vehicle.start.into());
        lines.push(format!("    ({lies} v{index} {line}) ({starts} v{index} {place})"));
    }
    for row in 0..board.size() {
        let name = line_name(Axis::Horizontal, row);
        let is_empty = |&col: &usize| board.at(Square::at(row, col, board.size())).is_none();
        let cells = (0..board.size()).filter(is_empty).map(|col| empty(Axis::Horizontal, &name, col));
        lines.push(format!("    {}", joined(cells)).trim_end().to_owned());
    }
    lines.push("  )".to_owned());
    let solved = place_name(Axis::Horizontal, board.size() - 2);
    lines.push(format!("  (:goal (and (left-end v{} {solved}))))\n", board.primary_index()));
    lines.join("\n")
}

/// The fact that a cell of a line is empty.
fn empty(axis: Axis, line: &str, place: usize) -> String {
    let place = place_name(axis, place);
    match axis {
        Axis::Horizontal => format!("(empty {line} {place})"),
        Axis::Vertical => format!("(empty {place} {line})"),
    }
}

fn vehicle_type(axis: Axis, len: usize) -> String {
    format!("{}-{len}", words(axis).vehicle)
}

/// The name of a line of this axis, counted from 1 as people do.
fn line_name(axis: Axis, line: usize) -> String {
    match axis {
        Axis::Horizontal => format!("row{}", line + 1),
        Axis::Vertical => format!("col{}", line + 1),
    }
}

/// The name of a place within a line of this axis: the line that crosses there.
fn place_name(axis: Axis, place: usize) -> String {
    match axis {
        Axis::Horizontal => line_name(Axis::Vertical, place),
        Axis::Vertical => line_name(Axis::Horizontal, place),
    }
}

/// A name that PDDL allows: letters, digits, `-` and `_`, a letter first.
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    match plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => plain,
        false => format!("board-{plain}"),
    }
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_balanced(text: &str) -> bool {
        let code = text.lines().map(|line| line.split(';').next().unwrap_or_default());
        let mut depth = 0i32;
        let mut closed = 0;
        for c in code.flat_map(str::chars) {
            depth += i32::from(c == '(') - i32::from(c == ')');
            closed += u32::from(c == ')' && depth == 0);
            if depth < 0 {
                return false;
            }
        }
        depth == 0 && closed == 1
    }

    #[test]
    fn a_domain_has_every_slide_once() {
        // For each axis and length, the ordered pairs of places; neighbours only in steps.
        for (size, moves, steps) in [(4, 16, 12), (5, 40, 24), (6, 80, 40), (7, 140, 60), (8, 224, 84)] {
            for (metric, expected) in [(Metric::Moves, moves), (Metric::Steps, steps)] {
                let text = domain(metric, size);
                assert!(is_balanced(&text), "{text}");
                let mut names: Vec<&str> =
                    text.lines().filter_map(|line| line.trim().strip_prefix("(:action ")).collect();
                assert_eq!(names.len(), expected, "{size} {metric}");
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), expected, "{size} {metric}");
            }
        }
    }

    #[test]
    fn a_slide_longer_than_the_vehicle_frees_only_what_it_covered() {
        let text = action(Axis::Vertical, 2, 3, 0);
        assert_eq!(
            text,
            "  (:action up-2-row4-row1\n\
             \x20   :parameters (?v - vertical-2 ?line - column)\n\
             \x20   :precondition (and (in-column ?v ?line) (top-end ?v row4) \
             (empty row1 ?line) (empty row2 ?line) (empty row3 ?line))\n\
             \x20   :effect (and (not (top-end ?v row4)) (top-end ?v row1) \
             (not (empty row1 ?line)) (not (empty row2 ?line)) (empty row4 ?line) (empty row5 ?line)))\n"
        );
    }

    #[test]
    fn a_problem_has_the_board() {
        let board = Board::parse_with_primary("ccc. xbXX Cb.. C...", 'X').unwrap();
        let notes = ["4x4, one wall".to_owned(), "two\r\nlines\rand (more".to_owned()];
        let text = problem(&board, "no. 1", &notes);
        assert!(is_balanced(&text), "{text}");
        assert_eq!(
            text,
            "; 4x4, one wall\n\
             ; two\n\
             ; lines\n\
             ; and (more\n\
             (define (problem no--1)\n\
             \x20 (:domain rush-hour)\n\
             \x20 (:objects\n\
             \x20   v0 - vertical-2 ; C\n\
             \x20   v1 - horizontal-2 ; X\n\
             \x20   v2 - vertical-2 ; b\n\
             \x20   v3 - horizontal-3 ; c\n\
             \x20 )\n\
             \x20 (:init\n\
             \x20   (in-column v0 col1) (top-end v0 row3)\n\
             \x20   (in-row v1 row2) (left-end v1 col3)\n\
             \x20   (in-column v2 col2) (top-end v2 row2)\n\
             \x20   (in-row v3 row1) (left-end v3 col1)\n\
             \x20   (empty row1 col4)\n\
             \n\
             \x20   (empty row3 col3) (empty row3 col4)\n\
             \x20   (empty row4 col2) (empty row4 col3) (empty row4 col4)\n\
             \x20 )\n\
             \x20 (:goal (and (left-end v1 col3))))\n"
        );
    }

    #[test]
    fn any_text_gives_a_name() {
        let names = ["Jam-40", "x_1", "1", "", "a b(c);d", "-é"].map(plain_name);
        assert_eq!(names, ["Jam-40", "x_1", "board-1", "board-", "a-b-c--d", "board---"]);
    }
}
