//! Whether a whole log has what a shard of the plan has.

use super::counts::CountedSignature;
use super::log::Log;
use super::{Plan, Product, ShardError};
use crate::catalogue::surveying::SurveyedSignature;
use crate::table::solving::Solved;

impl Log {
    /// Reads it to its end: an error if that is not what a shard of the plan has.
    pub fn check(mut self, plan: &Plan) -> Result<(), ShardError> {
        match plan.product() {
            Product::Table { .. } => while self.read::<Solved>()?.is_some() {},
            Product::Catalogue(_) => while self.read::<SurveyedSignature>()?.is_some() {},
            Product::Counts { .. } => while self.read::<CountedSignature>()?.is_some() {},
        }
        Ok(())
    }
}
