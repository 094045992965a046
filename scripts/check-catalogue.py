#!/usr/bin/env python3
"""Checks rows of a catalogue against a computation of its own.

    scripts/check-catalogue.py [--db DIR] [--size 6] [--file CATALOGUE] [--where SQL]
                               [--count 2000] [--seed 1] [--threads N]

Draws puzzles at random and works out every column anew, by plain searches in
Python, from the definitions in docs/catalogue.md, docs/format.md (ranks) and
docs/search.md (board order). It reads the catalogue and nothing else: no table, no
answer of Tailback. A catalogue with walls has another name, for example

    scripts/check-catalogue.py --file db/5x5-walls-0-2-catalogue.sqlite --where 'walls > 0'

Prints a line for each column that is wrong and a summary; exit code 1 if one is
wrong or nothing was drawn. It needs the program `zstd` or the module `zstandard`.
"""

import argparse
import math
import multiprocessing
import os
import random
import sqlite3
import struct
import sys
import time
import zlib
from functools import lru_cache

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
reader = __import__("second-reader")

INTEGERS = """id moves steps cars trucks free_cells walls line_kinds cluster_boards goal_boards hardest_boards
    optimal_solutions optimal_first_moves moving_vehicles different_solutions forced_moves away_moves
    longest_chain possible_moves classic rush""".split()


class Moves(dict):
    """The moves of one vehicle, by the bits of a board that decide about them.

    Each is what has to be added to the board."""

    def __init__(self, positions, at, farthest):
        self.positions, self.at, self.farthest = positions, at, farthest

    def __missing__(self, line):
        start = line >> self.at & 7
        others = line & ~self.positions[start] & ~(7 << self.at)
        self[line] = []
        for sign in (-1, 1):
            for by in range(sign, sign * (self.farthest + 1), sign):
                to = start + by
                if not 0 <= to < len(self.positions) or self.positions[to] & others:
                    break
                self[line].append(self.positions[to] - self.positions[start] + (by << self.at))
        return self[line]


class Puzzle:
    """A family of boards: vehicles that have their lines, and walls.

    A board is an integer: a bit for each cell that is taken, and above these three
    bits for the start of each vehicle."""

    def __init__(self, text, n):
        self.n = n
        self.row = 1 if n == 4 else 2
        at = {}
        self.walls = [i for i, c in enumerate(text) if c in "x#"]
        for i, c in enumerate(text):
            if c not in ".x#":
                at.setdefault(c, []).append((i // n, i % n))
        if len(text) != n * n or "A" not in at:
            raise ValueError("no board of this size with a primary")
        # The primary, then the others in reading order.
        self.letters = sorted(at, key=lambda c: (c != "A", at[c]))
        self.vehicles, self.positions = [], []
        self.start = sum(1 << w for w in self.walls)
        for letter in self.letters:
            (r, c), length = at[letter][0], len(at[letter])
            horizontal = at[letter][-1][0] == r
            run = [(r, c + i) if horizontal else (r + i, c) for i in range(length)]
            if length not in (2, 3) or at[letter] != run:
                raise ValueError(f"no board, {letter} being no car and no truck")
            line, start = (r, c) if horizontal else (c, r)
            self.vehicles.append((horizontal, line, length, start))
            self.positions.append([self.cells(horizontal, line, s, length) for s in range(n - length + 1)])
            self.start += self.positions[-1][start] + (start << self.at(len(self.vehicles) - 1))
        if self.vehicles[0][:3] != (True, self.row, 2):
            raise ValueError("a board whose primary is no car in its row")
        self.slides, self.steps = self.moves_of_all(n), self.moves_of_all(1)

    def at(self, vehicle):
        return self.n * self.n + 3 * vehicle

    def cells(self, horizontal, line, start, length):
        cells = [line * self.n + i if horizontal else i * self.n + line for i in range(start, start + length)]
        return sum(1 << cell for cell in cells)

    def moves_of_all(self, farthest):
        """For each vehicle the bits that decide about its moves, and these moves."""
        tables = []
        for v, (horizontal, line, _, _) in enumerate(self.vehicles):
            bits = self.cells(horizontal, line, 0, self.n) | 7 << self.at(v)
            tables.append((bits, Moves(self.positions[v], self.at(v), farthest)))
        return tables

    def start_of(self, board, vehicle):
        return board >> self.at(vehicle) & 7

    def solved(self, board):
        return self.start_of(board, 0) == self.n - 2

    def moves(self, board):
        """Every move as (vehicle, by how much, the board after it): the primary's first,
        then those of the others in reading order; left or up before right or down, near
        before far."""
        for v, (bits, table) in enumerate(self.slides):
            for change in table[board & bits]:
                after = board + change
                yield v, self.start_of(after, v) - self.start_of(board, v), after

    def levels(self, level, tables):
        """The boards one move further, another move further, and so on. Each move has one
        that takes it back, so a neighbour is in the level before, in this or in the next."""
        before = set()
        while level:
            yield level
            after = {board + change for board in level for bits, table in tables for change in table[board & bits]}
            after -= before
            after -= level
            before, level = level, after

    def order(self, board):
        """Board order: the horizontal cells as a number, walls among them, then the vertical ones."""
        cells = [0, 0]
        for v, (horizontal, _, _, _) in enumerate(self.vehicles):
            cells[not horizontal] |= self.positions[v][self.start_of(board, v)]
        return cells[0] | sum(1 << w for w in self.walls), cells[1]

    def text(self, board):
        """The board with the letters that it has in a catalogue."""
        cells = ["."] * (self.n * self.n)
        for wall in self.walls:
            cells[wall] = "x"
        for v in range(len(self.vehicles)):
            for cell in range(len(cells)):
                if self.positions[v][self.start_of(board, v)] >> cell & 1:
                    cells[cell] = chr(ord("A") + v)
        return "".join(cells)

    def without(self, board, part):
        """The board without a vehicle or a wall; parts are the vehicles and then the walls."""
        if part < len(self.vehicles):
            start = self.start_of(board, part)
            return board - self.positions[part][start] - (start << self.at(part))
        return board - (1 << self.walls[part - len(self.vehicles)])

    def lines(self):
        """The lengths in every row, then in every column."""
        lines = [[] for _ in range(2 * self.n)]
        for horizontal, line, length, start in self.vehicles:
            lines[line if horizontal else self.n + line].append((start, length))
        return [tuple(length for _, length in sorted(line)) for line in lines]

    def is_classic(self):
        lines = self.lines()
        full = [sum(lengths) for lengths in lines]
        for wall in self.walls:
            full[wall // self.n] += 1
        return len(lines[self.row]) == 1 and self.n not in full


def explore(p, board, part=None):
    """The cluster of a board, perhaps without one part: how many boards, the fewest steps
    to the exit, and the distance in moves of every board."""
    steps, slides = ([table for v, table in enumerate(tables) if v != part] for tables in (p.steps, p.slides))
    boards, fewest, solved = 0, None, set()
    for depth, level in enumerate(p.levels({board}, steps)):
        boards += len(level)
        solved.update(filter(p.solved, level))
        if solved and fewest is None:
            fewest = depth
    return boards, fewest, {b: far for far, level in enumerate(p.levels(solved, slides)) for b in level}


def solve(p, board, distance):
    """The solution whose every move is the first that leads nearer: (vehicle, by, before, after)."""
    solution = []
    while distance[board]:
        v, by, after = next(move for move in p.moves(board) if distance[move[2]] < distance[board])
        solution.append((v, by, board, after))
        board = after
    return solution


def different(p, distance, most=100):
    """How many shortest solutions differ in more than order: in which vehicle goes from where
    to where how often.

    Each is a number of counters, a byte for each such move. A board from which so many lead
    to the exit gives as many to the puzzle, behind one way to it."""
    nearer, level = [], {p.start}
    while level:
        nearer.append({b: [m for m in p.moves(b) if distance[m[2]] < distance[b]] for b in level})
        level = {after for moves in nearer[-1].values() for _, _, after in moves}
    numbers, found = {}, {}
    for level in reversed(nearer):
        for board, moves in level.items():
            found[board] = set() if moves else {0}
            for v, _, after in moves:
                move = v, p.start_of(board, v), p.start_of(after, v)
                count = 1 << 8 * numbers.setdefault(move, len(numbers))
                found[board].update(count + rest for rest in found[after])
                if len(found[board]) >= most:
                    return most
    return len(found[p.start])


def before_exit(p, board):
    """Cells and vehicles between the primary and the exit."""
    begin = p.start_of(board, 0) + 2
    way = p.cells(True, p.row, begin, p.n - begin)
    inside = [v for v in range(1, len(p.vehicles)) if p.positions[v][p.start_of(board, v)] & way]
    return p.n - begin + len(inside)


def longest_chain(p, solution):
    """The longest chain up to each move; a move passes the cells that it begins and ends on, too."""
    chain, passed = [], []
    for i, (v, _, before, after) in enumerate(solution):
        a, b = sorted((p.start_of(before, v), p.start_of(after, v)))
        horizontal, line, length, _ = p.vehicles[v]
        passed.append(p.cells(horizontal, line, a, b - a + length))
        behind = [chain[j] for j in range(i) if solution[j][0] == v or passed[j] & passed[i]]
        chain.append(1 + max(behind, default=0))
    return max(chain, default=0)


def needs_all(p, distance):
    """Does the puzzle get shorter without any one part?"""
    for part in range(1, len(p.vehicles) + len(p.walls)):
        slides = [table for v, table in enumerate(p.slides) if v != part]
        levels = zip(range(distance[p.start]), p.levels({p.without(p.start, part)}, slides))
        if not any(any(map(p.solved, level)) for _, level in levels):
            return False
    return True


def first_that_needs_all(p, boards, distance):
    """The first of these equally hard boards that gets shorter without any one part."""
    parts = list(range(1, len(p.vehicles) + len(p.walls)))
    known = {part: {} for part in parts}
    for board in boards:
        # A vehicle that moves in a shortest solution is needed: the other moves remain.
        moved = {v for v, _, _, _ in solve(p, board, distance)}
        for part in parts:
            rest = p.without(board, part)
            if part not in moved and rest not in known[part]:
                known[part].update(explore(p, rest, part)[2])
            if part not in moved and known[part][rest] == distance[board]:
                # Often the next board can spare the same.
                parts.remove(part)
                parts.insert(0, part)
                break
        else:
            return board
    return None


@lru_cache(None)
def below(n, state, taken):
    """The state of a board between two rows: how many cells of a vehicle each column still has
    to put below, 0, 1 or 2, in two bits each. All states behind a row that takes these cells."""
    states = [0]
    for c in range(n):
        left = state >> 2 * c & 3
        if left == 3 or left and taken >> c & 1:
            return []
        choices = [left - 1] if left else [0] if taken >> c & 1 else [0, 1, 2]
        states = [s | choice << 2 * c for s in states for choice in choices]
    return states


class Space:
    """The boards of one size and one set of walls, numbered as docs/format.md says."""

    def __init__(self, n, walls):
        self.n, self.line = n, reader.Line(n)
        self.p = 1 if n == 4 else 2
        self.walls = [sum(1 << w % n for w in walls if w // n == r) for r in range(n)]
        line = self.line
        self.rows = []
        for r in range(n):
            fit = line.fit(self.walls[r])
            if r == self.p:
                fit = [x for x in fit if line.kinds[line.kind[x]][-1:] == (2,)]
                fit = [x for x in fit if self.walls[r] >> line.placements[x][-1][0] == 0]
            self.rows.append(fit)
        # How many ways there are to fill the rows from r on, by the state before.
        self.ways_from = [{} for _ in range(n)] + [{0: 1}]
        for r in reversed(range(n)):
            for state in below(n, 0, 0):
                behind = self.down({state: 1}, r, self.rows[r])
                self.ways_from[r][state] = self.completed(behind, r + 1)

    def down(self, ways, r, placements):
        """Ways by state before row r to ways by state behind it."""
        behind = {}
        for state, count in ways.items():
            for x in placements:
                for to in below(self.n, state, self.line.cells[x] | self.walls[r]):
                    behind[to] = behind.get(to, 0) + count
        return behind

    def completed(self, ways, r):
        """All boards that such ways to fill the rows above r lead to."""
        return sum(count * self.ways_from[r].get(state, 0) for state, count in ways.items())

    def boards(self, lists):
        """How many boards have in each row one of these placements."""
        ways = {0: 1}
        for r, placements in enumerate(lists):
            ways = self.down(ways, r, placements)
        return ways.get(0, 0)

    def rank(self, p):
        n, line = self.n, self.line
        rows, columns = [[] for _ in range(n)], [[] for _ in range(n)]
        for horizontal, i, length, start in p.vehicles:
            (rows if horizontal else columns)[i].append((start, length))
        rows = [line.placements.index(tuple(sorted(r))) for r in rows]
        columns = [line.placements.index(tuple(sorted(c))) for c in columns]
        if any(x not in self.rows[r] for r, x in enumerate(rows)):
            raise ValueError("not a board of the space")
        # Lower signatures: as this one above row r, lower in it, anything below.
        rank, ways = 0, {0: 1}
        for r, x in enumerate(rows):
            lower = [y for y in self.rows[r] if line.kind[y] < line.kind[x]]
            rank += self.completed(self.down(ways, r, lower), r + 1)
            ways = self.down(ways, r, [y for y in self.rows[r] if line.kind[y] == line.kind[x]])
        # Lower configurations of this signature: row p counts most, by the primary's start first.
        lists = [[y for y in self.rows[r] if line.kind[y] == line.kind[x]] for r, x in enumerate(rows)]
        lists[self.p].sort(key=lambda y: line.placements[y][-1][0])
        for r in [self.p] + [r for r in range(n) if r != self.p]:
            rank += self.boards(lists[:r] + [lists[r][: lists[r].index(rows[r])]] + lists[r + 1 :])
            lists[r] = [rows[r]]
        # The columns: the middle ones, then the pair at the edges by kinds first.
        fits = []
        for c in range(n):
            taken = sum(((line.cells[x] | self.walls[r]) >> c & 1) << r for r, x in enumerate(rows))
            fits.append(line.fit(taken))
        number = 0
        for c in range(1, n - 1):
            number = number * len(fits[c]) + fits[c].index(columns[c])
        pairs = [(line.kind[a], line.kind[b], a, b) for a in fits[0] for b in fits[-1]]
        pair = sorted(pairs).index((line.kind[columns[0]], line.kind[columns[-1]], columns[0], columns[-1]))
        return rank + number * len(pairs) + pair


@lru_cache(64)
def space(n, walls):
    return Space(n, walls)


def number_of_walls(n, walls):
    """Sets of walls are numbered by their size, then in order: none, A1, B1, ... A1 B1, A1 C1, ..."""
    number = sum(math.comb(n * n, k) for k in range(len(walls)))
    begin = 0
    for i, wall in enumerate(walls):
        number += sum(math.comb(n * n - 1 - cell, len(walls) - 1 - i) for cell in range(begin, wall))
        begin = wall + 1
    return number


def checksum(row, packed):
    """CRC-32 of the row as it stands there: integers, texts and the packed histogram."""
    values = [row[column] for column in INTEGERS] + [row["board"], row["wall_cells"], row["solution"]]
    return zlib.crc32("".join(f"{value}\n" for value in values).encode() + packed)


def compute(job):
    """All columns of the puzzle on a board but the checksum, and what is wrong with the board."""
    text, n = job
    try:
        p = Puzzle(text, n)
        rank = space(n, tuple(p.walls)).rank(p)
    except ValueError as error:
        return None, str(error)
    cluster, steps, distance = explore(p, p.start)
    if not steps:
        return None, "unsolvable" if steps is None else "solved"
    moves = distance[p.start]
    histogram = [0] * (max(distance.values()) + 1)
    for far in distance.values():
        histogram[far] += 1
    # The optimal solutions, counted level by level.
    ways = {p.start: 1}
    first_moves = 0
    for left in range(moves - 1, -1, -1):
        after_all = {}
        for board, count in ways.items():
            for _, _, after in p.moves(board):
                if distance[after] == left:
                    after_all[after] = after_all.get(after, 0) + count
        if left == moves - 1:
            first_moves = len(after_all)
        ways = after_all
    solution = solve(p, p.start, distance)
    possible = [list(p.moves(before)) for _, _, before, _ in solution]
    nearer = [sum(distance[after] < moves - i for _, _, after in all_) for i, all_ in enumerate(possible)]
    trucks = sum(length == 3 for _, _, length, _ in p.vehicles)
    all_kinds = reader.Line(n).kinds
    hardest = sorted((p.order(b), b) for b, far in distance.items() if far == moves)
    up_to = [b for order, b in hardest if order <= p.order(p.start)]
    row = {
        "id": number_of_walls(n, p.walls) * {4: 10**5, 5: 10**8, 6: 10**11}[n] + rank,
        "board": p.text(p.start),
        "moves": moves,
        "steps": steps,
        "vehicles": len(p.vehicles),
        "cars": len(p.vehicles) - trucks,
        "trucks": trucks,
        "free_cells": text.count("."),
        "walls": len(p.walls),
        "wall_cells": " ".join("ABCDEF"[wall % n] + str(wall // n + 1) for wall in p.walls),
        "line_kinds": sum(1 << k for k in {all_kinds.index(line) for line in p.lines()}),
        "cluster_boards": cluster,
        "goal_boards": histogram[0],
        "hardest_boards": histogram[-1],
        "optimal_solutions": min(sum(ways.values()), 2**63 - 1),
        "optimal_first_moves": first_moves,
        "moving_vehicles": len({v for v, _, _, _ in solution}),
        "different_solutions": different(p, distance),
        "forced_moves": nearer.count(1),
        "away_moves": sum(before_exit(p, after) > before_exit(p, before) for _, _, before, after in solution),
        "longest_chain": longest_chain(p, solution),
        "possible_moves": sum(map(len, possible)),
        "branching": sum(map(len, possible)) / moves,
        "classic": int(p.is_classic()),
        "rush": int(p.is_classic() and len(up_to) == 1),
        "solution": " ".join(f"{chr(ord('A') + v)}{by:+}" for v, by, _, _ in solution),
        "moves_histogram": histogram,
    }
    fault = None
    if moves < len(histogram) - 1:
        fault = f"not a hardest board of its cluster, which has some of {len(histogram) - 1} moves"
    elif not needs_all(p, distance):
        fault = "not minimal"
    elif first := first_that_needs_all(p, up_to[:-1], distance):
        fault = f"not the first minimal one of the hardest boards, but {p.text(first)}"
    return row, fault


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--db", default="db", help="the folder of the catalogue")
    args.add_argument("--size", type=int, default=6, help="the size of the boards")
    args.add_argument("--file", help="the catalogue, in place of that without walls in the folder")
    args.add_argument("--where", default="1", metavar="SQL", help="draw only puzzles of which this is true")
    args.add_argument("--count", type=int, default=2000, help="how many puzzles to draw")
    args.add_argument("--seed", type=int, default=1, help="another seed draws others")
    args.add_argument("--threads", type=int, help="processes; default: one for each core")
    args = args.parse_args()
    started = time.time()
    path = args.file or os.path.join(args.db, f"{args.size}x{args.size}-catalogue.sqlite")
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    n = int(db.execute("SELECT value FROM about WHERE key = 'size'").fetchone()[0])
    ids = [row[0] for row in db.execute(f"SELECT id FROM puzzles WHERE {args.where} ORDER BY id")]
    drawn = sorted(random.Random(args.seed).sample(ids, min(args.count, len(ids))))
    rows = [dict(db.execute("SELECT * FROM puzzles WHERE id = ?", (id,)).fetchone()) for id in drawn]

    wrong = 0
    with multiprocessing.Pool(args.threads) as pool:
        jobs = [(row["board"], n) for row in rows]
        for row, (true, fault) in zip(rows, pool.imap(compute, jobs, chunksize=4)):
            if fault:
                wrong += 1
                print(f"{row['id']}: {row['board']} is {fault}")
            if not true:
                continue
            packed = row["moves_histogram"]
            true["checksum"] = checksum(row, packed)
            unpacked = reader.unpack(packed)
            row["moves_histogram"] = list(struct.unpack(f"<{len(unpacked) // 4}I", unpacked))
            for column in {**row, **true}:
                if column not in row or column not in true or row[column] != true[column]:
                    wrong += 1
                    print(f"{row['id']}: {column} is {row.get(column)}, should be {true.get(column)}")
    columns = len(rows[0]) if rows else 0
    walls = sum(row["walls"] > 0 for row in rows)
    print(f"{len(rows)} puzzles of {path}, {walls} of them with walls, {columns} columns each: "
          f"{wrong} wrong, {time.time() - started:.0f} s")
    sys.exit(1 if wrong or not rows else 0)


if __name__ == "__main__":
    main()
