//! The columns of numbers once more, as plain bytes.
//!
//! SQLite looks at 400,000 rows of an index that holds all these columns in 25
//! to 55 ms, and most questions cannot use the order of any index. As bytes a
//! column is read and compared in a fraction of a millisecond, and it has
//! checksums besides, which an index has not (`docs/performance.md`). It is cut
//! into chunks, so that they fit the cache and reuse the same memory: for whole
//! columns the system spent more time on fresh pages than we on the numbers.

use rusqlite::Connection;

use super::{Column, Puzzle};

/// Puzzles in a chunk; the last one may have fewer.
pub const CHUNK: usize = 8_192;

/// Gathers the columns, puzzle by puzzle.
#[derive(Debug, Default)]
pub struct Gather {
    /// One list for each column; those of columns that are no numbers stay empty.
    columns: [Vec<u64>; Column::ALL.len()],
}

impl Gather {
    pub fn add(&mut self, puzzle: &Puzzle) {
        for column in Column::numbers() {
            self.columns[column as usize].push(puzzle.key(column));
        }
    }

    /// Adds the columns of the puzzles after these.
    pub fn append(&mut self, mut more: Gather) {
        for (column, more) in self.columns.iter_mut().zip(&mut more.columns) {
            column.append(more);
        }
    }

    /// The keys of one column, by rising id.
    pub fn keys(&self, column: Column) -> &[u64] {
        &self.columns[column as usize]
    }

    pub fn write(&self, db: &Connection) -> rusqlite::Result<()> {
        let mut insert = db.prepare(
            "INSERT INTO packed_columns (name, chunk, bytes_per_puzzle, checksum, cells) VALUES (?, ?, ?, ?, ?)",
        )?;
        for column in Column::numbers() {
            for (chunk, keys) in self.keys(column).chunks(CHUNK).enumerate() {
                let packed = Packed::of(keys);
                let checksum = checksum(column, chunk, packed.width, &packed.cells);
                insert.execute((column.name(), chunk, packed.width, checksum, packed.cells))?;
            }
        }
        Ok(())
    }
}

/// A chunk of a column: the keys of neighbouring puzzles, by rising id.
#[derive(Debug, PartialEq, Eq)]
pub struct Packed {
    /// Bytes of a key, 1 to 8, the least first.
    width: usize,
    cells: Vec<u8>,
}

impl Packed {
    /// Packs keys into as few bytes each as the largest needs.
    pub fn of(keys: &[u64]) -> Packed {
        let most = keys.iter().max().map_or(1, |&most| most.max(1));
        let width = most.ilog2() as usize / 8 + 1;
        Packed {
            width,
            cells: keys.iter().flat_map(|key| key.to_le_bytes().into_iter().take(width)).collect(),
        }
    }

    /// A chunk of so many keys as it was stored; nothing if it was changed, or
    /// is the chunk of another place.
    pub fn new(
        (column, chunk): (Column, usize),
        width: usize,
        stored: u32,
        cells: &[u8],
        keys: usize,
    ) -> Option<Packed> {
        let fits = (1..=8).contains(&width) && cells.len() == width * keys;
        let is_right = fits && checksum(column, chunk, width, cells) == stored;
        is_right.then(|| Packed { width, cells: cells.to_vec() })
    }

    /// All keys.
    pub fn keys(&self) -> Vec<u64> {
        self.map(|key| key)
    }

    /// Leaves those in `kept` whose key passes.
    pub fn keep(&self, kept: &mut [bool], passes: impl Fn(u64) -> bool) {
        for (kept, passes) in kept.iter_mut().zip(self.map(passes)) {
            *kept &= passes;
        }
    }

    fn map<T>(&self, of: impl Fn(u64) -> T) -> Vec<T> {
        // A width that the compiler knows makes the loops fast.
        match self.width {
            1 => self.map_width::<1, T>(of),
            2 => self.map_width::<2, T>(of),
            3 => self.map_width::<3, T>(of),
            4 => self.map_width::<4, T>(of),
            5 => self.map_width::<5, T>(of),
            6 => self.map_width::<6, T>(of),
            7 => self.map_width::<7, T>(of),
            _ => self.map_width::<8, T>(of),
        }
    }

    fn map_width<const WIDTH: usize, T>(&self, of: impl Fn(u64) -> T) -> Vec<T> {
        let number = |bytes: &[u8; WIDTH]| {
            let mut all = [0; 8];
            all[..WIDTH].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        };
        self.cells.as_chunks::<WIDTH>().0.iter().map(|bytes| of(number(bytes))).collect()
    }
}

/// The checksum of a chunk and of what it is. An index of SQLite has no
/// checksum, so a damaged one may lead to another chunk.
fn checksum(column: Column, chunk: usize, width: usize, cells: &[u8]) -> u32 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(column.name().as_bytes());
    hash.update(&(chunk as u64).to_le_bytes());
    hash.update(&[width as u8]);
    hash.update(cells);
    hash.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_every_width_come_back() {
        for width in 1..=8 {
            for most in [1 << (8 * (width - 1)), u64::MAX >> (64 - 8 * width)] {
                let keys = [1, most, 0, most / 2];
                let packed = Packed::of(&keys);
                assert_eq!((packed.width, packed.keys()), (width, keys.to_vec()));
                let mut kept = [true, true, false, true];
                packed.keep(&mut kept, |key| key == most);
                assert_eq!(kept, [1 == most, true, false, false]);
            }
        }
        assert_eq!(Packed::of(&[0, 0]).width, 1);
    }

    #[test]
    fn a_changed_chunk_is_none() {
        let Packed { width, cells } = Packed::of(&[1, 300]);
        let place = (Column::Moves, 3);
        let stored = checksum(place.0, place.1, width, &cells);
        assert!(Packed::new(place, width, stored, &cells, 2).is_some());
        assert!(Packed::new(place, width, stored, &cells, 1).is_none());
        assert!(Packed::new(place, 4, stored, &cells, 1).is_none());
        assert!(Packed::new(place, 0, stored, &cells, 2).is_none());
        assert!(Packed::new(place, width, stored ^ 1, &cells, 2).is_none());
        assert!(Packed::new((Column::Steps, 3), width, stored, &cells, 2).is_none(), "another column");
        assert!(Packed::new((Column::Moves, 2), width, stored, &cells, 2).is_none(), "another chunk");
    }
}
