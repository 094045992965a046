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
    /// Signatures that some thread decides about or searches.
    in_work: BTreeSet<Key>,
}

/// A signature that this thread decides about, or searches. Others who ask for it wait
/// no longer than it lives; who asks for another one does not wait.
pub struct InWork<'s> {
    store: &'s Store,
    key: Key,
}

/// What a store has for a signature.
pub enum Lookup<'s> {
    /// It is there.
    Kept(Arc<Packed>),
    /// Nobody has searched it: it is for this thread to do so, or to drop this.
    Missing(InWork<'s>),
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A signature that was searched, as soon as no other thread is at it.
    pub fn get(&self, space: SpaceId, id: SignatureId) -> Lookup<'_> {
        let key = (space, id);
        let mut state = self.lock();
        while state.in_work.contains(&key) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        match state.kept.get(&key) {
            Some(packed) => Lookup::Kept(packed.clone()),
            None => {
                state.in_work.insert(key);
                Lookup::Missing(InWork { store: self, key })
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards the speed on many threads: what one thread lays out and searches must not
    /// keep others from asking for something else.
    #[test]
    fn a_missing_signature_keeps_nobody_from_another() {
        let store = Store::default();
        let four = SpaceId::of_size(4);
        let Lookup::Missing(first) = store.get(four, SignatureId(0)) else { panic!("nothing is kept") };
        assert!(store.state.try_lock().is_ok(), "the lock is free while the signature is laid out");
        let Lookup::Missing(second) = store.get(four, SignatureId(1)) else { panic!("nothing is kept") };
        drop((first, second));
        assert!(matches!(store.get(four, SignatureId(0)), Lookup::Missing(_)), "nobody is at it now");
    }
}
