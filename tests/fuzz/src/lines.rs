//! Lists of puzzles and datasets.

use tailback::dataset::hh_evolver::{Claimed, Instance, Reader};
use tailback::domains::rush_hour::PuzzleSet;
use tailback::probe::Claim;

/// Lines of a list: what is read and written again is read the same.
pub fn list(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for line in text.lines() {
        let Ok(claim) = Claim::parse(line, 'A') else { continue };
        let number = |number: Option<u64>| number.map(|n| n.to_string()).unwrap_or_default();
        let (moves, cluster) = (claim.claimed.moves.map(u64::from), claim.claimed.cluster_size);
        let again = format!("{} {} {}", number(moves), claim.board.text(), number(cluster));
        assert_eq!(Claim::parse(&again, 'A'), Ok(claim), "{again:?}");
    }
    let read = |text: &str| PuzzleSet::parse("set", text, 'A');
    let puzzles = |set: PuzzleSet| -> Vec<(String, String)> {
        set.iter().map(|named| (named.name, named.puzzle.text())).collect()
    };
    let Ok(set) = read(&text).map(puzzles) else { return };
    let again: String = set.iter().map(|(name, board)| format!("{name}\t{board}\n")).collect();
    assert_eq!(read(&again).map(puzzles), Ok(set), "{again:?}");
}

/// A dataset of HH-Evolver: the reader ends, and instances are read as written.
pub fn dataset(input: &[u8]) {
    let Ok(reader) = Reader::new(input) else { return };
    let mut last = 0;
    for instance in reader {
        let Ok((line, instance)) = instance else { continue };
        assert!(line > last, "line {line} after line {last}");
        last = line;
        let mut again = format!("\"{}\",", instance.board.replace('"', "\"\""));
        match instance.claimed {
            Claimed::Distance(distance) => again += &distance.to_string(),
            Claimed::Unsolvable => again += "Infinity",
            Claimed::NoAnswer => {}
        }
        for value in &instance.values {
            again.push(',');
            again += &value.map(|value| value.to_string()).unwrap_or_default();
        }
        assert_eq!(Instance::parse(&again), Ok(instance), "{again:?}");
    }
}
