#!/usr/bin/env python3
"""Checks rows of a catalogue against a computation of its own.

    scripts/check-catalogue.py [--db DIR] [--size 6] [--count 2000] [--seed 1]
                               [--tailback PROGRAM]

Draws puzzles at random and works out every column anew, by plain searches of
the puzzle's cluster in Python. Two things come from the table, which has
checks of its own: the rank of a signature's first board, and the distances of
boards without one of their vehicles (a cluster with fewer vehicles may be too
large for Python). It needs the program `zstd` or the module `zstandard`.
"""

import argparse
import json
import multiprocessing
import os
import random
import sqlite3
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
reader = __import__("second-reader")


class Puzzle:
    """A board as one start per vehicle, packed into an integer."""

    def __init__(self, text, n):
        self.n = n
        at = {}
        for i, c in enumerate(text):
            if c not in ".o":
                at.setdefault(c, []).append((i // n, i % n))
        self.letters = sorted(at)
        self.vehicles = []
        starts = []
        for letter in self.letters:
            (r, c), second = at[letter][0], at[letter][1]
            horizontal = second[0] == r
            line, start = (r, c) if horizontal else (c, r)
            self.vehicles.append((horizontal, line, len(at[letter])))
            starts.append(start)
        self.masks = [[self.cells(v, s) for s in range(n - v[2] + 1)] for v in self.vehicles]
        self.start = self.pack(starts)
        self.primary = self.letters.index("A")

    def cells(self, vehicle, start):
        horizontal, line, length = vehicle
        mask = 0
        for i in range(start, start + length):
            mask |= 1 << (line * self.n + i if horizontal else i * self.n + line)
        return mask

    def pack(self, starts):
        return sum(s << (3 * i) for i, s in enumerate(starts))

    def unpack(self, key):
        return [key >> (3 * i) & 7 for i in range(len(self.vehicles))]

    def solved(self, key):
        return key >> (3 * self.primary) & 7 == self.n - 2

    def moves(self, key, steps=False):
        """Every move: (vehicle, by how much, the board after it)."""
        starts = self.unpack(key)
        taken = 0
        for i, s in enumerate(starts):
            taken |= self.masks[i][s]
        for i, s in enumerate(starts):
            masks = self.masks[i]
            others = taken ^ masks[s]
            for sign in (-1, 1):
                to = s + sign
                while 0 <= to < len(masks) and not masks[to] & others:
                    yield i, to - s, key + ((to - s) << (3 * i))
                    if steps:
                        break
                    to += sign

    def order(self, key):
        horizontal = vertical = 0
        for i, s in enumerate(self.unpack(key)):
            if self.vehicles[i][0]:
                horizontal |= self.masks[i][s]
            else:
                vertical |= self.masks[i][s]
        return horizontal, vertical

    def text(self, key, without=None):
        cells = ["."] * (self.n * self.n)
        for i, s in enumerate(self.unpack(key)):
            if i != without:
                for cell in range(self.n * self.n):
                    if self.masks[i][s] >> cell & 1:
                        cells[cell] = self.letters[i]
        return "".join(cells)

    def lines(self):
        """The lengths in every row, then in every column."""
        lines = [[] for _ in range(2 * self.n)]
        for (horizontal, line, length), start in zip(self.vehicles, self.unpack(self.start)):
            lines[line if horizontal else self.n + line].append((start, length))
        return [tuple(length for _, length in sorted(line)) for line in lines]


def kinds(n):
    return reader.Line(n).kinds


def compute(job):
    """All columns of a puzzle but id, classic and rush; and its hardest boards."""
    text, solution, n = job
    p = Puzzle(text, n)
    # The cluster, step by step: the first solved board met gives the steps.
    depth = {p.start: 0}
    queue = [p.start]
    steps = None
    for key in queue:
        if steps is None and p.solved(key):
            steps = depth[key]
        for _, _, after in p.moves(key, steps=True):
            if after not in depth:
                depth[after] = depth[key] + 1
                queue.append(after)
    # Distances in moves, from the solved boards outward.
    distance = {key: 0 for key in queue if p.solved(key)}
    level = list(distance)
    histogram = [len(level)]
    while True:
        level_after = []
        for key in level:
            for _, _, after in p.moves(key):
                if after not in distance:
                    distance[after] = len(histogram)
                    level_after.append(after)
        if not level_after:
            break
        histogram.append(len(level_after))
        level = level_after
    moves = distance[p.start]
    # The optimal solutions, counted level by level.
    ways = {p.start: 1}
    first_moves = 0
    for left in range(moves - 1, -1, -1):
        after_all = {}
        for key, count in ways.items():
            for _, _, after in p.moves(key):
                if distance[after] == left:
                    after_all[after] = after_all.get(after, 0) + count
        if left == moves - 1:
            first_moves = len(after_all)
        ways = after_all
    # The solution that is stored.
    key, possible, moved = p.start, 0, set()
    for move in solution.split():
        legal = {(p.letters[i], by): after for i, by, after in p.moves(key)}
        possible += len(legal)
        moved.add(move[0])
        key = legal.get((move[0], int(move[1:])))
        if key is None:
            return {"solution": f"illegal move {move}"}, []
    trucks = sum(length == 3 for _, _, length in p.vehicles)
    all_kinds = kinds(n)
    row = {
        "moves": moves,
        "steps": steps,
        "vehicles": len(p.vehicles),
        "cars": len(p.vehicles) - trucks,
        "trucks": trucks,
        "free_cells": text.count("."),
        "line_kinds": sum(1 << k for k in {all_kinds.index(line) for line in p.lines()}),
        "cluster_boards": len(queue),
        "goal_boards": histogram[0],
        "hardest_boards": histogram[-1],
        "optimal_solutions": sum(ways.values()),
        "optimal_first_moves": first_moves,
        "moving_vehicles": len(moved),
        "possible_moves": possible,
        "branching": possible / moves,
        "moves_histogram": histogram,
        "board": p.text(p.start),
        "solution": solution if p.solved(key) and len(solution.split()) == moves else "not a shortest solution",
    }
    # The letters: A, then B, C, ... in reading order.
    seen = [c for i, c in enumerate(text) if c not in ".A" and c not in text[:i]]
    if seen != [chr(ord("B") + i) for i in range(len(seen))]:
        row["board"] = "letters out of order"
    if moves != len(histogram) - 1:
        row["moves"] = f"{moves}, but the cluster has {len(histogram) - 1}"
    # Hardest boards up to the puzzle in board order, each without one vehicle.
    hardest = sorted((p.order(k), k) for k, d in distance.items() if d == moves)
    up_to = [k for order, k in hardest if order <= p.order(p.start)]
    without = [[p.text(k, v) for v in range(len(p.vehicles)) if v != p.primary] for k in up_to]
    return row, without


def is_classic(text, n):
    lines = Puzzle(text, n).lines()
    primary_row = 1 if n == 4 else 2
    return len(lines[primary_row]) == 1 and all(sum(line) < n for line in lines)


class Ranks:
    """Ranks of boards: the signature's first from the table, the rest counted."""

    def __init__(self, path, n):
        self.n, self.line = n, reader.Line(n)
        self.p = 1 if n == 4 else 2
        self.table = open(path, "rb")
        self.table.seek(72)
        self.index_at = struct.unpack("<Q", self.table.read(8))[0]
        fit = [len(self.line.fit(mask)) for mask in range(1 << n)]
        self.fitting = fit
        self.bits = [[cells >> c & 1 for c in range(n)] for cells in self.line.cells]

    def fillings(self, masks):
        product = 1
        for mask in masks:
            product *= self.fitting[mask]
        return product

    def rank(self, text):
        n, line, p = self.n, self.line, self.p
        puzzle = Puzzle(text, n)
        rows, columns = [[] for _ in range(n)], [[] for _ in range(n)]
        for (horizontal, i, length), start in zip(puzzle.vehicles, puzzle.unpack(puzzle.start)):
            (rows if horizontal else columns)[i].append((start, length))
        rows = [line.placements.index(tuple(sorted(r))) for r in rows]
        columns = [line.placements.index(tuple(sorted(c))) for c in columns]
        primary_kinds = [k for k, lengths in enumerate(line.kinds) if lengths and lengths[-1] == 2]
        signature = 0
        for r, x in enumerate(rows):
            of_row = primary_kinds if r == p else list(range(len(line.kinds)))
            signature = signature * len(of_row) + of_row.index(line.kind[x])
        self.table.seek(self.index_at + 24 * signature + 8)
        rank = struct.unpack("<Q", self.table.read(8))[0]

        order = [p] + [r for r in range(n) if r != p]
        lists = []
        for r in order:
            same = [x for x in range(len(line.placements)) if line.kind[x] == line.kind[rows[r]]]
            lists.append(sorted(same, key=lambda x: line.placements[x][-1][0]) if r == p else same)

        def with_row(masks, i, x):
            return [mask | bit << order[i] for mask, bit in zip(masks, self.bits[x])]

        def everything(i, masks):
            if i == n:
                return self.fillings(masks)
            return sum(everything(i + 1, with_row(masks, i, x)) for x in lists[i])

        masks = [0] * n
        for i in range(n):
            for x in lists[i]:
                if x == rows[order[i]]:
                    break
                rank += everything(i + 1, with_row(masks, i, x))
            masks = with_row(masks, i, rows[order[i]])
        left, right = line.fit(masks[0]), line.fit(masks[-1])
        number = 0
        for c in range(1, n - 1):
            fit = line.fit(masks[c])
            number = number * len(fit) + fit.index(columns[c])
        pairs = sorted(((l, r) for l in left for r in right), key=lambda lr: (line.kind[lr[0]], line.kind[lr[1]], lr))
        return rank + number * len(pairs) + pairs.index((columns[0], columns[-1]))


_ranks = None


def rank(job):
    global _ranks
    text, path, n = job
    if _ranks is None:
        _ranks = Ranks(path, n)
    return _ranks.rank(text)


def distances(program, db, boards):
    """The distances of many boards in moves, from the table."""
    run = [program, "--db", db, "lookup", "-"]
    out = subprocess.run(run, input="\n".join(boards), stdout=subprocess.PIPE, check=True, text=True).stdout
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(boards) and all(a["source"] == "table" for a in answers)
    return [a["distance"] for a in answers]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--db", default="db")
    args.add_argument("--size", type=int, default=6)
    args.add_argument("--count", type=int, default=2000)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--tailback", default="target/release/tailback")
    args = args.parse_args()
    started = time.time()
    n = args.size
    name = f"{n}x{n}"
    db = sqlite3.connect(f"file:{os.path.join(args.db, name)}-catalogue.sqlite?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    ids = [row[0] for row in db.execute("SELECT id FROM puzzles ORDER BY id")]
    drawn = sorted(random.Random(args.seed).sample(ids, min(args.count, len(ids))))
    rows = [dict(db.execute("SELECT * FROM puzzles WHERE id = ?", (id,)).fetchone()) for id in drawn]
    for row in rows:
        packed = reader.unpack(row["moves_histogram"])
        row["moves_histogram"] = list(struct.unpack(f"<{len(packed) // 4}I", packed))

    table = os.path.join(args.db, f"{name}-moves.tailback")
    with multiprocessing.Pool() as pool:
        truth = pool.map(compute, [(r["board"], r["solution"], n) for r in rows], chunksize=8)
        ranks = pool.map(rank, [(r["board"], table, n) for r in rows], chunksize=8)
    boards = [board for _, hardest in truth for without in hardest for board in without]
    found = iter(distances(args.tailback, args.db, boards))

    wrong = 0
    for row, (true, hardest), true_rank in zip(rows, truth, ranks):
        # A list, so that every distance is taken even if one decides.
        minimal = [all([next(found) < row["moves"] for _ in without]) for without in hardest]
        true["id"] = true_rank
        true["classic"] = int(is_classic(row["board"], n))
        # The puzzle is the first minimal one; rush asks that it is the first.
        true["rush"] = int(true["classic"] and len(minimal) == 1)
        if not minimal or not minimal[-1] or any(minimal[:-1]):
            wrong += 1
            print(f"{row['id']}: {row['board']} is not the first minimal one of the hardest boards")
        for column, value in row.items():
            if column == "checksum":
                continue
            if true.get(column) != value:
                wrong += 1
                print(f"{row['id']}: {column} is {value}, should be {true.get(column)}")
    columns = len(rows[0]) - 1 if rows else 0
    print(f"{len(rows)} puzzles, {columns} columns each, {len(boards)} boards looked up, "
          f"{wrong} wrong, {time.time() - started:.0f} s")
    sys.exit(1 if wrong or not rows else 0)


if __name__ == "__main__":
    main()
