//! The states that a search has met, each with the way to it.
//!
//! A hash table of our own: open addressing, linear probing, and the cost of
//! each state in its slot. On the 40 cards seven of eight generated nodes are
//! states that were met before on a way that is no dearer; most of these stand in
//! the first slot that is looked at, so they are told from the others without a
//! branch ([`Nodes::is_plainly_known`]). The standard library's table offers no
//! such look.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use super::limits::list_bytes;

/// A state and how it was reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<S, T> {
    pub state: S,
    /// The start is its own parent.
    pub parent: u32,
    /// Of the cheapest way found so far.
    pub cost: u32,
    /// What else the algorithm keeps.
    pub more: T,
}

/// Numbered in the order in which they were met.
pub(super) struct Nodes<S, T> {
    slots: Vec<Slot<S>>,
    nodes: Vec<Node<S, T>>,
}

#[derive(Clone, Copy)]
struct Slot<S> {
    state: S,
    number: u32,
    cost: u32,
}

/// The number of an empty slot, which holds some state all the same.
const EMPTY: u32 = u32::MAX;
/// The most nodes: each has a number. Tests would have to wait for them.
const MOST: usize = if cfg!(test) { 100_000 } else { EMPTY as usize };
/// Slots of a new table: it fits the innermost cache.
const FIRST_SLOTS: usize = 1 << 10;
/// Slots up to which the table grows fast, to be copied less often.
const QUICK_GROWTH: usize = 1 << 16;

/// What is known of a state that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// It is new, and has this number.
    New(u32),
    /// It has this number, and this way is cheaper than any before. It is not
    /// stored: see [`Nodes::redirect`].
    Cheaper(u32),
    /// It was reached as cheaply before.
    Known,
}

impl<S: Copy + Eq + Hash, T: Copy> Nodes<S, T> {
    /// Only the start has been met.
    pub fn new(start: S, more: T) -> Nodes<S, T> {
        let empty = Slot { state: start, number: EMPTY, cost: 0 };
        let mut nodes = Nodes { slots: vec![empty; FIRST_SLOTS], nodes: Vec::new() };
        nodes.meet(start, 0, 0, more);
        nodes
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is the state known at no higher cost, and in the first slot to look at?
    #[inline]
    pub fn is_plainly_known(&self, state: &S, cost: u32) -> bool {
        let slot = &self.slots[self.home(state)];
        (slot.state == *state) & (slot.cost <= cost) & (slot.number != EMPTY)
    }

    /// Meets a state at this cost; a new one is stored.
    #[inline(always)]
    pub fn meet(&mut self, state: S, parent: u32, cost: u32, more: T) -> Visit {
        if is_full(self.nodes.len(), self.slots.len()) {
            self.grow();
        }
        let slot = self.find(&state);
        let Slot { number, cost: before, .. } = self.slots[slot];
        if number == EMPTY {
            let number = self.nodes.len() as u32;
            self.slots[slot] = Slot { state, number, cost };
            self.nodes.push(Node { state, parent, cost, more });
            return Visit::New(number);
        }
        if cost < before { Visit::Cheaper(number) } else { Visit::Known }
    }

    /// Takes a cheaper way to a state down.
    pub fn redirect(&mut self, number: u32, parent: u32, cost: u32) {
        let node = &mut self.nodes[number as usize];
        (node.parent, node.cost) = (parent, cost);
        let slot = self.find(&self.nodes[number as usize].state);
        self.slots[slot].cost = cost;
    }

    #[inline]
    pub fn get(&mut self, number: u32) -> &mut Node<S, T> {
        &mut self.nodes[number as usize]
    }

    /// The states from the start to this one.
    pub fn path(&self, mut number: u32) -> Vec<S> {
        let mut path = vec![self.nodes[number as usize].state];
        while number != self.nodes[number as usize].parent {
            number = self.nodes[number as usize].parent;
            path.push(self.nodes[number as usize].state);
        }
        path.reverse();
        path
    }

    /// The bytes it takes if so many more come; `None` if they have no numbers.
    pub fn bytes(&self, more: usize) -> Option<usize> {
        let len = self.nodes.len() + more;
        let (mut old, mut slots) = (0, self.slots.len());
        while is_full(len, slots) {
            (old, slots) = (slots, grown(slots));
        }
        (len <= MOST).then(|| (old + slots) * size_of::<Slot<S>>() + list_bytes(&self.nodes, more))
    }

    /// The slot of a state, or the empty one where it belongs.
    #[inline]
    fn find(&self, state: &S) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.home(state);
        while self.slots[slot].number != EMPTY && self.slots[slot].state != *state {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline]
    fn home(&self, state: &S) -> usize {
        FxBuildHasher.hash_one(state) as usize & (self.slots.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let empty = Slot { number: EMPTY, ..self.slots[0] };
        let fresh = vec![empty; grown(self.slots.len())];
        let old = std::mem::replace(&mut self.slots, fresh);
        for taken in old.into_iter().filter(|slot| slot.number != EMPTY) {
            let slot = self.find(&taken.state);
            self.slots[slot] = taken;
        }
    }
}

/// Has a table of so many slots no room for another node?
#[inline]
fn is_full(nodes: usize, slots: usize) -> bool {
    nodes * 8 >= slots * 5
}

fn grown(slots: usize) -> usize {
    slots * if slots < QUICK_GROWTH { 4 } else { 2 }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::MOST;
    use crate::search::{Algorithm, Blind, Domain, Limits, Stop, Verdict, run};

    /// Every number leads to so many others.
    struct Numbers(u64);

    impl Domain for Numbers {
        type State = u64;
        type Action = ();

        fn is_goal(&self, _: &u64) -> bool {
            false
        }

        fn for_each_successor(&self, &number: &u64, mut visit: impl FnMut(u64, NonZeroU32)) {
            (1..=self.0).for_each(|digit| visit(number * self.0 + digit, NonZeroU32::MIN));
        }

        fn action(&self, _: &u64, _: &u64) {}

        fn has_unit_costs(&self) -> bool {
            true
        }
    }

    /// It was a limit of searches with a limit of memory alone; others would
    /// have given a number twice.
    #[test]
    fn states_without_a_number_end_a_search() {
        for branching in [2, 5_000, 1_000_000] {
            for algorithm in [Algorithm::BreadthFirst, Algorithm::A_STAR] {
                let Ok(report) = run(algorithm, &Numbers(branching), 0, &mut Blind, &Limits::default());
                assert!(matches!(report.verdict, Verdict::Stopped { reason: Stop::States, .. }));
                assert!((MOST as u64 - 5_000..=MOST as u64).contains(&report.counts.stored), "{report:?}");
            }
        }
    }
}
