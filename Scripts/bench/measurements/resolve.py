"""Ending 10,000 conflicts at once, and undoing it: the program `resolve`, beside mv."""
import re
import subprocess
import sys
from pathlib import Path

from goals import Goal

NAME = "resolve"
PEERS = []
GOALS = [Goal("resolve", "10,000 conflicts ended at once", NAME, "conflicts", "docdrive conflicts resolve", 3, "mv", figure="wall",
              unit="s")]
PROGRAM = Path(__file__).resolve().parent.parent / "resolve"
TOOLS = {"mv": "mv", "resolve": "docdrive conflicts resolve", "undo": "docdrive undo"}


def measure(bench):
    count, rounds = ("200", "1") if bench.quick else ("10000", str(min(3, bench.rounds)))
    told = subprocess.run(
        [sys.executable, PROGRAM, "--conflicts", count, "--rounds", rounds, "--place", bench.place.new("resolve")],
        stdout=subprocess.PIPE, text=True)
    if told.returncode not in (0, 1):
        raise SystemExit(f"resolve: exit {told.returncode}")
    for name, wall, cpu in re.findall(r"^(\w+)\s+([\d.]+) s wall\s+([\d.]+) s CPU", told.stdout, re.M):
        bench.records.add(
            NAME, "conflicts", TOOLS[name], "", [{"cpu": float(cpu), "wall": float(wall)}], rounds=int(rounds), items=int(count))
        bench.note(f"resolve {name}: {wall} s wall, {cpu} s CPU")
