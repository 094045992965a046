//! A table with other bytes: every answer is the right one or an error.

use std::sync::LazyLock;

use tailback::board::{Distance, Metric};
use tailback::space::Rank;
use tailback::table::{BuildOptions, Table, build};

use crate::edits::{Input, edit};

/// As docs/format.md has it.
const HEADER: usize = 4096;
const DICTIONARY: std::ops::Range<usize> = 2176..HEADER - 4;
const DATA: usize = 3 * HEADER;
const ENTRY: usize = 24;

/// The table of 4×4 boards, and their distances by rank.
static TRUTH: LazyLock<(Vec<u8>, Vec<Distance>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is room");
    let report = build(&BuildOptions::new(folder.path(), 4, Metric::Moves), &()).expect("it is built");
    let bytes = std::fs::read(report.path).expect("it is there");
    let distances = answers(&bytes, 1).into_iter().map(|(_, answer)| answer.expect("it is whole")).collect();
    (bytes, distances)
});

pub fn bytes() -> &'static [u8] {
    &TRUTH.0
}

pub fn table(input: &[u8]) {
    let mut input = Input(input);
    let way = input.byte();
    let (bytes, is_forged) = match way % 2 {
        0 => (changed(way / 2, &mut input), false),
        _ => (forged(&mut input), true),
    };
    for (rank, answer) in answers(&bytes, 37) {
        // Nothing tells a forger with right checksums from the builder, but
        // what he makes must neither panic nor spoil what comes after it.
        if let Ok(distance) = answer
            && !is_forged
        {
            assert_eq!(distance, TRUTH.1[rank], "rank {rank}");
        }
    }
}

/// What a table says of every so many boards; nothing if it cannot be opened.
fn answers(bytes: &[u8], step: usize) -> Vec<(usize, Result<Distance, String>)> {
    let Ok(table) = Table::from_bytes(bytes) else { return Vec::new() };
    let space = table.space();
    let mut probe = table.probe();
    let ranks = (0..space.boards() as usize).step_by(step);
    ranks
        .map(|rank| {
            let position = space.position(Rank(rank as u64)).expect("there is such a rank");
            (rank, probe.distance(&position).map_err(|error| error.to_string()))
        })
        .collect()
}

/// Some bytes changed, then the checksums of header and index made right again
/// or not: behind them, directories and frames have their own.
fn changed(way: u8, input: &mut Input) -> Vec<u8> {
    let (whole, index_at) = (bytes(), u64_at(bytes(), 72) as usize);
    let (part, parts) = (usize::from(way % 4), [0..128, HEADER..DATA, DATA..index_at, index_at..whole.len()]);
    let mut edited = whole[parts[part].clone()].to_vec();
    edit(&mut edited, input);
    let mut bytes = [&whole[..parts[part].start], &edited, &whole[parts[part].end..]].concat();
    if way & 4 != 0 && bytes.len() > index_at {
        let checksum = crc32fast::hash(&bytes[index_at..]);
        bytes[68..72].copy_from_slice(&checksum.to_le_bytes());
    }
    if way & 8 != 0 && bytes.len() >= HEADER {
        seal(&mut bytes);
    }
    bytes
}

fn seal(bytes: &mut [u8]) {
    let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// The record of one signature written anew, with changes in its directory or
/// in an unpacked frame, and every checksum right.
fn forged(input: &mut Input) -> Vec<u8> {
    let whole = bytes();
    let index_at = u64_at(whole, 72) as usize;
    let mut entries: Vec<[u64; 4]> = whole[index_at..]
        .chunks_exact(ENTRY)
        .map(|entry| [u64_at(entry, 0), u64_at(entry, 8), u32_at(entry, 16).into(), u32_at(entry, 20).into()])
        .collect();
    let id = input.number() % entries.len();
    let start = entries[id][0] as usize;
    let end = entries.get(id + 1).map_or(index_at, |next| next[0] as usize);
    let (directory, data) = whole[start..end].split_at(entries[id][3] as usize);
    let mut directory = directory.to_vec();
    let frames_at = 16 + 4 * u32_at(&directory, 4) as usize;
    let frames = u32_at(&directory, 8) as usize;

    let chosen = input.number() % (frames + 1);
    let (mut packed, mut from) = (Vec::new(), 0);
    for frame in 0..frames {
        let at = frames_at + 12 * frame;
        let to = u32_at(&directory, at + 4) as usize;
        let mut bytes = data[from..to].to_vec();
        if frame == chosen {
            let zstd = zstd::bulk::Decompressor::with_dictionary(&whole[DICTIONARY]);
            let mut raw = zstd.and_then(|mut zstd| zstd.decompress(&bytes, 1 << 20)).expect("it is whole");
            edit(&mut raw, input);
            bytes = zstd::bulk::compress(&raw, 1).expect("in memory");
        }
        packed.extend(&bytes);
        directory[at + 4..at + 8].copy_from_slice(&(packed.len() as u32).to_le_bytes());
        directory[at + 8..at + 12].copy_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        from = to;
    }
    if chosen == frames {
        edit(&mut directory, input);
    }

    let grown = (directory.len() + packed.len()) as u64;
    let moved = |at: u64| at - (end - start) as u64 + grown;
    entries[id][2] = crc32fast::hash(&directory).into();
    entries[id][3] = directory.len() as u64;
    for entry in &mut entries[id + 1..] {
        entry[0] = moved(entry[0]);
    }
    let mut bytes = [&whole[..start], &directory, &packed, &whole[end..index_at]].concat();
    let mut index = Vec::new();
    for [at, first, checksum, len] in entries {
        index.extend([at.to_le_bytes(), first.to_le_bytes()].concat());
        index.extend([(checksum as u32).to_le_bytes(), (len as u32).to_le_bytes()].concat());
    }
    bytes[68..72].copy_from_slice(&crc32fast::hash(&index).to_le_bytes());
    bytes[72..80].copy_from_slice(&moved(index_at as u64).to_le_bytes());
    bytes[80..88].copy_from_slice(&moved(whole.len() as u64).to_le_bytes());
    bytes.extend(index);
    seal(&mut bytes);
    bytes
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
