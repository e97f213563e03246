"""Searches, their indexes, and duplicates: the program `search`, whose every row is judged by itself."""
import json
import subprocess
import sys
from pathlib import Path

NAME = "search"
PEERS = ["plocate", "fdfind", "find", "sqlite3", "recollindex", "jdupes"]
GOALS = []
PROGRAM = Path(__file__).resolve().parent.parent / "search"
# Parts of the program, and what each needs.
PARTS = {"names": ("plocate", "fdfind", "sqlite3"), "text": ("recollindex",), "duplicates": ("jdupes",)}


def measure(bench):
    sizes = ["--items", "20000", "--documents", "300"] if bench.quick else []
    for part, tools in PARTS.items():
        if not all([bench.has(one) for one in tools]):
            continue
        file = bench.place.new("search") / "rows.jsonl"
        status = subprocess.run(
            [sys.executable, PROGRAM, part, *sizes, "--rounds", str(bench.rounds), "--place", bench.place.root, "--json", file],
            stdout=sys.stderr).returncode
        if status not in (0, 1) or not file.exists():
            raise SystemExit(f"search {part}: exit {status}")
        for line in map(json.loads, file.read_text().splitlines()):
            row = line["what"] + (f", beside {line['peer']}" if "peer" in line else "")
            details = {name: line[name] for name in ("ours", "theirs", "value", "wall", "memory") if name in line}
            versions = {tool: bench.version(tool) for tool in tools}
            bench.records.judged(
                NAME, row, line["figure"], line["goal"], line["met"], part=part, versions=versions, **details)
