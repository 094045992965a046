//! One board's distance, where it is known what those of all boards are at least.

use super::bounds::Bounds;
use super::family::{FROM_NOWHERE, Family, Key, Slides, Via};
use super::search::{BATCH, BATCH_ROOM, parent};
use super::set::{KeySet, Put};
use crate::board::Metric;

const NO_BOUNDS: &str = "there are no bounds";

/// Says what the distances of the boards of a family are at least.
pub(crate) trait Floor {
    /// What finds the distance of a board.
    type Place: Copy;

    /// The place of a neighbour of a board.
    fn next(&mut self, place: Self::Place, from: Key, to: Key) -> Self::Place;

    /// The least distances of the boards at some places.
    fn at_least(&self, places: &[Self::Place], distances: &mut [u8]);
}

/// A board that may be on a way that is short enough.
struct OpenBoard<P> {
    key: Key,
    via: Via,
    place: P,
}

/// The distance of a board that is not a goal, if it is less than `below`. The search only
/// goes where it may end in time. There are no other bounds.
///
/// A board on a way that is short enough is never left out, nor is any on another
/// shortest way to it. So the order of slides (see the module's page) loses nothing.
pub(crate) fn distance_below<F: Floor>(
    family: &Family,
    (from, place): (Key, F::Place),
    metric: Metric,
    below: u32,
    floor: &mut F,
) -> Option<u32> {
    let slides = Slides::new(family, metric);
    let mut reserved = Bounds::NONE.reserve();
    let mut set = KeySet::with_room(super::FIRST_ROOM, &mut reserved).expect(NO_BOUNDS);
    set.put(from);
    let mut level = vec![OpenBoard { key: from, via: FROM_NOWHERE, place }];
    let mut further: Vec<OpenBoard<F::Place>> = Vec::new();
    // Neighbours, and which boards of the level they are of.
    let mut batch: Vec<(Key, Via, u32)> = Vec::with_capacity(BATCH_ROOM);
    let mut places: Vec<F::Place> = Vec::with_capacity(BATCH_ROOM);
    for depth in 1..below {
        let mut next = 0;
        while next < level.len() {
            batch.clear();
            while next < level.len() && batch.len() < BATCH {
                let OpenBoard { key, via, .. } = level[next];
                slides.for_each_new(key, via, |key, via| batch.push((key, via, next as u32)));
                next += 1;
            }
            set.reserve(batch.len(), &mut reserved).expect(NO_BOUNDS);
            keep(&mut batch, |(key, ..)| !set.is_at_home(key));
            // What is not wanted below is not asked for again.
            keep(&mut batch, |(key, ..)| matches!(set.put(key), Put::New { .. }));
            places.clear();
            places.extend(
                batch
                    .iter()
                    .map(|&(key, via, of)| floor.next(level[of as usize].place, parent(key, via), key)),
            );
            let least = &mut [0; BATCH_ROOM][..places.len()];
            floor.at_least(&places, least);
            for ((&(key, via, _), &place), &least) in batch.iter().zip(&places).zip(&*least) {
                if depth + u32::from(least) < below {
                    if family.is_goal(key) {
                        return Some(depth);
                    }
                    further.push(OpenBoard { key, via, place });
                }
            }
        }
        std::mem::swap(&mut level, &mut further);
        further.clear();
    }
    None
}

/// Keeps some of a list. It does not branch, for nobody could guess which.
#[inline]
fn keep<T: Copy>(list: &mut Vec<T>, mut is_kept: impl FnMut(T) -> bool) {
    let mut kept = 0;
    for at in 0..list.len() {
        let one = list[at];
        list[kept] = one;
        kept += usize::from(is_kept(one));
    }
    list.truncate(kept);
}
