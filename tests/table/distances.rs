//! Every distance of a table against the oracle.

use crate::common;

use rayon::prelude::*;
use tailback::board::{Board, Histogram, Metric};
use tailback::space::Location;

/// Compares the table of a size with the oracle's distances of all its boards.
pub fn compare(size: usize, metric: Metric, truth: &oracle::Distances) {
    let table = common::table(size, metric);
    let space = table.space();
    assert_eq!(truth.len() as u64, table.header().boards);
    let truth: Vec<(oracle::Code, u8)> = truth.iter().map(|(&code, &distance)| (code, distance)).collect();
    let histogram = truth
        .par_chunks(1 << 16)
        .map(|some| {
            let mut probe = table.probe();
            let mut histogram = [0u64; 256];
            for &(code, expected) in some {
                let board = Board::parse(&oracle::text_of(code, size)).unwrap();
                let Ok(Location::Inside(position)) = space.locate(&board) else { panic!("{board}") };
                let found = probe.distance(&position).unwrap();
                assert_eq!(found.byte(), expected, "{metric}\n{board}");
                histogram[expected as usize] += 1;
            }
            histogram
        })
        .reduce(|| [0; 256], |a, b| std::array::from_fn(|i| a[i] + b[i]));
    assert_eq!(Histogram::of_bytes(histogram).as_ref(), Some(&table.header().histogram));
}
