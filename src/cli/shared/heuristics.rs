//! Heuristics as options: formulas, or files with one.

use std::fs;

use tailback::formula::{Heuristic, Kind};
use tailback::puzzles::{Puzzle, RushHour};

use super::{CommaList, Failure, Result, comma_list};

/// Reads a heuristic, or the file that has one: `@best.txt`.
pub fn one(puzzle: &dyn Puzzle, text: &str) -> Result<Heuristic> {
    let text = text.trim();
    let Some(path) = text.strip_prefix('@') else {
        return puzzle.vocabulary().read(text).map_err(Failure::misused);
    };
    let file = fs::read_to_string(path).map_err(|error| {
        Failure::misused(format!("cannot read {path}: {error}; after @ comes a file with a heuristic"))
    })?;
    match puzzle.vocabulary().read_commented(&file) {
        Ok(heuristic) => Ok(heuristic.named(text)),
        Err(error) => Err(Failure::misused(format!("{path}: {error}"))),
    }
}

/// Reads a list of heuristics; `all` and `features` stand for several.
pub fn list(puzzle: &dyn Puzzle, text: &str) -> Result<Vec<Heuristic>> {
    let vocabulary = puzzle.vocabulary();
    let mut list = Vec::new();
    for entry in comma_list::split(text) {
        match entry.trim() {
            "all" => list.extend(vocabulary.guesses().map(Heuristic::from)),
            "features" => list.extend(vocabulary.of_kind(Kind::Feature).map(Heuristic::from)),
            entry => list.push(one(puzzle, entry)?),
        }
    }
    Ok(list)
}

/// For clap: a list of heuristics for boards.
pub fn for_boards(text: &str) -> Result<CommaList<Heuristic>, String> {
    list(&RushHour, text).map(CommaList).map_err(|failure| failure.text().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        list(&RushHour, text).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_stand_for_several() {
        let vocabulary = RushHour.vocabulary();
        let names: Vec<&str> = vocabulary.names().collect();
        let all = written(" all ");
        assert_eq!(all, names[..all.len()]);
        assert_eq!(all.last().unwrap(), "move-to-secluded");
        let features = vocabulary.of_kind(Kind::Feature).count();
        assert_eq!(written("all,features,zero").len(), all.len() + features + 1);
        assert_eq!(written("max(zero,perfect), perfect"), ["max(zero,perfect)", "perfect"]);
        assert_eq!(written("max(blocking, advanced), zero"), ["max(blocking,advanced)", "zero"]);
        assert!(list(&RushHour, "zero,,zero").is_err() && list(&RushHour, "everything").is_err());
    }

    #[test]
    fn a_file_goes_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best.txt");
        fs::write(&path, "# bred\nrules(mobile<=3 -> hybrid;\n      blocking)\n").unwrap();
        let name = format!("@{}", path.display());
        let Heuristic::Named(named) = one(&RushHour, &name).unwrap() else { panic!("it has a name") };
        assert_eq!(
            (named.name, named.heuristic.to_string()),
            (name, "rules(mobile<=3 -> hybrid; blocking)".into())
        );
        fs::write(&path, "nothing").unwrap();
        let error = |text: &str| one(&RushHour, text).unwrap_err().text().to_owned();
        let damaged = error(&format!("@{}", path.display()));
        assert!(damaged.contains("best.txt: there is no heuristic 'nothing'"), "{damaged}");
        assert!(error("@nowhere").contains("after @ comes a file"), "names the remedy");
    }
}
