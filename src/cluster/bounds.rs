//! How far a search may go: so many boards, so much memory, and until somebody
//! stops it.

use std::alloc::{Layout, alloc_zeroed};
use std::cell::Cell;
use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use super::ClusterError;
use crate::progress::Observer;

/// The bounds of a search. A number of boards stands for the usual ones: the
/// memory that all searches of the process share, and nobody who stops it.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The most boards to look at.
    pub boards: usize,
    /// Where the memory comes from.
    pub memory: &'a Memory,
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

static ENDLESS: Memory = Memory(None);

/// [`DEFAULT_LIMIT`](super::DEFAULT_LIMIT) boards.
impl Default for Bounds<'_> {
    fn default() -> Self {
        super::DEFAULT_LIMIT.into()
    }
}

impl From<usize> for Bounds<'_> {
    fn from(boards: usize) -> Self {
        Bounds { boards, memory: Memory::shared(), observer: &() }
    }
}

impl Bounds<'_> {
    /// A part of the memory for one search, empty at first.
    pub(super) fn reserve(&self) -> Reserved {
        // Who asks for a search of many boards wants it to have the memory for it.
        let needed = self.boards.saturating_mul(super::BYTES_PER_BOARD);
        let most = |budget: &Budget| budget.most.max(needed.min(budget.available));
        let memory = self.memory.clone();
        Reserved { most: memory.0.as_deref().map_or(usize::MAX, most), memory, bytes: 0 }
    }
}

/// A budget of memory that searches share, whatever threads they run on; a clone
/// is the same budget.
///
/// A search that does not fit beside others is tried again when no other runs,
/// so an answer does not depend on what else is asked.
#[derive(Debug, Clone)]
pub struct Memory(Option<Arc<Budget>>);

/// What a [`Memory`] has.
#[derive(Debug)]
struct Budget {
    most: usize,
    /// What a single search may have if its bounds ask for it.
    available: usize,
    used: AtomicUsize,
    /// Searches side by side read, one that must be alone writes.
    turns: RwLock<()>,
}

/// If the system has that much, and no single search may need more.
const USUAL: usize = 4_000_000_000;

impl Memory {
    /// A budget of so many bytes.
    pub fn new(most: usize) -> Memory {
        Memory::with_available(most, most)
    }

    fn with_available(most: usize, available: usize) -> Memory {
        let budget = Budget { most, available, used: AtomicUsize::new(0), turns: RwLock::new(()) };
        Memory(Some(Arc::new(budget)))
    }

    /// The budget of this process: 4 GB, or less if the system has less. A search
    /// whose bounds allow more boards than that holds may have more, as far as the
    /// system has it.
    pub fn shared() -> &'static Memory {
        static SHARED: LazyLock<Memory> = LazyLock::new(|| {
            let available = number("/proc/meminfo", "MemAvailable:");
            let allowed = number("/proc/self/limits", "Max address space");
            // In kilobytes; and tables and threads take addresses, too.
            let bounds =
                [available.map(|kilobytes| kilobytes.saturating_mul(768)), allowed.map(|all| all / 2)];
            let available = bounds.into_iter().flatten().fold(usize::MAX, usize::min);
            Memory::with_available(USUAL.min(available), available)
        });
        &SHARED
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
        let Some(budget) = &self.0 else { return search() };
        if HAS_TURN.replace(true) {
            return search();
        }
        let _end = End;
        let beside = budget.turns.read().unwrap_or_else(PoisonError::into_inner);
        match search() {
            Err(ClusterError::Memory { others, .. }) if others > 0 => {}
            answer => return answer,
        }
        drop(beside);
        let _alone = budget.turns.write().unwrap_or_else(PoisonError::into_inner);
        search()
    }

    fn give_back(&self, bytes: usize) {
        if let Some(budget) = &self.0 {
            budget.used.fetch_sub(bytes, Ordering::Relaxed);
        }
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
    memory: Memory,
    /// What all searches of the memory together may have when this one takes some.
    most: usize,
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
        self.memory.give_back(bytes);
    }

    fn take<T>(&mut self, capacity: usize) -> Result<(), ClusterError> {
        let bytes = capacity.saturating_mul(size_of::<T>());
        let fits = |used: usize| used.checked_add(bytes).filter(|&used| used <= self.most);
        if let Some(budget) = &self.memory.0
            && budget.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_err()
        {
            return Err(self.refused(bytes));
        }
        self.bytes += bytes;
        Ok(())
    }

    fn refused(&self, bytes: usize) -> ClusterError {
        let used = self.memory.0.as_ref().map_or(0, |budget| budget.used.load(Ordering::Relaxed));
        let others = used.saturating_sub(self.bytes);
        ClusterError::Memory { needed: self.bytes.saturating_add(bytes), others }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.memory.give_back(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search of many boards may have what the system has; the budget of the
    /// others stays what it is.
    #[test]
    fn who_asks_for_much_raises_no_budget() {
        let memory = Memory::with_available(1_000, 1_000_000);
        let bounds = |boards| Bounds { boards, memory: &memory, observer: &() };
        let taken =
            |boards, bytes: usize| bounds(boards).reserve().zeros::<u64>(bytes / 8).map(|zeros| zeros.len());
        assert_eq!(taken(usize::MAX, 500_000), Ok(62_500));
        assert_eq!(taken(10, 500_000), Err(ClusterError::Memory { needed: 500_000, others: 0 }));
        assert_eq!(taken(10, 800), Ok(100));
        assert_eq!(taken(usize::MAX, 2_000_000), Err(ClusterError::Memory { needed: 2_000_000, others: 0 }));
    }
}
