//! Whole builds: `cargo bench --bench build [-- --full]`.
//!
//! Builds the 4×4 and 5×5 tables, and with `--full` the 6×6 tables too, in a
//! temporary folder, in both metrics, on one thread and on two, and prints
//! time, boards per second and core, and the size of the file.

use std::time::Instant;

use tailback::board::Metric;
use tailback::table::{BuildOptions, build};

fn main() {
    let full = std::env::args().any(|a| a == "--full");
    println!("size metric threads    seconds   boards/s/core      bytes  bit/board");
    for size in if full { vec![4, 5, 6] } else { vec![4, 5] } {
        for metric in [Metric::Moves, Metric::Steps] {
            for threads in [1, 2] {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let plan = BuildOptions { threads, ..BuildOptions::new(folder.path(), size, metric) };
                let start = Instant::now();
                let report = build(&plan, &()).expect("builds");
                let seconds = start.elapsed().as_secs_f64();
                println!(
                    "{size}×{size}  {metric:6} {threads:7} {seconds:10.3}  {:14.3e} {:10}  {:9.4}",
                    report.boards as f64 / seconds / threads as f64,
                    report.bytes,
                    report.bytes as f64 * 8.0 / report.boards as f64,
                );
            }
        }
    }
}
