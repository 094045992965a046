//! The backward search on one thread and on a sample of the 6×6 signatures:
//! `cargo bench --bench retrograde [-- EVERY]`.
//!
//! Prints, for both metrics and for the CPU's own and the portable
//! instructions, boards per second.

use std::time::{Duration, Instant};

use tailback::board::Metric;
use tailback::retrograde::{Code, MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};

fn main() {
    let every = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(251);
    println!("size metric  code      signatures    boards  search s  boards/s");
    for size in [4, 5, 6] {
        let every = if size == 6 { every } else { 1 };
        for metric in [Metric::Moves, Metric::Steps] {
            for code in [Code::Native, Code::Bmi2, Code::Portable] {
                run(size, metric, code, every);
            }
        }
    }
}

fn run(size: usize, metric: Metric, code: Code, every: u32) {
    let space = Space::of_size(size).expect("tabulated");
    let tables = MoveTables::new(&space, metric);
    let mut solver = Solver::new(&tables).with_code(code);
    let mut distances = Vec::new();
    let mut search = Duration::ZERO;
    let (mut signatures, mut boards) = (0, 0u64);
    for id in (every / 2..space.signatures()).step_by(every as usize) {
        let blocks = Blocks::new(&space, SignatureId(id));
        let start = Instant::now();
        solver.solve(&blocks, &mut distances);
        search += start.elapsed();
        signatures += 1;
        boards += blocks.boards();
    }
    println!(
        "{size}×{size}  {metric:6}  {:8}  {signatures:10}  {boards:8.3e}  {:8.3}  {:8.3e}",
        format!("{code:?}").to_lowercase(),
        search.as_secs_f64(),
        boards as f64 / search.as_secs_f64(),
    );
}
