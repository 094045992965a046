//! Counters, in the text form that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Upper ends of the classes of time, in microseconds.
const CLASSES: [u64; 8] = [100, 300, 1_000, 3_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Counters of the whole server.
pub struct Metrics {
    started: Instant,
    pub connections: AtomicUsize,
    /// For each route, and for all that is none.
    routes: Vec<OfRoute>,
}

#[derive(Default)]
struct OfRoute {
    label: String,
    /// By the first digit of the status.
    statuses: [AtomicU64; 6],
    microseconds: AtomicU64,
    /// How many took at most so long as a class, and no less than the one before.
    classes: [AtomicU64; CLASSES.len() + 1],
}

impl Metrics {
    /// For routes of these labels.
    pub fn new(labels: impl Iterator<Item = String>) -> Metrics {
        let labels = labels.chain(["other".to_owned()]);
        Metrics {
            started: Instant::now(),
            connections: AtomicUsize::new(0),
            routes: labels.map(|label| OfRoute { label, ..OfRoute::default() }).collect(),
        }
    }

    /// A request was answered. Without a route it counts among the others.
    pub fn count(&self, route: Option<usize>, status: u16, took: Duration) {
        let of_route = &self.routes[route.unwrap_or(self.routes.len() - 1)];
        let microseconds = took.as_micros() as u64;
        of_route.statuses[usize::from(status / 100).min(5)].fetch_add(1, Ordering::Relaxed);
        of_route.microseconds.fetch_add(microseconds, Ordering::Relaxed);
        let class = CLASSES.partition_point(|&most| most < microseconds);
        of_route.classes[class].fetch_add(1, Ordering::Relaxed);
    }

    pub fn text(&self) -> String {
        let mut text = String::from("# TYPE tailback_uptime_seconds gauge\n");
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let _ = writeln!(text, "tailback_uptime_seconds {}", self.started.elapsed().as_secs());
        let _ = writeln!(text, "# TYPE tailback_connections gauge");
        let _ = writeln!(text, "tailback_connections {}", self.connections.load(Ordering::Relaxed));
        let _ = writeln!(text, "# TYPE tailback_requests_total counter");
        for of_route in &self.routes {
            let route = &of_route.label;
            for (class, counter) in of_route.statuses.iter().enumerate().filter(|(_, c)| value(c) > 0) {
                let count = value(counter);
                let _ = writeln!(
                    text,
                    "tailback_requests_total{{route=\"{route}\",status=\"{class}xx\"}} {count}"
                );
            }
        }
        let _ = writeln!(text, "# TYPE tailback_request_seconds histogram");
        for of_route in &self.routes {
            let route = &of_route.label;
            let mut count = 0;
            if of_route.classes.iter().all(|class| value(class) == 0) {
                continue;
            }
            for (class, counter) in of_route.classes.iter().enumerate() {
                count += value(counter);
                let most =
                    CLASSES.get(class).map_or("+Inf".to_owned(), |&most| (most as f64 / 1e6).to_string());
                let _ = writeln!(
                    text,
                    "tailback_request_seconds_bucket{{route=\"{route}\",le=\"{most}\"}} {count}"
                );
            }
            let seconds = value(&of_route.microseconds) as f64 / 1e6;
            let _ = writeln!(text, "tailback_request_seconds_sum{{route=\"{route}\"}} {seconds}");
            let _ = writeln!(text, "tailback_request_seconds_count{{route=\"{route}\"}} {count}");
        }
        text
    }
}
