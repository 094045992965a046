//! Breadth-first search over the keys of one family, level by level.

use std::ops::ControlFlow;

use super::ClusterError;
use super::bounds::{Bounds, Reserved};
use super::family::{FROM_ALL_GOALS, FROM_NOWHERE, Key, Slides, Via};
use super::set::{KeySet, Put};

/// Neighbours are looked up in batches of about this many.
pub(super) const BATCH: usize = 256;
/// A board has at most 128 neighbours, so a batch may grow by that many.
pub(super) const BATCH_ROOM: usize = BATCH + 128;

/// The boards found so far, in the order they were found.
pub(super) struct Search<'a> {
    slides: &'a Slides,
    bounds: Bounds<'a>,
    pub reserved: Reserved,
    pub set: KeySet,
    pub queue: Vec<Key>,
    pub via: Vec<Via>,
    /// Where each level starts in the queue; the last one is its length.
    pub levels: Vec<usize>,
}

impl<'a> Search<'a> {
    /// A search that starts from these boards, which must differ, with an
    /// empty set.
    pub fn from(
        slides: &'a Slides,
        bounds: Bounds<'a>,
        mut reserved: Reserved,
        mut set: KeySet,
        sources: Vec<Key>,
    ) -> Result<Search<'a>, ClusterError> {
        set.reserve(sources.len(), &mut reserved)?;
        for &key in &sources {
            set.put(key);
        }
        Search::new(slides, bounds, reserved, set, sources, FROM_NOWHERE)
    }

    /// A search that starts from all goals of a cluster, which are in the set
    /// already.
    pub fn from_all_goals(
        slides: &'a Slides,
        bounds: Bounds<'a>,
        reserved: Reserved,
        set: KeySet,
        goals: Vec<Key>,
    ) -> Result<Search<'a>, ClusterError> {
        Search::new(slides, bounds, reserved, set, goals, FROM_ALL_GOALS)
    }

    fn new(
        slides: &'a Slides,
        bounds: Bounds<'a>,
        mut reserved: Reserved,
        set: KeySet,
        queue: Vec<Key>,
        first: Via,
    ) -> Result<Search<'a>, ClusterError> {
        let mut via = Vec::new();
        // As many as the queue has room for, so that they grow together.
        reserved.grow_to(&mut via, queue.capacity())?;
        via.resize(queue.len(), first);
        let levels = vec![0, queue.len()];
        Ok(Search { slides, bounds, reserved, set, queue, via, levels })
    }

    /// Number of the newest level: the distance of its boards.
    pub fn depth(&self) -> usize {
        self.levels.len() - 2
    }

    /// Finds the boards one level further. `found` sees the slot and the key
    /// of each and may break off. Returns whether it did.
    pub fn next_level(
        &mut self,
        mut found: impl FnMut(usize, Key) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ClusterError> {
        let mut batch = Batch::new();
        let level = self.levels[self.depth()]..self.queue.len();
        let mut next = level.start;
        while next < level.end {
            batch.clear();
            while next < level.end && batch.len < BATCH {
                let (key, via) = (self.queue[next], self.via[next]);
                self.slides.for_each_new(key, via, |k, v| batch.push(k, v));
                next += 1;
            }

            if self.bounds.observer.wants_stop() {
                return Err(ClusterError::Stopped);
            }
            self.set.reserve(batch.len, &mut self.reserved)?;
            self.reserved.grow(&mut self.queue, batch.len)?;
            self.reserved.grow(&mut self.via, batch.len)?;
            // Loads that do not wait for each other: memory answers many at
            // once. Most keys are known and fall out here without a branch.
            batch.retain(|key| !self.set.is_at_home(key));
            for (&key, &via) in batch.iter() {
                if let Put::New { slot } = self.set.put(key) {
                    self.queue.push(key);
                    self.via.push(via);
                    if found(slot, key).is_break() {
                        self.levels.push(self.queue.len());
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            if self.queue.len() > self.bounds.boards {
                return Err(ClusterError::TooLarge { limit: self.bounds.boards });
            }
        }
        self.levels.push(self.queue.len());
        Ok(ControlFlow::Continue(()))
    }

    /// Did the last level bring nothing new?
    pub fn is_done(&self) -> bool {
        self.levels[self.depth()] == self.queue.len()
    }

    /// The boards from a source to the newest one, both included.
    ///
    /// The parent's key is known and it stands one level earlier, so a scan
    /// of that level finds it: each level is scanned once, and no parent
    /// links have to be kept.
    pub fn path_to_newest(&self) -> Vec<Key> {
        let mut index = self.queue.len() - 1;
        let mut path = vec![self.queue[index]];
        for depth in (0..self.depth()).rev() {
            let parent = parent(self.queue[index], self.via[index]);
            let (start, end) = (self.levels[depth], self.levels[depth + 1]);
            index = start
                + (self.queue[start..end].iter())
                    .position(|&key| key == parent)
                    .expect("a parent stands one level earlier");
            path.push(parent);
        }
        path.reverse();
        path
    }
}

/// The board before the slide that first reached this one.
#[inline]
pub(super) fn parent(key: Key, via: Via) -> Key {
    let shift = 4 * (via >> 4);
    key & !(15 << shift) | Key::from(via & 15) << shift
}

/// Neighbours that wait to be looked up.
struct Batch {
    keys: [Key; BATCH_ROOM],
    vias: [Via; BATCH_ROOM],
    len: usize,
}

impl Batch {
    fn new() -> Batch {
        Batch { keys: [0; BATCH_ROOM], vias: [0; BATCH_ROOM], len: 0 }
    }

    fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    fn push(&mut self, key: Key, via: Via) {
        self.keys[self.len] = key;
        self.vias[self.len] = via;
        self.len += 1;
    }

    #[inline]
    fn retain(&mut self, keep: impl Fn(Key) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let (key, via) = (self.keys[index], self.vias[index]);
            self.keys[kept] = key;
            self.vias[kept] = via;
            kept += usize::from(keep(key));
        }
        self.len = kept;
    }

    fn iter(&self) -> impl Iterator<Item = (&Key, &Via)> {
        self.keys[..self.len].iter().zip(&self.vias[..self.len])
    }
}
