"""Judges random trees by DEAP and by Tailback, and compares costs and times.

A tree is judged as users of DEAP do it: compiled to a Python function, which
is called for every board; its cost is the mean squared error. Tailback reads
the same trees as formulas.
"""

import csv
import operator
import random
import subprocess
import sys
import time

from deap import base, creator, gp, tools

TREES = 100

work = sys.argv[1]
with open(f"{work}/boards.csv", newline="") as file:
    rows = list(csv.DictReader(file))
blocks = [name for name in rows[0] if name not in ("board", "moves", "rank", "last_move")]
columns = [[int(row[name]) for name in blocks] for row in rows]
distances = [int(row["moves"]) for row in rows]
with open(f"{work}/boards.tsv", "w") as file:
    file.writelines(f"{row['board']}\t{row['moves']}\n" for row in rows)

primitives = gp.PrimitiveSet("MAIN", len(blocks))
for function, name in ((operator.add, "add"), (operator.sub, "sub"), (max, "max"), (min, "min")):
    primitives.addPrimitive(function, 2, name=name)
creator.create("Tree", gp.PrimitiveTree)
random.seed(1)
trees = [
    creator.Tree(gp.genHalfAndHalf(primitives, min_=2, max_=5)) for _ in range(TREES)
]


def formula(tree):
    """The tree in Tailback's language."""
    stack = []
    for node in reversed(tree):
        if node.arity == 0:
            stack.append(blocks[int(node.value[3:])])
            continue
        a, b = stack.pop(), stack.pop()
        if node.name == "add":
            stack.append(f"({a}+{b})")
        elif node.name == "sub":
            stack.append(f"({a} - {b})")
        else:
            stack.append(f"{node.name}({a},{b})")
    return stack[0]


with open(f"{work}/formulas.txt", "w") as file:
    file.writelines(formula(tree) + "\n" for tree in trees)

start = time.perf_counter()
costs = []
for tree in trees:
    function = gp.compile(tree, primitives)
    # What is below zero counts as zero.
    errors = ((max(function(*row), 0) - distance) ** 2 for row, distance in zip(columns, distances))
    costs.append(sum(errors) / len(columns))
deap = time.perf_counter() - start

answer = subprocess.run(
    ["cargo", "bench", "--quiet", "--bench", "evolution", "--", f"{work}/formulas.txt", f"{work}/boards.tsv"],
    capture_output=True,
    text=True,
    check=True,
).stdout.splitlines()
ours = float(answer[-1].split()[1])
wrong = [i for i, cost in enumerate(costs) if abs(float(answer[i]) - cost) > 1e-9 * (1 + cost)]
if wrong or len(answer) != TREES + 1:
    sys.exit(f"the costs differ: trees {wrong}")
judged = TREES * len(columns)
parts = sum(len(tree) for tree in trees) / TREES
print(f"{TREES} trees of {parts:.1f} parts, {len(columns)} boards, the same costs")
print(f"DEAP      {deap:10.4f} s  {judged / deap:14,.0f} trees × boards a second")
print(f"Tailback  {ours:10.4f} s  {judged / ours:14,.0f} trees × boards a second")
print(f"ratio     {deap / ours:10.0f}")
