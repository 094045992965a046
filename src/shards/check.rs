//! Whether a whole log has what a shard of the plan has.

use super::counts::CountedSignature;
use super::log::Log;
use super::{Plan, Product, ShardError};
use crate::catalogue::surveying::SurveyedSignature;
use crate::table::solving::Solved;

impl Log {
    /// Reads it to its end: an error if that is not what a shard of the plan has.
    pub fn check(self, plan: &Plan) -> Result<(), ShardError> {
        match plan.product() {
            Product::Table { .. } => self.results::<Solved>().try_for_each(|found| found.map(drop)),
            Product::Catalogue(_) => {
                self.results::<SurveyedSignature>().try_for_each(|found| found.map(drop))
            }
            Product::Counts { .. } => {
                self.results::<CountedSignature>().try_for_each(|found| found.map(drop))
            }
        }
    }
}
