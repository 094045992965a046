CREATE TABLE about (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE puzzles (
    id INTEGER PRIMARY KEY,
    board TEXT NOT NULL,
    moves INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    vehicles INTEGER NOT NULL GENERATED ALWAYS AS (cars + trucks) VIRTUAL,
    cars INTEGER NOT NULL,
    trucks INTEGER NOT NULL,
    free_cells INTEGER NOT NULL,
    line_kinds INTEGER NOT NULL,
    cluster_boards INTEGER NOT NULL,
    goal_boards INTEGER NOT NULL,
    hardest_boards INTEGER NOT NULL,
    optimal_solutions INTEGER NOT NULL,
    optimal_first_moves INTEGER NOT NULL,
    moving_vehicles INTEGER NOT NULL,
    possible_moves INTEGER NOT NULL,
    branching REAL NOT NULL GENERATED ALWAYS AS (CAST(possible_moves AS REAL) / moves) VIRTUAL,
    classic INTEGER NOT NULL CHECK (classic IN (0, 1)),
    rush INTEGER NOT NULL CHECK (rush IN (0, 1)),
    solution TEXT NOT NULL,
    moves_histogram BLOB NOT NULL,
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
