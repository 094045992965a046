//! What it takes to find puzzles, on one core: the survey of signatures and
//! all columns of a puzzle.
//!
//! `cargo bench --bench survey -- [EVERY] [FOLDER]` takes every EVERYth
//! signature (251) of the tables in FOLDER (`db`) that are there.

use std::path::Path;
use std::time::{Duration, Instant};

use tailback::board::Metric;
use tailback::catalogue::survey::{Scratch, Surveyor};
use tailback::space::SignatureId;
use tailback::table::Table;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let every: usize = args.first().map_or(251, |arg| arg.parse().expect("a number of signatures"));
    let folder = args.get(1).map_or("db", String::as_str);
    println!("size signatures    boards  survey s  boards/s  clusters  puzzles  µs/puzzle");
    for size in 4..=6 {
        let Ok(table) = Table::open(Path::new(folder), size, Metric::Moves) else {
            println!("{size}×{size}  no table in {folder}");
            continue;
        };
        let step = if size == 6 { every } else { 1 };
        // Counted once for the whole space, not for a signature.
        table.space().sizes();
        let (mut surveyor, mut scratch) = (Surveyor::new(&table), Scratch::default());
        let (mut surveys, mut features) = (Duration::ZERO, Duration::ZERO);
        let (mut signatures, mut boards, mut clusters, mut puzzles) = (0, 0u64, 0, 0);
        for id in (0..table.space().signatures()).step_by(step) {
            let start = Instant::now();
            let survey = surveyor.survey(table.space(), SignatureId(id)).expect("the table is whole");
            surveys += start.elapsed();
            let start = Instant::now();
            for cluster in &survey.interesting {
                std::hint::black_box(survey.puzzle(cluster, &mut scratch).expect("the table is whole"));
            }
            features += start.elapsed();
            signatures += 1;
            boards += survey.blocks.boards();
            clusters += survey.clusters.len();
            puzzles += survey.interesting.len();
        }
        let seconds = surveys.as_secs_f64();
        println!(
            "{size}×{size}  {signatures:>10} {:>9.3e} {seconds:>9.3} {:>9.3e} {clusters:>9} {puzzles:>8} {:>10.1}",
            boards as f64,
            boards as f64 / seconds,
            1e6 * features.as_secs_f64() / puzzles.max(1) as f64,
        );
    }
}
