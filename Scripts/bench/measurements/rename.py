"""A folder of many files gets another name: CPU of both sides, bytes stored or sent. Once where both sides are watched, as
people have it, once where each side is looked at as a whole afterwards, which no tool can do for less than reading the names."""
import time

import pairs
import place
import processes
import syncthing
import watching
from goals import Goal
from measure import run

NAME = "rename"
PEERS = ["rsync", "unison", "rclone", "syncthing"]
FEW, MANY = "2,000 files", "100,000 files"
WATCH = "docdrive watch"
GOALS = [
    Goal(f"rename {corpus}", f"folder of {corpus} renamed, both sides watched", NAME, corpus, WATCH, 0.1)
    for corpus in (FEW, MANY)
] + [
    Goal(f"rename {corpus} bytes", f"folder of {corpus} renamed, bytes stored", NAME, corpus, WATCH, 20_000, figure="bytes",
         unit="B")
    for corpus in (FEW, MANY)
]


def measure(bench):
    moved(bench, FEW, "notes", [pairs.DocDrive, pairs.Rsync, pairs.Unison, pairs.Rclone, pairs.Syncthing], 2000)
    moved(bench, MANY, "tiny", [pairs.DocDrive], None)


def moved(bench, name, source, kinds, files):
    a = bench.place.new("a")
    filled(a / "folder", bench.corpus(source).root, files)
    running = []
    try:
        for kind in pairs.present(bench, kinds):
            running.append(kind(bench, a, bench.place.new(kind.__name__)))
            running[-1].first()
            running[-1].sync()

        still = {}

        def work(one):
            def done(turn):
                # Before the first tool's turn, what a pass costs all of them where nothing has changed.
                if one is running[0]:
                    still.update({other: other.sync()["cpu"] for other in running})
                    next(a.glob("folder*")).rename(a / f"folder {turn}")
                cost = one.sync()
                if place.differences(a, one.b):
                    raise SystemExit(f"{one.tool}: B is not as A")
                return {**cost, "unchanged": still[one], "beyond unchanged": max(0, cost["cpu"] - still[one])}
            return done

        bench.turns(NAME, name, {one.tool: work(one) for one in running})
        watched(bench, name, a, running[0])
    finally:
        for one in running:
            one.end()
    bench.place.clear()


def watched(bench, name, a, pair):
    """From the new name on A until both sides have come to rest."""
    both = [watching.started(bench, folder) for folder in (a, pair.b)]
    try:
        for process in both:
            # Until all documents are read, too: what is left of that is none of the rename's.
            watching.still(process)
            watching.alone(process)

        def work(turn):
            stored, before = place.size(pair.store)[1], sum(processes.cpu(process.pid) for process in both)
            new = f"watched {turn}"
            next(path for path in a.iterdir() if path.name not in place.TRACES).rename(a / new)
            began = time.monotonic()
            syncthing.wait(lambda: (pair.b / new).is_dir(), 60, "the new name is on B")
            arrived = time.monotonic() - began
            for process in both:
                watching.still(process)
            return {
                "cpu": sum(processes.cpu(process.pid) for process in both) - before, "arrived": arrived,
                "bytes": place.size(pair.store)[1] - stored}

        bench.turns(NAME, name, {WATCH: work})
    finally:
        for process in both:
            watching.stopped(process)
    if place.differences(a, pair.b):
        raise SystemExit(f"{WATCH}: B is not as A")


def filled(folder, source, files):
    """So many files of a corpus, or all."""
    if files is None:
        return run(["cp", "-a", source, folder])
    folder.mkdir()
    for number, file in enumerate(sorted(source.rglob("*.txt"))[:files]):
        (folder / f"{number:05d} {file.name}").write_bytes(file.read_bytes())
