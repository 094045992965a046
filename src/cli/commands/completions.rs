//! `tailback completions`: what a shell needs to complete commands.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::shared::{Result, output};

const EXAMPLES: &str = "\
Examples:
  tailback completions bash > ~/.local/share/bash-completion/completions/tailback
  tailback completions zsh > ~/.zfunc/_tailback
  tailback completions fish > ~/.config/fish/completions/tailback.fish";

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    shell: Shell,
}

impl Completions {
    pub fn run(&self, mut program: Command) -> Result<()> {
        // Into memory first: the generator would panic on a broken pipe.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "tailback", &mut script);
        output::text(&String::from_utf8_lossy(&script))?;
        Ok(())
    }
}
