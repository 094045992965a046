//! The threads of commands that share their work among cores.

use anyhow::anyhow;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tailback::pipeline::MOST_THREADS;

/// A pool of so many threads; one for each core if nobody says.
pub fn pool(threads: Option<u16>) -> anyhow::Result<ThreadPool> {
    let threads = threads.map_or(0, usize::from).min(MOST_THREADS);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| anyhow!("cannot start the threads ({error}); try --threads 1"))
}
