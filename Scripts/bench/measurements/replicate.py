"""The first time everything goes from A to B: docdrive through a store in a folder, which writes bytes twice, beside tools that
write them once."""
import pairs
import place
from goals import MIB, Goal

NAME = "replicate"
PEERS = ["rsync", "unison", "rclone", "syncthing"]
KINDS = [
    pairs.DocDrive, pairs.Copy, pairs.Rsync, pairs.Unison, pairs.Rclone, pairs.Syncthing, pairs.SyncthingTuned,
]
GOALS = [
    Goal("replicate docs", "A to B, `docs`", NAME, "docs", "docdrive", 2, "cp -a"),
    Goal("replicate docs unison", "A to B, `docs`, against Unison", NAME, "docs", "docdrive", 1, "unison"),
    Goal("replicate docs syncthing", "A to B, `docs`, against Syncthing", NAME, "docs", "docdrive", 1 / 3, "syncthing"),
    Goal("replicate tiny", "A to B, `tiny`", NAME, "tiny", "docdrive", 1.5, "rsync -a"),
    Goal("replicate tiny syncthing", "A to B, `tiny`, against Syncthing", NAME, "tiny", "docdrive", 0.1, "syncthing"),
    Goal("replicate big", "A to B, `big`", NAME, "big", "docdrive", 2.2, "cp -a"),
    Goal("objects", "store objects for `tiny`", NAME, "tiny", "docdrive", 400, figure="objects", unit="objects"),
    Goal("memory of a", "peak memory, A of `tiny`", NAME, "tiny", "docdrive", 96, figure="memory of a", unit="MiB",
         scale=1 / MIB),
    Goal("memory of b", "peak memory, B of `tiny`", NAME, "tiny", "docdrive", 96, figure="memory of b", unit="MiB",
         scale=1 / MIB),
]
# Old copies stay aside while there is more room than this.
ROOM = 30 << 30


def measure(bench):
    for name in bench.chosen("docs", "tiny", "big"):
        corpus = bench.corpus(name)
        bench.turns(NAME, name, {
            kind.tool: lambda turn, kind=kind: replicated(bench, corpus, kind, turn)
            for kind in pairs.present(bench, KINDS)
        })
        bench.place.clear()


def replicated(bench, corpus, kind, turn):
    work = bench.place.new(f"{kind.tool}-{turn}")
    pair = kind(bench, bench.place.plain(corpus.root), work)
    place.read_all(corpus.root)
    try:
        cost = pair.first()
    finally:
        pair.end()
        bench.place.plain(corpus.root)
    # Bytes are compared in the first round, names and sizes in all.
    wrong = place.differences(corpus.root, pair.b) if turn == 0 else place.size(pair.b) != (corpus.files, corpus.bytes)
    if wrong:
        raise SystemExit(f"{kind.tool} made something else of {corpus.name}: {wrong}")
    bench.place.aside(work)
    if bench.place.free() < max(4 * corpus.bytes, ROOM):
        bench.place.clear()
    return cost
