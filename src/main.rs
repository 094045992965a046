//! The command line of Tailback.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match cli::Cli::read() {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(cli.global.json),
    }
}
