//! Names of hosts, as requests have them.

use std::net::IpAddr;

/// Is an origin that of a page of this host?
pub fn is_same(origin: &str, host: &str) -> bool {
    origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
}

/// A host without its port.
pub fn name(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name.trim_start_matches('[').trim_end_matches(']')
}

/// Is it a name that every machine has for itself?
pub fn is_loopback(host: &str) -> bool {
    let name = name(host);
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}
