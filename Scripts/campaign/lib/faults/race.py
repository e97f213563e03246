"""Somebody saves while docdrive is about to rename: every rename of a pull is held by strace, at its entry or at its
exit, and a racer writes in that moment, in each way that programs save.

The racer knows the moment because a held thread stays stopped.
"""
import os
import random
import time

from lib import tree
from lib.faults import disks
from lib.faults.world_of_two import Pair, campaign, finish

HOLD = 250_000
TARGETS = ("red/one", "red/two", "green/six", "white/new", "azure/deep/one", "blue/deep/one", "blue/deep/two")


class Racer:
    """What it saves, and who holds it: a file that somebody saved is owed, one that was written through a descriptor
    kept open is kept."""

    def __init__(self, pair, way):
        self.pair = pair
        self.way = way
        self.saved = {}
        self.opened = []
        if way == "kept open":
            for name in TARGETS:
                if os.path.exists(pair.path("b", name)):
                    self.opened.append((name, open(pair.path("b", name), "r+b", buffering=0)))

    def data(self, name):
        data = f"raced {name} {self.way} {len(self.pair.known)}\n".encode() * 3
        content = tree.digest(data)
        self.pair.known.add(content)
        self.saved[content] = name
        return data

    def replaced(self, path):
        """What the racer sees and replaces is given up by it."""
        self.pair.give_up(tree.file_digest(path))

    def act(self):
        if self.way == "kept open":
            for name, file in self.opened:
                self.pair.give_up(tree.digest(os.pread(file.fileno(), 1 << 20, 0)))
                data = self.data(name)
                os.ftruncate(file.fileno(), 0)
                os.pwrite(file.fileno(), data, 0)
            return
        for name in TARGETS:
            path = self.pair.path("b", name)
            if self.way == "new" or os.path.exists(path):
                getattr(self, self.way)(path, name)

    def in_place(self, path, name):
        with open(path, "r+b") as file:
            self.pair.give_up(tree.digest(file.read()))
            file.seek(0)
            file.write(self.data(name))
            file.truncate()

    def renamed_over(self, path, name):
        draft = self.pair.path("b", "draft of the racer")
        with open(draft, "wb") as file:
            file.write(self.data(name))
        # Taken out by an exchange, so that it is known what was replaced.
        exchange(draft, path)
        self.pair.give_up(tree.file_digest(draft))
        os.unlink(draft)

    def new(self, path, name):
        """Where nothing is, as for a file that is about to come."""
        if os.path.isdir(os.path.dirname(path)) and not os.path.exists(path):
            with open(path, "xb") as file:
                file.write(self.data(name))

    def close(self):
        for _, file in self.opened:
            file.close()


WAYS = ("in_place", "renamed_over", "new", "kept open")


def exchange(one, other):
    from lib.person import exchange as swap
    swap(one, other)


def held(pid):
    """Whether a thread of the process stays stopped by its tracer."""
    stopped = set()
    for look in range(3):
        now = set()
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/stat") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "t":
                        now.add(thread)
        except (FileNotFoundError, ProcessLookupError):
            return False
        stopped = now if look == 0 else stopped & now
        if not stopped:
            return False
        time.sleep(0.012)
    return True


class Race:
    def __init__(self, made, random):
        self.made = made
        self.random = random
        self.met = 0
        self.pairs = 0
        self.codes = {}
        self.renew()

    def renew(self):
        """Ten deletes within a day would be held."""
        self.pairs += 1
        self.removed = 0
        self.pair = Pair(self.made, f"race {self.pairs}", {})
        self.pair.fill()

    def prepare(self):
        """a edits, makes, deletes and moves what the racer is going to write to in b."""
        if self.removed >= 6:
            self.renew()
        pair = self.pair
        number = len(pair.known)
        pair.edit("a", "red/one", b"edited in a %d\n" % number)
        if os.path.exists(pair.path("a", "red/two")):
            self.removed += 1
            pair.remove("a", "red/two")
        else:
            pair.put("a", "red/two", b"again %d\n" % number)
        if os.path.exists(pair.path("a", "white/new")):
            self.removed += 1
            pair.remove("a", "white/new")
        else:
            pair.put("a", "white/new", b"new in a %d\n" % number)
        one, other = ("blue", "azure") if os.path.exists(pair.path("a", "blue")) else ("azure", "blue")
        if os.path.exists(pair.path("a", one)) and not os.path.exists(pair.path("a", other)):
            os.rename(pair.path("a", one), pair.path("a", other))
        pair.expect(pair.try_sync("a") == 0, f"a: {pair.last_error}")

    def one(self, way, number, side):
        """One rename held while the racer writes."""
        self.prepare()
        pair = self.pair
        before = pair.contents("b")
        racer = Racer(pair, way)
        log = self.made.path("strace.log")
        prefix = ["strace", "-f", "-y", "-o", log, "-e", "trace=renameat2", "-e", "signal=none",
                  "-e", f"inject=renameat2:delay_{side}={HOLD}:when={number}"]
        process = self.made.start("sync", pair.path("b"), prefix=prefix)
        acted = self.watch(process, racer)
        out, error = process.communicate(timeout=60)
        said = (out + error).decode("utf-8", "backslashreplace")
        self.codes[process.returncode] = self.codes.get(process.returncode, 0) + 1
        pair.expect(process.returncode in (0, 2, 75), f"{way} {side} {number}: {process.returncode} {said[:300]}")
        self.met += acted
        self.look(racer, before, f"{way}, {side} of rename {number}", acted)
        racer.close()
        pair.settle()
        self.end(racer, f"{way}, {side} of rename {number}")

    def watch(self, process, racer):
        while process.poll() is None:
            for pid in children(process.pid):
                if held(pid):
                    racer.act()
                    return True
            time.sleep(0.003)
        return False

    def look(self, racer, before, what, acted):
        pair = self.pair
        # Right after it, and before anybody looks again: on the drive, wherever.
        kept = pair.contents("b") | tree.kept_aside(pair.path("b")).keys()
        for content, name in racer.saved.items():
            pair.expect(content in kept, f"{what}: what the racer saved as {name} is gone")
        pair.expect(not (before & pair.owed.keys()) - kept, f"{what}: lost in b")

    def end(self, racer, what):
        """What was saved under a name is live; what came late through an open file is kept at least."""
        live = self.pair.contents("a")
        aside = tree.kept_aside(self.pair.path("b")).keys()
        for content, name in racer.saved.items():
            there = content in live or racer.way == "kept open" and content in aside
            self.pair.expect(there, f"{what}: what the racer saved as {name} is not live at rest")
        for content in racer.saved:
            if content in live:
                self.pair.owed[content] = "racer"


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


def carry_out(count, seed):
    made = campaign("race", seed)
    source = random.Random(f"{seed} race")
    race = Race(made, source)
    for turn in range(count):
        way = WAYS[turn % len(WAYS)]
        race.one(way, source.randrange(1, 9), source.choice(["enter", "exit"]))
        if made.violations:
            break
    return {"held while somebody wrote": race.met, "of": count, "codes": race.codes, "wrong": finish(made)}
