//! One program for all targets: `TAILBACK_FUZZ` names the one to run. The rest
//! is libFuzzer's: folders of inputs and its options, or one input to look at
//! again.
#![no_main]

mod catalogue;
mod edits;
mod experiment;
mod lines;
mod options;
mod part;
mod shards;
mod table;
mod text;

use std::sync::LazyLock;

/// A target looks at an input, which need not make sense, and panics at a fault.
type Target = fn(&[u8]);

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TAILBACK_FUZZ").unwrap_or_default();
    match name.as_str() {
        "board" => text::board,
        "moves" => text::moves,
        "list" => lines::list,
        "dataset" => lines::dataset,
        "options" => options::options,
        "experiment" => experiment::experiment,
        "table" => table::table,
        "part" => part::part,
        "plan" => shards::plan,
        "shard" => shards::shard,
        "catalogue" => catalogue::catalogue,
        _ => panic!("TAILBACK_FUZZ names no target: {name:?}"),
    }
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| TARGET(input));
