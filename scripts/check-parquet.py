#!/usr/bin/env python3
"""Checks exported Parquet files with two readers that are not ours.

    scripts/check-parquet.py PROGRAM DB

PROGRAM is tailback, DB the folder with its 5×5 tables in moves and in steps.
Writes the same boards as Parquet and as CSV, opens the former with DuckDB and
with pyarrow, and compares types, counts, nulls, what the file says of itself,
and every row. One line a check, exit code 1 if one fails. It needs the Python
packages duckdb and pyarrow; scripts/check-datasets installs them.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow.parquet

COUNT = 20000
SEED = 7
NAME = 'Boards, "checked"'
DESCRIPTION = "5×5, for two readers"
DATASETS = [
    ("all heuristics", "all"),
    ("combinations", "max(advanced-admissible,0.5*distance),blocking+0.125*move-freed"),
]
CONDITIONS = ("move-freed", "move-to-secluded")

# By sort of column: the types of pyarrow and DuckDB, and the value of a text.
TEXT = ("string", "VARCHAR", str)
ID = ("int64", "BIGINT", int)
DISTANCE = ("int16", "SMALLINT", int)
WHOLE = ("int32", "INTEGER", int)
CONDITION = ("bool", "BOOLEAN", {"1": True, "-1": False}.__getitem__)
REAL = ("double", "DOUBLE", float)


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def equal(self, name, expected, found):
        if expected == found:
            print(f"ok    {name}")
            self.passed += 1
        else:
            print(f"FAIL  {name}: expected {expected}, found {found}")
            self.failed += 1


def export(program, db, heuristics, folder):
    """Writes the same boards in both forms."""
    paths = [folder / "boards.parquet", folder / "boards.csv"]
    for path in paths:
        run = [program, "--db", db, "export", path.suffix[1:], "--size", "5", "--metric", "both"]
        run += ["--count", str(COUNT), "--seed", str(SEED), "--include-unsolvable", "--heuristics", heuristics]
        run += ["--name", NAME, "--description", DESCRIPTION, "--out", path]
        subprocess.run(run, check=True)
    return paths


def sort_of(name):
    """What a column of this name holds."""
    named = {"board": TEXT, "id": ID, "moves": DISTANCE, "steps": DISTANCE, "last_move": TEXT}
    named |= dict.fromkeys(CONDITIONS, CONDITION)
    return named.get(name, REAL if any(sign in name for sign in "(+*") else WHOLE)


def read_csv(path):
    """Names, and values by column. A distance or a measure that is none is empty or Infinity."""
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)

    def value(sort, text):
        is_none = text == "" or (text == "Infinity" and sort is not REAL)
        return None if is_none else sort[2](text)

    sorts = [sort_of(name) for name in names]
    return names, [[value(sort, text) for text in texts] for sort, texts in zip(sorts, zip(*rows))]


def first_difference(left, right):
    """Where columns differ first: the row and the two values."""
    if len(left) != len(right):
        return f"{len(left)} and {len(right)} rows"
    # Neither 1 and True nor 1 and 1.0 are the same here.
    pairs = enumerate(zip(left, right))
    return next((f"row {row}: {a!r}, {b!r}" for row, (a, b) in pairs if repr(a) != repr(b)), None)


def check(checks, title, parquet, text):
    names, expected = read_csv(text)
    sorts = [sort_of(name) for name in names]
    file = pyarrow.parquet.ParquetFile(parquet)
    arrow = file.read()
    duck = duckdb.connect()

    def ask(query):
        return duck.execute(query, [str(parquet)]).fetchall()

    arrow_types = [(field.name, str(field.type)) for field in file.schema_arrow]
    checks.equal(f"{title}: types in pyarrow", [(n, s[0]) for n, s in zip(names, sorts)], arrow_types)
    duck_types = [row[:2] for row in ask("DESCRIBE SELECT * FROM read_parquet(?)")]
    checks.equal(f"{title}: types in DuckDB", [(n, s[1]) for n, s in zip(names, sorts)], duck_types)
    never_null = ["board"] + [n for n, s in zip(names, sorts) if s in (CONDITION, REAL)]
    required = [field.name for field in file.schema_arrow if not field.nullable]
    checks.equal(f"{title}: columns that are never null", never_null, required)

    checks.equal(f"{title}: rows in the CSV", COUNT, len(expected[0]))
    checks.equal(f"{title}: rows in pyarrow", (COUNT, COUNT), (file.metadata.num_rows, arrow.num_rows))
    checks.equal(f"{title}: rows in DuckDB", [(COUNT,)], ask("SELECT count(*) FROM read_parquet(?)"))

    nulls = [column.count(None) for column in expected]
    checks.equal(f"{title}: some boards are unsolvable, not all", True, 0 < nulls[names.index("moves")] < COUNT)
    checks.equal(f"{title}: nulls in pyarrow", nulls, [column.null_count for column in arrow.columns])
    counted = ", ".join('count(*) - count("{}")'.format(name.replace('"', '""')) for name in names)
    checks.equal(f"{title}: nulls in DuckDB", [tuple(nulls)], ask(f"SELECT {counted} FROM read_parquet(?)"))

    metadata = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
    told = {"name": NAME, "description": DESCRIPTION, "size": "5", "seed": str(SEED)}
    found = {key: metadata.get(f"tailback.{key}") for key in told}
    checks.equal(f"{title}: what it says of itself", told, found)
    further = [key for key in ("metrics", "rules", "builder") if metadata.get(f"tailback.{key}")]
    checks.equal(f"{title}: metrics, rules and builder are named", ["metrics", "rules", "builder"], further)
    pairs = ask("SELECT decode(key), decode(value) FROM parquet_kv_metadata(?)")
    checks.equal(f"{title}: DuckDB is told the same", metadata, dict(pairs))
    checks.equal(f"{title}: who wrote it", "tailback", file.metadata.created_by.split()[0])

    by_duck = zip(*ask("SELECT * FROM read_parquet(?)"))
    for name, column, left, right in zip(names, expected, arrow.columns, by_duck):
        left = left.to_pylist()
        checks.equal(f"{title}: {name} in pyarrow as in the CSV", None, first_difference(left, column))
        checks.equal(f"{title}: {name} in DuckDB as in pyarrow", None, first_difference(list(right), left))


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("program")
    args.add_argument("db")
    args = args.parse_args()

    checks = Checks()
    for title, heuristics in DATASETS:
        with tempfile.TemporaryDirectory() as folder:
            check(checks, title, *export(args.program, args.db, heuristics, Path(folder)))
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main()
