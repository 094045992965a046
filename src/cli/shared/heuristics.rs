//! Heuristics as options: formulas, or files with one.

use std::fs;

use tailback::domains::rush_hour::VOCABULARY;
use tailback::formula::{Heuristic, Kind, Named};

use super::{CommaList, comma_list};

/// Reads a heuristic, or the file that has one: `@best.txt`.
pub fn one(text: &str) -> Result<Heuristic, String> {
    let text = text.trim();
    let Some(path) = text.strip_prefix('@') else {
        return VOCABULARY.read(text).map_err(|error| format!("{error}"));
    };
    let file = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {path}: {error}; after @ comes a file with a heuristic"))?;
    match VOCABULARY.read_commented(&file) {
        Ok(heuristic) => Ok(Heuristic::Named(Box::new(Named { name: text.to_owned(), heuristic }))),
        Err(error) => Err(format!("{path}: {error}")),
    }
}

/// Reads a list of heuristics; `all` and `features` stand for several.
pub fn list(text: &str) -> Result<CommaList<Heuristic>, String> {
    let mut list = Vec::new();
    for entry in comma_list::split(text) {
        match entry.trim() {
            "all" => list.extend(VOCABULARY.guesses().map(Heuristic::Block)),
            "features" => list.extend(VOCABULARY.of_kind(Kind::Feature).map(Heuristic::Block)),
            entry => list.push(one(entry)?),
        }
    }
    Ok(CommaList(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        list(text).unwrap().0.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_stand_for_several() {
        let names: Vec<&str> = VOCABULARY.names().collect();
        let all = written(" all ");
        assert_eq!(all, names[..all.len()]);
        assert_eq!(all.last().unwrap(), "move-to-secluded");
        assert_eq!(
            written("all,features,zero").len(),
            all.len() + VOCABULARY.of_kind(Kind::Feature).count() + 1
        );
        assert_eq!(written("max(zero,perfect), perfect"), ["max(zero,perfect)", "perfect"]);
        assert!(list("zero,,zero").is_err() && list("everything").is_err());
    }

    #[test]
    fn a_file_goes_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best.txt");
        fs::write(&path, "# bred\nrules(mobile<=3 -> hybrid;\n      blocking)\n").unwrap();
        let name = format!("@{}", path.display());
        let Heuristic::Named(named) = one(&name).unwrap() else { panic!("it has a name") };
        assert_eq!(
            (named.name, named.heuristic.to_string()),
            (name, "rules(mobile<=3 -> hybrid; blocking)".into())
        );
        fs::write(&path, "nothing").unwrap();
        let error = one(&format!("@{}", path.display())).unwrap_err();
        assert!(error.contains("best.txt: there is no heuristic 'nothing'"), "{error}");
        assert!(one("@nowhere").unwrap_err().contains("after @ comes a file"), "names the remedy");
    }
}
