//! Boards that are drawn from the tables.

use std::sync::atomic::AtomicBool;

use indicatif::HumanCount;
use tailback::dataset::{Draw, Drawn, ExportError, Item, Strata, Stratum, Tables};
use tailback::retrograde::UNSOLVABLE;
use tailback::table::{Census, Table};

use super::Export;
use super::boards::{Choice, Source};
use crate::cli::shared::progress::Watch;
use crate::cli::shared::{exit, output};

impl Export {
    /// The boards of a choice that is drawn.
    pub fn drawn<'s>(
        &'s self,
        choice: &Choice,
        tables: &'s [&'s Table],
        (stop, found): (&'s AtomicBool, &'s (dyn Fn(u64) + Sync)),
    ) -> anyhow::Result<Source<'s>> {
        let all = Tables { by_metric: tables };
        let (total, batches): (u64, Box<dyn Iterator<Item = _> + 's>) = match *choice {
            Choice::Count(count) if self.distance.is_none() => {
                let (unsolvable, solvable) = all.histogram().split_last().expect("there are 256");
                let more = if self.include_unsolvable { *unsolvable } else { 0 };
                self.check_count(count, solvable.iter().sum::<u64>() + more)?;
                let draw = Draw::new(all, count, self.seed, self.include_unsolvable, stop);
                (count, Box::new(draw.telling(found)))
            }
            _ => {
                let strata = self.strata(choice, tables)?;
                let total = strata.iter().map(|stratum| stratum.wanted).sum();
                let census = census(tables[0])?;
                let strata = Strata::new(all, census, strata, self.seed, stop);
                (total, Box::new(strata.telling(found)))
            }
        };
        Ok(Source {
            total: Some(total),
            batches: Box::new(batches.map(items)),
            rules: "all",
            size: Some(self.filters.size()),
            boards: self.in_words(choice),
        })
    }

    fn check_count(&self, count: u64, boards: u64) -> anyhow::Result<()> {
        if count <= boards {
            return Ok(());
        }
        let size = self.filters.size();
        let which = match (self.include_unsolvable, &self.distance) {
            (true, None) => "",
            (false, None) => "solvable ",
            (_, Some(_)) => "such ",
        };
        let boards = HumanCount(boards);
        Err(exit::BadRequest(format!(
            "there are only {boards} {which}boards of {size}×{size}: ask for fewer with --count"
        ))
        .into())
    }

    /// What is drawn at which distances.
    fn strata(&self, choice: &Choice, tables: &[&Table]) -> anyhow::Result<Vec<Stratum>> {
        let is_wanted = |distance: u8| match distance {
            UNSOLVABLE => self.include_unsolvable,
            _ => self.distance.is_none_or(|range| range.contains(u64::from(distance))),
        };
        let histogram: Vec<(u8, u64)> = (0..=UNSOLVABLE)
            .zip(tables[0].header().histogram)
            .filter(|&(distance, boards)| boards > 0 && is_wanted(distance))
            .collect();
        let boards = histogram.iter().map(|(_, boards)| boards).sum();
        if boards == 0 {
            return Err(exit::BadRequest(format!(
                "no board of {0}×{0} has such a distance: `tailback stats` lists those there are",
                self.filters.size()
            ))
            .into());
        }
        match *choice {
            Choice::PerDistance(wanted) => {
                let fewer: Vec<String> = histogram
                    .iter()
                    .filter(|(_, boards)| *boards < wanted)
                    .map(|&(distance, boards)| match distance {
                        UNSOLVABLE => format!("{} unsolvable", HumanCount(boards)),
                        _ => format!("{} at {distance}", HumanCount(boards)),
                    })
                    .collect();
                if !fewer.is_empty() {
                    output::note(&format!(
                        "note: some distances have fewer boards than {}, and all of them are taken: {}",
                        HumanCount(wanted),
                        fewer.join(", ")
                    ));
                }
                Ok(Stratum::each(&histogram, wanted))
            }
            Choice::Weighted(wanted) => {
                self.check_count(wanted, boards)?;
                Ok(Stratum::by_root(&histogram, wanted))
            }
            Choice::Count(wanted) => {
                self.check_count(wanted, boards)?;
                let distances = histogram.iter().map(|(distance, _)| *distance).collect();
                Ok(vec![Stratum { distances, wanted }])
            }
            _ => unreachable!("the others are not drawn"),
        }
    }

    fn in_words(&self, choice: &Choice) -> String {
        let metric = self.metric.0[0];
        let distances = self
            .distance
            .map_or(format!("distances in {metric}"), |range| format!("distances {range} in {metric}"));
        match (choice, self.distance) {
            (Choice::PerDistance(count), _) => format!("{count} at each of the {distances}, drawn by lot"),
            (Choice::Weighted(_), _) => {
                format!(
                    "drawn by lot, shared among the {distances} by the square root of how many boards each has"
                )
            }
            (_, Some(_)) => format!("drawn by lot at the {distances}, all equally likely"),
            _ => "drawn by lot, all equally likely".to_owned(),
        }
    }
}

/// Counts a table, with progress of its own.
fn census(table: &Table) -> Result<Census, ExportError> {
    let watch = Watch::new();
    let census = Census::take(table, &watch);
    watch.finish();
    let contents = table.header().contents;
    let failed = |error: tailback::table::TableError| ExportError::Probe {
        board: None,
        size: contents.size,
        metric: contents.metric,
        error: error.into(),
    };
    census.map_err(failed)?.ok_or(ExportError::Stopped)
}

fn items(drawn: Result<Vec<Drawn>, ExportError>) -> anyhow::Result<Vec<Item>> {
    Ok(drawn?.into_iter().map(Item::Drawn).collect())
}
