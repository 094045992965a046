//! `tailback completions`: what a shell needs to complete commands.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use tailback::catalogue::Column;
use tailback::puzzles::PUZZLES;
use tailback::search::Algorithm;

use crate::shared::{Result, output, puzzle_source};

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
    pub fn run(&self, program: Command) -> Result<()> {
        let mut program = offering(program);
        // Into memory first: the generator would panic on a broken pipe.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "tailback", &mut script);
        output::text(&String::from_utf8_lossy(&script))?;
        Ok(())
    }
}

/// Options that read more than names offer the names all the same, and files are
/// completed where files are meant.
fn offering(command: Command) -> Command {
    let names = |arg: &Arg| -> Vec<&'static str> {
        match arg.get_id().as_str() {
            "algorithm" | "algorithms" => Algorithm::NAMES.map(|(name, _)| name).to_vec(),
            "heuristic" => PUZZLES[0].vocabulary().names().collect(),
            "heuristics" => PUZZLES[0].vocabulary().names().chain(["all", "features"]).collect(),
            "puzzle" => PUZZLES.iter().map(|puzzle| puzzle.name()).collect(),
            "set" => puzzle_source::names().collect(),
            "sort" => Column::numbers().filter_map(|column| column.about().short_name).collect(),
            _ => Vec::new(),
        }
    };
    let hint =
        |arg: &Arg| match arg.get_value_names().and_then(|names| names.first()).map(|name| name.as_str()) {
            Some("FILE") => Some(ValueHint::FilePath),
            Some("DIR") => Some(ValueHint::DirPath),
            _ => None,
        };
    let offer = |arg: Arg| {
        let (names, hint) = (names(&arg), hint(&arg));
        match (names.is_empty(), hint) {
            (false, _) => arg.value_parser(PossibleValuesParser::new(names)),
            (true, Some(hint)) => arg.value_hint(hint),
            (true, None) => arg,
        }
    };
    command.mut_args(offer).mut_subcommands(offering)
}
