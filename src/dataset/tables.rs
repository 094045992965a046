//! The tables that boards are drawn from.

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::{Drawn, ExportError};
use crate::board::{Distance, Histogram};
use crate::space::{Blocks, Rank, SignatureId, Space};
use crate::table::{SignatureProbe, Table};

/// The tables that boards are drawn from: one, or one for each metric.
#[derive(Clone, Copy)]
pub struct Tables<'t> {
    /// By metric of the dataset, all of one size.
    pub by_metric: &'t [&'t Table],
}

impl<'t> Tables<'t> {
    /// The space that all of them are about.
    pub fn space(&self) -> &'t Space {
        self.by_metric[0].space()
    }

    /// How many boards have each distance in the first metric.
    pub fn histogram(&self) -> &'t Histogram {
        &self.by_metric[0].header().histogram
    }

    /// A reader of boards of one signature.
    pub(super) fn signature<'b>(
        &self,
        id: SignatureId,
        blocks: &'b Blocks<'b>,
    ) -> Result<Signature<'t, 'b>, ExportError> {
        let first = self.space().sizes()[id.0 as usize].first;
        let probe = |&table: &&'t Table| {
            let probe =
                SignatureProbe::new(table, id).map_err(|error| ExportError::of_table(table, error))?;
            Ok::<_, ExportError>((table, probe))
        };
        let probes = self.by_metric.iter().map(probe).collect::<Result<_, _>>()?;
        Ok(Signature { first, blocks, probes })
    }
}

/// Boards of one signature.
pub(super) struct Signature<'t, 'b> {
    first: u64,
    blocks: &'b Blocks<'b>,
    probes: ArrayVec<(&'t Table, SignatureProbe<'t>), 2>,
}

impl Signature<'_, '_> {
    /// The board of this number. If its distance in the first metric is
    /// `known`, it is not looked up.
    pub fn board(&mut self, number: u64, known: Option<Distance>) -> Result<Drawn, ExportError> {
        let mut distances = [known.unwrap_or(Distance::SOLVED), Distance::SOLVED];
        if number < self.blocks.unsolved_boards() {
            let (strip, pair) = self.blocks.strip_at(number);
            let unknown = distances.iter_mut().zip(&mut self.probes).skip(usize::from(known.is_some()));
            for (distance, (table, probe)) in unknown {
                let found = probe.distance(strip, pair);
                *distance = found.map_err(|error| ExportError::of_table(table, error))?;
            }
        }
        let (space, position) = (self.blocks.space().id(), self.blocks.position(number));
        Ok(Drawn { space, position, rank: Rank(self.first + number), distances })
    }
}

/// Boards that were found signature by signature, in the order of their places.
pub(super) fn in_order(found: Vec<Vec<(u32, Drawn)>>) -> Vec<Drawn> {
    let mut found = found.concat();
    found.par_sort_unstable_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, drawn)| drawn).collect()
}
