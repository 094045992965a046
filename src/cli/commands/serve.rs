//! `tailback serve`: the explorer.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tailback::serve::{self, Options};
use tracing_subscriber::filter::LevelFilter;

use crate::shared::{Failure, Global, Result, interrupt, output};

const EXAMPLES: &str = "\
Examples:
  tailback serve --open                        the page, in your browser
  tailback serve --addr 127.0.0.1:0            any port that is free
  tailback serve --addr 0.0.0.0:8064 --host puzzles.example.org
  tailback serve --experiments runs            experiments, too
  curl '127.0.0.1:8064/api/v1/lookup?board=..B.AAB.........'

With a database answers come from it; without one from the starter and by search.
docs/explorer.md has an example for each route, the limits, and how to put the
server behind a proxy. Ctrl-C ends it when what was begun is answered.";

/// How often a signal is looked for.
const LISTEN: Duration = Duration::from_millis(50);

/// Serve the explorer: the page and the HTTP API
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Serve {
    /// Where to listen
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8064")]
    addr: SocketAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// A name that the server goes by, beside localhost and its address; may be given more than once
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Let pages of other hosts ask
    #[arg(long)]
    cors: bool,
    /// Show and run the experiments of this folder, for those who have the link that is printed
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// Threads that answer, and searches at once [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// What to log on standard error: error, warn, info, or debug for every request
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = ["error", "warn", "info", "debug"])]
    log: String,
    /// Print the OpenAPI description and end
    #[arg(long)]
    describe: bool,
}

impl Serve {
    pub fn run(&self, global: &Global) -> Result<()> {
        if self.describe {
            return Ok(output::text(&serve::description())?);
        }
        self.log(global);
        interrupt::listen("ending when what was begun is answered; once more to end at once")?;
        let options = Options {
            address: self.addr,
            db: global.db(),
            hosts: self.host.clone(),
            cors: self.cors,
            experiments: self.experiments.clone(),
            threads: self.threads.map(usize::from),
        };
        let ready = |address: SocketAddr, token: Option<&str>| {
            // A page is asked for by the name that every machine has for itself.
            let address = match address.ip().is_unspecified() {
                true => SocketAddr::from(([127, 0, 0, 1], address.port())),
                false => address,
            };
            let url = format!("http://{address}/");
            let link = token.map(|token| format!("{url}experiments#token={token}"));
            let told = match (global.json, &link) {
                (true, _) => output::json(&serde_json::json!({ "url": url, "token": token })),
                (false, None) => output::text(&format!("Tailback is at {url} (Ctrl-C ends it)\n")),
                (false, Some(link)) => output::text(&format!(
                    "Tailback is at {url} (Ctrl-C ends it)\nExperiments, for those who have this link: {link}\n"
                )),
            };
            // Nobody has to read it.
            let _ = told;
            if self.open && open::that_detached(link.as_ref().unwrap_or(&url)).is_err() {
                output::note("no browser could be opened: open the address yourself");
            }
        };
        let stop = async {
            while !interrupt::is_raised() {
                tokio::time::sleep(LISTEN).await;
            }
        };
        serve::serve(&options, ready, stop).map_err(|error| {
            let failure = Failure::of(&error).about(format_args!("cannot listen to {}", self.addr));
            failure.advise("choose another address with --addr, such as 127.0.0.1:0 for any free port")
        })
    }

    /// Logs in lines for people, or as JSON.
    fn log(&self, global: &Global) {
        let level = if global.quiet { "error" } else { &self.log };
        let level: LevelFilter = level.parse().expect("clap takes no other");
        let log = tracing_subscriber::fmt().with_max_level(level).with_target(false);
        let log = log.with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
        if global.json { log.json().init() } else { log.init() }
    }
}
