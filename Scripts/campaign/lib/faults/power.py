"""Power cuts while two people save and sync: the disk of a drive, of the store, or of both is as it was at the instant.

The world goes on from every cut, so that what one cut leaves is there for the next. What a sync had reported as done
before a cut is owed after it; what was saved without `fsync` and not yet synced may be gone, as after any power cut.
"""
import collections
import os
import random
import shutil
import signal
import sqlite3
import time
import contextlib

from lib import run, tree
from lib.faults import disks
from lib.faults.cutting import CutDisk
from lib.faults.verdict import CRASH, OWN

# Which parts lie on the disk that is cut.
LAYOUTS = {"drive": ("b",), "store": ("store",), "drive and store": ("b", "store")}
MODES = ["data=ordered", "data=writeback"]


class Power:
    def __init__(self, layout, mode, cuts, seed):
        self.campaign = run.Campaign("power", seed)
        self.campaign.shown = 8
        self.random = random.Random(f"{seed} {layout} {mode}")
        self.layout = layout
        self.cuts = cuts
        self.disk = CutDisk(self.campaign.path("disk.img"), self.campaign.path("disk"), 48, (mode,))
        self.boots = 0
        self.saves = 0
        self.removed = 0
        self.saved = {}
        self.acknowledged = {}
        self.careless = set()
        self.torn = 0
        self.codes = collections.Counter()
        self.moments = collections.Counter()
        self.drives = {name: self.place(name) for name in "ab"}
        self.store = self.place("store")
        # One sync lasts about this long; cuts fall anywhere in it.
        self.duration = 0.1

    def place(self, name):
        return self.campaign.path("disk" if name in LAYOUTS[self.layout] else "safe", name)

    def prefix(self):
        """Another boot: docdrive tells by it that a crash may have left files short."""
        script = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"'
        return ["unshare", "-m", "--propagation", "slave", "sh", "-c", script, self.campaign.path("boot")]

    def boot(self):
        self.boots += 1
        with open(self.campaign.path("boot"), "w") as file:
            file.write(f"{self.boots:08x}-0000-4000-8000-{self.random.getrandbits(48):012x}\n")

    def sync(self, name, *arguments):
        started = time.monotonic()
        code, out, error = self.campaign.run("sync", self.drives[name], *arguments, prefix=self.prefix())
        self.duration = 0.8 * self.duration + 0.2 * (time.monotonic() - started)
        self.campaign.expect(not CRASH.search(error), f"sync of {name} crashed: {error[:300]}")
        if code == 0:
            self.acknowledge(name)
        return code, error + out

    def set_up(self):
        os.makedirs(self.campaign.path("safe"))
        self.boot()
        for name, drive in self.drives.items():
            os.mkdir(drive)
            code, said = self.sync(name, "--to", self.store, "--name", name, "--yes")
            self.campaign.expect(code == 0, f"first sync of {name}: {code} {said}")
        self.known = {facts[1] for facts in tree.snapshot(self.drives["a"]).values() if facts[0] == "file"}
        for _ in range(12):
            self.save("a")
        for name in "aba":
            self.sync(name)

    # People.

    def save(self, name):
        """A new file or an edit; written aside and renamed with its bytes durable, or carelessly under a new name."""
        drive = self.drives[name]
        self.saves += 1
        data = b"save %d by %s\n" % (self.saves, name.encode()) * self.random.choice([1, 40, 900, 9000])
        content = tree.digest(data)
        files = self.files(name)
        careless = self.random.random() < 0.3
        if careless or not files or self.random.random() < 0.5:
            path = f"{self.random.choice(['red', 'blue/deep', 'white'])}/{self.saves}"
        else:
            path = self.random.choice(files)
            self.give_up(tree.file_digest(os.path.join(drive, path)))
        place = os.path.join(drive, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        # No draft has the name of another: a cut may leave it there.
        draft = place if careless else f"{place}~{self.saves}"
        with open(draft, "wb") as file:
            file.write(data)
            file.flush()
            if not careless:
                os.fsync(file.fileno())
        if careless:
            self.careless.add(path)
        else:
            os.rename(draft, place)
        self.known.add(content)
        self.saved[content] = f"{name}/{path}"

    def act(self, name):
        files = self.files(name)
        what = self.random.choice(["save"] * 5 + ["remove", "move"])
        # Ten deletes within a day would be held.
        if what == "save" or len(files) < 8 or what == "remove" and self.removed >= 7:
            return self.save(name)
        path = self.random.choice(files)
        place = os.path.join(self.drives[name], path)
        if what == "remove":
            self.removed += 1
            self.give_up(tree.file_digest(place))
            os.unlink(place)
        else:
            self.saves += 1
            os.rename(place, os.path.join(self.drives[name], f"moved {self.saves}"))

    def files(self, name):
        return [os.fsdecode(path) for path, facts in tree.snapshot(self.drives[name], contents=False).items()
                if facts[0] == "file" and facts[1] > 0 and path != b".driveignore"]

    def give_up(self, content):
        self.saved.pop(content, None)
        self.acknowledged.pop(content, None)

    def acknowledge(self, name):
        """The sync said that it is done: what the drive shows is safe from now on."""
        for path, facts in tree.snapshot(self.drives[name]).items():
            if facts[0] == "file" and facts[1] in self.saved:
                self.acknowledged[facts[1]] = f"{name}/{os.fsdecode(path)}"

    # The cut.

    def one_cut(self):
        for name in "ab":
            for _ in range(self.random.randrange(3)):
                self.act(name)
        if self.random.random() < 0.5:
            self.sync("a")
            self.act("b")
        name = self.random.choice("abbb" if self.layout != "store" else "ab")
        self.cut_during_sync(name)
        self.look()
        self.recover()

    def cut_during_sync(self, name):
        process = self.campaign.start("sync", self.drives[name], prefix=self.prefix(), group=True)
        time.sleep(self.random.uniform(0, self.duration))
        ended = process.poll() is not None
        os.killpg(process.pid, signal.SIGSTOP) if not ended else None
        if ended and process.returncode == 0:
            self.acknowledge(name)
        self.disk.take()
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.moments["right after a sync" if ended else "within a sync"] += 1
        self.disk.cut()
        self.boot()

    def look(self):
        """Right after the cut, before anything runs: whole files only, and an index that opens."""
        for name in self.drives:
            for path, facts in tree.snapshot(self.drives[name]).items():
                path = os.fsdecode(path)
                if facts[0] != "file" or facts[1] in self.known:
                    continue
                # A person's own file that no sync has seen whole.
                whole = [origin for origin in self.acknowledged.values() if origin.endswith("/" + path)]
                excused = path in self.careless and not whole
                self.torn += excused
                self.known.add(facts[1])
                self.campaign.expect(excused, f"{name}/{path} is not whole after the cut")
            for path in tree.snapshot(self.drives[name], contents=False):
                part = os.path.basename(path)
                self.campaign.expect(part == b".driveignore" or not OWN.search(part), f"{path!r} is docdrive's own")
        self.open_index()

    def open_index(self):
        place = self.campaign.path("index")
        os.makedirs(place)
        for ending in ("", "-wal"):
            source = os.path.join(self.drives["b"], ".docdrive/index.sqlite" + ending)
            if os.path.exists(source):
                shutil.copy(source, place)
        with contextlib.closing(sqlite3.connect(os.path.join(place, "index.sqlite"))) as index:
            answer = index.execute("PRAGMA integrity_check").fetchone()[0]
        self.campaign.expect(answer == "ok", f"the index after the cut: {answer}")
        shutil.rmtree(place)

    def recover(self):
        owed = dict(self.acknowledged)
        said = []
        for name in "baba":
            code, text = self.sync(name)
            self.codes[code] += 1
            said.append(f"{name}: {code} {text.strip()}")
            self.campaign.expect(code == 0, f"sync of {name} after a cut: {code} {text}")
        seen = [tree.snapshot(drive) for drive in self.drives.values()]
        lines = tree.differences(*seen)
        self.campaign.expect(not lines, f"after a cut the drives differ: {lines}; {said}")
        live = {facts[1] for facts in seen[0].values() if facts[0] == "file"}
        for content, origin in owed.items():
            self.campaign.expect(content in live, f"lost by a cut though a sync was done: {origin}; {said}")
        # What no sync had seen may be gone: it is owed no more.
        self.saved = {content: origin for content, origin in self.saved.items() if content in live}
        self.acknowledged = dict(self.saved)
        empty = [path for path, facts in seen[1].items()
                 if facts[0] == "file" and facts[1] == tree.digest(b"") and os.fsdecode(path) not in self.careless]
        self.campaign.expect(not empty, f"empty files were synced: {empty}")
        return live

    def newcomer(self):
        drive = self.campaign.path("safe", f"newcomer {self.boots}")
        os.mkdir(drive)
        code, _, error = self.campaign.run("sync", drive, "--to", self.store, "--name", "new", "--yes",
                                           prefix=self.prefix())
        self.campaign.expect(code == 0, f"a newcomer: {code} {error}")
        lines = tree.differences(tree.snapshot(self.drives["a"]), tree.snapshot(drive))
        self.campaign.expect(not lines, f"a newcomer does not get everything: {lines}")
        shutil.rmtree(drive)

    def carry_out(self):
        try:
            self.set_up()
            for number in range(self.cuts):
                self.one_cut()
                if number % 10 == 9:
                    self.newcomer()
                if len(self.campaign.violations) > 5:
                    break
            self.newcomer()
        finally:
            self.disk.unmount()
        figures = {"cuts": sum(self.moments.values()), "moments": dict(self.moments), "saves": self.saves,
                   "torn": self.torn, "codes": dict(self.codes), "wrong": len(self.campaign.violations)}
        if self.campaign.violations:
            print(f"kept for a look: {self.campaign.place}", flush=True)
        else:
            shutil.rmtree(self.campaign.place)
        return figures
