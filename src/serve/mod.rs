//! The explorer: the page, and all answers as an HTTP API.
//!
//! A thin layer over [`probe`](crate::probe) and [`catalogue`](crate::catalogue):
//! a request is checked (`guard`, `params`), asked (`api`), and answered with the
//! JSON of [`answers`](crate::answers), which is that of the command line. What a
//! table or a rule knows is answered at once; what takes a search, or the catalogue,
//! takes its turn behind a semaphore, with limits of its own ([`limits`]). Memory is
//! that of the connections, of so many searches at once, and of a budget for all that
//! waits for readers (`stream`), whatever is asked.
//!
//! `docs/explorer.md` has an example for each route.

mod api;
mod app;
mod database;
mod deadline;
mod experiments;
mod faults;
mod guard;
mod hosts;
pub mod limits;
mod metrics;
mod openapi;
mod pace;
mod page;
mod params;
mod refusal;
mod route;
mod routes;
mod server;
mod stream;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::Builder;

use app::App;
use experiments::Experiments;
use metrics::Metrics;
use routes::ROUTES;

/// What to serve, and to whom.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 is any that is free.
    pub address: SocketAddr,
    /// The folder of the tables and catalogues.
    pub db: PathBuf,
    /// Names that the server goes by, beside `localhost` and its address.
    pub hosts: Vec<String>,
    /// May pages of other hosts ask?
    pub cors: bool,
    /// The folder of the experiments; without one there are none.
    pub experiments: Option<PathBuf>,
    /// Threads that answer, and searches at once.
    pub threads: Option<usize>,
}

/// The description of the API, as it is in `docs/openapi.json`.
pub fn description() -> String {
    openapi::text(ROUTES)
}

/// Serves until `stop` is ready, then ends what was begun. `ready` gets the address, and
/// the token that requests about experiments need, if there are any.
pub fn serve(
    options: &Options,
    ready: impl FnOnce(SocketAddr, Option<&str>),
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(cores);
    // A connection is an open file, and so many may be open at once.
    let _ = rlimit::increase_nofile_limit(2 * limits::CONNECTIONS as u64);
    let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(options.address).await?;
        let metrics = Metrics::new(ROUTES.iter().map(|route| route.label()));
        let app = Arc::new(App::new(options, threads, metrics));
        ready(listener.local_addr()?, app.experiments.as_ref().map(Experiments::token));
        server::serve(app, listener, stop).await
    });
    // A search that nobody waits for any more is not waited for.
    runtime.shutdown_background();
    served
}
