//! The boards of an experiment.

use std::path::Path;

use tailback::cluster::ClusterError;
use tailback::evolution::{DataError, Experiment, Sources};
use tailback::probe::{ProbeError, Prober};
use tailback::progress::Observer;

struct Impatient;

impl Observer for Impatient {
    fn wants_stop(&self) -> bool {
        true
    }
}

fn around(count: usize) -> Experiment {
    let text = format!(
        "name = \"around\"\n[blocks]\nnumbers = [\"mobile\"]\n[genome]\nkind = \"weights\"\n[stop]\n\
         generations = 1\n[data]\ntrain = {{ set = \"jam\", most = 20 }}\n\
         test = {{ set = \"jam\", around = {count} }}\n"
    );
    Experiment::parse(&text).unwrap()
}

#[test]
fn around_has_a_bound_and_can_be_stopped() {
    let prober = Prober::without_tables();
    let folder = Path::new("");
    let load = |count, observer: &dyn Observer| {
        Sources { folder, tables: folder, prober: &prober, observer }.load(&around(count)).map(drop)
    };
    // 40 times as many would be too many for all.
    let many = load(30_000, &());
    assert!(matches!(many, Err(DataError::TooMany)), "{many:?}");
    let stopped = load(2, &Impatient);
    assert!(
        matches!(stopped, Err(DataError::Probe(ProbeError::Cluster(ClusterError::Stopped)))),
        "{stopped:?}"
    );
}
