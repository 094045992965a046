//! The backward search: all its code gives the same distances.

#[path = "../common/code.rs"]
mod code;

use std::cell::Cell;

use tailback::board::Metric;
use tailback::retrograde::{MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};

#[test]
fn code_and_parts_do_not_matter() {
    let mut several_words = false;
    for (size, step) in [(4, 1), (5, 7), (6, 1709)] {
        let space = Space::of_size(size).unwrap();
        let all = (0..space.signatures()).step_by(step).map(SignatureId);
        let signatures: Vec<SignatureId> =
            all.filter(|&id| Blocks::new(&space, id).boards() <= 2_000_000).collect();
        code::assert_code_and_parts_do_not_matter(&space, &signatures);
        several_words |= signatures.iter().any(|&id| {
            let blocks = Blocks::new(&space, id);
            (0..blocks.unsolved()).any(|h| blocks.strip_len(h) > 64)
        });
    }
    assert!(several_words, "no strip of the sample takes more than one word");
}

/// Whoever stops it gets nothing, and the next signature is as if nothing had been.
#[test]
fn a_count_can_be_stopped() {
    let space = Space::of_size(5).unwrap();
    let tables = MoveTables::new(&space, Metric::Moves);
    let mut solver = Solver::new(&tables).with_parts(64);
    let blocks = Blocks::new(&space, SignatureId(0));
    let whole = solver.count(&blocks, &|| false).expect("nobody stops it");
    let asked = Cell::new(0);
    let stop_later = || {
        asked.set(asked.get() + 1);
        asked.get() > 5
    };
    assert_eq!(solver.count(&blocks, &stop_later), None);
    assert_eq!(solver.count(&blocks, &|| false), Some(whole));
}

/// The tables are of one size: a signature of another would get wrong
/// distances without a word.
#[test]
#[should_panic(expected = "boards of the same size")]
fn a_signature_of_another_size_is_refused() {
    let (four, five) = (Space::of_size(4).unwrap(), Space::of_size(5).unwrap());
    let tables = MoveTables::new(&four, Metric::Moves);
    Solver::new(&tables).solve(&Blocks::new(&five, SignatureId(0)), &mut Vec::new());
}
