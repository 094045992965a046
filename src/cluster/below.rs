//! One board's distance, where it is known what those of all boards are at least.

use std::ops::ControlFlow;

use super::bounds::Bounds;
use super::family::{Family, Key, Slides};
use super::search::BATCH_ROOM;
use super::solve::start;
use crate::board::Metric;

const NO_BOUNDS: &str = "there are no bounds";

/// The distance of a board that is not a goal, if it is less than `below`. `at_least`
/// says of some boards what theirs is at least: the search only goes where it may end in
/// time. There are no other bounds.
///
/// A board on a way that is short enough is never left out, nor is any on another
/// shortest way to it. So the order of slides (see the module's page) loses nothing.
pub(crate) fn distance_below(
    family: &Family,
    from: Key,
    metric: Metric,
    below: u32,
    at_least: impl Fn(&[Key], &mut [u8]),
) -> Option<u32> {
    let slides = Slides::new(family, metric);
    let mut search = start(&slides, Bounds::NONE, from).expect(NO_BOUNDS);
    while !search.is_done() {
        let depth = search.depth() as u32 + 1;
        let wanted = |keys: &[Key], are_wanted: &mut [bool]| {
            let least = &mut [0; BATCH_ROOM][..keys.len()];
            at_least(keys, least);
            for (is_wanted, &least) in are_wanted.iter_mut().zip(&*least) {
                *is_wanted = depth + u32::from(least) < below;
            }
        };
        let stop = search.next_level_among(Some(&wanted), |_, key| match family.is_goal(key) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if stop.expect(NO_BOUNDS).is_break() {
            return Some(depth);
        }
    }
    None
}
