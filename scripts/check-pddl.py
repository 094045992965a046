#!/usr/bin/env python3
"""Checks exported planning problems with two planners that are not ours.

    scripts/check-pddl.py PROGRAM DB

PROGRAM is tailback, DB the folder with its 6×6 tables in moves and in steps.
Writes boards as PDDL, lets Fast Downward (A*) and pyperplan (breadth first)
find shortest plans in both metrics, and compares their lengths with the
distances that `tailback lookup` gives. One line a board and metric, exit code
1 if a length differs. It needs the Python packages up-fast-downward and
pyperplan; scripts/check-datasets installs them.
"""

import argparse
import importlib.util
import json
import logging
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyperplan import planner as pyperplan

METRICS = ("moves", "steps")
SETS = Path(__file__).parent.parent / "src/domains/rush_hour/sets"
# What the sets do not have: other sizes, walls, long vehicles, other rows.
OTHERS = [
    ("4x4", "bBBB  bccc  AA.C  aa.C"),
    ("4x4-wall", "AA.F  BB.F  CEEE  CxDD"),
    ("5x5-wall", "xF...  .FDDD  .BBBC  .AA.C  ...EE"),
    ("unsolvable", "...B..  ...B..  AA.B..  CCCDDD  ......  ......"),
    ("long", "BFF.EJ  B.CDEJ  AACD..  HHHH..  ..GGGx  KKKIII"),
    ("fifth-row", "LCFFFM  LCGG.M  LC.JJ.  D..BKK  DAABHI  EE..HI"),
    ("7x7", ".PGGHJJ  xPLLHBK  .PDIHBK  AADI.BK  QxD...N  QCCC..N  QFFMMEE"),
    ("8x8", "x......C  xx.....C  AA.....C  xxxxxxx.  xxxxxxx.  x.DDDDDD  xxxxxxx.  xxxxxxx."),
]


def boards():
    """Names and boards: the 40 cards of the boxed game, a course's seven, others."""

    def of_set(file):
        lines = [line for line in (SETS / file).read_text().splitlines() if not line.startswith("#")]
        return [tuple(line.split("\t")[:2]) for line in lines[1:]]

    others = [(name, text.replace(" ", "")) for name, text in OTHERS]
    return of_set("jam.tsv") + of_set("it3105.tsv") + others


def export(program, db, texts, folder):
    """Writes the boards, all of one size, as a domain a metric and a problem each."""
    source = folder.with_suffix(".txt")
    source.write_text("\n".join(texts) + "\n")
    run = [program, "--db", db, "export", "pddl", "--from", source, "--include-unsolvable"]
    subprocess.run(run + ["--metric", "both", "--out", folder], check=True)
    problems = sorted(folder.glob("board-*.pddl"))
    if len(problems) != len(texts):
        sys.exit(f"{len(texts)} boards gave {len(problems)} problems")
    return problems


def lookup(program, db, texts, metric):
    """The answers on many boards."""
    run = [program, "--db", db, "lookup", "--json", "--metric", metric, "-"]
    out = subprocess.run(run, input="\n".join(texts), stdout=subprocess.PIPE, check=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def fast_downward(domain, problem):
    """The length of a shortest plan, None if there is none."""
    # The package itself is a plug-in of a framework that is not needed here.
    package = Path(importlib.util.find_spec("up_fast_downward").submodule_search_locations[0])
    with tempfile.TemporaryDirectory() as scratch:
        plan = Path(scratch, "plan")
        run = [sys.executable, package / "downward/fast-downward.py", "--plan-file", plan]
        run += ["--sas-file", Path(scratch, "task.sas"), domain, problem, "--search", "astar(blind())"]
        done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode == 0:
            return sum(line.startswith("(") for line in plan.read_text().splitlines())
        # Its codes for: shown by the translator, by the heuristic, by a whole search.
        if done.returncode in (10, 11, 12):
            return None
        sys.exit(f"Fast Downward fails on {problem}:\n{done.stdout}")


def breadth_first(domain, problem):
    """The same by the other planner."""
    plan = pyperplan.search_plan(domain, problem, pyperplan.SEARCHES["bfs"], None)
    return None if plan is None else len(plan)


PLANNERS = [("Fast Downward", fast_downward), ("pyperplan", breadth_first)]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("program")
    args.add_argument("db")
    args = args.parse_args()
    logging.disable(logging.WARNING)

    passed = failed = 0
    by_size = {}
    for name, text in boards():
        by_size.setdefault(len(text), []).append((name, text))
    with tempfile.TemporaryDirectory() as scratch:
        for cells, named in sorted(by_size.items()):
            texts = [text for _, text in named]
            folder = Path(scratch, f"cells-{cells}")
            problems = export(args.program, args.db, texts, folder)
            for metric in METRICS:
                answers = lookup(args.program, args.db, texts, metric)
                if cells == 36 and answers[0]["source"] != "table":
                    sys.exit(f"{args.db} has no 6×6 table in {metric}: build it with tailback build --metric {metric}")
                for (name, _), problem, answer in zip(named, problems, answers, strict=True):
                    distance, found = answer["distance"], []
                    line = f"{name:10} {metric} {str(distance):>4} by {answer['source']:6}"
                    for planner, shortest in PLANNERS:
                        started = time.time()
                        found.append(shortest(str(folder / f"domain-{metric}.pddl"), str(problem)))
                        line += f"  {planner} {str(found[-1]):>4} in {time.time() - started:.1f} s"
                    is_right = all(length == distance for length in found)
                    print("ok   " if is_right else "FAIL ", line, flush=True)
                    passed += is_right
                    failed += not is_right
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
