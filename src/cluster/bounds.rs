//! How far a search may go: so many boards, so much memory, and until somebody
//! stops it.

use std::alloc::{Layout, alloc_zeroed};
use std::cell::Cell;
use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, PoisonError, RwLock};

use super::ClusterError;
use crate::progress::Observer;

/// The bounds of a search. A number of boards stands for the usual ones: the
/// memory that all searches of the process share, and nobody who stops it.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The most boards to look at.
    pub boards: usize,
    /// Where the memory comes from.
    pub memory: &'static Memory,
    /// May stop the search.
    pub observer: &'a dyn Observer,
}

impl fmt::Debug for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { boards, memory, .. } = self;
        f.debug_struct("Bounds").field("boards", boards).field("memory", memory).finish_non_exhaustive()
    }
}

impl Bounds<'static> {
    /// No bounds, for clusters that are known to be small.
    pub const NONE: Bounds<'static> = Bounds { boards: usize::MAX, memory: &ENDLESS, observer: &() };
}

static ENDLESS: Memory = Memory::new(usize::MAX);

impl From<usize> for Bounds<'_> {
    fn from(boards: usize) -> Self {
        let memory = Memory::shared();
        memory.allow(boards.saturating_mul(super::BYTES_PER_BOARD));
        Bounds { boards, memory, observer: &() }
    }
}

/// A budget of memory that searches share, whatever threads they run on.
///
/// A search that does not fit beside others is tried again when no other runs,
/// so an answer does not depend on what else is asked.
#[derive(Debug)]
pub struct Memory {
    most: AtomicUsize,
    /// What the system has.
    there_is: usize,
    used: AtomicUsize,
    /// Searches side by side read, one that must be alone writes.
    turns: RwLock<()>,
}

/// If the system has that much, and no single search may need more.
const USUAL: usize = 4_000_000_000;

impl Memory {
    /// A budget of so many bytes.
    pub const fn new(most: usize) -> Memory {
        Memory {
            most: AtomicUsize::new(most),
            there_is: most,
            used: AtomicUsize::new(0),
            turns: RwLock::new(()),
        }
    }

    /// The budget of this process: 4 GB, or what the largest search that was
    /// asked for may need, or less if the system has less.
    pub fn shared() -> &'static Memory {
        static SHARED: LazyLock<Memory> = LazyLock::new(|| {
            let available = number("/proc/meminfo", "MemAvailable:");
            let allowed = number("/proc/self/limits", "Max address space");
            // In kilobytes; and tables and threads take addresses, too.
            let bounds =
                [available.map(|kilobytes| kilobytes.saturating_mul(768)), allowed.map(|all| all / 2)];
            let there_is = bounds.into_iter().flatten().fold(usize::MAX, usize::min);
            Memory { there_is, ..Memory::new(USUAL.min(there_is)) }
        });
        &SHARED
    }

    /// Raises the budget to so many bytes, as far as they are there.
    fn allow(&self, bytes: usize) {
        self.most.fetch_max(bytes.min(self.there_is), Ordering::Relaxed);
    }

    /// Searches, and if that does not fit beside the searches of other threads,
    /// once more when none of them runs. Searches inside of `search` have the
    /// same turn; clusters that it keeps must not outlive it.
    pub fn in_turn<T>(&self, search: impl Fn() -> Result<T, ClusterError>) -> Result<T, ClusterError> {
        thread_local!(static HAS_TURN: Cell<bool> = const { Cell::new(false) });
        struct End;
        impl Drop for End {
            fn drop(&mut self) {
                HAS_TURN.set(false);
            }
        }
        if HAS_TURN.replace(true) {
            return search();
        }
        let _end = End;
        let beside = self.turns.read().unwrap_or_else(PoisonError::into_inner);
        match search() {
            Err(ClusterError::Memory { others, .. }) if others > 0 => {}
            answer => return answer,
        }
        drop(beside);
        let _alone = self.turns.write().unwrap_or_else(PoisonError::into_inner);
        search()
    }

    pub(super) fn reserve(&'static self) -> Reserved {
        Reserved { memory: self, bytes: 0 }
    }
}

/// The first number in a line of a file of the system.
fn number(path: &str, line: &str) -> Option<usize> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|found| found.strip_prefix(line))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The memory of one search, given back in the end.
#[derive(Debug)]
pub(super) struct Reserved {
    memory: &'static Memory,
    bytes: usize,
}

/// Numbers: zeros are values of them.
pub(super) trait Number: Copy {}
impl Number for u32 {}
impl Number for u64 {}

/// The first room of a list that grows.
const FEW: usize = 64;

impl Reserved {
    /// Makes sure that this many more fit into a list. It doubles at least.
    #[inline]
    pub fn grow<T>(&mut self, list: &mut Vec<T>, more: usize) -> Result<(), ClusterError> {
        match list.capacity() - list.len() >= more {
            true => Ok(()),
            false => self.grow_to(list, (list.len() + more).max(2 * list.capacity()).max(FEW)),
        }
    }

    /// Gives a list this capacity.
    pub fn grow_to<T>(&mut self, list: &mut Vec<T>, capacity: usize) -> Result<(), ClusterError> {
        let before = list.capacity();
        self.take::<T>(capacity)?;
        list.try_reserve_exact(capacity - list.len()).map_err(|_| self.refused(0))?;
        self.give_back::<T>(before);
        Ok(())
    }

    /// So many zeros: fresh memory comes as zeros from the system.
    pub fn zeros<T: Number>(&mut self, len: usize) -> Result<Vec<T>, ClusterError> {
        self.take::<T>(len)?;
        let layout = Layout::array::<T>(len).ok().filter(|layout| layout.size() > 0);
        let layout = layout.ok_or_else(|| self.refused(0))?;
        // SAFETY: the layout is not empty.
        let zeros = unsafe { alloc_zeroed(layout) }.cast::<T>();
        if zeros.is_null() {
            return Err(self.refused(0));
        }
        // SAFETY: the global allocator gave this memory for `len` numbers, and
        // zeros are numbers.
        Ok(unsafe { Vec::from_raw_parts(zeros, len, len) })
    }

    /// A list of this capacity is gone.
    pub fn give_back<T>(&mut self, capacity: usize) {
        let bytes = capacity * size_of::<T>();
        self.bytes -= bytes;
        self.memory.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn take<T>(&mut self, capacity: usize) -> Result<(), ClusterError> {
        let bytes = capacity.saturating_mul(size_of::<T>());
        let most = self.memory.most.load(Ordering::Relaxed);
        let fits = |used: usize| used.checked_add(bytes).filter(|&used| used <= most);
        match self.memory.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => self.bytes += bytes,
            Err(_) => return Err(self.refused(bytes)),
        }
        Ok(())
    }

    fn refused(&self, bytes: usize) -> ClusterError {
        let others = self.memory.used.load(Ordering::Relaxed).saturating_sub(self.bytes);
        ClusterError::Memory { needed: self.bytes.saturating_add(bytes), others }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
