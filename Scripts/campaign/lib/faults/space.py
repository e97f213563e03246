"""Disks of a few MiB that are full but for a little, for every little: the drive's, the store's, and one with no room
for the index.

tmpfs gives short writes in earnest: the part of a write that still has room is written.
"""
import os
import random

from lib import tree
from lib.faults import disks
from lib.faults.world_of_two import Pair, campaign, finish

PLACES = ("drive", "store", "index")
SIZE = 6 << 20


def leave(place, left):
    """Fills the disk but for so many bytes."""
    stick = os.path.join(place, "filler")
    facts = os.statvfs(place)
    with open(stick, "wb") as file:
        file.write(b"\0" * max(0, facts.f_bavail * facts.f_frsize - left))
    return stick


def try_one(pair, disk, letter, left, random):
    """One step of work that the disk has no room for, then room again."""
    number = len(pair.known)
    pair.put("a", f"white/{number}", random.randbytes(random.choice([300, 9_000, 150_000])))
    pair.put("a", f"white/small {number}", b"small %d\n" % number)
    pair.edit("a", "red/one", b"edit %d\n" % number + random.randbytes(random.choice([100, 30_000])))
    for one in range(60 if disk.endswith("index") else 0):
        pair.put("a", f"many/{number}/{one} with a name that fills the index a little", b"")
    if letter == "b":
        pair.expect(pair.try_sync("a") == 0, f"a has room: {pair.last_error}")
    before = pair.contents(letter)
    stick = leave(disk, left)
    code = pair.try_sync(letter)
    pair.expect_whole(letter, before)
    if disk.endswith("store"):
        # A full store is no worse for who reads it.
        pair.expect(pair.try_sync("b") == 0, f"reading a full store: {pair.last_error}")
        pair.expect_whole("b")
    os.unlink(stick)
    pair.settle()
    # Room for the next: old files go, little by little, through the trash, which is emptied.
    for name in sorted(os.listdir(pair.path("a", "white")))[:-4]:
        pair.remove("a", f"white/{name}")
    pair.settle()
    for drive in pair.drives:
        pair.campaign.run("-C", drive, "trash", "empty", "--yes")
    return code


def one_place(name, count, seed):
    made = campaign(f"space-{name}", seed)
    disk = made.path("small " + name)
    full = 0
    try:
        disks.mount_memory(disk, SIZE if name != "index" else SIZE * 2)
        places = {"store": os.path.join(disk, "store")} if name == "store" else {"b": os.path.join(disk, "b")}
        pair = Pair(made, name, places)
        pair.fill()
        source = random.Random(f"{seed} {name}")
        # More often nearly nothing than much.
        for _ in range(count):
            left = int(source.random() ** 2 * 500_000) // 4096 * 4096
            full += try_one(pair, disk, "a" if name == "store" else "b", left, source) != 0
            if made.violations:
                break
        pair.newcomer()
    finally:
        disks.unmount_all_beneath(made.place)
    return {"full": full, "of": count, "codes": pair.codes, "wrong": finish(made)}
