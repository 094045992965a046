//! The threads of commands that share their work among cores.

use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tailback::pipeline::MOST_THREADS;

use super::{Failure, Result};

#[derive(Args, Clone, Copy)]
pub struct Threads {
    /// Threads to use [default: all cores]
    #[arg(long = "threads", id = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    number: Option<u16>,
}

impl Threads {
    /// How many, if somebody says so.
    pub fn number(self) -> Option<usize> {
        self.number.map(usize::from)
    }

    /// A pool of so many; one for each core if nobody says.
    pub fn pool(self) -> Result<ThreadPool> {
        let threads = self.number().unwrap_or(0).min(MOST_THREADS);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Failure::of(&error).about("cannot start the threads").advise("try --threads 1"))
    }
}
