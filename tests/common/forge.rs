//! A second writer of tables, from `docs/format.md`: files that are whole and
//! say whatever a test wants.

use std::path::Path;

use tailback::board::Metric;
use tailback::space::{Blocks, SignatureId, Space};
use tailback::table::file_name;

pub const HEADER: usize = 4096;
pub const SLOT: usize = 4096;
pub const DATA: usize = HEADER + 2 * SLOT;
/// The dictionary of the frames, and where it is. Frames need not use it.
const DICTIONARY: &[u8] = include_bytes!("../../src/table/frames.dictionary");
const DICTIONARY_AT: usize = 2176;

/// Writes a table with these distances of the unsolved boards of each
/// signature; a signature without is empty.
pub fn forge_table(folder: &Path, size: usize, distances: impl Fn(&Blocks, SignatureId) -> Option<Vec<u8>>) {
    forge_strips(folder, size, |blocks, id| match distances(blocks, id) {
        Some(distances) => strips(blocks, &distances),
        None => Vec::new(),
    });
}

/// The strips of a signature.
pub fn strips(blocks: &Blocks, distances: &[u8]) -> Vec<Vec<u8>> {
    let block = |h: usize| {
        let block = &distances[blocks.boards_in(h)];
        block.chunks_exact(blocks.strip_len(h)).map(<[u8]>::to_vec)
    };
    (0..blocks.unsolved()).flat_map(block).collect()
}

/// Writes a table of moves with these strips of each signature. Its header says
/// that all unsolved boards are unsolvable.
pub fn forge_strips(folder: &Path, size: usize, strips: impl Fn(&Blocks, SignatureId) -> Vec<Vec<u8>>) {
    let space = Space::of_size(size).unwrap();
    let mut bytes = vec![0; DATA];
    let (mut index, mut histogram) = (Vec::new(), [0u64; 256]);
    for (id, sizes) in space.sizes().iter().enumerate() {
        let id = SignatureId(id as u32);
        let blocks = Blocks::new(&space, id);
        histogram[0] += u64::from(sizes.boards - sizes.unsolved);
        histogram[255] += u64::from(sizes.unsolved);
        let (directory, frames) = record(&blocks, id, &strips(&blocks, id));
        index.extend((bytes.len() as u64).to_le_bytes());
        index.extend(sizes.first.to_le_bytes());
        index.extend(crc32fast::hash(&directory).to_le_bytes());
        index.extend((directory.len() as u32).to_le_bytes());
        bytes.extend(directory);
        bytes.extend(frames);
    }
    let index_at = bytes.len();
    bytes.extend(&index);
    let len = bytes.len() as u64;
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, b"TAILBACK");
    put(8, &[2, 0, 0, 0, 1, 0, 0, 0, size as u8]);
    put(20, &[6]);
    put(56, &space.boards().to_le_bytes());
    put(64, &space.signatures().to_le_bytes());
    put(68, &crc32fast::hash(&index).to_le_bytes());
    put(72, &(index_at as u64).to_le_bytes());
    put(80, &len.to_le_bytes());
    for (i, count) in histogram.into_iter().enumerate() {
        put(128 + 8 * i, &count.to_le_bytes());
    }
    put(DICTIONARY_AT, DICTIONARY);
    reseal(&mut bytes);
    std::fs::write(folder.join(file_name(size, Metric::Moves)), bytes).unwrap();
}

/// A directory and its frames: every strip is a pattern of its own, with base 0.
fn record(blocks: &Blocks, id: SignatureId, strips: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (i, some) in strips.chunks(256).enumerate() {
        let mut order: Vec<usize> = (0..some.len()).collect();
        order.sort_by_key(|&strip| some[strip].len());
        let groups: Vec<_> = order.chunk_by(|&a, &b| some[a].len() == some[b].len()).collect();
        let mut raw = vec![groups.len() as u8 - 1];
        for group in groups {
            raw.extend((some[group[0]].len() as u16).to_le_bytes());
            raw.push((group.len() - 1) as u8);
        }
        let token = |strip: usize| order.iter().position(|&other| other == strip).unwrap() as u8;
        raw.extend((0..some.len()).map(token));
        raw.extend(vec![0; some.len()]);
        order.iter().for_each(|&strip| raw.extend(&some[strip]));
        let frame = zstd::bulk::compress(&raw, 6).unwrap();
        data.extend(&frame);
        for number in [256 * i as u32, data.len() as u32, crc32fast::hash(&frame)] {
            entries.extend(number.to_le_bytes());
        }
    }
    let sections = blocks.unsolved_sections();
    let head = [id.0, sections as u32, entries.len() as u32 / 12, blocks.first_strip(blocks.unsolved())];
    let starts = (0..sections).map(|section| blocks.first_strip(blocks.section_start(section)));
    let directory = head.into_iter().chain(starts).flat_map(u32::to_le_bytes).chain(entries);
    (directory.collect(), data)
}

/// Makes the checksum of a table's header right again.
pub fn reseal(table: &mut [u8]) {
    let checksum = crc32fast::hash(&table[..HEADER - 4]);
    table[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// Where the record of a signature begins, and how long its directory is.
pub fn entry(table: &[u8], id: u32) -> (usize, usize) {
    let index_at = u64::from_le_bytes(table[72..80].try_into().unwrap()) as usize;
    let entry = &table[index_at + 24 * id as usize..][..24];
    let directory_len = u32::from_le_bytes(entry[20..].try_into().unwrap());
    (u64::from_le_bytes(entry[..8].try_into().unwrap()) as usize, directory_len as usize)
}
