//! Parts whose shares hold at every distance, as far as whole families allow.
//!
//! Drawn at random, a family goes to a part whatever its distances are, and of the few
//! families that have far boards all may go to one part. So families are dealt out:
//! those with the rarest distances first, each to the part that lacks most of what it
//! has.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Split;
use crate::board::Distance;
use crate::random;

/// Which family is in which part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shares {
    parts: FxHashMap<u64, u8>,
}

/// A distance whose boards are not shared as asked for, since families stay whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uneven {
    /// The distance.
    pub distance: Distance,
    /// Boards of each part.
    pub boards: Vec<u64>,
}

/// Boards of a family by distance.
type ByDistance = BTreeMap<Distance, u64>;

/// How often all families are looked at again.
const ROUNDS: usize = 50;

impl Shares {
    /// Deals out the families of these boards, each with its distance. Also tells
    /// where the shares cannot be what they should be.
    pub fn of(
        split: &Split,
        seed: u64,
        boards: impl Iterator<Item = (u64, Distance)>,
    ) -> (Shares, Vec<Uneven>) {
        let mut families: FxHashMap<u64, ByDistance> = FxHashMap::default();
        let mut totals = ByDistance::default();
        for (family, distance) in boards {
            *families.entry(family).or_default().entry(distance).or_default() += 1;
            *totals.entry(distance).or_default() += 1;
        }
        let rarest = |counts: &ByDistance| counts.keys().map(|distance| totals[distance]).min().unwrap_or(0);
        let size = |counts: &ByDistance| counts.values().sum::<u64>();
        let mut order: Vec<(u64, ByDistance)> = families.into_iter().collect();
        order.sort_by_cached_key(|(family, counts)| {
            (rarest(counts), std::cmp::Reverse(size(counts)), random::draw(seed, *family), *family)
        });

        let weights = split.shares();
        let mut dealt: Vec<ByDistance> = vec![ByDistance::default(); weights.len()];
        let mut shares = Shares::default();
        for (family, counts) in &order {
            // What a part has too much of already counts against it.
            let surplus = |part: usize| -> f64 {
                let of = |(distance, &boards): (&Distance, &u64)| {
                    let total = totals[distance] as f64;
                    let has = dealt[part].get(distance).copied().unwrap_or(0) as f64;
                    boards as f64 * (has / total - weights[part])
                };
                counts.iter().map(of).sum()
            };
            let surpluses: Vec<f64> = (0..weights.len()).map(surplus).collect();
            let part = (0..weights.len()).min_by(|&a, &b| surpluses[a].total_cmp(&surpluses[b]));
            let part = part.expect("a split has parts");
            for (&distance, &boards) in counts {
                *dealt[part].entry(distance).or_default() += boards;
            }
            shares.parts.insert(*family, part as u8);
        }
        improve(&order, &weights, &totals, &mut dealt, &mut shares);

        let uneven = totals.keys().copied().filter_map(|distance| {
            let boards: Vec<u64> =
                dealt.iter().map(|part| part.get(&distance).copied().unwrap_or(0)).collect();
            let is_off = boards
                .iter()
                .zip(&weights)
                .any(|(&boards, weight)| (boards as f64 - weight * totals[&distance] as f64).abs() > 1.0);
            is_off.then_some(Uneven { distance, boards })
        });
        (shares, uneven.collect())
    }

    /// The part of a family that was dealt out.
    pub fn part(&self, family: u64) -> Option<usize> {
        self.parts.get(&family).map(|&part| usize::from(part))
    }
}

/// Families move to other parts as long as that brings the shares nearer to what they
/// should be: a family of several distances may have been dealt out for one of them.
fn improve(
    order: &[(u64, ByDistance)],
    weights: &[f64],
    totals: &ByDistance,
    dealt: &mut [ByDistance],
    shares: &mut Shares,
) {
    for _ in 0..ROUNDS {
        let mut has_moved = false;
        for (family, counts) in order {
            let from = usize::from(shares.parts[family]);
            // By how much the squares of what is off change, over all of its distances.
            let change = |to: usize| -> f64 {
                let of = |(distance, &boards): (&Distance, &u64)| {
                    let off = |part: usize| {
                        let has = dealt[part].get(distance).copied().unwrap_or(0) as f64;
                        has - weights[part] * totals[distance] as f64
                    };
                    2.0 * boards as f64 * (off(to) - off(from) + boards as f64)
                };
                counts.iter().map(of).sum()
            };
            let best = (0..weights.len()).filter(|&to| to != from).map(|to| (change(to), to));
            let Some((change, to)) = best.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
            if change < -1e-9 {
                for (&distance, &boards) in counts {
                    *dealt[from].entry(distance).or_default() -= boards;
                    *dealt[to].entry(distance).or_default() += boards;
                }
                shares.parts.insert(*family, to as u8);
                has_moved = true;
            }
        }
        if !has_moved {
            return;
        }
    }
}
