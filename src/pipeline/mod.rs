//! Signature after signature on all cores, the results in order.
//!
//! The signatures of one or more spaces are numbered [`Jobs`]. Threads take them
//! in order, do the [`Work`] and hand the results over; whoever brings the next
//! one in order puts it into the [`Sink`]. What the sink holds is therefore the
//! same whatever the number of threads and however often the work was
//! interrupted. Two bounds keep the memory small on any number of threads: a
//! `Budget` for the boards in memory, and a limit on how far the threads may
//! run ahead of the sink.

mod budget;
mod jobs;
mod record;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub(crate) use budget::{Budget, DISTANCES};
pub use jobs::Jobs;
pub(crate) use record::{Record, array, slice};

use crate::progress::{Observer, Progress};
use crate::space::{SignatureId, Space};

/// More threads are not started: each needs memory of its own.
pub const MOST_THREADS: usize = 128;
/// How many jobs the threads may be ahead of the sink.
const AHEAD: u32 = 4096;
/// The usual time between two checkpoints.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// What is done for each job.
pub trait Work: Sync {
    /// The result of one job.
    type Item: Send;
    /// Why there is none.
    type Error;

    /// What one thread works with.
    fn worker(&self) -> Result<impl FnMut(&Space, SignatureId) -> Worked<Self>, Self::Error>;

    /// Does this error mean that the observer stopped a job? What is done is kept then.
    fn is_stop(error: &Self::Error) -> bool {
        let _ = error;
        false
    }
}

/// What comes of one job.
pub type Worked<W> = Result<<W as Work>::Item, <W as Work>::Error>;

/// Takes results in the order of the jobs.
pub trait Sink: Send {
    /// The result of one job.
    type Item: Send;
    /// Why a result cannot be worked out or taken.
    type Error: Send + From<NoThreads>;

    /// How many jobs are in it.
    fn done(&self) -> u32;
    /// Takes the result of the next job.
    fn append(&mut self, item: Self::Item) -> Result<(), Self::Error>;
    /// Makes sure that nothing before this point is lost.
    fn checkpoint(&mut self) -> Result<(), Self::Error>;
}

/// The system starts no threads; it says why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoThreads(String);

/// How the work ended.
pub enum Outcome<S> {
    /// All jobs are in the sink.
    Finished(S),
    /// The observer stopped it. The sink has a checkpoint.
    Stopped,
}

/// The work on some jobs.
pub struct Pipeline<'o> {
    /// The jobs.
    pub jobs: &'o Jobs,
    /// Those to do.
    pub range: Range<u32>,
    /// How many threads to use.
    pub threads: usize,
    /// The time between two checkpoints: at most this much work is lost.
    pub checkpoint_every: Duration,
    /// Who watches.
    pub observer: &'o dyn Observer,
}

impl<'o> Pipeline<'o> {
    /// All jobs, on all cores.
    pub fn new(jobs: &'o Jobs, observer: &'o dyn Observer) -> Pipeline<'o> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        Pipeline { jobs, range: jobs.all(), threads, checkpoint_every: CHECKPOINT_EVERY, observer }
    }

    /// Works on all jobs that the sink does not have yet.
    pub fn run<W, S>(&self, work: &W, sink: S) -> Result<Outcome<S>, S::Error>
    where
        W: Work,
        S: Sink<Item = W::Item, Error: From<W::Error>>,
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.min(MOST_THREADS)).build();
        let pool = pool.map_err(|error| NoThreads(error.to_string()))?;
        let shared = Shared {
            pipeline: self,
            resumed: self.boards(sink.done()),
            changed: Condvar::new(),
            state: Mutex::new(State {
                next: sink.done(),
                sink,
                waiting: BTreeMap::new(),
                checkpoint: Instant::now(),
                stopped: false,
                error: None,
            }),
        };
        pool.broadcast(|_| {
            let _wake = WakeOthers(&shared);
            let worked = work.worker().map_err(S::Error::from).and_then(|worker| shared.work::<W>(worker));
            if let Err(error) = worked {
                shared.lock().error.get_or_insert(error);
            }
        });
        let mut state = shared.state.into_inner().expect("no thread panicked");
        if let Some(error) = state.error {
            return Err(error);
        }
        if state.sink.done() < self.range.len() as u32 {
            state.sink.checkpoint()?;
            return Ok(Outcome::Stopped);
        }
        Ok(Outcome::Finished(state.sink))
    }

    /// The boards of the first so many jobs.
    pub fn boards(&self, jobs: u32) -> u64 {
        self.jobs.boards_before(self.range.start + jobs) - self.jobs.boards_before(self.range.start)
    }
}

/// The threads' common state.
struct Shared<'p, S: Sink> {
    pipeline: &'p Pipeline<'p>,
    resumed: u64,
    state: Mutex<State<S>>,
    changed: Condvar,
}

struct State<S: Sink> {
    sink: S,
    next: u32,
    waiting: BTreeMap<u32, S::Item>,
    checkpoint: Instant,
    stopped: bool,
    error: Option<S::Error>,
}

impl<S: Sink> Shared<'_, S> {
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().expect("no thread panicked")
    }

    /// One thread's work: job after job.
    fn work<W>(&self, mut worker: impl FnMut(&Space, SignatureId) -> Worked<W>) -> Result<(), S::Error>
    where
        W: Work<Item = S::Item>,
        S::Error: From<W::Error>,
    {
        while let Some(number) = self.take() {
            let (space, id) = self.pipeline.jobs.get(self.pipeline.range.start + number);
            match worker(&space, id) {
                Ok(item) => self.hand_over(item, number),
                Err(error) if W::is_stop(&error) => self.lock().stopped = true,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The number of the next job, unless the sink is too far behind.
    fn take(&self) -> Option<u32> {
        let mut state = self.lock();
        loop {
            state.stopped |= self.pipeline.observer.wants_stop();
            if state.stopped || state.error.is_some() || state.next >= self.pipeline.range.len() as u32 {
                return None;
            }
            if state.next - state.sink.done() < AHEAD {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.changed.wait(state).expect("no thread panicked");
        }
    }

    /// Puts all results that are next in order into the sink. Where it takes long to
    /// tell how far that is, it is reported at checkpoints and at the end only.
    fn hand_over(&self, item: S::Item, number: u32) {
        let mut state = self.lock();
        let mut tells = self.pipeline.jobs.are_counted();
        // A sink that failed may have lost what it said it has: it is left alone.
        if state.error.is_none() {
            state.waiting.insert(number, item);
            // Before the lock is given back, lest another thread goes on.
            match state.store(self.pipeline.checkpoint_every) {
                Ok(is_checkpoint) => {
                    tells |= is_checkpoint || state.sink.done() == self.pipeline.range.len() as u32;
                }
                Err(error) => state.error = Some(error),
            }
        }
        if !tells {
            drop(state);
            return self.changed.notify_all();
        }
        let progress = Progress {
            unit: "boards",
            done: self.pipeline.boards(state.sink.done()),
            before: self.resumed,
            total: Some(self.pipeline.boards(self.pipeline.range.len() as u32)),
        };
        drop(state);
        self.changed.notify_all();
        self.pipeline.observer.advanced(progress);
    }
}

impl<S: Sink> State<S> {
    /// Is it a checkpoint?
    fn store(&mut self, checkpoint_every: Duration) -> Result<bool, S::Error> {
        while let Some(item) = self.waiting.remove(&self.sink.done()) {
            self.sink.append(item)?;
        }
        let is_due = self.checkpoint.elapsed() >= checkpoint_every;
        if is_due {
            self.sink.checkpoint()?;
            self.checkpoint = Instant::now();
        }
        Ok(is_due)
    }
}

/// When a thread ends, also by a panic, the others must not wait for it.
struct WakeOthers<'b, 'p, S: Sink>(&'b Shared<'p, S>);

impl<S: Sink> Drop for WakeOthers<'_, '_, S> {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Ok(mut state) = self.0.state.lock()
        {
            state.stopped = true;
        }
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[derive(Debug, PartialEq)]
    enum Failed {
        Append,
        Threads,
        Stopped,
    }

    impl From<NoThreads> for Failed {
        fn from(_: NoThreads) -> Failed {
            Failed::Threads
        }
    }

    /// The jobs after the first 20, numbered.
    struct Numbers;

    impl Work for Numbers {
        type Item = u32;
        type Error = NoThreads;

        fn worker(&self) -> Result<impl FnMut(&Space, SignatureId) -> Worked<Self>, NoThreads> {
            Ok(|_: &Space, id: SignatureId| Ok(id.0 - 20))
        }
    }

    /// Fails at one signature and counts what is asked of it afterwards.
    struct FailsAt<'c> {
        at: u32,
        done: u32,
        calls_after: &'c AtomicU32,
        failed: bool,
    }

    impl FailsAt<'_> {
        fn note(&self) {
            self.calls_after.fetch_add(u32::from(self.failed), Ordering::Relaxed);
        }
    }

    impl Sink for FailsAt<'_> {
        type Item = u32;
        type Error = Failed;

        fn done(&self) -> u32 {
            self.done
        }

        fn append(&mut self, item: u32) -> Result<(), Failed> {
            self.note();
            assert_eq!(item, self.done, "in order");
            if self.done == self.at {
                self.failed = true;
                return Err(Failed::Append);
            }
            self.done += 1;
            Ok(())
        }

        fn checkpoint(&mut self) -> Result<(), Failed> {
            self.note();
            Ok(())
        }
    }

    /// Takes all, and stops the third job as an observer would.
    struct Stops;

    impl Work for Stops {
        type Item = u32;
        type Error = Failed;

        fn is_stop(error: &Failed) -> bool {
            *error == Failed::Stopped
        }

        fn worker(&self) -> Result<impl FnMut(&Space, SignatureId) -> Worked<Self>, Failed> {
            Ok(|_: &Space, id: SignatureId| if id.0 == 22 { Err(Failed::Stopped) } else { Ok(id.0 - 20) })
        }
    }

    /// What was done before is stored, however long ago the last checkpoint was.
    #[test]
    fn a_job_that_is_stopped_loses_no_other() {
        struct Kept<'k>(u32, &'k AtomicU32);

        impl Sink for Kept<'_> {
            type Item = u32;
            type Error = Failed;

            fn done(&self) -> u32 {
                self.0
            }

            fn append(&mut self, _: u32) -> Result<(), Failed> {
                self.0 += 1;
                Ok(())
            }

            fn checkpoint(&mut self) -> Result<(), Failed> {
                self.1.store(self.0, Ordering::Relaxed);
                Ok(())
            }
        }

        let jobs = Jobs::new(&4.into()).expect("tabulated");
        let pipeline = Pipeline {
            range: 20..jobs.len(),
            threads: 1,
            checkpoint_every: Duration::MAX,
            ..Pipeline::new(&jobs, &())
        };
        let kept = AtomicU32::new(0);
        let outcome = pipeline.run(&Stops, Kept(0, &kept));
        assert!(matches!(outcome, Ok(Outcome::Stopped)));
        assert_eq!(kept.into_inner(), 2);
    }

    /// Where boards are counted with effort, only checkpoints and the end are reported.
    #[test]
    fn progress_of_larger_boards() {
        struct Recorder(Mutex<Vec<u64>>);

        impl Observer for Recorder {
            fn advanced(&self, progress: Progress) {
                self.0.lock().expect("no thread panicked").push(progress.done);
            }
        }

        let jobs = Jobs::new(&7.into()).expect("seven has numbers");
        let told = Recorder(Mutex::default());
        let calls_after = AtomicU32::new(0);
        for checkpoint_every in [Duration::MAX, Duration::ZERO] {
            let pipeline =
                Pipeline { range: 20..28, threads: 1, checkpoint_every, ..Pipeline::new(&jobs, &told) };
            let sink = FailsAt { at: u32::MAX, done: 0, calls_after: &calls_after, failed: false };
            assert!(matches!(pipeline.run(&Numbers, sink), Ok(Outcome::Finished(_))));
        }
        let told = told.0.into_inner().expect("no thread panicked");
        let boards = jobs.boards_before(28) - jobs.boards_before(20);
        assert_eq!((told.len(), told[0], told[8]), (1 + 8, boards, boards));
    }

    /// Guards an unfinished file: after an error its counts are not to be trusted.
    #[test]
    fn a_sink_that_failed_is_left_alone() {
        let jobs = Jobs::new(&4.into()).expect("tabulated");
        let pipeline = Pipeline {
            range: 20..jobs.len(),
            threads: 4,
            checkpoint_every: Duration::ZERO,
            ..Pipeline::new(&jobs, &())
        };
        let len = jobs.len() - 20;
        let calls_after = AtomicU32::new(0);
        for at in [0, 5, len - 1] {
            let sink = FailsAt { at, done: 0, calls_after: &calls_after, failed: false };
            let outcome = pipeline.run(&Numbers, sink);
            assert_eq!(outcome.err(), Some(Failed::Append));
        }
        assert_eq!(calls_after.into_inner(), 0);
        let calls_after = AtomicU32::new(0);
        let sink = FailsAt { at: u32::MAX, done: 0, calls_after: &calls_after, failed: false };
        let outcome = pipeline.run(&Numbers, sink);
        assert!(matches!(outcome, Ok(Outcome::Finished(sink)) if sink.done == len));
    }
}
