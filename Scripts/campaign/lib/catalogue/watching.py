"""W6, W12, W14, RX5: what the watcher or the dates of a file do not tell."""
import os
import subprocess
import sys
import time

from lib.catalogue.entry import entry
from lib.faults import disks

SMALL_INODES = ("mkfs.ext4", "-q", "-I", "128")


@entry
def W6(world):
    """The same size, in place, within a tick of the file system's clock: right before, in and right after a sync."""
    with world.unless_refused():
        world.disk("a", SMALL_INODES)
    world.fill(4)
    seen = "to the second" if os.path.exists(world.path("disk of a")) else "to the nanosecond"
    path = world.path("a", "ticks")
    turns = 24
    for turn in range(turns):
        for number in range(3):
            process = world.campaign.start("sync", world.drives[0])
            time.sleep(world.campaign.random.uniform(0, 0.08))
            write_in_place(path, b"turn %04d, write %04d" % (turn, number))
            process.communicate()
        if turn % 3 == 0:
            # And once more, with the dates of the write before.
            before = os.stat(path)
            write_in_place(path, b"turn %04d, write last" % turn)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        for drive in world.drives:
            world.sync(drive)
        world.expect(world.content("a", "ticks") == world.content("b", "ticks"),
                     f"turn {turn}: the last of some writes of one size has not come")
    world.known.add(world.content("a", "ticks"))
    world.settle()
    world.show(f"dates {seen}: {turns} times the last write came")


def write_in_place(path, data):
    number = os.open(path, os.O_WRONLY | os.O_CREAT)
    os.pwrite(number, data, 0)
    os.close(number)


STORM = """
import os, sys, time
folder, seconds = sys.argv[1], float(sys.argv[2])
end, count = time.monotonic() + seconds, 0
while time.monotonic() < end:
    name = os.path.join(folder, str(count % 60))
    number = os.open(name + ".new", os.O_WRONLY | os.O_CREAT)
    os.write(number, b"%d" % count)
    os.close(number)
    os.rename(name + ".new", name)
    count += 1
print(count)
"""


@entry
def W12(world):
    """A storm in one folder: what is saved elsewhere comes in time."""
    world.fill(4)
    os.mkdir(world.path("a", "storm"))
    world.watch_both()
    storm = subprocess.Popen([sys.executable, "-c", STORM, world.path("a", "storm"), "25"], stdout=subprocess.PIPE)
    waits = []
    while storm.poll() is None:
        world.put("a", f"calm/{len(waits)}", b"saved beside a storm %d" % len(waits))
        waits.append(world.arrives("b", f"calm/{len(waits)}"))
        time.sleep(2)
    count = int(storm.stdout.read())
    world.expect(max(waits) <= 10, f"beside a storm a file took {max(waits):.1f} s")
    world.show(f"{count * 5 * 60 // 25:,} events a minute (5 for each of {count:,} saves); {len(waits)} files saved "
               f"elsewhere came after {min(waits):.1f} to {max(waits):.1f} s")
    for number in range(60):
        name = f"storm/{number}"
        world.arrives("b", name)
        world.known.add(world.content("a", name))
    world.end_watching()
    world.settle()


@entry
def W14(world):
    """What no event tells of: files changed beneath an overlay. A sync that is asked for finds them; by itself a watch
    looks at everything every 6 hours, and every 15 minutes where it knows that it is not told."""
    parts = {name: world.path(f"overlay {name}") for name in ("lower", "upper", "work", "merged")}
    for place in parts.values():
        os.mkdir(place)
    os.makedirs(os.path.join(parts["lower"], "a/deep"))
    low = os.path.join(parts["lower"], "a/deep/low")
    with open(low, "wb") as file:
        file.write(b"low")
    disks.do("mount", "-t", "overlay", "overlay", "-o",
             "lowerdir={lower},upperdir={upper},workdir={work}".format(**parts), parts["merged"])
    world.drives[0] = os.path.join(parts["merged"], "a")
    os.symlink(world.drives[0], world.path("a"))
    for drive in world.drives:
        os.makedirs(drive, exist_ok=True)
        world.join(drive)
    world.watch_both()
    world.arrives("b", "deep/low")
    with open(low, "wb") as file:
        file.write(b"changed where nobody tells")
    world.known |= {world.content("a", name) for name in ("deep/low", ".driveignore")}
    time.sleep(4)
    told = world.content("b", "deep/low") == world.content("a", "deep/low")
    world.expect(not told, "the change was announced after all: this shows nothing here")
    code = world.sync(world.drives[0])
    world.expect(code == 0, f"a sync beside a watch: {code} {world.last_error}")
    waited = world.arrives("b", "deep/low")
    world.show(f"not announced; `docdrive sync` beside the watch found it, and it came after {waited:.1f} s")
    world.end_watching()
    world.settle()


@entry
def RX5(world):
    """No watches or instances left: a watch says so and ends, a sync goes on. Too few: what is not watched is told, and
    found by a sync."""
    world.fill(6)
    for what in ("max_inotify_watches", "max_inotify_instances"):
        with world.unless_refused():
            process = world.watch(world.drives[0], prefix=limited(what, 0), log=what)
            code = process.wait(60)
            with open(f"{world.drives[0]} {what}.log") as file:
                said = file.read().strip().splitlines()[-1]
            world.expect(code == 75 and "sysctl" in said, f"{what} = 0: {code} {said}")
            world.put("a", what, what.encode())
            world.rest(rounds=2)
            world.expect_equal()
            world.show(f"{what} = 0: ends with {code}: {said}; `docdrive sync` went on")
    world.processes = []
    with world.unless_refused():
        for number in range(40):
            world.put("a", f"folders/{number}/one", b"%d" % number)
        world.rest(rounds=2)
        process = world.watch(world.drives[0], prefix=limited("max_inotify_watches", 12), log="few")
        time.sleep(5)
        world.expect(process.poll() is None, "with few watches the watch ended")
        for number in range(40):
            world.edit("a", f"folders/{number}/one", b"edited %d" % number)
        world.expect(world.sync(world.drives[0]) == 0, world.last_error)
        world.sync(world.drives[1])
        world.expect_equal()
        said = next((line for line in world.status(world.drives[0]).splitlines() if "now and then" in line), None)
        world.expect(said is not None, f"status does not tell: {world.status(world.drives[0])}")
        world.show(f"12 watches for 50 folders: status: {(said or '').strip()}; all edits came with the next `docdrive sync`")
        world.end_watching()
    world.settle()


def limited(what, count):
    """A prefix that runs a command with so few of them; Refused where this machine knows no such limit."""
    command = ["unshare", "-Ur", "sh", "-c", f'echo {count} > /proc/sys/user/{what} && exec "$@"', "sh"]
    disks.do(*command, "true")
    return command
