"""Figures as JSON lines, one for each tool of a measurement, and what they were measured with."""
import json
import os
import statistics
import subprocess
import time
from pathlib import Path


class Records:
    """Appends to a file. The last line of a figure is the one that counts."""

    def __init__(self, file, commit):
        self.file, self.commit = Path(file), commit
        # Figures are compared with one another within a run only.
        self.run = f"{int(time.time())}-{os.getpid()}"

    def add(self, measurement, corpus, tool, version, samples, **details):
        """All samples of one tool: each is a dictionary of numbers."""
        self.line({
            "measurement": measurement, "corpus": corpus, "tool": tool, "version": version, "n": len(samples),
            **{name: summary([one[name] for one in samples if name in one]) for name in numbers(samples)}, **details,
        })

    def judged(self, measurement, row, figure, goal, met, **details):
        """A figure whose program compared it with its goal itself."""
        self.line({"measurement": measurement, "row": row, "figure": figure, "goal": goal, "met": met, **details})

    def line(self, fields):
        fields = {**fields, "commit": self.commit, "run": self.run, "date": time.strftime("%Y-%m-%d %H:%M", time.gmtime())}
        with self.file.open("a") as file:
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")


def numbers(samples):
    names = dict.fromkeys(name for one in samples for name in one)
    return [name for name in names if all(isinstance(one.get(name, 0), (int, float)) for one in samples)]


def summary(values):
    return {
        "median": rounded(statistics.median(values)), "min": rounded(min(values)), "max": rounded(max(values)),
        "each": [rounded(value) for value in values],
    }


def rounded(value):
    return value if isinstance(value, int) else float(f"{value:.5g}")


def read(*files):
    """The lines of files, the last one of each figure."""
    last = {}
    for text in (text for file in files for text in Path(file).read_text().splitlines()):
        line = json.loads(text)
        key = tuple(line.get(name) for name in ("measurement", "corpus", "tool", "row"))
        last.pop(key, None)
        last[key] = line
    return list(last.values())


def commit(program, given=None):
    """What the program was built from: said, or that of the tree that it lies in."""
    if given:
        return given
    told = subprocess.run(
        ["git", "-C", Path(program).resolve().parent, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return told.stdout.strip() or "unknown"
