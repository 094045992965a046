//! The threads of commands that share their work among cores.

use rayon::{ThreadPool, ThreadPoolBuilder};
use tailback::pipeline::MOST_THREADS;

use super::{Failure, Result};

/// A pool of so many threads; one for each core if nobody says.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool> {
    let threads = threads.map_or(0, usize::from).min(MOST_THREADS);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Failure::of(&error).about("cannot start the threads").advise("try --threads 1"))
}
