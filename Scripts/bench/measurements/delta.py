"""A large file of which a megabyte changes, and one that gets a byte at its front: what is stored or sent, and CPU of both sides.

All tools bring the same A to a B of their own, in turns.
"""
import random

import pairs
import place
from bench import added
from goals import Goal
from measure import run

NAME = "delta"
PEERS = ["rsync", "unison", "syncthing", "openssl"]
FLOOR = "cp, then openssl dgst -sha256"
CHANGED, INSERTED = "big, 1 MiB changed", "big, 1 byte at its front"
KINDS = [pairs.DocDrive, pairs.RsyncDelta, pairs.Unison, pairs.Syncthing]
GOALS = [
    Goal("delta changed bytes", "1 MiB changed in 4 GiB, bytes stored", NAME, CHANGED, "docdrive", 2.5, figure="bytes",
         unit="MB", scale=1e-6),
    Goal("delta changed", "1 MiB changed in 4 GiB, both sides", NAME, CHANGED, "docdrive", 1.5, FLOOR),
    Goal("delta inserted bytes", "1 byte inserted at its front, bytes stored", NAME, INSERTED, "docdrive", 4, figure="bytes",
         unit="MB", scale=1e-6),
    Goal("delta inserted", "1 byte inserted at its front, both sides", NAME, INSERTED, "docdrive", 1.5, FLOOR),
]


def measure(bench):
    corpus = bench.corpus("big")
    a = bench.place.new("a", make=False)
    run(["cp", "-a", corpus.root, a])
    file = next(a.iterdir())
    running = []
    try:
        for kind in pairs.present(bench, KINDS):
            running.append(kind(bench, a, bench.place.new(kind.__name__)))
            running[-1].first()
        for name, change in ((CHANGED, overwrite), (INSERTED, insert)):
            turns(bench, name, file, change, running)
    finally:
        for one in running:
            one.end()
    bench.place.clear()


def turns(bench, name, file, change, running):
    def work(one):
        def done(turn):
            # The change of the round is made for whoever is first.
            if one is running[0]:
                change(file, random.Random(f"{name} {turn}"))
            place.read_all(file.parent)
            cost = one.sync()
            if run(["cmp", "-s", file, one.b / file.name])["exit"]:
                raise SystemExit(f"{one.tool}: B is not as A")
            return cost
        return done

    bench.turns(NAME, name, {**{one.tool: work(one) for one in running}, FLOOR: lambda turn: floor(bench, file)})


def floor(bench, file):
    """What writing the file once and reading it once with SHA-256 costs."""
    target = bench.place.new("floor") / file.name
    place.read_all(file.parent)
    cost = added(run(["cp", file, target]), run(["openssl", "dgst", "-sha256", target]))
    target.unlink()
    return cost


def overwrite(file, chance):
    with file.open("r+b") as open_file:
        open_file.seek(chance.randrange(file.stat().st_size - (2 << 20)))
        open_file.write(chance.randbytes(1 << 20))


def insert(file, chance):
    other = file.with_name("new.tmp")
    with other.open("wb") as target, file.open("rb") as source:
        target.write(bytes([chance.randrange(256)]))
        while block := source.read(8 << 20):
            target.write(block)
    other.rename(file)
