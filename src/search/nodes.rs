//! The states that a search has met, each with the way to it.

use std::hash::Hash;
use std::mem::size_of;

use rustc_hash::FxHashMap;

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
    numbers: FxHashMap<S, u32>,
    nodes: Vec<Node<S, T>>,
}

/// More than one expansion brings. The store grows early, so that a limit on
/// memory is seen first.
const ROOM: usize = 1 << 12;

impl<S: Copy + Eq + Hash, T: Copy> Nodes<S, T> {
    pub fn new() -> Nodes<S, T> {
        Nodes { numbers: FxHashMap::default(), nodes: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of a state, if it was met before; otherwise it is added.
    #[inline]
    pub fn meet(&mut self, state: S, add: impl FnOnce() -> Node<S, T>) -> Met {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.nodes.push(add());
            Met::New(number)
        } else {
            Met::Before(number)
        }
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

    /// Bytes in use, or needed for a moment to grow if that is near.
    pub fn bytes(&self) -> usize {
        if self.nodes.len() + ROOM >= u32::MAX as usize {
            return usize::MAX;
        }
        // Old and doubled, while one is copied into the other.
        let grown = |bytes: usize, capacity: usize| match self.nodes.len() + ROOM < capacity {
            true => bytes,
            false => 3 * bytes,
        };
        let slots = self.numbers.capacity() * 8 / 7 * (size_of::<(S, u32)>() + 1);
        let nodes = self.nodes.capacity() * size_of::<Node<S, T>>();
        grown(slots, self.numbers.capacity()) + grown(nodes, self.nodes.capacity())
    }
}

/// Was a state met before? Its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    New(u32),
    Before(u32),
}
