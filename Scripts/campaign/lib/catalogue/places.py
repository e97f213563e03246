"""NM3, NM7, NM13, SP10, SP11: drives and stores on other file systems."""
import os
import subprocess
import time

from lib import tree
from lib.catalogue.entry import Refused, entry
from lib.faults import disks

ODD = ["CON", "aux.txt", "a:b", "trailing dot.", "trailing space ", "quote\"s", "question?", "star*", "back\\slash",
       "control \x01\x1f", "Case", "case", "pipe|", "<angle>", "LPT1", "ü", "u\u0308", "x" * 250]


def image(world, name, mebibytes, *make):
    path = world.path(f"{name}.img")
    with open(path, "wb") as file:
        file.truncate(mebibytes << 20)
    disks.do(*make, path)
    place = world.path(name)
    os.makedirs(place, exist_ok=True)
    return path, place


def exfat(world, name):
    path, place = image(world, name, 64, "mkfs.exfat")
    device = subprocess.run(["losetup", "--find", "--show", path], capture_output=True, text=True)
    if device.returncode != 0:
        raise Refused(f"`losetup --find --show` answers: {device.stderr.strip()}")
    return place, ["mount.exfat-fuse", device.stdout.strip(), place]


def ntfs(world, name):
    path, place = image(world, name, 64, "mkfs.ntfs", "-F", "-q")
    return place, ["lowntfs-3g", "-o", "ignore_case,windows_names", path, place]


def fat(world, name):
    path, place = image(world, name, 64, "mkfs.vfat")
    return place, ["fusefat", "-o", "rw+", path, place]


def folded(world, name):
    path, place = image(world, name, 64, "mkfs.ext4", "-q", "-O", "casefold")
    return place, ["mount", "-o", "loop", path, place]


def folded_memory(world, name):
    place = world.path(name)
    os.makedirs(place)
    return place, ["mount", "-t", "tmpfs", "-o", "casefold,size=64m", "tmpfs", place]


def folded_xfs(world, name):
    path, place = image(world, name, 320, "mkfs.xfs", "-q", "-n", "version=ci")
    return place, ["mount", "-o", "loop", path, place]


def bound(world, name):
    place, source = world.path(name), world.path(f"beneath {name}")
    for folder in (place, source):
        os.makedirs(folder)
    return place, ["bindfs", source, place]


def attempt(make, world, name):
    """The mounted place and how to mount it again; Refused with the machine's answer."""
    try:
        place, mount = make(world, name)
        disks.do(*mount)
    except FileNotFoundError as error:
        raise Refused(f"`{error.filename}` is not there") from None
    return place, mount


@entry
def NM3(world):
    """Names that differ in case only, for a device to which they are one name."""
    world.fill(4)
    world.put("a", "Twin", b"upper")
    world.put("a", "twin", b"lower")
    world.put("a", "Folder of twins/x", b"upper x")
    world.put("a", "folder of twins/x", b"lower x")
    world.rest()
    for make in (folded, folded_memory, folded_xfs):
        with world.unless_refused():
            place, _ = attempt(make, world, make.__name__)
            drive = os.path.join(place, "d")
            code, said = world.join_there(drive)
            for _ in range(2):
                code = world.sync(drive)
            # One of each pair is there, the other is held and named, and nothing is lost for the others.
            world.expect(code == 2, f"{make.__name__}: {code} {world.last_error}")
            world.show(f"{make.__name__}: {code}: {world.status(drive)[-300:]}")
            world.rest(allowed=(0, 2))
    refused_elsewhere(world, (ntfs, exfat))
    world.settle()


def refused_elsewhere(world, makes):
    """A drive where names cannot be exchanged would not be safe: it is refused, and nothing is left there."""
    for make in makes:
        with world.unless_refused():
            place, _ = attempt(make, world, f"drive on {make.__name__}")
            drive = os.path.join(place, "d")
            code, said = world.join_there(drive)
            world.expect(code in (64, 11) and "\n" not in said, f"{make.__name__}: {code} {said}")
            world.expect(not os.listdir(drive), f"{make.__name__}: left {os.listdir(drive)}")
            world.show(f"a drive on {make.__name__} is refused, {code}: {said.replace(drive, 'DRIVE')}")


@entry
def NM7(world):
    """Names that Windows does not know, through stores on its file systems."""
    stores(world, (exfat, ntfs, fat), names=ODD)


@entry
def NM13(world):
    """Stores on file systems that take names for equal, or store others than were given."""
    stores(world, (exfat, ntfs, fat, bound), rounds=4)


def stores(world, makes, names=("plain",), rounds=2):
    place = world.place
    for make in makes:
        with world.unless_refused():
            disk, mount = attempt(make, world, f"store on {make.__name__}")
            world.store = os.path.join(disk, "store")
            world.drives = [world.path(make.__name__, letter) for letter in "ab"]
            world.place = world.path(make.__name__)
            world.owed.clear()
            try:
                os.mkdir(world.place)
                use_store(world, names, rounds, disk, mount)
                world.show(f"{make.__name__}: {rounds} rounds, unplugged and plugged in; store check found nothing")
            finally:
                world.place = place
    world.drives = []


def use_store(world, names, rounds, disk, mount):
    world.fill(4)
    for turn in range(rounds):
        for number, name in enumerate(names):
            world.put("ab"[(turn + number) % 2], f"round {turn}/{name}", f"{turn} {name}".encode())
        world.edit("a", "folder 1/inner/file 1", b"edit %d" % turn * 1000)
        world.edit("b", "folder 2/inner/file 2", world.campaign.random.randbytes(300_000))
        world.settle()
        disks.unmount(disk)
        for drive in world.drives:
            world.expect(world.sync(drive) == 69, f"without its disk: {world.last_error}")
        mount_again(mount)
    world.settle()
    code, out, error = world.campaign.run("store", "check", cwd=world.drives[0])
    world.expect(code == 0, f"store check: {code} {out}{error}")
    world.expect_newcomer()


def mount_again(mount):
    """A file system in a process takes a moment to let go of its disk."""
    for attempt in range(50):
        try:
            return disks.do(*mount)
        except Refused:
            if attempt == 49:
                raise
            time.sleep(0.1)


@entry
def SP10(world):
    """A disk that dates files to the second: nothing goes back and forth."""
    world.disk("a", ("mkfs.ext4", "-q", "-I", "128"))
    world.fill(8)
    world.put("b", "dated", b"dated")
    os.utime(world.path("b", "dated"), ns=(1_600_000_000_123_456_789,) * 2)
    for letter in "abab":
        world.edit(letter, "folder 1/inner/file 1", f"edited in {letter}".encode())
        rest_but_for_fractions(world)
    exact = tree.snapshot(world.drives[1])[b"dated"][3]
    world.expect(exact == 1_600_000_000_123_456_789, f"the exact date was lost where it came from: {exact}")
    os.utime(world.path("a", "dated"), (1_500_000_000, 1_500_000_000))
    rest_but_for_fractions(world)
    world.expect(tree.snapshot(world.drives[1])[b"dated"][3] == 1_500_000_000 * 10**9, "a new date has not come")
    world.show("4 edits to and fro: contents equal, dates equal to the second, the exact one kept where it came from")
    world.drives = []


def rest_but_for_fractions(world):
    world.rest()
    before = [tree.snapshot(drive) for drive in world.drives]
    world.rest(rounds=1)
    after = [tree.snapshot(drive) for drive in world.drives]
    world.expect(before == after, "a further sync does something")
    one, other = ({path: (*facts[:3], facts[3] // 10**9) if facts[0] == "file" else facts
                   for path, facts in seen.items()} for seen in after)
    lines = tree.differences(one, other)
    world.expect(not lines, "more than fractions differ:\n      " + "\n      ".join(lines))


@entry
def SP11(world):
    """A disk without executable bits."""
    world.fill(4)
    refused_elsewhere(world, (fat, exfat))
    world.skip("no file system here lacks the bit and can exchange two names, so no drive can lie on one")
