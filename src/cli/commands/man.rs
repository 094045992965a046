//! `tailback man`: the manual of the program, made from its help.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, Command};
use clap_mangen::Man;
use tailback::files::{self, Staged};

use crate::shared::{Failure, Result, output};

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
            return Ok(output::text(&String::from_utf8_lossy(&page(&Man::new(program))?))?);
        };
        let cannot = |error: io::Error| {
            Failure::of(&error).about(format_args!("cannot write to {}", folder.display()))
        };
        fs::create_dir_all(folder).map_err(cannot)?;
        let commands = program.get_subcommands().count();
        let mut program = program.disable_help_subcommand(true);
        program.build();
        let mut pages = Vec::new();
        add_pages(program, folder, &mut pages).map_err(cannot)?;
        files::commit_all(pages).map_err(|(_, error)| cannot(error))?;
        Ok(output::text(&format!(
            "{}: tailback.1 and the pages of {} commands\n",
            folder.display(),
            commands
        ))?)
    }
}

/// Writes the pages of a command, those of its own commands first.
fn add_pages(command: Command, folder: &Path, pages: &mut Vec<Staged>) -> io::Result<()> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        add_pages(command.clone(), folder, pages)?;
    }
    let man = Man::new(command);
    let staged = Staged::file(&folder.join(man.get_filename()))?;
    staged.write(&page(&man)?)?;
    pages.push(staged);
    Ok(())
}

fn page(man: &Man) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok(text)
}
