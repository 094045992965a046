//! The backward search and the packing of frames, on one thread and on a
//! sample of the 6×6 signatures: `cargo bench --bench retrograde [-- EVERY]`.
//!
//! Prints, for both metrics and for the CPU's own and the portable
//! instructions, boards per second and the bits a board takes in the table.

use std::time::{Duration, Instant};

use tailback::board::Metric;
use tailback::retrograde::{Code, MoveTables, Solver};
use tailback::space::{Blocks, SignatureId, Space};
use tailback::table::{DEFAULT_LEVEL, Encoder};

fn main() {
    let every = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(251);
    println!("size metric  code      signatures    boards  search s  boards/s  pack s  bit/board");
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
    let mut encoder = Encoder::new(DEFAULT_LEVEL).expect("zstd starts");
    let mut distances = Vec::new();
    let (mut search, mut packing) = (Duration::ZERO, Duration::ZERO);
    let (mut signatures, mut boards, mut bytes) = (0, 0u64, 0);
    for id in (every / 2..space.signatures()).step_by(every as usize) {
        let blocks = Blocks::new(&space, SignatureId(id));
        let start = Instant::now();
        solver.solve(&blocks, &mut distances);
        let solved = Instant::now();
        let (frames, data) = encoder.pack(&blocks, &distances).expect("in memory");
        search += solved - start;
        packing += solved.elapsed();
        signatures += 1;
        boards += blocks.boards() as u64;
        bytes += data.len() + 12 * frames.len() + 4 * blocks.unsolved_sections() + 40;
    }
    println!(
        "{size}×{size}  {metric:6}  {:8}  {signatures:10}  {boards:8.3e}  {:8.3}  {:8.3e}  {:6.3}  {:9.4}",
        format!("{code:?}").to_lowercase(),
        search.as_secs_f64(),
        boards as f64 / search.as_secs_f64(),
        packing.as_secs_f64(),
        bytes as f64 * 8.0 / boards as f64,
    );
}
