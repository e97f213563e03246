"""Two drives and a store on a disk image of their own, put back to the same state, inodes and all, for every run."""
import os

from lib import tree
from lib.faults import disks
from lib.world import World

SIZE = 24


class Fixture(World):
    def __init__(self, campaign, name):
        super().__init__(campaign, name, count=2)
        self.image = campaign.path(name + ".img")
        self.working = None
        self.turn = 0
        self.mounted = False
        disks.make_image(self.image, SIZE)
        self.mount(self.image)

    def mount(self, image):
        disks.mount_image(image, self.place)
        self.mounted = True

    def unmount(self):
        if self.mounted:
            disks.unmount(self.place)
            self.mounted = False

    def fill(self):
        """Small, since every run looks at all of it."""
        for drive in self.drives:
            os.mkdir(drive)
        for folder in ("red", "green", "blue/deep"):
            for name in ("one", "two", "six"):
                self.put("a", f"{folder}/{name}", f"{name} in {folder}\n".encode() * 20)
        self.put("a", "large", self.campaign.random.randbytes(300_000))
        self.put("a", "top", b"at the top\n")
        self.put("a", "tool", b"#!/bin/sh\n")
        os.chmod(self.path("a", "tool"), 0o755)
        os.symlink("top", self.path("a", "link"))
        for drive in self.drives:
            self.join(drive)
        self.known |= {facts[1] for facts in tree.snapshot(self.drives[0]).values() if facts[0] == "file"}
        self.rest(rounds=2)

    def freeze(self):
        """What is there now is what every run starts from."""
        self.frozen = (dict(self.owed), set(self.known))
        self.drives_then = list(self.drives)
        # Another mount namespace may hold on to it for a while.
        disks.do("sync", "-f", self.place)
        self.unmount()

    def restore(self):
        self.unmount()
        # A file of its own each time: a loop device that is still on its way out must not be taken for the new one.
        if self.working:
            os.unlink(self.working)
        self.turn += 1
        self.working = f"{self.image}.{self.turn}"
        disks.copy_image(self.image, self.working)
        self.mount(self.working)
        self.owed, self.known = dict(self.frozen[0]), set(self.frozen[1])
        self.drives = list(self.drives_then)
