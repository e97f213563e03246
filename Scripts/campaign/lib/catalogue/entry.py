"""An entry of the failure catalogue that is shown with the real binary: two drives over one store, and what is told."""
import contextlib
import os
import signal
import subprocess
import time

from lib import tree
from lib.faults import disks
from lib.faults.disks import Refused
from lib.world import World

ENTRIES = {}


def entry(function):
    """Named after the id in docs/reliability.md."""
    ENTRIES[function.__name__] = function
    return function


class Entry(World):
    def __init__(self, campaign, name):
        super().__init__(campaign, name, count=2)
        self.processes = []
        self.skipped = 0

    def show(self, text):
        print(f"    {text}".replace(self.campaign.place + "/", ""), flush=True)

    def skip(self, refused):
        """Out loud: what this machine answered."""
        self.skipped += 1
        self.show(f"skipped: {refused}")

    @contextlib.contextmanager
    def unless_refused(self):
        """What the machine does not let us is skipped, the rest of the entry goes on."""
        try:
            yield
        except Refused as refused:
            self.skip(refused)

    def settle(self):
        """To rest, equal, and nothing to do any more."""
        self.rest()
        self.expect_equal()
        before = self.snapshots()
        self.rest(rounds=1)
        self.expect(self.snapshots() == before, "a further sync does something")

    def inode(self, letter, name):
        return os.lstat(self.path(letter, name)).st_ino

    def content(self, letter, name):
        path = self.path(letter, name)
        return tree.file_digest(path) if os.path.isfile(path) else None

    def status(self, drive, *arguments, limit=20):
        return self.campaign.run("status", *arguments, cwd=drive, timeout=limit)[1]

    def disk(self, letter, make, *options):
        """Puts this drive on a disk of its own."""
        image, place = self.path(f"{letter}.img"), self.path(f"disk of {letter}")
        with open(image, "wb") as file:
            file.truncate(320 << 20)
        disks.do(*make, image)
        os.mkdir(place)
        disks.do("mount", "-o", ",".join(("loop",) + options), image, place)
        self.drives["ab".index(letter)] = drive = os.path.join(place, letter)
        os.symlink(drive, self.path(letter))
        return place

    def join_there(self, drive):
        """What docdrive says to a drive in this place."""
        os.makedirs(drive, exist_ok=True)
        code = self.join(drive)
        return code, self.last_error.strip()

    def watch(self, drive, prefix=(), log="watch"):
        out = open(f"{drive} {log}.log", "ab")
        process = self.campaign.start("watch", drive, stdout=out, stderr=out, prefix=prefix)
        self.processes.append(process)
        return process

    def watch_both(self):
        for drive in self.drives:
            self.watch(drive)
        self.put("a", "first of a", b"first of a")
        self.put("b", "first of b", b"first of b")
        self.arrives("b", "first of a")
        self.arrives("a", "first of b")

    def arrives(self, letter, name, content=None, limit=60):
        """Seconds until it is there, as it is to be."""
        started = time.monotonic()
        other = self.content("ab"["ba".index(letter)], name) if content is None else content
        while self.content(letter, name) != other:
            if time.monotonic() - started > limit:
                self.expect(False, f"{name} does not come to {letter} within {limit} s")
                return limit
            time.sleep(0.05)
        self.expect(True, "")
        return time.monotonic() - started

    def end_watching(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            code = process.wait(30)
            self.expect(code in (0, 143), f"a watch ended with {code}")
        self.processes = []

    def clean_up(self):
        for process in self.processes:
            process.kill()
            process.wait()
        disks.unmount_all_beneath(self.place)
        for line in subprocess.run(["losetup", "-l", "-n", "-O", "NAME,BACK-FILE"], capture_output=True,
                                   text=True).stdout.splitlines():
            device, _, file = line.strip().partition(" ")
            if file.strip().startswith(self.place):
                subprocess.run(["losetup", "-d", device], capture_output=True)
