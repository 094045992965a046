//! All code of the backward search gives the same.

use tailback::board::{Distance, Metric};
use tailback::retrograde::{Code, Counted, MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};

/// Searches signatures with all instructions, and in parts so small that every column
/// is cut along.
pub fn assert_code_and_parts_do_not_matter(space: &Space, signatures: &[SignatureId]) {
    for metric in [Metric::Moves, Metric::Steps] {
        let tables = MoveTables::new(space, metric);
        let solver = || Solver::new(&tables);
        let mut native = solver();
        let mut others =
            [solver().with_code(Code::Bmi2), solver().with_code(Code::Portable), solver().with_parts(64)];
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for &id in signatures {
            let what = format!("{id:?} of {0}×{0} in {metric}", space.id().size);
            let blocks = Blocks::new(space, id);
            let solved = native.solve(&blocks, &mut a);
            let counts = &solved.histogram;
            let unsolvable = a.iter().filter(|&&d| d == Distance::UNSOLVABLE.byte()).count() as u64;
            assert_eq!((counts.unsolvable(), counts.total()), (unsolvable, blocks.boards()), "{what}");
            for other in &mut others {
                assert_eq!(*counts, other.solve(&blocks, &mut b).histogram, "{what}");
                assert!(a == b, "{what}");
            }
            let solvers = [&mut native].into_iter().chain(&mut others);
            let counted = solvers.map(|solver| solver.count(&blocks, &|| false).expect("nobody stops it"));
            let counted: Vec<Counted> = counted.collect();
            for counted in &counted {
                assert_eq!(counted.histogram, *counts, "{what}");
                let furthest = counted.furthest.map_or(0, |at| a[blocks.number(&at) as usize]);
                assert_eq!(usize::from(furthest), counts.by_distance().len() - 1, "{what}");
            }
            // Whatever the instructions it is the same board: shards have it.
            assert!(counted[1..3].iter().all(|other| *other == counted[0]), "{what}");
        }
    }
}
