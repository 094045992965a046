//! Connections: accepted as long as there is room, with a time for each head, and a
//! farewell that ends what was begun.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;

use super::app::App;
use super::experiments::Experiments;
use super::pace::Paced;
use super::{api, faults, guard, limits, page, routes};

/// How often the files of the database are looked at.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// After so many looks it is logged how often faults came again.
const REPORT: u64 = 60;
/// A server that cannot take a connection tries again after this.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// All routes behind the guard.
fn router(app: &Arc<App>) -> Router {
    Router::new()
        .merge(routes::router())
        .merge(page::router())
        .layer(CatchPanicLayer::custom(|_| api::panicked().map(Body::new)))
        .layer(from_fn_with_state(Arc::clone(app), guard::guard))
        .with_state(Arc::clone(app))
}

/// Serves until somebody wants it to stop.
pub async fn serve(app: Arc<App>, listener: TcpListener, stop: impl Future<Output = ()>) -> io::Result<()> {
    let router = router(&app);
    let room = Arc::new(Semaphore::new(limits::CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let watcher = tokio::spawn(watch(Arc::clone(&app)));
    let mut stop = pin!(stop);
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&room).acquire_owned() => permit.expect("it is never closed"),
            () = &mut stop => break,
        };
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Too many open files, or a caller who is gone: the others stay.
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(ACCEPT_RETRY).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // An answer is one small packet: waiting for more would only delay it.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service =
            service_fn(move |request: Request<Incoming>| router.clone().oneshot(request.map(Body::new)));
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(limits::HEAD_TIME)
            .max_buf_size(limits::HEAD_BYTES);
        let stream = Paced::new(stream, limits::READ_PACE, limits::READ_SLACK);
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        let app = Arc::clone(&app);
        app.metrics.connections.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            // Whatever ends a connection is its caller's affair.
            let _ = connection.await;
            app.metrics.connections.fetch_sub(1, Ordering::Relaxed);
            drop(permit);
        });
    }
    drop(listener);
    watcher.abort();
    tracing::info!("stopping");
    if let Some(experiments) = &app.experiments {
        experiments.close();
    }
    if timeout(limits::SHUTDOWN_TIME, graceful.shutdown()).await.is_err() {
        tracing::warn!("some answers were not finished in time");
    }
    if app.experiments.is_some() {
        let app = Arc::clone(&app);
        let _ = tokio::task::spawn_blocking(move || app.experiments.as_ref().map(Experiments::wait)).await;
    }
    faults::report();
    Ok(())
}

/// Looks at the files of the database.
async fn watch(app: Arc<App>) {
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in 1u64.. {
        ticks.tick().await;
        if look.is_multiple_of(REPORT) {
            faults::report();
        }
        let app = Arc::clone(&app);
        let _ = tokio::task::spawn_blocking(move || app.database.look()).await;
    }
}
