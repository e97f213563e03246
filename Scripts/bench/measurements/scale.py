"""Cost against size: a change in drives of 10,000 to 1,000,000 items, and in a folder of very many files; very many changes in
one step, a first look at a folder of very many files, folders very deep in one another, a sparse file."""
import os
import random

import place
import processes
import syncthing
import watching
from bench import added
from goals import Goal
from measure import run

NAME = "scale"
PEERS = ["find"]


def tool(kind, count):
    return f"docdrive {kind}, {count:,} items"


SMALL, LARGE = 10_000, 1_000_000
CROWDED, SPREAD = "docdrive watch, all in one folder", "docdrive watch, twenty in a folder"
GOALS = [
    Goal("scale watch", "time per changed item, watched, 1,000,000 items against 10,000", NAME, "names", tool("watch", LARGE),
         1.3, tool("watch", SMALL), figure="cpu a change"),
    Goal("scale sync", "time per changed item, a tenth changed in one step, 1,000,000 items against 10,000", NAME, "names",
         tool("sync", LARGE), 1.3, tool("sync", SMALL), figure="cpu a change"),
    Goal("scale crowd", "time per changed item, watched, 100,000 files in one folder against twenty in each", NAME,
         "100,000 files", CROWDED, 1.3, SPREAD, figure="cpu a change"),
]


def measure(bench):
    if bench.chosen("crowd"):
        crowded(bench, 2_000 if bench.quick else 100_000)
    if bench.chosen("others"):
        flat(bench, 20_000 if bench.quick else LARGE)
        deep(bench, 200 if bench.quick else 5000)
        sparse(bench, 1 if bench.quick else 100)
    if bench.chosen("names"):
        for count in (300, 3000) if bench.quick else (SMALL, 100_000, LARGE):
            grown(bench, count)


def grown(bench, count):
    corpus = bench.corpus("names", count)
    place.read_all(corpus.root)
    store = bench.place.new("store", make=False)
    bench.turns(NAME, "names", {
        tool("first sync", count): lambda turn: bench.docdrive("sync", corpus.root, "--to", store, "--yes")}, rounds=1)
    bench.docdrive("sync", corpus.root)
    bench.turns(NAME, "names", {
        tool("unchanged", count): lambda turn: bench.docdrive("sync", corpus.root)}, rounds=min(3, bench.rounds))
    files = sorted(path for path in corpus.root.rglob("*.*") if path.is_file() and ".docdrive" not in path.parts)
    works = {
        tool("watch", count): lambda turn: changed_watched(bench, corpus.root, files, turn),
        tool("sync", count): lambda turn: changed_at_once(bench, corpus.root, files, turn),
    }
    bench.turns(NAME, "names", works, rounds=min(3, bench.rounds))
    # The corpus is empty files.
    for file in files:
        if file.stat().st_size:
            os.truncate(file, 0)
    bench.place.plain(corpus.root)
    bench.place.clear()


def changed_watched(bench, root, files, turn, store=None, changes=100):
    process = watching.started(bench, root)
    try:
        watching.still(process)
        chosen, before = random.Random(turn).sample(files, changes), processes.cpu(process.pid)
        for file in chosen:
            # Each is a change of its own, not one of a crowd.
            known = heads(bench, store)
            file.write_text(f"watched {turn}\n")
            syncthing.wait(lambda: heads(bench, store) != known, 60, "the change is in the store")
        used = processes.cpu(process.pid) - before
        return {"cpu": used, "cpu a change": used / changes}
    finally:
        watching.stopped(process)


def heads(bench, store=None):
    """The objects that commit what is in the store."""
    return sorted(path.name for path in (store or bench.place.root / "work/store").glob("dd1/*/head/*"))


def changed_at_once(bench, root, files, turn):
    chosen = random.Random(-turn).sample(files, len(files) // 10)
    still = bench.docdrive("sync", root)
    for file in chosen:
        file.write_text(f"at once {turn}\n")
    cost = bench.docdrive("sync", root)
    return {
        **cost, "unchanged": still["cpu"], "changes": len(chosen),
        "cpu a change": max(0, cost["cpu"] - still["cpu"]) / len(chosen)}


def flat(bench, count):
    """All files in one folder."""
    folder = bench.place.new("flat")
    for number in range(count):
        os.close(os.open(folder / f"file {number:07d}.txt", os.O_CREAT | os.O_WRONLY, 0o644))
    bench.turns(NAME, f"{count:,} files in one folder", {
        "docdrive init": lambda turn: bench.docdrive("init", bench.place.plain(folder), "--yes"),
        "docdrive sync": lambda turn: bench.docdrive("sync", folder),
        "find -printf": lambda turn: run(["find", folder, "-printf", "%s %T@ %p\\n"]),
    }, rounds=1)
    bench.place.clear()


def crowded(bench, count):
    """A file changed in a folder of very many, and in one of few."""
    works = {}
    for name, each in ((CROWDED, count), (SPREAD, 20)):
        root = bench.place.new(f"crowd-{each}")
        files = [root / f"folder {number // each:06d}" / f"file {number:07d}.txt" for number in range(count)]
        for file in files:
            file.parent.mkdir(exist_ok=True)
            file.touch()
        store = bench.place.new(f"crowd-store-{each}", make=False)
        bench.docdrive("sync", root, "--to", store, "--yes")
        bench.docdrive("sync", root)
        works[name] = lambda turn, root=root, files=files, store=store: changed_watched(bench, root, files, turn, store)
    bench.turns(NAME, f"{count:,} files", works, rounds=min(3, bench.rounds))
    bench.place.clear()


def deep(bench, depth):
    """Each folder in the one before, so that paths are longer than the kernel takes in one call."""
    a, b = bench.place.new("deep"), bench.place.new("deep-b")
    level = os.open(a, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=level)
        level, above = os.open("d", os.O_RDONLY, dir_fd=level), level
        os.close(above)
    os.close(level)

    def both(turn):
        store = bench.place.new("deep-store", make=False)
        # Not for longer than this: the levels that B has then tell.
        cost = added(*(
            bench.docdrive("sync", folder, "--to", store, "--yes", "--timeout", "10m", accept=range(256)) for folder in (a, b)))
        return {**cost, "levels on b": levels(b)}

    bench.turns(NAME, f"{depth:,} folders in one another", {
        "docdrive": both, "find -printf": lambda turn: run(["find", a, "-printf", "%f\\n"])}, rounds=1)
    bench.place.clear()


def levels(folder):
    count, level = 0, os.open(folder, os.O_RDONLY)
    while True:
        try:
            level, above = os.open("d", os.O_RDONLY, dir_fd=level), level
        except FileNotFoundError:
            os.close(level)
            return count
        os.close(above)
        count += 1


def sparse(bench, gibibytes):
    """A file that is a hole but for 4 KiB. Only what A does: whether B makes holes again depends on its disk."""
    folder, store = bench.place.new("sparse"), bench.place.new("sparse-store", make=False)
    with (folder / "disk.img").open("wb") as file:
        file.truncate(gibibytes << 30)
        file.seek(gibibytes << 29)
        file.write(b"words" * 800)

    def once(turn):
        cost = bench.docdrive("sync", folder, "--to", store, "--yes", "--timeout", "20m", accept=range(256))
        return {**cost, "ended with": cost["exit"], "bytes": place.size(store)[1]}

    bench.turns(NAME, f"sparse file of {gibibytes} GiB", {"docdrive": once}, rounds=1)
    bench.place.clear()
