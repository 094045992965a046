//! `tailback man`: the manual of the program, made from its help.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use crate::cli::shared::{Failure, Result, output};

const EXAMPLES: &str = "\
Examples:
  tailback man > tailback.1
  tailback man --out ~/.local/share/man/man1";

/// Print the manual page, or write those of all commands
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Manual {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    out: Option<PathBuf>,
}

impl Manual {
    pub fn run(&self, program: Command) -> Result<()> {
        let Some(folder) = &self.out else {
            return Ok(output::text(&page(program)?)?);
        };
        let cannot = |error| Failure::of(&error).about(format_args!("cannot write to {}", folder.display()));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        let commands = program.get_subcommands().count();
        clap_mangen::generate_to(program, folder).map_err(cannot)?;
        Ok(output::text(&format!(
            "{}: tailback.1 and the pages of {} commands\n",
            folder.display(),
            commands
        ))?)
    }
}

fn page(command: Command) -> Result<String> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
