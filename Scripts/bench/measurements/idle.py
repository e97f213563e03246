"""Watching many folders in which nothing happens: memory, wake-ups and bytes written in a minute; and with too few watches."""
import json
import os
import subprocess

import processes
import syncthing
import watching
from goals import MIB, Goal

NAME = "idle"
PEERS = ["inotifywait", "watchman", "syncthing"]
GOALS = [
    Goal("idle memory", "idle, watching 100,101 folders, with the watcher process", NAME, "idle", "docdrive watch", 96,
         figure="resident", unit="MiB", scale=1 / MIB),
    Goal("idle wakeups", "wake-ups in a minute without events", NAME, "idle", "docdrive watch", 0, figure="wakeups",
         unit="a minute"),
    Goal("idle written", "bytes written in a minute without events", NAME, "idle", "docdrive watch", 0, figure="written",
         unit="B"),
    Goal("idle unwatched", "folders without a watch", NAME, "idle", "docdrive watch", 0, figure="unwatched", unit="folders"),
    Goal("idle few", "too few watches: does not go on, or says it wrong", NAME, "idle", "docdrive watch, too few watches", 0,
         figure="silent", unit="of 1"),
]
# Asks for a limit of its own, so that no other program on the machine gets fewer watches.
LIMITED = 'echo "$0" > /proc/sys/user/max_inotify_watches && exec "$@"'


def measure(bench):
    corpus = bench.corpus("idle")
    folders = sum(len(names) for _, names, _ in os.walk(corpus.root)) + 1
    seconds = 10 if bench.quick else 60
    bench.docdrive("init", corpus.root, "--yes")
    works = {"docdrive watch": [bench.program, "watch"], "inotifywait": ["inotifywait", "-m", "-r", "-q"]}
    bench.turns(NAME, "idle", {
        tool: lambda turn, tool=tool, command=command: watched(bench, [*command, str(corpus.root)], folders, seconds)
        for tool, command in works.items() if tool.startswith("docdrive") or bench.has(tool)
    }, rounds=1)
    bench.turns(NAME, "idle", {
        "docdrive watch, too few watches": lambda turn: limited(bench, corpus.root, folders, seconds)}, rounds=1)
    bench.place.plain(corpus.root)
    others = {"watchman": watchman, "syncthing": syncthing_instance}
    bench.turns(NAME, "idle", {
        tool: lambda turn, work=work: work(bench, corpus.root, folders, seconds)
        for tool, work in others.items() if bench.has(tool)
    }, rounds=1)
    bench.place.plain(corpus.root)
    bench.place.clear()


def watched(bench, command, folders, seconds):
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        watching.still(process)
        watching.alone(process)
        before = processes.cpu(process.pid)
        figures = watching.counted(process, seconds)
        return {**figures, "wakeups": figures["wakeups"] * 60 / seconds, "cpu of setting up": before,
                "unwatched": max(0, folders - figures["watches"])}
    finally:
        watching.stopped(process)


def limited(bench, root, folders, seconds):
    """Whether it goes on with a third of the watches: tells how many folders are not watched, and finds what is new in them."""
    limit = str(folders // 3)
    process = subprocess.Popen(
        ["unshare", "--user", "--map-root-user", "sh", "-c", LIMITED, limit, bench.program, "watch", str(root)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        watching.still(process)
        figures = watching.counted(process, seconds)
        told = json.loads(bench.docdrive("-C", root, "status", "--json")["output"])["running"]
        places = sorted(path for path in root.iterdir() if path.name.startswith("folder"))
        for place in places:
            (place / "saved.txt").write_text("words")
        bench.docdrive("sync", root)
        found = int(bench.docdrive("-C", root, "find", "--name", "saved.txt", "--count")["output"])
        for place in places:
            (place / "saved.txt").unlink()
        silent = told["unwatched"] != folders - told["watched"] or told["watched"] > folders // 3
        return {**figures, "told unwatched": told["unwatched"], "silent": int(silent or found != len(places))}
    finally:
        watching.stopped(process)


def watchman(bench, root, folders, seconds):
    home = bench.place.new("watchman")
    process = subprocess.Popen(
        ["watchman", "-U", home / "socket", "--statefile", home / "state", "--pidfile", home / "pid", "-o", home / "log",
         "--foreground", "--no-save-state"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        syncthing.wait((home / "socket").exists, 60, "watchman's socket")
        subprocess.run(["watchman", "-U", home / "socket", "--no-spawn", "watch", root], stdout=subprocess.DEVNULL)
        watching.still(process)
        figures = watching.counted(process, seconds)
        return {**figures, "wakeups": figures["wakeups"] * 60 / seconds, "unwatched": max(0, folders - figures["watches"])}
    finally:
        watching.stopped(process)


def syncthing_instance(bench, root, folders, seconds):
    one = syncthing.Instance(bench.place.new("syncthing"), root).configure(fsWatcherEnabled="true").start()
    try:
        one.scanned()
        watching.still(one.process)
        figures = watching.counted(one.process, seconds)
        return {**figures, "wakeups": figures["wakeups"] * 60 / seconds, "unwatched": max(0, folders - figures["watches"])}
    finally:
        one.stop()
