//! The boards of an experiment.

use std::path::Path;

use tailback::evolution::{DataError, Experiment, Sources};
use tailback::progress::Observer;
use tailback::puzzles::{PuzzleError, Settings};

struct Impatient;

impl Observer for Impatient {
    fn wants_stop(&self) -> bool {
        true
    }
}

fn around(count: usize) -> Experiment {
    let text = format!(
        "name = \"around\"\n[blocks]\nnumbers = [\"mobile\"]\n[genome]\nkind = \"weights\"\n[stop]\n\
         generations = 1\n[data]\ntrain = {{ set = \"jam\", most = 20 }}\n\
         test = {{ set = \"jam\", around = {count} }}\n"
    );
    Experiment::parse(&text).unwrap()
}

#[test]
fn around_has_a_bound_and_can_be_stopped() {
    let settings = Settings::default();
    let load = |count, observer: &dyn Observer| {
        let sources = Sources { folder: Path::new(""), settings: &settings, observer };
        sources.load(&around(count)).map(drop)
    };
    // 40 times as many would be too many for all.
    let many = load(30_000, &());
    assert!(matches!(many, Err(DataError::Puzzle(PuzzleError::TooMany { .. }))), "{many:?}");
    let stopped = load(2, &Impatient);
    assert!(matches!(stopped, Err(DataError::Puzzle(PuzzleError::Stopped))), "{stopped:?}");
}

/// A dataset may claim what no table and no rule denies.
#[test]
fn nothing_is_around_a_board_that_cannot_be_solved() {
    let folder = tempfile::tempdir().unwrap();
    // B is as long as its column allows.
    let line = "board,moves\n...BAA.B...B....,3\n";
    std::fs::write(folder.path().join("false.csv"), line).unwrap();
    let text = "name = \"around\"\n[blocks]\nnumbers = [\"mobile\"]\n[genome]\nkind = \"weights\"\n[stop]\n\
                generations = 1\n[data]\ntrain = { set = \"jam\" }\ntest = { file = \"false.csv\", around = 3 }\n";
    let settings = Settings::default();
    let sources = Sources { folder: folder.path(), settings: &settings, observer: &() };
    let found = sources.load(&Experiment::parse(text).unwrap()).map(drop);
    assert!(matches!(found, Err(DataError::Puzzle(PuzzleError::Unsolvable { .. }))), "{found:?}");
}
