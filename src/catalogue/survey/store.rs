//! The packed distances of signatures that were searched, for look-ups in memory.
//!
//! Whether a board needs a horizontal vehicle is a look-up in a signature with that
//! vehicle less, which has a lower number: a survey of one signature after the other
//! has searched it before. So every signature is packed when it is searched and
//! kept. What is not there, because a build was interrupted or does a part of the
//! signatures, is searched, too, where that is cheaper than another way
//! (`removal`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::space::{SignatureId, SpaceId};
use crate::table::Packed;

/// Bytes kept: all signatures of 6×6 without walls take less.
pub const MOST_STORED: u64 = 768 << 20;

/// Signatures of the space before that stay while the first of the next one come:
/// threads are not further apart than that.
const OF_OTHERS: usize = 8_192;

/// A signature of a space.
type Key = (SpaceId, SignatureId);

/// Packed distances that threads share.
#[derive(Debug, Default)]
pub struct Store {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    kept: BTreeMap<Key, Arc<Packed>>,
    /// The keys in the order they came.
    order: VecDeque<Key>,
    bytes: usize,
    /// Signatures that some thread is searching.
    in_work: BTreeSet<Key>,
}

/// A signature that this thread searches. The others wait for it no longer than it
/// lives.
pub struct InWork<'s> {
    store: &'s Store,
    key: Key,
}

/// What a store has to say of a signature.
pub enum Found<'s> {
    /// It is there.
    Kept(Arc<Packed>),
    /// Nobody has searched it.
    Missing(Missing<'s>),
}

/// A signature that is not there, and will not be until this goes.
pub struct Missing<'s> {
    state: MutexGuard<'s, State>,
    key: Key,
    store: &'s Store,
}

impl<'s> Missing<'s> {
    /// This thread searches it. The others wait for it.
    pub fn begin(mut self) -> InWork<'s> {
        self.state.in_work.insert(self.key);
        InWork { store: self.store, key: self.key }
    }
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A signature that was searched, as soon as nobody is searching it. If there is
    /// none, whoever asks may say that it will be here soon.
    pub fn get(&self, space: SpaceId, id: SignatureId) -> Found<'_> {
        let key = (space, id);
        let mut state = self.lock();
        while state.in_work.contains(&key) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match state.kept.get(&key) {
            Some(packed) => Found::Kept(packed.clone()),
            None => Found::Missing(Missing { state, key, store: self }),
        }
    }

    /// Keeps a signature. Forgets the oldest while there are too many bytes, or too
    /// many signatures of spaces before this one.
    fn put(&self, key: Key, packed: &Arc<Packed>) {
        let mut state = self.lock();
        state.bytes += packed.bytes();
        state.order.push_back(key);
        state.kept.insert(key, packed.clone());
        let is_old = |state: &State| {
            let spaces = state.order.front().map(|oldest| oldest.0) != Some(key.0);
            state.bytes as u64 > MOST_STORED || spaces && state.order.len() > OF_OTHERS
        };
        while is_old(&state) {
            let Some(oldest) = state.order.pop_front() else { break };
            if let Some(packed) = state.kept.remove(&oldest) {
                state.bytes -= packed.bytes();
            }
        }
    }
}

impl InWork<'_> {
    /// It is searched: this is it.
    pub fn done(self, packed: Packed) -> Arc<Packed> {
        let packed = Arc::new(packed);
        self.store.put(self.key, &packed);
        packed
    }
}

impl Drop for InWork<'_> {
    fn drop(&mut self) {
        self.store.lock().in_work.remove(&self.key);
        self.store.changed.notify_all();
    }
}
