//! What was opened stays open: a list that grows behind a shared reference.

use std::sync::OnceLock;

/// Values by key that stay where they are as long as the list lives, so that
/// all threads may keep references to them. Looking one up takes no lock.
#[derive(Debug)]
pub(super) struct Kept<K, T> {
    first: OnceLock<Box<Slot<K, T>>>,
}

#[derive(Debug)]
struct Slot<K, T> {
    key: K,
    value: T,
    rest: Kept<K, T>,
}

impl<K, T> Default for Kept<K, T> {
    fn default() -> Kept<K, T> {
        Kept { first: OnceLock::new() }
    }
}

impl<K: PartialEq, T> Kept<K, T> {
    /// What is kept under a key, or else what `make` gives. Threads that come
    /// at the same time may both make it; one value is kept. An error is not.
    pub fn get_or_make<E>(&self, key: K, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let mut at = self;
        while let Some(entry) = at.first.get() {
            if entry.key == key {
                return Ok(&entry.value);
            }
            at = &entry.rest;
        }
        Ok(at.add(Box::new(Slot { key, value: make()?, rest: Kept::default() })))
    }

    fn add(&self, entry: Box<Slot<K, T>>) -> &T {
        let mut mine = Some(entry);
        let first = self.first.get_or_init(|| mine.take().expect("asked once"));
        match mine {
            Some(mine) if mine.key != first.key => first.rest.add(mine),
            _ => &first.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_agree_on_what_is_kept() {
        let kept: Kept<u32, u32> = Kept::default();
        let ask = |thread: u32| {
            let found = (0..50).map(|key| kept.get_or_make(key, || Ok::<_, ()>(key * 100 + thread)));
            found.map(|value| value.unwrap() as *const u32 as usize).collect::<Vec<_>>()
        };
        let found: Vec<Vec<usize>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || ask(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(found.iter().all(|places| *places == found[0]));
        for key in 0..50 {
            let value = kept.get_or_make(key, || Err("made again"));
            assert_eq!(value.map(|value| value / 100), Ok(key));
        }
        assert_eq!(kept.get_or_make(50, || Err("refused")), Err("refused"));
        assert_eq!(kept.get_or_make(50, || Ok::<_, ()>(1)), Ok(&1));
    }
}
