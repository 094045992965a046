//! The backward search: all its code gives the same distances.

use std::cell::Cell;

use tailback::board::{Distance, Metric};
use tailback::retrograde::{Code, Counted, MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};

/// All instructions, and parts so small that every column is cut along.
#[test]
fn code_and_parts_do_not_matter() {
    let mut several_words = false;
    for (size, step) in [(4, 1), (5, 7), (6, 1709)] {
        let space = Space::of_size(size).unwrap();
        for metric in [Metric::Moves, Metric::Steps] {
            let tables = MoveTables::new(&space, metric);
            let solver = || Solver::new(&tables);
            let mut native = solver();
            let mut others =
                [solver().with_code(Code::Bmi2), solver().with_code(Code::Portable), solver().with_parts(64)];
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for id in (0..space.signatures()).step_by(step) {
                let blocks = Blocks::new(&space, SignatureId(id));
                if blocks.boards() > 2_000_000 {
                    continue;
                }
                let counts = native.solve(&blocks, &mut a).clone();
                let unsolvable = a.iter().filter(|&&d| d == Distance::UNSOLVABLE.byte()).count() as u64;
                assert_eq!(unsolvable, counts.unsolvable());
                assert_eq!(counts.total(), blocks.boards());
                for other in &mut others {
                    assert_eq!(counts, *other.solve(&blocks, &mut b));
                    assert!(a == b, "signature {id} of {size}×{size} in {metric}");
                }
                let solvers = [&mut native].into_iter().chain(&mut others);
                let counted =
                    solvers.map(|solver| solver.count(&blocks, &|| false).expect("nobody stops it"));
                let counted: Vec<Counted> = counted.collect();
                for counted in &counted {
                    assert_eq!(counted.histogram, counts);
                    let furthest = counted.furthest.map_or(0, |at| a[blocks.number(&at) as usize]);
                    assert_eq!(usize::from(furthest), counts.by_distance().len() - 1, "signature {id}");
                }
                // Whatever the instructions it is the same board: shards have it.
                assert!(counted[1..3].iter().all(|other| *other == counted[0]), "signature {id}");
                several_words |= (0..blocks.unsolved()).any(|h| blocks.strip_len(h) > 64);
            }
        }
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
