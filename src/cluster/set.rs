//! A set of keys: open addressing, linear probing, one multiplication a hash.
//!
//! The slot is the *high* part of the product, so growing walks the old and
//! the new slots in the same order, at the speed of memory.

use super::ClusterError;
use super::bounds::Reserved;
use super::family::Key;

/// Slots from which on the set only doubles: 8 MB.
const QUICK_GROWTH: usize = 1 << 20;

/// An empty slot. Keys are stored inverted, since no key is all ones (see
/// [`family`](super::family)) and fresh memory comes as zeros from the system.
const EMPTY: u64 = 0;

#[derive(Clone, Debug)]
pub(super) struct KeySet {
    slots: Vec<u64>,
    shift: u32,
    len: usize,
}

/// What became of a key that was to be put in.
pub(super) enum Put {
    New { slot: usize },
    Known,
}

impl KeySet {
    /// A set with room for this many keys.
    pub fn with_room(keys: usize, reserved: &mut Reserved) -> Result<KeySet, ClusterError> {
        let slots = (keys * 8 / 5 + 1).next_power_of_two();
        Ok(KeySet { slots: reserved.zeros(slots)?, shift: 64 - slots.trailing_zeros(), len: 0 })
    }

    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// An empty set with room for this many keys, in the same memory if that
    /// is large enough.
    pub fn emptied(mut self, keys: usize, reserved: &mut Reserved) -> Result<KeySet, ClusterError> {
        if keys * 8 > self.slots.len() * 5 {
            reserved.give_back::<u64>(self.slots.len());
            drop(self);
            return KeySet::with_room(keys, reserved);
        }
        self.slots.fill(EMPTY);
        self.len = 0;
        Ok(self)
    }

    /// Makes sure that this many more keys fit. At most 5 of 8 slots are
    /// taken, so a probe ends after two or three slots.
    #[inline]
    pub fn reserve(&mut self, more: usize, reserved: &mut Reserved) -> Result<(), ClusterError> {
        while (self.len + more) * 8 > self.slots.len() * 5 {
            self.grow(reserved)?;
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self, reserved: &mut Reserved) -> Result<(), ClusterError> {
        // Small sets grow fast, to be copied less often.
        let doublings = if self.slots.len() < QUICK_GROWTH { 2 } else { 1 };
        let slots = reserved.zeros(self.slots.len() << doublings)?;
        let old = std::mem::replace(&mut self.slots, slots);
        self.shift -= doublings;
        self.len = 0;
        for &stored in old.iter().filter(|&&stored| stored != EMPTY) {
            self.put(!stored);
        }
        reserved.give_back::<u64>(old.len());
        Ok(())
    }

    /// Is the key in the slot where the probe for it starts?
    #[inline]
    pub fn is_at_home(&self, key: Key) -> bool {
        self.slots[self.home(key)] == !key
    }

    /// Puts a key in. There must be room: see [`reserve`](KeySet::reserve).
    #[inline]
    pub fn put(&mut self, key: Key) -> Put {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(key);
        loop {
            let found = self.slots[slot];
            if found == !key {
                return Put::Known;
            }
            if found == EMPTY {
                self.slots[slot] = !key;
                self.len += 1;
                return Put::New { slot };
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The slot of a key that is in the set.
    pub fn find(&self, key: Key) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(key);
        loop {
            match self.slots[slot] {
                found if found == !key => return Some(slot),
                EMPTY => return None,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    #[inline]
    fn home(&self, key: Key) -> usize {
        let product = u128::from(key ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
        ((product as u64 ^ (product >> 64) as u64) >> self.shift) as usize
    }
}
