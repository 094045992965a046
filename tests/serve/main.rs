//! The server as its callers meet it: the program, asked over sockets.

#[path = "../common/mod.rs"]
mod common;

mod database;
mod documents;
mod door;
mod experiments;
mod http;
mod limits;
mod routes;
mod same;

use std::path::Path;

use http::Server;

/// A board of 4×4 that takes two moves.
const SMALL: &str = "..B.AAB.........";
/// One that cannot be solved.
const STUCK: &str = "....AABB.CC.....";
/// The classic example: 8 moves.
const CARD: &str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH.";

/// A server with the tables of 4×4 and 5×5 and their catalogues.
fn with_tables() -> Server {
    Server::start(common::tables(), &[])
}

/// A folder without any database.
fn nothing() -> &'static Path {
    Path::new("no-such-folder")
}
