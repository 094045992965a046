//! Memory for long lists that are used again and again, and read and written at random.
//!
//! The system hands out memory in small pages, and a machine that jumps about in many
//! megabytes of them spends much of its time finding pages. Linux has large ones for
//! those who ask; `docs/algorithm.md` tells what they are worth.

/// Makes room in a list for so many in all, in large pages where the system has them.
pub fn make_room<T>(list: &mut Vec<T>, len: usize) {
    if list.capacity() < len {
        if list.is_empty() {
            // Nothing is to be kept, but growing would copy what the memory held last.
            *list = Vec::new();
        }
        list.reserve(len - list.len());
        ask_for_large_pages(list);
    }
}

/// No list keeps more bytes than this while it is empty: fresh memory comes page by page
/// from the system, which takes time, but the largest signatures are few.
const MOST_KEPT: usize = 64 << 20;

/// Empties a list that is soon filled again.
pub fn empty<T>(list: &mut Vec<T>) {
    list.clear();
    list.shrink_to(MOST_KEPT / size_of::<T>());
}

/// Makes a list so long, for one who overwrites all of it: what it holds is anything.
pub fn make_long(list: &mut Vec<u8>, len: usize) {
    if list.capacity() < len || list.capacity() > MOST_KEPT {
        empty(list);
        make_room(list, len);
    }
    list.resize(len, 0);
}

// Miri cannot call the system.
#[cfg(all(target_os = "linux", not(miri)))]
fn ask_for_large_pages<T>(list: &mut Vec<T>) {
    const LARGE: usize = 2 << 20;
    let room = list.spare_capacity_mut();
    let (start, bytes) = (room.as_mut_ptr().cast::<u8>(), size_of_val(room));
    let skipped = start.align_offset(LARGE);
    let pages = bytes.saturating_sub(skipped) / LARGE;
    if pages > 0 {
        // SAFETY: the pages are within the list's memory, and this advice changes nothing of
        // what they hold. Whether it is taken does not matter.
        unsafe { libc::madvise(start.add(skipped).cast(), pages * LARGE, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(any(not(target_os = "linux"), miri))]
fn ask_for_large_pages<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_and_nothing_is_lost() {
        let mut list = vec![7u64, 8, 9];
        for len in [1, 1_000, 3 << 20] {
            make_room(&mut list, len);
            assert!(list.capacity() >= len);
            assert_eq!(list, [7, 8, 9]);
        }
        list.resize(3 << 20, 1);
        assert_eq!(list.iter().sum::<u64>(), 24 + (3 << 20) - 3);
        let most = MOST_KEPT / size_of::<u64>();
        make_room(&mut list, most + 5);
        empty(&mut list);
        assert!(list.is_empty() && (3 << 20..=most).contains(&list.capacity()));
    }

    #[test]
    fn no_more_is_kept_than_is_needed() {
        let mut list = Vec::new();
        for len in [3, MOST_KEPT + 5, 7, 0, MOST_KEPT, 9] {
            make_long(&mut list, len);
            assert_eq!(list.len(), len);
            assert!((len..=MOST_KEPT.max(len)).contains(&list.capacity()));
        }
    }
}
