//! A census kept beside its table: counting 6×6 takes many seconds, reading this a
//! few milliseconds.
//!
//! Sixteen bytes of head, the least byte first: `TBCENSUS`, the checksum of the
//! table's index, the checksum of what follows. Then one zstd frame: the length of
//! the table's file (eight bytes), and for each signature how many counts it has
//! (two bytes) and the counts (four bytes each). Whatever does not fit the table is
//! counted and written anew, so the file may be deleted at any time.

use std::io::Read;
use std::path::Path;

use super::Census;
use crate::files;
use crate::progress::{Count, Observer};
use crate::table::{Table, TableError};

const MAGIC: &[u8; 8] = b"TBCENSUS";
const LEVEL: i32 = 9;
/// What a file can hold at most: every signature of 6×6 with every distance.
const LONGEST: u64 = 1 << 28;

impl Census {
    /// The census of a table, from the file beside it if that is there and fits;
    /// otherwise it is taken, and kept for the next time if the folder can be
    /// written to. Nothing is the result if the observer stops it.
    pub fn kept(table: &Table, observer: &dyn Observer) -> Result<Option<Census>, TableError> {
        let path = table.path().map(|path| files::beside(path, ".census"));
        if let Some(census) = path.as_deref().and_then(|path| read(path, table)) {
            // Whoever adds it to other work takes it for done.
            Count::new(observer, "boards", table.header().boards).add(table.header().boards);
            return Ok(Some(census));
        }
        let census = Census::take(table, observer)?;
        if let (Some(path), Some(census)) = (&path, &census) {
            // A folder that takes no file is no reason to fail.
            let _ = files::write_whole(path, &bytes(census, table));
        }
        Ok(census)
    }
}

fn bytes(census: &Census, table: &Table) -> Vec<u8> {
    let mut plain = table.header().file_len.to_le_bytes().to_vec();
    for ends in census.starts.windows(2) {
        plain.extend(((ends[1] - ends[0]) as u16).to_le_bytes());
        let counts = &census.counts[ends[0] as usize..ends[1] as usize];
        plain.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    }
    let packed = zstd::bulk::compress(&plain, LEVEL).expect("memory takes all bytes");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(table.header().index_checksum.to_le_bytes());
    bytes.extend(crc32fast::hash(&packed).to_le_bytes());
    bytes.extend(packed);
    bytes
}

/// Nothing if the file is not there, or not whole, or of another table.
fn read(path: &Path, table: &Table) -> Option<Census> {
    let mut bytes = Vec::new();
    files::open_regular(path).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let (head, packed) = bytes.split_at_checked(16)?;
    let number = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
    let is_its = head.starts_with(MAGIC) && number(8) == table.header().index_checksum;
    if !is_its || number(12) != crc32fast::hash(packed) {
        return None;
    }
    // The memory grows with what is there.
    let mut plain = Vec::new();
    zstd::stream::read::Decoder::new(packed).ok()?.take(LONGEST).read_to_end(&mut plain).ok()?;
    let (len, mut rest) = plain.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*len) != table.header().file_len {
        return None;
    }
    let mut census = Census::empty();
    while let Some((count, after)) = rest.split_first_chunk::<2>() {
        let (counts, after) = after.split_at_checked(4 * usize::from(u16::from_le_bytes(*count)))?;
        census.counts.extend(counts.as_chunks::<4>().0.iter().map(|count| u32::from_le_bytes(*count)));
        census.starts.push(census.counts.len() as u32);
        rest = after;
    }
    let fits = census.signatures() == table.space().signatures()
        && census.starts.windows(2).all(|ends| ends[0] < ends[1])
        && census.histogram() == table.header().histogram;
    fits.then_some(census)
}
