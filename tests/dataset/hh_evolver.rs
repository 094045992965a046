//! The CSV of HH-Evolver: what is written is read, and what others write too.

use proptest::prelude::*;
use tailback::board::{Board, Metric};
use tailback::dataset::hh_evolver::{Claimed, Instance, LONGEST, LineError, head, unquoted, write_rows};
use tailback::dataset::{About, Audit, HeadError, Label, Row, Subject};
use tailback::lists::{Options, Records};
use tailback::search::Value;

const SMALL: &str = "..B.AAB.........";
const WALLED: &str = "..B.AAB..x......";
const LARGE: &str = "..BCCC.x..B...D.AAB...D.x.EEE.D.F.......F.GGGGGGF......HxII....H";

fn about(name: &str, description: &str) -> About {
    About { name: name.to_owned(), description: description.to_owned(), facts: Vec::new() }
}

fn row(board: &str, distance: Option<u32>, labels: &[Label]) -> Row {
    Row {
        subject: Subject::Board(Board::parse(board).unwrap()),
        rank: None,
        distances: [distance.into()].into_iter().collect(),
        last_move: None,
        labels: labels.to_vec(),
        extras: Vec::new(),
    }
}

fn line(row: &Row) -> String {
    let mut out = Vec::new();
    write_rows(std::slice::from_ref(row), &mut out);
    String::from_utf8(out).unwrap()
}

/// What a reader should find in a row.
fn instance(row: &Row) -> Instance {
    let value = |label: &Label| match label {
        Label::Guess(value) => value.as_f64(),
        Label::Condition(true) => 1.0,
        Label::Condition(false) => -1.0,
    };
    Instance {
        board: row.subject.text().into_owned(),
        claimed: row.distances[0].known().map_or(Claimed::Unsolvable, |h| Claimed::Distance(f64::from(h))),
        values: row.labels.iter().map(|label| Some(value(label))).collect(),
    }
}

/// Name and description of a file.
fn head_of(file: &str) -> Vec<String> {
    file.lines().take(2).map(unquoted).collect()
}

/// What an audit finds in a file: its head, and its instances with their lines.
fn audited(file: &str) -> (Vec<String>, Vec<(usize, Instance)>) {
    let mut records = Records::new(file.as_bytes(), Options { has_head: true, ..Options::default() });
    records.begin().unwrap();
    let head = records.head().iter().map(|line| unquoted(line)).collect();
    let (form, audit) = (records.form().clone(), Audit::new(Metric::Moves, &[], None));
    let records = records.map(Result::unwrap);
    (head, records.map(|record| (record.number, audit.instance(&form, &record).unwrap())).collect())
}

mod written {
    use super::*;

    #[test]
    fn as_documented() {
        let half: Value = "2.125".parse().unwrap();
        let labels = [
            Label::Guess(Value::from(3)),
            Label::Guess(half),
            Label::Guess(Value::INFINITE),
            Label::Condition(true),
            Label::Condition(false),
        ];
        assert_eq!(line(&row(SMALL, Some(2), &labels)), format!("{SMALL},2,3,2.125,Infinity,1,-1\n"));
        assert_eq!(line(&row(WALLED, None, &[])), format!("{WALLED},Infinity\n"));
    }

    #[test]
    fn heads() {
        for (text, line) in [
            ("", ""),
            ("plain text: 4×4; 'so' #1", "plain text: 4×4; 'so' #1"),
            ("# one", "# one"),
            ("a,b", "\"a,b\""),
            ("say \"so\"", "\"say \"\"so\"\"\""),
            ("\"", "\"\"\"\""),
            (" a", "\" a\""),
            ("a\t", "\"a\t\""),
            ("\u{feff}a", "\"\u{feff}a\""),
        ] {
            assert_eq!(head(&about(text, "")).unwrap(), format!("{line}\n\n"));
            assert_eq!(head(&about("", text)).unwrap(), format!("\n{line}\n"));
        }
    }

    #[test]
    fn heads_that_do_not_fit() {
        for text in ["a\nb", "a\r", "\n"] {
            assert_eq!(head(&about(text, "")), Err(HeadError::LineBreak { what: "name" }));
            assert_eq!(head(&about("", text)), Err(HeadError::LineBreak { what: "description" }));
        }
        let longest = "a".repeat(LONGEST);
        let text = head(&about(&longest, &longest)).unwrap();
        assert_eq!(head_of(&text), [longest.as_str(), longest.as_str()]);
        for text in [longest.clone() + "a", longest[1..].to_owned() + ","] {
            assert_eq!(
                head(&about("", &text)),
                Err(HeadError::TooLong { what: "description", longest: LONGEST })
            );
        }
    }
}

mod read {
    use super::*;

    /// Every way in which others may write the same two boards.
    #[test]
    fn what_others_write() {
        let plain = format!("A name\nA description\n{SMALL},2,3\n{WALLED},4,5.5\n");
        let expected = [
            (3, instance(&row(SMALL, Some(2), &[Label::Guess(Value::from(3))]))),
            (4, instance(&row(WALLED, Some(4), &[Label::Guess("5.5".parse().unwrap())]))),
        ];
        assert_eq!(audited(&plain).1, expected);
        for text in [
            format!("\u{feff}{plain}"),
            plain.replace('\n', "\r\n"),
            plain.trim_end().to_owned(),
            format!("{plain}\n\r\n  \n# the end\n"),
            plain.replace(SMALL, &format!("\"{SMALL}\"")).replace("2,3", "\"2\",\" 3 \""),
            plain.replace(",2,3", " , 2\t,3.0 "),
            plain.replace(",4,", ",4.0,").replace("5.5", "0.55E1"),
            plain.replace("A name", "\"A name\"").replace("A description", "\"A description\""),
        ] {
            let (head, found) = audited(&text);
            assert_eq!(head, ["A name", "A description"], "{text}");
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_header() {
        for header in ["Instance,h*,h1", "\"Instance\",\"h*\""] {
            for end in ["\n", "\r\n"] {
                let text = format!("n{end}d{end}{header}{end}{SMALL},2{end}");
                assert_eq!(audited(&text).1, [(4, instance(&row(SMALL, Some(2), &[])))], "{text:?}");
            }
        }
        // A board whose letters look like it is a board.
        let board = format!("{}AA{}", "INSTanCE".repeat(2), ".".repeat(46));
        assert_eq!(audited(&format!("n\nd\n{board},2\n")).1, [(3, instance(&row(&board, Some(2), &[])))]);
    }

    /// What is not quoted from end to end is taken as it stands.
    #[test]
    fn names_as_they_stand() {
        for (line, name) in [
            ("a, b,,", "a, b,,"),
            ("say \"so\", or not", "say \"so\", or not"),
            ("\"so\" they say", "\"so\" they say"),
            ("\"not closed", "\"not closed"),
            ("\"a\"\"", "\"a\"\""),
            ("\"a, b\",,", "\"a, b\",,"),
            ("  spaces  ", "  spaces  "),
            ("\"so\"", "so"),
            ("\"\"", ""),
            ("", ""),
            ("# 1", "# 1"),
        ] {
            assert_eq!(unquoted(line), name);
        }
    }

    #[test]
    fn what_is_said_of_a_distance() {
        for (text, claimed) in [
            ("0", Claimed::Distance(0.0)),
            ("12", Claimed::Distance(12.0)),
            ("+12.0", Claimed::Distance(12.0)),
            ("2.5", Claimed::Distance(2.5)),
            ("1E3", Claimed::Distance(1000.0)),
            ("Infinity", Claimed::Unsolvable),
            ("inf", Claimed::Unsolvable),
            ("INF", Claimed::Unsolvable),
            ("2147483646", Claimed::Distance(2147483646.0)),
            ("2147483647", Claimed::Unsolvable),
            ("1.7976931348623157E308", Claimed::Unsolvable),
            ("-1", Claimed::NoAnswer),
            ("-1.0", Claimed::NoAnswer),
            ("", Claimed::NoAnswer),
            ("  ", Claimed::NoAnswer),
            ("\"\"", Claimed::NoAnswer),
            ("NaN", Claimed::NoAnswer),
        ] {
            let instance = Instance::parse(&format!("{SMALL},{text},7")).unwrap();
            assert_eq!((instance.claimed, instance.values), (claimed, vec![Some(7.0)]), "{text}");
        }
        let instance = Instance::parse(&format!("{SMALL},1,,-1,nan,Infinity,")).unwrap();
        assert_eq!(instance.values, [None, Some(-1.0), None, Some(f64::INFINITY), None]);
    }

    #[test]
    fn lines_that_are_wrong() {
        let no_number = |found: &str, column| LineError::NoNumber { found: found.to_owned(), column };
        let negative = |found: &str| LineError::Negative { found: found.to_owned() };
        let lines = [
            (SMALL.to_owned(), LineError::NoDistance, "with commas between"),
            (format!("{SMALL};2"), LineError::NoDistance, "there is no h*"),
            (format!("{SMALL},two"), no_number("two", 0), "\"two\" is no number, but h* should be one"),
            (format!("{SMALL},2,3,x"), no_number("x", 2), "\"x\" is no number, but h2 should be one"),
            (format!("{SMALL},-2"), negative("-2"), "-2 cannot be h*"),
            (format!("{SMALL}, -inf "), negative("-inf"), "-inf cannot be h*"),
            (format!("\"{SMALL},2"), LineError::BadQuote, "not closed"),
            (format!("\"{SMALL}\"x,2"), LineError::BadQuote, "not closed"),
        ];
        for (line, error, message) in &lines {
            assert_eq!(Instance::parse(line).as_ref(), Err(error), "{line}");
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}

fn labels() -> impl Strategy<Value = Vec<Label>> {
    let label = prop_oneof![
        any::<bool>().prop_map(Label::Condition),
        (0..=1000u32, 0..1000u32).prop_map(|(whole, rest)| {
            let value = format!("{}.{rest:03}", whole.min(999)).parse().unwrap();
            Label::Guess(value)
        }),
        any::<u32>().prop_map(|whole| Label::Guess(Value::from(whole % 4_000_000))),
        Just(Label::Guess(Value::INFINITE)),
    ];
    prop::collection::vec(label, 0..40)
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let board = prop::sample::select(vec![SMALL, WALLED, LARGE]);
    let row = (board, prop::option::of(0..i32::MAX as u32), labels())
        .prop_map(|(board, h, labels)| row(board, h, &labels));
    prop::collection::vec(row, 0..20)
}

/// One line, of what makes trouble and of anything.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[\", a#\t\u{feff}\u{85}\u{2028}]{0,8}", "[^\n\r]{0,40}", "\\PC*"]
}

proptest! {
    #[test]
    fn what_is_written_is_read(name in text(), description in text(), rows in rows()) {
        let mut file = head(&about(&name, &description)).unwrap().into_bytes();
        write_rows(&rows, &mut file);
        let file = String::from_utf8(file).unwrap();
        prop_assert_eq!(file.lines().count(), rows.len() + 2);
        prop_assert_eq!(head_of(&file), [name, description]);
        let read: Vec<_> = file.lines().skip(2).map(|line| Instance::parse(line).unwrap()).collect();
        let expected: Vec<_> = rows.iter().map(instance).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn no_text_is_too_strange(text in "[\",\n\r#I\u{feff}]{0,30}", other in ".{0,40}") {
        for line in [text, other] {
            let _ = Instance::parse(&line);
        }
    }
}
