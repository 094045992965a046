//! A plan or a shard with other bytes: a plan that can be read is the one that was
//! written, and whatever a shard is, the table or the counts merged are right, or none.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use tailback::board::Metric;
use tailback::shards::{Merged, Plan, Product, Run, Status, merge};
use tailback::space::SpaceId;
use tailback::table::DEFAULT_LEVEL;

use crate::edits::{Input, edit};
use crate::table;

const SHARDS: u32 = 3;

/// A table, and counts.
const PRODUCTS: usize = 2;

fn plan_in(folder: &Path, product: usize) -> Plan {
    let (space, metric) = (SpaceId::of_size(4), Metric::Moves);
    let product = match product {
        0 => Product::Table { space, metric, level: DEFAULT_LEVEL },
        _ => Product::Counts { spaces: space.into(), metric },
    };
    Plan::new(folder.join("a.plan"), product, SHARDS, &()).expect("it can be cut")
}

/// A plan that was followed.
struct Whole {
    plan: String,
    shards: Vec<Vec<u8>>,
    merged: Vec<u8>,
}

static WHOLE: LazyLock<[Whole; PRODUCTS]> = LazyLock::new(|| {
    std::array::from_fn(|product| {
        let folder = tempfile::tempdir().expect("there is room");
        let plan = plan_in(folder.path(), product);
        let shard = |number| {
            let done = Run { threads: 1, ..Run::new(&plan, number) }.run(&()).expect("it is done");
            fs::read(done.path).expect("it is there")
        };
        let shards = (1..=SHARDS).map(shard).collect();
        let merged = bytes(merge(&plan, &()).expect("all shards are whole"));
        assert!(product != 0 || merged == table::bytes(), "the table is another");
        Whole { plan: plan.text(), shards, merged }
    })
});

fn bytes(merged: Merged) -> Vec<u8> {
    let path = match merged {
        Merged::Table(report) => report.path,
        Merged::Catalogue(report) => report.path,
        Merged::Counts(counts) => counts.path,
    };
    fs::read(path).expect("it is there")
}

pub fn plan(input: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let mut input = Input(input);
    let way = input.byte();
    let (is_sealed, whole) = (way % 2 == 1, &WHOLE[usize::from(way / 2) % PRODUCTS].plan);
    let mut bytes = whole.clone().into_bytes();
    edit(&mut bytes, &mut input);
    if is_sealed && let Some(at) = bytes.windows(9).rposition(|window| window == b"checksum ") {
        let checksum = crc32fast::hash(&bytes[..at]);
        bytes.truncate(at);
        bytes.extend(format!("checksum {checksum:08x}\n").into_bytes());
    }
    let path = folder.path().join("a.plan");
    fs::write(&path, &bytes).expect("there is room");
    let Ok(plan) = Plan::read(&path) else { return };
    assert!(plan.text().into_bytes() == bytes, "it was read as another");
    assert!(is_sealed || bytes == whole.as_bytes(), "a change went unseen");
    // Of a forged one, too, it can be told what is there: nothing.
    if let Ok(status) = Status::of(&plan, true, &()) {
        assert_eq!(status.states.len(), plan.shards().len());
    }
    assert!(merge(&plan, &()).is_err(), "there are no shards");
}

pub fn shard(input: &[u8]) {
    let folder = tempfile::tempdir().expect("there is room");
    let mut input = Input(input);
    let product = usize::from(input.byte()) % PRODUCTS;
    let plan = plan_in(folder.path(), product);
    fs::create_dir(plan.folder()).expect("there is room");
    let way = input.byte();
    let number = 1 + u32::from(way) % SHARDS;
    for (bytes, other) in WHOLE[product].shards.iter().zip(1..) {
        let mut bytes = bytes.clone();
        let path = plan.shard_path(other);
        // As one that is finished, or as one that was interrupted.
        let path = if other == number && way >= 128 { path.with_extension("shard.part") } else { path };
        if other == number {
            edit(&mut bytes, &mut input);
        }
        fs::write(path, bytes).expect("there is room");
    }
    let is_right = |merged: Merged| bytes(merged) == WHOLE[product].merged;
    Status::of(&plan, true, &()).expect("it tells what is there");
    if let Ok(merged) = merge(&plan, &()) {
        assert!(is_right(merged), "other bytes");
        return;
    }
    // Doing it again mends it, or says that something else is in the way.
    if (Run { threads: 1, ..Run::new(&plan, number) }).run(&()).is_ok() {
        assert!(is_right(merge(&plan, &()).expect("all shards are whole")), "other bytes");
    }
}
