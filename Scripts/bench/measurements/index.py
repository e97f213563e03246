"""The first look at a folder: docdrive beside programs that only hash it, and tools that keep an index.

Without a store docdrive wants fingerprints; with one it wants SHA-256 too. What joining a store costs is measured where the
store has the same files already, so that reading them is all there is; what sending them costs is `replicate`.
"""
import pairs
import place
import syncthing
from goals import MIB, Goal
from measure import Beside, run

NAME = "index"
PEERS = ["xxhsum", "openssl", "rclone", "unison", "syncthing"]
HASH = "xxhsum"
BOTH = "xxhsum, then openssl dgst -sha256"
GOALS = [
    Goal(f"index {corpus}", f"first index, warm, `{corpus}`, no store", NAME, corpus, "docdrive init", 2, HASH)
    for corpus in ("docs", "tiny")
] + [
    Goal(f"index {corpus} store", f"first index, warm, `{corpus}`, with a store that has it", NAME, corpus,
         "docdrive sync", 1.5, BOTH)
    for corpus in ("docs", "tiny")
] + [
    Goal("index memory", "peak memory, index of `tiny`", NAME, "tiny", "docdrive init", 64, figure="memory", unit="MiB",
         scale=1 / MIB),
    Goal("index size", "index on disk, `tiny`, with hashes and names", NAME, "tiny", "docdrive sync", 500,
         figure="index bytes an item", unit="B an item"),
]


def measure(bench):
    for name in bench.chosen("docs", "tiny"):
        corpus = bench.corpus(name)
        works = Works(bench, corpus)
        tools = {"docdrive init": works.alone, "docdrive sync": works.joined, HASH: works.hashed, BOTH: works.twice}
        if bench.has("rclone"):
            tools["rclone hashsum MD5"] = works.rclone
        if bench.has("unison"):
            tools["unison, both sides"] = works.unison
        if bench.has("syncthing"):
            tools["syncthing"] = works.syncthing
        bench.turns(NAME, name, {tool: works.warm(work) for tool, work in tools.items()})
        bench.place.plain(corpus.root)
        bench.place.clear()


class Works:
    def __init__(self, bench, corpus):
        self.bench, self.corpus, self.root = bench, corpus, corpus.root
        self.copy = bench.place.new("copy", make=False)
        run(["cp", "-a", self.root, self.copy])
        self.store = bench.place.new("store", make=False)
        bench.docdrive("sync", self.copy, "--to", self.store, "--yes", "--name", "copy")

    def warm(self, work):
        def warmed(turn):
            self.bench.place.plain(self.root)
            place.read_all(self.root)
            return work(turn)
        return warmed

    def alone(self, turn):
        return self.sized(self.bench.docdrive("init", self.root, "--yes"))

    def joined(self, turn):
        return self.sized(self.bench.docdrive("sync", self.root, "--to", self.store, "--yes", "--name", f"device {turn}"))

    def sized(self, cost):
        """With what a second pass adds: it is when the index of names is filled."""
        self.bench.docdrive("sync", self.root)
        index = sum(file.stat().st_size for file in (self.root / ".docdrive").glob("index.sqlite*"))
        items = int(self.bench.docdrive("find", "--count", "-C", self.root)["output"])
        return {**cost, "index bytes an item": index / max(items, 1)}

    def hashed(self, turn):
        return run(["sh", "-c", 'find "$0" -type f -print0 | xargs -0 xxhsum -H2', self.root])

    def twice(self, turn):
        return run(["sh", "-c", 'find "$0" -type f -print0 | xargs -0 xxhsum -H2; '
                    'find "$0" -type f -print0 | xargs -0 openssl dgst -sha256', self.root])

    def rclone(self, turn):
        return run(["rclone", "--config", "/dev/null", "hashsum", "MD5", self.root])

    def unison(self, turn):
        """Two equal folders, so that it hashes both and copies nothing."""
        place.read_all(self.copy)
        return run(pairs.unison(self.root, self.copy, self.bench.place.new("archive")))

    def syncthing(self, turn):
        home = self.bench.place.new("syncthing")
        one, beside = syncthing.Instance(home, self.root).configure(), Beside()
        try:
            one.start().scanned()
            used = one.cpu()
            return {"cpu": used, "wall": beside.wall(), "memory": one.peak(), "total": one.peak(), **beside.others(used)}
        finally:
            one.stop()
