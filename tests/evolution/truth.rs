//! Distances that were planted are found again: a weight vector, a tree, a
//! policy.

use tailback::board::{Distance, Metric};
use tailback::domains::rush_hour::Scene;
use tailback::domains::rush_hour::VOCABULARY;
use tailback::domains::rush_hour::heuristic::value_of;
use tailback::evolution::{Ended, Experiment, Folder, Judges, Loaded, Runner};
use tailback::formula::Heuristic;
use tailback::puzzles::Labelled;

use crate::{board, boards};

/// The boards with what a formula says as their distance.
fn planted(formula: &str, count: u64, seed: u64) -> Vec<Labelled> {
    let heuristic: Heuristic = VOCABULARY.read(formula).unwrap();
    let plant = |labelled: Labelled| {
        let scene = Scene::of(&board(&labelled));
        let value = value_of(&heuristic, &scene, None, Metric::Moves, Distance::UNSOLVABLE);
        let distance = value.as_f64();
        assert_eq!(distance.fract(), 0.0, "distances are whole");
        Labelled { distance: distance as u32, ..labelled }
    };
    boards(count, seed).into_iter().map(plant).collect()
}

/// Breeds until the planted formula, or one that says the same, is found.
fn find(formula: &str, rest: &str) -> Heuristic {
    let text = format!(
        "name = \"planted\"\nseed = 3\n{rest}\n[stop]\ngenerations = 400\ntarget = 0.0\n[data]\n\
         train = {{ set = \"jam\" }}\ntest = {{ set = \"jam\" }}\n"
    );
    let experiment = Experiment::parse(&text).unwrap();
    let loaded = Loaded { train: planted(formula, 3000, 1), test: planted(formula, 300, 2), left_out: 0 };
    let parent = tempfile::tempdir().unwrap();
    let folder = Folder::create(&parent.path().join("found"), &text, &loaded).unwrap();
    let judges = Judges::new(&experiment, &loaded.train, &loaded.test, &()).unwrap();
    let runner = Runner::new(folder, experiment, judges);
    let ended = runner.run(&()).unwrap();
    let folder = runner.folder();
    assert_eq!(ended, [Ended::Target], "{formula} was not found");
    let saved = folder.run(1).unwrap().load().unwrap();
    let last = folder.run(1).unwrap().records(&saved).unwrap().pop().unwrap();
    assert_eq!((last.champion, last.test), (0.0, 0.0), "right on boards that it was not bred on");
    saved.state.hall[0].genome.simplified()
}

#[test]
fn a_weight_vector() {
    let found = find(
        "distance+blockers+open-moves",
        "[blocks]\nnumbers = [\"distance\", \"blockers\", \"open-moves\", \"mobile\"]\n\
         [genome]\nkind = \"weights\"\n[population]\nsize = 300",
    );
    let Heuristic::Sum(parts) = &found else { panic!("{found}") };
    assert!(parts.len() <= 4, "{found}");
}

#[test]
fn a_tree() {
    find(
        "max(distance*blockers,mobile)",
        "[blocks]\nnumbers = [\"distance\", \"blockers\", \"mobile\"]\n\
         [genome]\nkind = \"tree\"\ndepth = 4\nparts = 15\nfunctions = [\"*\", \"+\", \"max\", \"min\"]\n\
         [population]\nsize = 500",
    );
}

#[test]
fn a_policy() {
    let found = find(
        "rules(blockers>=2 -> mobile; distance)",
        "[blocks]\nnumbers = [\"distance\", \"blockers\", \"mobile\"]\n\
         [genome]\nkind = \"policy\"\nrules = 2\nvalues = \"trees\"\nconstants = [0, 4]\ndepth = 2\n\
         functions = [\"<=\", \">=\", \"+\"]\n[population]\nsize = 500",
    );
    assert!(matches!(found, Heuristic::Rules(..)), "{found}");
}
