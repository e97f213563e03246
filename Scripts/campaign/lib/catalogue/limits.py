"""SP3, SP4, RX7, RX10: hard links, holes, disks that stall and disks that the trash fills."""
import os
import signal
import subprocess
import time

from lib import tree
from lib.catalogue import places
from lib.catalogue.entry import entry
from lib.faults import disks


@entry
def SP3(world):
    """Hard links become files of their own elsewhere, and no echo keeps going."""
    world.fill(4)
    world.put("a", "one", b"shared")
    os.link(world.path("a", "one"), world.path("a", "two"))
    os.mkdir(world.path("a", "more"))
    os.link(world.path("a", "one"), world.path("a", "more/three"))
    world.settle()
    names = ("one", "two", "more/three")
    world.expect(len({world.inode("b", name) for name in names}) == 3, "links elsewhere")
    with open(world.path("a", "two"), "r+b") as file:
        file.write(b"SHARED, edited in place")
    world.give_up(tree.digest(b"shared"))
    world.known.add(world.content("a", "one"))
    world.settle()
    world.expect(len({world.content(letter, name) for letter in "ab" for name in names}) == 1, "an edit of all three")
    # Somebody edits one of them elsewhere: here too only that one.
    old = world.content("a", "one")
    world.edit("b", "two", b"only the second")
    world.owed[old] = "a/one"
    world.settle()
    world.expect([world.content("a", name) == old for name in names] == [True, False, True], "the link was not broken")
    world.expect(world.copies() == 0, "conflict copies of hard links")
    world.show("3 names: files of their own elsewhere; an edit in place is an edit of all, one from elsewhere of one")


@entry
def SP4(world):
    """Files with holes: byte for byte; one that is larger than any disk fills none."""
    world.fill(4)
    for name, size in (("holes", 700 << 20), ("empty hole", 300 << 20)):
        with open(world.path("a", name), "wb") as file:
            if name == "holes":
                for place in (0, 123_456_789, size - 5):
                    file.seek(place)
                    file.write(b"islet")
            file.truncate(size)
        content = tree.file_digest(world.path("a", name))
        world.known.add(content)
        world.owed[content] = name
    world.settle()
    taken = [sum(os.stat(world.path(letter, name)).st_blocks * 512 for name in ("holes", "empty hole")) >> 20
             for letter in "ab"]
    store = sum(os.stat(path).st_size for path in world.objects("")) >> 20
    world.show(f"1000 MiB with holes take {taken[0]} MiB of disk where they were made, {taken[1]} MiB elsewhere, "
               f"{store} MiB of the whole store")
    # As large as is possible; on a small disk it can never be.
    place = world.path("small")
    with world.unless_refused():
        disks.mount_memory(place, "200m")
        drive = os.path.join(place, "c")
        code, said = world.join_there(drive)
        free = os.statvfs(place)
        world.expect(code in (2, 10) and free.f_bavail * free.f_frsize > 15 << 20, f"{code} {said}; {free}")
        world.expect(os.path.exists(os.path.join(drive, "folder 1/inner/file 1")), "large files hold up small ones")
        world.show(f"on a disk of 200 MiB: {code}, {free.f_bavail * free.f_frsize >> 20} MiB stay free, the rest came")
        disks.unmount(place)
    with open(world.path("a", "a terabyte"), "wb") as file:
        file.truncate(1 << 40)
    world.put("a", "beside a terabyte", b"small")
    code = world.sync(world.drives[0], "--timeout", "20s")
    world.expect(code == 3, f"a terabyte in 20 s: {code} {world.last_error}")
    world.sync(world.drives[1])
    came = os.path.exists(world.path("b", "beside a terabyte"))
    world.show(f"1 TiB, all hole: is read like any other file, `--timeout 20s` ends with {code}; a small file beside it "
               + ("had come by then" if came else "had to wait for it"))
    os.unlink(world.path("a", "a terabyte"))
    world.settle()


@entry
def RX7(world):
    """A store that does not answer, and a disk that takes no writes: status answers, nothing is deleted, it goes on."""
    world.fill(8)
    with world.unless_refused():
        stalled_store(world)
    with world.unless_refused():
        frozen_drive(world)
    world.settle()


def stalled_store(world):
    place, source = world.path("slow disk"), world.store
    os.mkdir(place)
    try:
        # In front, so that its number is known.
        server = subprocess.Popen(["bindfs", "-f", source, place], stderr=subprocess.DEVNULL)
    except FileNotFoundError as error:
        raise disks.Refused(f"`{error.filename}` is not there") from None
    store = world.store
    for attempt in range(50):
        if os.path.ismount(place):
            break
        time.sleep(0.1)
    else:
        raise disks.Refused(f"`bindfs -f {source} {place}` mounts nothing and ends with {server.poll()}")
    try:
        world.store = place
        drive = world.path("c")
        os.mkdir(drive)
        world.drives.append(drive)
        world.expect(world.join(drive) == 0, f"a store behind bindfs: {world.last_error}")
        world.put("c", "saved while it stalls", b"stalled")
        before = tree.snapshot(drive)
        os.kill(server.pid, signal.SIGSTOP)
        process = world.campaign.start("sync", drive)
        time.sleep(8)
        world.expect(process.poll() is None, "the sync ended though its store does not answer")
        started = time.monotonic()
        said = world.status(drive)
        took = time.monotonic() - started
        world.expect(took < 5 and "saved while it stalls" in world.status(drive, "--short") or "Items" in said,
                     f"status takes {took:.1f} s: {said}")
        world.expect(tree.snapshot(drive) == before, "a stalled store changed the drive")
        os.kill(server.pid, signal.SIGCONT)
        code = process.wait(60)
        process.communicate()
        world.expect(code in (0, 2, 75), f"the sync that had to wait: {code}")
        world.rest()
        world.show(f"a store whose file system stood still for 8 s: status answered in {took:.2f} s, "
                   f"the sync ended with {code}, nothing was taken for deleted")
    finally:
        os.kill(server.pid, signal.SIGCONT)
        world.store = store
        subprocess.run(["umount", "-l", place], capture_output=True)
        server.wait(20)
    # Back to the store itself: the drive knows it by its address only.
    world.drives.remove(drive)
    world.owed.pop(tree.digest(b"stalled"), None)


def frozen_drive(world):
    place = world.path("frozen")
    places.image(world, "frozen", 64, "mkfs.ext4", "-q")
    disks.do("mount", "-o", "loop", world.path("frozen.img"), place)
    drive = os.path.join(place, "d")
    os.mkdir(drive)
    world.expect(world.join(drive) == 0, world.last_error)
    world.put("a", "while it is frozen", b"frozen" * 100_000)
    world.sync(world.drives[0])
    seen = tree.snapshot(world.drives[0])
    disks.do("fsfreeze", "-f", place)
    try:
        process = world.campaign.start("sync", drive)
        time.sleep(5)
        world.expect(process.poll() is None, "the sync ended though its disk takes no writes")
    finally:
        disks.do("fsfreeze", "-u", place)
    code = process.wait(60)
    process.communicate()
    world.expect(code in (0, 2), f"the sync on a frozen disk: {code}")
    world.expect(world.sync(drive) == 0, world.last_error)
    world.expect(tree.snapshot(drive) == seen, "the frozen drive is not equal")
    world.sync(world.drives[0])
    world.expect(tree.snapshot(world.drives[0]) == seen, "a frozen disk elsewhere changed a drive")
    world.show(f"a drive's disk that took no writes for 5 s: the sync waited, ended with {code}, and all was there")


@entry
def RX10(world):
    """The trash fills the disk: downloads stop, the trash stays, and with room all goes on."""
    place = world.path("disk of b")
    disks.mount_memory(place, "120m")
    world.drives[1] = os.path.join(place, "b")
    os.symlink(world.drives[1], world.path("b"))
    world.fill(4)
    replaced, stopped = [], None
    for turn in range(12):
        content = world.put("a", "large", world.campaign.random.randbytes(15 << 20))
        world.sync(world.drives[0])
        before = world.content("b", "large")
        code = world.sync(world.drives[1])
        if code == 0:
            if before:
                replaced.append(before)
                world.give_up(before)
            continue
        stopped = turn
        world.expect(code in (2, 10) and "full" in world.last_error + world.status(world.drives[1]),
                     f"{code} {world.last_error}")
        world.expect(world.content("b", "large") == before, "the old version is not intact")
        break
    world.expect(stopped is not None, "the disk never filled")
    world.give_up(before)
    aside = tree.kept_aside(world.drives[1])
    world.expect(all(content in aside for content in replaced), "something was taken from the trash to make room")
    free = os.statvfs(place)
    world.expect(free.f_bavail * free.f_frsize >= 10 << 20, "less than the floor is left")
    world.put("b", "saved on a full disk", b"goes out")
    world.sync(world.drives[1])
    world.sync(world.drives[0])
    world.expect(world.content("a", "saved on a full disk") is not None, "what is saved on a full disk does not go out")
    code, out, error = world.campaign.run("trash", "empty", "--yes", cwd=world.drives[1])
    world.expect(code == 0, f"trash empty: {code} {out}{error}")
    world.settle()
    world.show(f"{len(replaced)} replaced versions of 15 MiB in a trash on 120 MiB: then downloads stopped ({stopped}), "
               f"{free.f_bavail * free.f_frsize >> 20} MiB stayed free, uploads went on; emptied, all came")
