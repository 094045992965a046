//! The 40 cards of the boxed game, for benchmarks.

use tailback::board::Board;

pub fn cards() -> Vec<Board> {
    include_str!("../src/domains/rush_hour/sets/jam.tsv")
        .lines()
        .filter(|line| line.starts_with("Jam-"))
        .map(|line| Board::parse(line.split('\t').nth(1).expect("a board")).expect("a legal board"))
        .collect()
}
