"""What every measurement works with: the program, corpora, rounds in which the tools take turns, and the records."""
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import corpus
import peers
import place
from measure import run

# Corpus: how much of it, and how much with --quick. MiB for `big`, else files, or folders for `idle`.
SIZES = {
    "docs": (20_000, 300), "tiny": (100_000, 3_000), "notes": (20_000, 1_000), "big": (4096, 64),
    "names": (1_000_000, 20_000), "idle": (100_101, 2_000),
}


@dataclass(frozen=True)
class Corpus:
    name: str
    root: Path
    files: int
    bytes: int


class Bench:
    def __init__(self, program, folder, rounds, quick, records, only=(), seed=1):
        self.program, self.rounds, self.quick, self.records, self.seed = str(program), rounds, quick, records, seed
        self.place = place.Place(folder / ("quick" if quick else "full"))
        self.skipped, self.only = set(), only

    def corpus(self, name, count=None):
        """Of its usual size, or of so many items."""
        kind = "tiny" if name == "notes" else name
        folder = f"{name}-{count}" if count and count != SIZES[name][self.quick] else name
        root = corpus.made(kind, self.place.root / folder, count or SIZES[name][self.quick], self.seed)
        return Corpus(name, self.place.plain(root), *place.size(root))

    def chosen(self, *names):
        """Of the corpora of a measurement, those that were asked for."""
        return [name for name in names if not self.only or name in self.only]

    def has(self, tool):
        """Whether a peer is here; says once if it is not."""
        if shutil.which(tool):
            return True
        if tool not in self.skipped:
            self.skipped.add(tool)
            self.note(f"skipped: {tool} is not installed (Debian's {peers.PEERS[tool][0]}; --yes installs it)")
        return False

    def docdrive(self, *arguments, accept=(0,), **options):
        return run([self.program, *map(str, arguments)], accept=accept, **options)

    def turns(self, measurement, corpus, works, rounds=None):
        """Each tool does its work once a round, all in turns. A work is called with the number of the round and answers
        with numbers, of which `cpu` is one; what was measured before an interruption is kept. Answers with the samples."""
        samples = {tool: [] for tool in works}
        try:
            for turn in range(rounds or self.rounds):
                for tool, work in works.items():
                    sample = work(turn)
                    samples[tool].append(figures(sample))
                    self.note(f"{measurement} {corpus} {tool}: " + shown(samples[tool][-1]))
        finally:
            for tool, all in samples.items():
                if all:
                    self.records.add(measurement, corpus, tool, self.version(tool), all)
        return samples

    def version(self, tool):
        """Of the program that a tool's name begins with."""
        first = tool.split()[0]
        return peers.version(first) if first in peers.PEERS and shutil.which(first) else ""

    def note(self, text):
        print(f"  {text}", file=sys.stderr, flush=True)


def figures(sample):
    return {name: value for name, value in sample.items() if isinstance(value, (int, float)) and name != "exit"}


def shown(sample):
    return ", ".join(f"{name} {value:.4g}" for name, value in sample.items())


def added(*samples):
    """Of works that are one after the other: CPU and wall add up, peaks do not."""
    whole = {"cpu": 0, "wall": 0, "memory": 0, "total": 0, "others": 0}
    for one in samples:
        for name in ("cpu", "wall"):
            whole[name] += one[name]
        for name in ("memory", "total", "others"):
            whole[name] = max(whole[name], one.get(name, 0))
    return whole
