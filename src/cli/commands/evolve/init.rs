//! `tailback evolve init`: an experiment to begin with.

use clap::Args;
use tailback::evolution::EXAMPLE;

use crate::shared::{Result, output};

/// Print a commented experiment to begin with
#[derive(Args)]
pub struct Init {}

impl Init {
    #[expect(clippy::unused_self, reason = "all commands are run alike")]
    pub fn run(&self) -> Result<()> {
        Ok(output::text(EXAMPLE)?)
    }
}
