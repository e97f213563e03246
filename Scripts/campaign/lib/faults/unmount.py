"""A disk that is pulled out, the drive's or the store's: while a sync runs, and while `docdrive watch` does.

What is not there any more is not deleted: nothing goes elsewhere, and nothing is written where the disk was mounted.
"""
import os
import random
import subprocess
import time

from lib import tree
from lib.faults import disks
from lib.faults.verdict import CODES
from lib.faults.world_of_two import Pair, campaign, finish

PLACES = ("drive", "store")
LIMIT = 60


class Stick:
    """A loop device that stays: a file system that somebody still holds open after `umount -l` is the same one when it
    is mounted again."""

    def __init__(self, made):
        self.image = made.path("stick.img")
        self.place = made.path("stick")
        disks.make_image(self.image, 32)
        done = subprocess.run(["losetup", "--find", "--show", self.image], capture_output=True, text=True)
        if done.returncode != 0:
            raise disks.Refused(f"losetup answers: {done.stderr.strip()}")
        self.device = done.stdout.strip()
        os.makedirs(self.place)
        self.plug()

    def plug(self):
        disks.do("mount", "-o", "noatime", self.device, self.place)

    def pull(self):
        disks.unmount(self.place, "-l")

    def end(self):
        subprocess.run(["umount", "-l", self.place], capture_output=True)
        subprocess.run(["losetup", "-d", self.device], capture_output=True)


class Pulling:
    def __init__(self, made, name, stick, seed):
        self.made = made
        self.stick = stick
        self.random = random.Random(f"{seed} {name}")
        inside = {"store": os.path.join(stick.place, "store")} if name == "store" else {
            "b": os.path.join(stick.place, "b")}
        self.pair = Pair(made, name, inside)
        self.name = name
        self.ended = {}
        self.pair.fill()
        self.duration = 0.1

    def nothing_there(self, what):
        """Where the disk was mounted lies nothing now."""
        left = os.listdir(self.stick.place)
        self.pair.expect(not left, f"{what}: written to the mount point: {left}")

    def work(self):
        pair = self.pair
        number = len(pair.known)
        for place in range(5):
            pair.put("a", f"white/{number}/{place}", self.random.randbytes(20_000))
        pair.edit("a", "red/one", b"edit %d\n" % number)

    def within_a_sync(self):
        pair = self.pair
        self.work()
        letter = self.random.choice("ab")
        if letter == "b":
            pair.try_sync("a")
        elsewhere = tree.snapshot(pair.path("a"))
        started = time.monotonic()
        process = self.made.start("sync", pair.path(letter))
        time.sleep(self.random.uniform(0, self.duration * 1.1))
        self.stick.pull()
        early = process.poll() is None
        out, error = process.communicate(timeout=60)
        said = (out + error).decode("utf-8", "backslashreplace")
        self.duration = 0.7 * self.duration + 0.3 * (time.monotonic() - started)
        code = process.returncode
        pair.codes[code] = pair.codes.get(code, 0) + 1
        # 64: the folder that was given is none any more.
        pair.expect(code in CODES | {64}, f"pulled out in a sync of {letter}: {code} {said[:300]}")
        self.nothing_there("in a sync")
        self.syncs_beside()
        pair.expect(tree.snapshot(pair.path("a")) == elsewhere, "what was pulled out changed the other drive")
        self.stick.plug()
        pair.settle()
        return early and code != 0

    def syncs_beside(self):
        """Without the disk."""
        pair = self.pair
        for letter in "ab":
            allowed = {69, 64} if self.name == "store" or letter == "b" else {0, 2}
            pair.try_sync(letter, allowed)
        self.nothing_there("syncs without it")

    def while_watching(self):
        """Pulled out and put back while both are watched; who does not go on by itself says why it ended."""
        pair = self.pair
        watches = {letter: self.watch(letter) for letter in "ab"}
        self.flow("a", "b", watches)
        before = {letter: tree.snapshot(pair.path(letter)) for letter in "ab"}
        self.stick.pull()
        time.sleep(self.random.uniform(0.2, 2))
        # Work goes on where there is something to work in.
        content = pair.put("a", f"alone {len(pair.known)}", b"while it is out %d\n" % len(pair.known))
        time.sleep(2.5)
        self.nothing_there("while watching")
        seen = tree.snapshot(pair.path("a"))
        pair.expect(all(seen.get(path) == facts for path, facts in before["a"].items()),
                    f"pulled out while watching: the other drive changed: {tree.differences(before['a'], seen)}")
        self.stick.plug()
        for letter, process in list(watches.items()):
            if process.poll() is not None:
                said = self.said(letter)
                pair.expect(process.returncode in CODES, f"watch of {letter} ended with {process.returncode}: {said}")
                self.ended[letter] = self.ended.get(letter, 0) + 1
                watches[letter] = self.watch(letter)
        self.wait(lambda: content in pair.contents("b"), f"what a saved meanwhile has not come to b", watches)
        self.flow("b", "a", watches)
        for process in watches.values():
            process.terminate()
            pair.expect(process.wait(30) in (0, 143), "watch did not end politely")
        pair.settle()

    def watch(self, letter):
        log = open(self.made.path(letter + ".log"), "ab")
        return self.made.start("watch", self.pair.path(letter), stdout=log, stderr=log)

    def said(self, letter):
        with open(self.made.path(letter + ".log"), "rb") as log:
            return log.read()[-500:].decode("utf-8", "backslashreplace")

    def flow(self, source, target, watches):
        """A save arrives by itself."""
        pair = self.pair
        content = pair.put(source, f"flow {len(pair.known)}", b"flow %d\n" % len(pair.known))
        self.wait(lambda: content in pair.contents(target), f"a save in {source} does not come to {target}", watches)

    def wait(self, condition, text, watches):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.1)
        ends = {letter: process.poll() for letter, process in watches.items()}
        self.pair.expect(False, f"{text}; ended: {ends}; {self.said('a')}; {self.said('b')}")


def one_place(name, syncs, watches, seed):
    made = campaign(f"unmount-{name}", seed)
    stick = Stick(made)
    met = 0
    try:
        pulling = Pulling(made, name, stick, seed)
        for _ in range(syncs):
            met += pulling.within_a_sync()
            if made.violations:
                break
        for _ in range(0 if made.violations else watches):
            pulling.while_watching()
        pulling.pair.newcomer()
    finally:
        stick.end()
    return {"syncs": syncs, "met": met, "watches": watches, "watch ended by it": pulling.ended,
            "codes": pulling.pair.codes, "wrong": finish(made)}
