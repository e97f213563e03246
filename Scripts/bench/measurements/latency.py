"""From a save on A to the right bytes on B, both watched: the tools one after the other in each round, each over its own two
folders."""
import os
import random
import signal
import subprocess
import time

import pairs
import processes
import syncthing
from goals import Goal
from measure import Beside, run

NAME = "latency"
PEERS = ["inotifywait", "rsync", "lsyncd", "unison", "syncthing"]
LOOP = "inotifywait, rsync of the one file"
GOALS = [
    Goal("latency median", "save on A to right bytes on B, median", NAME, "notes", "docdrive watch", 0.10, figure="median",
         unit="s"),
    Goal("latency p95", "save on A to right bytes on B, 95th percentile", NAME, "notes", "docdrive watch", 0.25,
         figure="p95", unit="s"),
    Goal("latency cpu", "CPU of a change, both sides", NAME, "notes", "docdrive watch", 10, figure="cpu a change", unit="ms",
         scale=1000),
]
# A tool that has not brought a file after so long is said to have lost it.
LOST = 60


def measure(bench):
    kinds = [kind for kind in KINDS if all(map(bench.has, kind.needs))]
    rounds = {kind.tool: [] for kind in kinds}
    for turn in range(bench.rounds):
        # Not at once: one that looks at its whole folder every second takes a processor and its caches from the others.
        for kind in kinds:
            tool = kind(bench, bench.corpus("notes"), bench.place.new(f"{kind.__name__}-{turn}"))
            rounds[kind.tool].append(watch_saves(bench, tool))
    for tool, figures in rounds.items():
        record(bench, tool, figures)
    bench.place.clear()


def watch_saves(bench, tool):
    """Seconds of each save, CPU seconds of all, and what else the machine did."""
    tool.start()
    try:
        sample(tool, "first", random.Random(0))
        tool.settled()
        before, beside = tool.cpu(), Beside()
        chance = random.Random(bench.seed)
        samples = [sample(tool, turn, chance) for turn in range(8 if bench.quick else 40)]
        used = tool.cpu() - before
        return samples, used, beside.others(used)
    finally:
        tool.stop()


def sample(one, turn, chance):
    """Seconds from the close of a new file of 2 KiB on A until B has its bytes, looked at every millisecond."""
    # Not in step with anybody's timer.
    time.sleep(0.3 + 0.4 * chance.random())
    part = chance.choice(sorted(path for path in one.a.iterdir() if path.name.startswith("part")))
    data, name = os.urandom(2048), f"saved {turn}.txt"
    (part / name).write_bytes(data)
    began, there = time.monotonic(), one.b / part.name / name
    while time.monotonic() - began < LOST:
        try:
            if there.read_bytes() == data:
                return time.monotonic() - began
        except OSError:
            pass
        time.sleep(0.001)
    return None


def record(bench, tool, rounds):
    figures, arrivals = [], []
    for samples, used, others in rounds:
        arrived = sorted(value for value in samples if value is not None)
        if not arrived:
            raise SystemExit(f"{tool}: nothing arrived")
        figures.append({
            "median": arrived[len(arrived) // 2], "p95": arrived[min(len(arrived) - 1, int(len(arrived) * 0.95))],
            "cpu a change": used / len(samples), "lost": len(samples) - len(arrived), **others})
        arrivals += [round(value, 5) for value in arrived]
    bench.records.add(NAME, "notes", tool, bench.version(tool), figures, arrivals=sorted(arrivals))
    for each in figures:
        bench.note(f"latency {tool}: {each}")


class Watching:
    """A tool that brings what is saved in A to B by itself."""
    needs = ()

    def __init__(self, bench, corpus, work):
        self.bench, self.work, self.started = bench, work, []
        self.a, self.b = work / "a", work / "b"
        for folder in (self.a, self.b):
            run(["cp", "-a", corpus.root, folder])

    def launch(self, *command, **options):
        log = (self.work / f"log{len(self.started)}.txt").open("wb")
        self.started.append(subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **options))

    def watched(self, folder):
        """Waits until every folder has its watch."""
        folders = sum(1 for _ in folder.rglob("*/"))
        syncthing.wait(
            lambda: sum(processes.watches(one.pid) for one in self.started) >= folders, 120, f"{self.tool} watches")

    def settled(self):
        """Waits until what it does once after its start, such as reading texts for searches, is over."""
        last = [self.cpu()]

        def rests():
            time.sleep(1)
            last.append(self.cpu())
            return last[-1] - last[-2] < 0.05

        syncthing.wait(rests, 300, f"{self.tool} rests")

    def cpu(self):
        return sum(processes.cpu(one.pid) for one in self.started)

    def stop(self):
        for one in self.started:
            os.killpg(one.pid, signal.SIGTERM)
            one.wait()


class DocDrive(Watching):
    tool = "docdrive watch"

    def start(self):
        for name, folder in (("a", self.a), ("b", self.b)):
            self.bench.docdrive("sync", folder, "--to", self.work / "store", "--yes", "--name", name)
        self.bench.docdrive("sync", self.a)
        for folder in (self.a, self.b):
            self.launch(self.bench.program, "watch", folder)
        self.watched(self.a)


class Loop(Watching):
    tool = LOOP
    needs = ("inotifywait", "rsync")

    def start(self):
        script = ('inotifywait -m -r -q -e close_write -e moved_to --format %w%f . | '
                  'while IFS= read -r file; do rsync -a --relative "$file" "$0"; done')
        self.launch("bash", "-c", script, f"{self.b}/", cwd=self.a)
        self.watched(self.a)


class Lsyncd(Watching):
    tool = "lsyncd, delay 1"
    needs = ("lsyncd", "rsync")

    def start(self):
        settings = self.work / "lsyncd.conf"
        settings.write_text(
            f'settings {{ nodaemon = true }}\nsync {{ default.rsync, source = "{self.a}", target = "{self.b}", '
            'delay = 1, rsync = { archive = true } }\n')
        self.launch("lsyncd", "-nodaemon", settings)
        self.watched(self.a)


class Unison(Watching):
    """Looks every second: Debian's package has no program that watches for it."""
    tool = "unison -repeat 1"
    needs = ("unison",)

    def start(self):
        command = [word for word in pairs.unison(self.a, self.b, self.work / "archive") if word != "-silent"]
        run(command)
        self.launch(*command, "-repeat", "1")

    def settled(self):
        """It never rests."""


class Syncthing(Watching):
    tool = "syncthing, delay 1"
    needs = ("syncthing",)
    delay = "1"

    def start(self):
        for name in ("a", "b"):
            (self.work / "homes" / name).mkdir(parents=True)
        folder = {"fsWatcherEnabled": "true", "fsWatcherDelayS": self.delay}
        self.two = syncthing.Two(self.work / "homes", self.a, self.b, **folder).start()
        self.two.settle()
        self.started = [self.two.a.process, self.two.b.process]

    def stop(self):
        self.two.stop()


KINDS = [DocDrive, Loop, Lsyncd, Unison, Syncthing]
