#!/usr/bin/env python3
"""A second reader of table files, written from docs/format.md alone.

    scripts/second-reader.py TABLE BOARD...

Prints the distance of each board, or "unsolvable". It needs the program
`zstd` or the Python module `zstandard` to unpack frames. It is slow and plain
on purpose: it shows that the description of the format is complete.
"""

import struct
import subprocess
import sys
import tempfile
import zlib
from functools import lru_cache


def unpack(frame, dictionary=b""):
    try:
        import zstandard

        known = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        return zstandard.ZstdDecompressor(dict_data=known).decompress(frame)
    except ImportError:
        with tempfile.NamedTemporaryFile() as file:
            file.write(dictionary)
            file.flush()
            options = ["-D", file.name] if dictionary else []
            command = ["zstd", "-dc", *options]
            return subprocess.run(command, input=frame, stdout=subprocess.PIPE, check=True).stdout


class Line:
    def __init__(self, n):
        shapes = []

        def place(at, so_far):
            if at >= n:
                shapes.append(tuple(so_far))
                return
            place(at + 1, so_far)
            for length in (2, 3):
                if at + length <= n:
                    place(at + length, so_far + [(at, length)])

        place(0, [])
        lengths = lambda s: tuple(l for _, l in s)
        shapes.sort(key=lambda s: (len(s), lengths(s), s))
        self.placements = shapes
        self.kinds = sorted({lengths(s) for s in shapes}, key=lambda k: (len(k), k))
        self.kind = [self.kinds.index(lengths(s)) for s in shapes]
        self.cells = [sum(((1 << l) - 1) << a for a, l in s) for s in shapes]

    @lru_cache(None)
    def fit(self, mask):
        return [p for p in range(len(self.placements)) if self.cells[p] & mask == 0]


def main():
    table = open(sys.argv[1], "rb").read()
    assert table[:8] == b"TAILBACK", "not a table"
    walls = struct.unpack_from("<Q", table, 88)[0]
    assert struct.unpack_from("<II", table, 8) == (2, 2 if walls else 1), "another version"
    assert zlib.crc32(table[:4092]) == struct.unpack_from("<I", table, 4092)[0], "damaged header"
    n = table[16]
    index_at = struct.unpack_from("<Q", table, 72)[0]
    line = Line(n)
    p = 1 if n == 4 else 2
    walls_in_row = [walls >> (r * n) & ((1 << n) - 1) for r in range(n)]

    def choices(row, kind):
        of_kind = [x for x in range(len(line.placements)) if line.kind[x] == kind]
        of_kind = [x for x in of_kind if line.cells[x] & walls_in_row[row] == 0]
        if row == p:
            of_kind = [x for x in of_kind if line.kinds[kind] and line.kinds[kind][-1] == 2]
            of_kind = [x for x in of_kind if walls_in_row[p] >> line.placements[x][-1][0] == 0]
            of_kind.sort(key=lambda x: line.placements[x][-1][0])
        return of_kind

    kinds = [[k for k in range(len(line.kinds)) if choices(r, k)] for r in range(n)]

    def masks(rows):
        out = [sum((walls_in_row[r] >> c & 1) << r for r in range(n)) for c in range(n)]
        for r, x in enumerate(rows):
            for c in range(n):
                out[c] |= (line.cells[x] >> c & 1) << r
        return out

    def strips(rows):
        product = 1
        for mask in masks(rows)[1:-1]:
            product *= len(line.fit(mask))
        return product

    def distance(text):
        cells = [c for c in text if not c.isspace()]
        assert len(cells) == n * n, "another size"
        at, found = {}, 0
        for i, c in enumerate(cells):
            if c in "x#":
                found |= 1 << i
            elif c not in ".o":
                at.setdefault(c, []).append((i // n, i % n))
        if at["A"][0][0] == n - 1 - p and n - 1 - p != p:
            at = {c: sorted((n - 1 - r, col) for r, col in squares) for c, squares in at.items()}
            found = sum((found >> (r * n) & ((1 << n) - 1)) << ((n - 1 - r) * n) for r in range(n))
        assert found == walls, "other walls"
        rows, columns = [[] for _ in range(n)], [[] for _ in range(n)]
        for squares in at.values():
            if squares[0][0] == squares[1][0]:
                rows[squares[0][0]].append((squares[0][1], len(squares)))
            else:
                columns[squares[0][1]].append((squares[0][0], len(squares)))
        assert at["A"][0][0] == p, "the primary is in another row"
        start = at["A"][0][1]
        if any(a > start for a, _ in rows[p]) or walls_in_row[p] >> start:
            return "unsolvable"
        if start == n - 2:
            return 0
        rows = [line.placements.index(tuple(sorted(r))) for r in rows]
        columns = [line.placements.index(tuple(sorted(c))) for c in columns]

        signature = 0
        for r, x in enumerate(rows):
            signature = signature * len(kinds[r]) + kinds[r].index(line.kind[x])
        entry = struct.unpack_from("<QQII", table, index_at + 24 * signature)
        record_at, _, checksum, length = entry
        directory = table[record_at : record_at + length]
        assert zlib.crc32(directory) == checksum, "damaged directory"
        _, sections, frames, total = struct.unpack_from("<IIII", directory)

        order = [p] + [r for r in range(n) if r != p]
        lists = {r: choices(r, line.kind[rows[r]]) for r in order}
        digit = {r: lists[r].index(rows[r]) for r in order}
        section = digit[order[0]] * len(lists[order[1]]) + digit[order[1]]
        strip = struct.unpack_from("<I", directory, 16 + 4 * section)[0]

        def before(i, chosen):
            # All configurations of the rows order[i:], in order, up to ours.
            if i == n:
                return 0
            sum_ = 0
            for x in lists[order[i]][: digit[order[i]]]:
                sum_ += everything(i + 1, {**chosen, order[i]: x})
            return sum_ + before(i + 1, {**chosen, order[i]: rows[order[i]]})

        def everything(i, chosen):
            if i == n:
                return strips([chosen[r] for r in range(n)])
            return sum(everything(i + 1, {**chosen, order[i]: x}) for x in lists[order[i]])

        strip += before(2, {r: rows[r] for r in order[:2]})
        taken = masks(rows)
        number = 0
        for c in range(1, n - 1):
            fit = line.fit(taken[c])
            number = number * len(fit) + fit.index(columns[c])
        strip += number

        left, right = line.fit(taken[0]), line.fit(taken[-1])
        pairs = sorted(
            ((l, r) for l in left for r in right),
            key=lambda lr: (line.kind[lr[0]], line.kind[lr[1]], lr[0], lr[1]),
        )
        pair = pairs.index((columns[0], columns[-1]))

        table_at = 16 + 4 * sections
        entries = [struct.unpack_from("<III", directory, table_at + 12 * i) for i in range(frames)]
        which = max(i for i in range(frames) if entries[i][0] <= strip)
        begin = entries[which - 1][1] if which else 0
        data = record_at + length
        packed = table[data + begin : data + entries[which][1]]
        assert zlib.crc32(packed) == entries[which][2], "damaged frame"
        frame = unpack(packed, table[2176:4092])
        count = (entries[which + 1][0] if which + 1 < frames else total) - entries[which][0]
        groups = frame[0] + 1
        starts, at_ = [], 1 + 3 * groups + 2 * count
        for g in range(groups):
            size, more = struct.unpack_from("<HB", frame, 1 + 3 * g)
            for _ in range(more + 1):
                starts.append(at_)
                at_ += size
        mine = strip - entries[which][0]
        token = frame[1 + 3 * groups + mine]
        base = frame[1 + 3 * groups + count + mine]
        above = frame[starts[token] + pair]
        return "unsolvable" if above == 255 else base + above

    for board in sys.argv[2:]:
        print(distance(board))


if __name__ == "__main__":
    main()
