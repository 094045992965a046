//! Counting distances and finding boards by them, on one core.
//!
//! `cargo bench --bench census -- [EVERY] [FOLDER]` takes every EVERYth
//! signature (61) of the 6×6 tables in FOLDER (`db`) that are there.

use std::path::Path;
use std::time::{Duration, Instant};

use rand::prelude::*;
use tailback::board::{Distance, Metric};
use tailback::space::{Blocks, SignatureId};
use tailback::table::{Counter, Table, Unpacker};

/// Boards that are looked for in a signature: about as many as for 10,000 at
/// every distance.
const WANTED: usize = 4;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let every: usize = args.first().map_or(61, |arg| arg.parse().expect("a number of signatures"));
    let folder = args.get(1).map_or("db", String::as_str);
    println!(
        "metric signatures    boards  lay out s  unpack s  count s  boards/s  find {WANTED} s  find all s"
    );
    for metric in [Metric::Moves, Metric::Steps] {
        let Ok(table) = Table::open(Path::new(folder), 6, metric) else {
            println!("{metric}  no table in {folder}");
            continue;
        };
        let mut counter = Counter::new(&table);
        let mut unpacker = Unpacker::new(&table);
        let mut random = rand_pcg::Pcg64::seed_from_u64(6);
        let (mut distances, mut found) = (Vec::new(), Vec::new());
        let mut times = [Duration::ZERO; 5];
        let (mut signatures, mut boards) = (0, 0u64);
        for id in (0..table.space().signatures()).step_by(every).map(SignatureId) {
            let mut timed = |i: usize, start: Instant| times[i] += start.elapsed();
            let start = Instant::now();
            let blocks = Blocks::new(table.space(), id);
            timed(0, start);

            let start = Instant::now();
            unpacker.unpack(id, &blocks, &mut distances).expect("the table is whole");
            timed(1, start);

            let start = Instant::now();
            let counts = *counter.count(id, &blocks).expect("the table is whole");
            timed(2, start);

            let all: Vec<(Distance, u32)> = (0..=u8::MAX)
                .map(Distance::from_byte)
                .zip(counts)
                .flat_map(|(d, count)| (0..count).map(move |nth| (d, nth)))
                .collect();
            let mut some: Vec<(Distance, u32)> = all.choose_multiple(&mut random, WANTED).copied().collect();
            some.sort_unstable();
            for (i, wanted) in [(3, &some), (4, &all)] {
                let start = Instant::now();
                counter.select(id, &blocks, wanted, &mut found).expect("they were counted");
                timed(i, start);
            }
            signatures += 1;
            boards += blocks.boards();
        }
        let [lay_out, unpack, count, some, all] = times.map(|time| time.as_secs_f64());
        println!(
            "{metric:6} {signatures:>10} {:>9.3e} {lay_out:>10.3} {unpack:>9.3} {count:>8.3} {:>9.3e} {some:>9.3} {all:>11.3}",
            boards as f64,
            boards as f64 / count,
        );
    }
}
