"""Three drives over one folder store, people who work in them, and the oracle of the kill campaigns."""
import collections
import os
import sqlite3

from lib import run, tree
from lib.person import Budget, Model, Person

PHASES = ["scan", "commit", "fetch", "apply", "compact"]


class Killing:
    def __init__(self, name, count, seed):
        self.campaign = run.Campaign(name, seed)
        self.random = self.campaign.random
        self.count = count
        self.model = Model()
        self.drives = [self.campaign.path(name) for name in "abc"]
        self.deletes = Budget(9)
        self.people = [
            Person(drive, name, self.campaign, self.model, self.deletes) for drive, name in zip(self.drives, "abc")]
        self.kills = collections.Counter()
        self.survived = 0
        self.codes = collections.Counter()
        self.in_trash = 0

    def set_up(self):
        store = self.campaign.path("store")
        for drive, name in zip(self.drives, "abc"):
            os.mkdir(drive)
            code, _, error = self.campaign.run("sync", drive, "--to", store, "--name", name, "--yes")
            self.campaign.expect(code == 0, f"first sync of {name}: {code} {error}")
        # What docdrive itself puts into a new drive.
        self.model.saved |= {facts[1] for facts in tree.snapshot(self.drives[0]).values() if facts[0] == "file"}
        self.model.excused |= self.model.saved
        for _ in range(60):
            self.people[0].act()
        self.sync_all()
        top = os.path.join(store, "dd1")
        self.store = os.path.join(top, os.listdir(top)[0])
        self.device = {}
        for drive in self.drives:
            before = self.devices()
            with open(os.path.join(drive, f"first of {os.path.basename(drive)}"), "wb") as file:
                data = f"first of {drive}".encode()
                file.write(data)
                self.model.save(data, "first")
            self.campaign.run("sync", drive)
            came = self.devices() - before
            if len(came) == 1:
                self.device[drive] = came.pop()
            else:
                self.device[drive] = self.newest_device()

    def devices(self):
        return set(os.listdir(os.path.join(self.store, "log")))

    def newest_device(self):
        heads = os.path.join(self.store, "head")
        newest = max(os.listdir(heads), key=lambda name: os.stat(os.path.join(heads, name)).st_mtime_ns)
        return newest.split(".")[0]

    def segments(self, drive):
        return len(os.listdir(os.path.join(self.store, "log", self.device[drive])))

    def sync_all(self):
        for drive in self.drives:
            code, _, error = self.campaign.run("sync", drive)
            self.codes[code] += 1
            self.campaign.expect(code == 0, f"sync of {drive} without a kill: {code} {error}")

    def quarrel(self):
        """Two people change the same file, or one changes it and the other moves it away."""
        one, other = self.random.sample(self.people, 2)
        _, files, _ = one.look()
        path = os.path.relpath(self.random.choice(files), one.drive)
        one.on(path, "save")
        other.on(path, self.random.choice(["save", "save", "rename", "chmod"]))

    def check(self, drive):
        for path, facts in tree.snapshot(drive).items():
            self.campaign.expect(facts[0] != "file" or facts[1] in self.model.saved,
                                 f"{drive}: {path!r} has bytes that nobody saved, after a kill")

    def rest(self):
        """Syncs until nothing changes; the number of rounds, and of items."""
        rounds = 0
        before = None
        while rounds < 8:
            self.sync_all()
            rounds += 1
            now = [tree.snapshot(drive) for drive in self.drives]
            if now == before:
                break
            before = now
        self.examine(before)
        return rounds, len(before[0])

    def examine(self, before):
        """At rest everything must be equal and there."""
        for drive, seen in zip(self.drives[1:], before[1:]):
            lines = tree.differences(before[0], seen)
            self.campaign.expect(not lines, f"a and {drive} differ:\n      " + "\n      ".join(lines))
        live = {facts[1] for seen in before for facts in seen.values() if facts[0] == "file"}
        aside = {}
        for drive in self.drives:
            aside.update(tree.kept_aside(drive))
        for content in sorted(self.model.owed() - live):
            origin = self.model.origin[content]
            self.in_trash += content in aside
            self.campaign.expect(content in aside, f"lost: what was saved as {origin}")
            self.campaign.expect(
                content not in aside, f"in a trash though nobody gave it up: {origin} as {aside.get(content)}")
        self.campaign.expect(not live - self.model.saved, "a file has bytes that nobody saved")
        for drive in self.drives:
            staged = [name for area in ("in", "parked", "out")
                      for name in os.listdir(os.path.join(drive, ".docdrive/staging", area))]
            self.campaign.expect(not staged, f"{drive}: staging is not empty at rest: {staged}")
            with sqlite3.connect(f"file:{drive}/.docdrive/index.sqlite?mode=ro", uri=True) as index:
                answer = index.execute("PRAGMA integrity_check").fetchone()[0]
                self.campaign.expect(answer == "ok", f"{drive}: the index is damaged: {answer}")

    def report(self, seconds, rest):
        """Prints the figures and ends the process."""
        copies = sum(b"conflicted copy" in path for path in tree.snapshot(self.drives[0]))
        lost = [text for text in self.campaign.violations if text.startswith("lost")]
        self.campaign.finish({
            "seed": self.campaign.seed,
            "kills": f"{sum(self.kills.values())}: " + ", ".join(
                f"{phase} {number}" for phase, number in sorted(self.kills.items())),
            "ended before the kill": self.survived,
            "exit codes of the others": dict(self.codes),
            "at rest": f"{len(tree.snapshot(self.drives[0]))} items on each of 3 drives, {copies} conflict copies{rest}",
            "contents saved": f"{len(self.model.saved)}, given up {len(self.model.excused)}, lost {len(lost)}, "
                              f"only in a trash though not given up {self.in_trash}",
            "seconds": round(seconds)})
