CREATE TABLE about (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzles (
    -- the columns, see column.rs
    checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE kinds (
    number INTEGER PRIMARY KEY,
    bit INTEGER NOT NULL GENERATED ALWAYS AS (1 << number) VIRTUAL,
    lengths TEXT NOT NULL
) STRICT;

CREATE TABLE clusters (
    rules TEXT NOT NULL,
    longest_moves INTEGER,
    clusters INTEGER NOT NULL,
    puzzles INTEGER NOT NULL
) STRICT;

CREATE TABLE totals (
    rules TEXT PRIMARY KEY,
    families INTEGER,
    solvable_families INTEGER,
    clusters INTEGER,
    solvable_clusters INTEGER,
    puzzles INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE packed_columns (
    name TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    bytes_per_puzzle INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    cells BLOB NOT NULL,
    PRIMARY KEY (name, chunk)
) STRICT;
