"""A pass where nothing has changed, and where one file of all has; system calls of the former.

Unison and rsync look at two folders, the others at one: theirs is the figure of both sides.
"""
import re

import pairs
import place
import syncthing
from goals import Goal
from measure import Beside, run

NAME = "unchanged"
PEERS = ["find", "rsync", "unison", "syncthing", "strace"]
FIND = "find -printf"
GOALS = [
    Goal(f"unchanged {corpus}", f"nothing changed, one side, `{corpus}`", NAME, corpus, "docdrive sync", 1.5, FIND)
    for corpus in ("docs", "tiny")
] + [
    Goal("unchanged calls", "nothing changed, `tiny`, system calls", NAME, "tiny",
         "docdrive sync, traced", 2, figure="calls an item", unit="an item"),
    Goal("unchanged one", "one file changed, `tiny`", NAME, "tiny", "docdrive sync, one changed", 1.05, "docdrive sync"),
]


def measure(bench):
    for name in bench.chosen("docs", "tiny"):
        corpus = bench.corpus(name)
        works = Works(bench, corpus)
        tools = {
            "docdrive sync": works.docdrive, "docdrive sync, one changed": works.changed, FIND: works.find,
        }
        if bench.has("rsync"):
            tools["rsync -an, both sides"] = works.rsync
        if bench.has("unison"):
            tools["unison, both sides"] = works.unison
        if bench.has("syncthing"):
            tools["syncthing"] = works.syncthing
        try:
            bench.turns(NAME, name, {tool: works.warm(work) for tool, work in tools.items()})
            if bench.has("strace"):
                bench.turns(NAME, name, {"docdrive sync, traced": works.traced}, rounds=1)
        finally:
            works.end()
        bench.place.clear()


class Works:
    """Over a copy of the corpus, which the tools have in step already."""

    def __init__(self, bench, corpus):
        self.bench, self.corpus, self.instance = bench, corpus, None
        self.a, self.b = bench.place.new("a", make=False), bench.place.new("b", make=False)
        self.archive = bench.place.new("archive")
        for folder in (self.a, self.b):
            run(["cp", "-a", corpus.root, folder])
        bench.docdrive("sync", self.a, "--to", bench.place.new("store", make=False), "--yes", "--name", "a")
        self.one = max((file for file in self.a.rglob("*.txt") if file.is_file()), key=str)
        self.settled()

    def settled(self):
        """Passes until one has nothing left of the earlier ones."""
        for _ in range(3):
            self.bench.docdrive("sync", self.a)

    def warm(self, work):
        def warmed(turn):
            for folder in (self.a, self.b):
                run(["find", folder, "-printf", ""])
            return work(turn)
        return warmed

    def docdrive(self, turn):
        return self.bench.docdrive("sync", self.a)

    def changed(self, turn):
        self.one.write_text(f"changed in round {turn}\n")
        cost = self.bench.docdrive("sync", self.a)
        self.settled()
        return cost

    def find(self, turn):
        return run(["find", self.a, "-printf", "%s %T@ %i %p\\n"])

    def rsync(self, turn):
        return run(["rsync", "-an", f"{self.a}/", f"{self.b}/"])

    def unison(self, turn):
        command = pairs.unison(self.a, self.b, self.archive)
        if turn == 0:
            run(command)
        return run(command)

    def syncthing(self, turn):
        if not self.instance:
            self.instance = syncthing.Instance(self.bench.place.new("syncthing"), self.b).configure().start()
            self.instance.scanned()
        before, beside = self.instance.cpu(), Beside()
        self.instance.scan()
        used = self.instance.cpu() - before
        return {"cpu": used, "wall": beside.wall(), "memory": self.instance.peak(), **beside.others(used)}

    def traced(self, turn):
        told = run(["strace", "-f", "-c", "-o", self.archive / "calls", self.bench.program, "sync", str(self.a)])
        calls = int(re.search(r"^100\.00\s+\S+\s+\S+\s+(\d+)", (self.archive / "calls").read_text(), re.M).group(1))
        items = self.corpus.files + sum(1 for path in self.corpus.root.rglob("*") if path.is_dir())
        return {"cpu": told["cpu"], "calls": calls, "calls an item": calls / items}

    def end(self):
        if self.instance:
            self.instance.stop()
