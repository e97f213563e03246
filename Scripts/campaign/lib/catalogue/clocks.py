"""PR13: clocks that jump, and machines that stand still meanwhile."""
import os
import shutil
import signal
import subprocess
import time

from lib import tree
from lib.catalogue.entry import entry
from lib.faults.disks import Refused

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moved-clock.c")


class MovedClock:
    """The wall clock of programs that start with `prefix`; their monotonic clock goes on as it does in a suspend."""

    def __init__(self, world, letter):
        if shutil.which("cc") is None:
            raise Refused("`command -v cc` finds nothing")
        library = world.path("moved-clock.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, SOURCE], check=True)
        self.file = world.path(f"clock of {letter}")
        self.move(0)
        self.prefix = ("env", f"LD_PRELOAD={library}", f"MOVED_CLOCK={self.file}")

    def move(self, days):
        with open(self.file + ".new", "w") as file:
            file.write(str(round(days * 86400)))
        os.rename(self.file + ".new", self.file)


def family(process):
    """A process and its children."""
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    return [process.pid] + [int(child) for child in children]


def stand_still(process, work):
    """All of it is stopped while `work` is done."""
    stopped = family(process)
    for number in stopped:
        os.kill(number, signal.SIGSTOP)
    try:
        work()
    finally:
        for number in reversed(stopped):
            os.kill(number, signal.SIGCONT)


@entry
def PR13(world):
    """Suspended for hours in a watch and in the middle of a transfer, clocks ten years off and set while at work."""
    world.fill(6)
    clock = MovedClock(world, "a")
    watch = world.watch(world.drives[0], prefix=clock.prefix)
    world.watch(world.drives[1])
    waits = []

    def meet(text):
        for letter, other in ("ab", "ba"):
            name = f"{text} of {letter}"
            world.put(letter, name, name.encode())
            waits.append(world.arrives(other, name))

    meet("before")
    for turn, days in enumerate((1 / 3, 3650, -3650, 0)):
        def work(turn=turn, days=days):
            for number in range(4):
                world.put("b", f"meanwhile/{turn} {number}", b"while a stood still %d %d" % (turn, number))
            world.edit("b", "folder 0/inner/file 0", b"edited while a slept %d" % turn)
            time.sleep(3)
            clock.move(days)
        stand_still(watch, work)
        for number in range(4):
            waits.append(world.arrives("a", f"meanwhile/{turn} {number}"))
        waits.append(world.arrives("a", "folder 0/inner/file 0"))
        meet(f"after {turn}")
    clock.move(1 / 12)
    meet("with a clock that was set")
    world.end_watching()
    clock.move(0)
    world.settle()
    copies = [path for path in tree.snapshot(world.drives[0]) if b"conflicted copy" in os.fsencode(path)]
    world.expect(not copies, f"needless copies: {copies}")
    world.show(f"4 suspends of a watch, clocks up to ten years off: {len(waits)} files came after at most "
               f"{max(waits):.1f} s, no conflict copy")
    stopped = sum(transfer(world, clock, turn) for turn in range(12))
    world.settle()
    world.show(f"12 syncs suspended for 8 hours by the clock, {stopped} of them before they had ended: all went on")


def transfer(world, clock, turn):
    """A sync of large files that stands still somewhere in it; whether it did."""
    letter = "ab"[turn % 2]
    clock.move(0)
    for number in range(6):
        world.put("a", f"large/{turn} {number}", world.campaign.random.randbytes(4_000_000))
    if letter == "b":
        world.sync(world.drives[0])
    process = world.campaign.start("sync", world.path(letter), prefix=clock.prefix, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
    time.sleep(world.campaign.random.uniform(0.05, 0.5))
    if process.poll() is not None:
        world.expect(process.returncode == 0, f"a sync ended with {process.returncode}")
        return 0

    def work():
        world.put("a", f"large/beside {turn}", b"put beside a sync that stood still %d" % turn)
        clock.move(1 / 3)
        time.sleep(0.5)
    stand_still(process, work)
    code = process.wait(60)
    world.expect(code in (0, 2), f"a sync that stood still ended with {code}")
    return 1
