"""Memory at rest with 1,000,000 items: a watched drive. The index of a million names is measured by `search`."""
import processes
import watching
from goals import MIB, Goal

NAME = "memory"
PEERS = []
GOALS = [
    Goal("memory resident", "resident, 1,000,000 items", NAME, "names", "docdrive watch", 96, figure="resident", unit="MiB",
         scale=1 / MIB),
    Goal("index size names", "index on disk, 1,000,000 names", NAME, "names", "docdrive watch", 500,
         figure="index bytes an item", unit="B an item"),
]


def measure(bench):
    corpus = bench.corpus("names")
    made = bench.docdrive("init", corpus.root, "--yes")
    bench.docdrive("sync", corpus.root)
    size = sum(file.stat().st_size for file in (corpus.root / ".docdrive").glob("index.sqlite*"))

    def watched(turn):
        process = watching.started(bench, corpus.root)
        try:
            watching.still(process)
            resident = {one: processes.memory(one) for one in processes.tree(process.pid)}
            return {
                "cpu": processes.cpu(process.pid), "resident": sum(resident.values()), "peak of init": made["memory"],
                "cpu of init": made["cpu"], "index bytes an item": size / corpus.files}
        finally:
            watching.stopped(process)

    bench.turns(NAME, "names", {"docdrive watch": watched}, rounds=1)
    bench.place.plain(corpus.root)
    bench.place.clear()
