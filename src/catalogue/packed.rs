//! The columns of numbers once more, each as one run of bytes.
//!
//! SQLite looks at 400,000 rows of an index that holds all these columns in 25
//! to 55 ms, and most questions cannot use the order of any index. As plain
//! bytes a column is read and compared in a fraction of a millisecond, and it
//! has a checksum besides, which an index has not (`docs/performance.md`).

use std::path::Path;

use rusqlite::Connection;

use super::{CatalogueError, Column, Puzzle};

/// Gathers the columns, puzzle by puzzle.
#[derive(Debug, Default)]
pub struct Gather {
    columns: [Vec<u64>; Column::ALL.len()],
}

impl Gather {
    pub fn add(&mut self, puzzle: &Puzzle) {
        for (keys, column) in self.columns.iter_mut().zip(Column::ALL) {
            keys.push(column.key(puzzle));
        }
    }

    pub fn write(&self, db: &Connection) -> rusqlite::Result<()> {
        let mut insert = db.prepare(
            "INSERT INTO packed_columns (name, bytes_per_puzzle, checksum, cells) VALUES (?, ?, ?, ?)",
        )?;
        for (keys, column) in self.columns.iter().zip(Column::ALL) {
            let packed = Packed::of(keys);
            let checksum = crc32fast::hash(&packed.cells);
            insert.execute((column.name(), packed.width as i64, checksum, packed.cells))?;
        }
        Ok(())
    }
}

/// One column: the key of every puzzle, by rising id.
#[derive(Debug, PartialEq, Eq)]
pub struct Packed {
    /// Bytes of a key: 1, 2, 4 or 8, the least first.
    width: usize,
    cells: Vec<u8>,
}

impl Packed {
    /// Packs keys into as few bytes each as the largest needs.
    pub fn of(keys: &[u64]) -> Packed {
        let width = match keys.iter().max().unwrap_or(&0) {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xffff_ffff => 4,
            _ => 8,
        };
        Packed {
            width,
            cells: keys.iter().flat_map(|key| key.to_le_bytes().into_iter().take(width)).collect(),
        }
    }

    /// Reads the column of a catalogue with so many puzzles.
    pub fn load(
        db: &Connection,
        path: &Path,
        column: Column,
        puzzles: usize,
    ) -> Result<Packed, CatalogueError> {
        let sqlite = |error| CatalogueError::sqlite(path, error);
        let mut select = db
            .prepare("SELECT bytes_per_puzzle, checksum, cells FROM packed_columns WHERE name = ?")
            .map_err(sqlite)?;
        let (width, checksum, cells) = select
            .query_row([column.name()], |row| {
                Ok((row.get::<_, u32>(0)? as usize, row.get::<_, u32>(1)?, row.get::<_, Vec<u8>>(2)?))
            })
            .map_err(sqlite)?;
        let fits = [1, 2, 4, 8].contains(&width) && cells.len() == width * puzzles;
        if !fits || crc32fast::hash(&cells) != checksum {
            return Err(CatalogueError::damaged(
                path,
                format!("the packed column {column} is not as written"),
            ));
        }
        Ok(Packed { width, cells })
    }

    /// The key of one puzzle.
    #[inline]
    pub fn key(&self, index: usize) -> u64 {
        match self.width {
            1 => self.cells[index].into(),
            2 => self.key_of::<2>(index),
            4 => self.key_of::<4>(index),
            _ => self.key_of::<8>(index),
        }
    }

    #[inline]
    fn key_of<const WIDTH: usize>(&self, index: usize) -> u64 {
        number(&self.cells.as_chunks::<WIDTH>().0[index])
    }

    /// Has any puzzle this key?
    pub fn contains(&self, key: u64) -> bool {
        (0..self.cells.len() / self.width).any(|index| self.key(index) == key)
    }

    /// Leaves those in `kept` whose key passes.
    pub fn keep(&self, kept: &mut [bool], passes: impl Fn(u64) -> bool) {
        match self.width {
            1 => self.keep_of::<1>(kept, passes),
            2 => self.keep_of::<2>(kept, passes),
            4 => self.keep_of::<4>(kept, passes),
            _ => self.keep_of::<8>(kept, passes),
        }
    }

    fn keep_of<const WIDTH: usize>(&self, kept: &mut [bool], passes: impl Fn(u64) -> bool) {
        for (kept, bytes) in kept.iter_mut().zip(self.cells.as_chunks::<WIDTH>().0) {
            *kept &= passes(number(bytes));
        }
    }
}

#[inline]
fn number<const WIDTH: usize>(bytes: &[u8; WIDTH]) -> u64 {
    let mut all = [0; 8];
    all[..WIDTH].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_every_width_come_back() {
        for most in [0, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, u64::MAX] {
            let keys = [1, most, 0, most / 2];
            let packed = Packed::of(&keys);
            assert!((0..4).all(|i| packed.key(i) == keys[i]), "{most}");
            let mut kept = [true, true, false, true];
            packed.keep(&mut kept, |key| key == most);
            assert_eq!(kept, [1 == most, true, false, most / 2 == most]);
        }
    }
}
