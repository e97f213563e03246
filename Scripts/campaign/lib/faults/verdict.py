"""What must hold right after a fault, and after the syncs that follow it."""
import contextlib
import os
import re
import sqlite3

from lib import tree

# An error of the world is told by one of these; 70 and a signal are errors of docdrive.
CODES = {0, 2, 10, 11, 69, 75, 78}
CRASH = re.compile(r"Fatal error|Illegal instruction|Segmentation|Current stack|please report|swift_", re.I)
OWN = re.compile(rb"\.docdrive|index\.sqlite|^(new|edit|out|gone|damaged|rescued)-[0-9]|\.new$|\.tmp$")
COPY = re.compile(rb"\(conflicted copy[^)]*\)")


def comparable(drive):
    """What a person sees, less what differs from run to run: the times in the names of conflict copies, and that of the
    file which docdrive itself makes."""
    seen = {COPY.sub(b"(copy)", path): facts for path, facts in tree.snapshot(drive).items()}
    if b".driveignore" in seen:
        seen[b".driveignore"] = seen[b".driveignore"][:3]
    return seen


def contents(drive):
    """All contents that the drive has for its person: live, or kept aside."""
    live = {facts[1] for facts in tree.snapshot(drive).values() if facts[0] == "file"}
    return live | tree.kept_aside(drive).keys()


class Verdict:
    """Gathers what is wrong with one run."""

    def __init__(self, world, act):
        self.world = world
        self.act = act
        self.wrong = []

    def expect(self, holds, text):
        self.world.campaign.checks += 1
        if not holds:
            self.wrong.append(text)

    def ending(self, fault, place, code, said):
        # SQLite takes a page that cannot be read for a damaged one.
        if fault == "EIO" and code == 65 and "index.sqlite" in place:
            return
        if fault == "kill" and code == -9 or fault == "term" and code == 143:
            return
        # strace counts calls outside of the world too: the first may come before docdrive listens for signals.
        if fault == "term" and code == -15 and not place:
            return
        self.expect(code in CODES, f"it ended with {code}: {said.strip()[:400]}")
        self.expect(code == 0 or said.strip(), f"it ended with {code} and said nothing")
        self.expect(not CRASH.search(said), f"it crashed: {said.strip()[:400]}")

    def nothing_lost(self, before):
        """All that the drive had is on it still, and every file that a person sees is whole."""
        drive = self.act.drive
        gone = before - contents(drive) - self.act.given_up
        self.expect(not gone, f"lost on the drive: {[self.world.owed.get(one, one) for one in gone]}")
        for place in self.world.drives:
            for path, facts in tree.snapshot(place).items():
                self.expect(facts[0] != "file" or facts[1] in self.world.known,
                            f"{path!r} in {os.path.basename(place)} is not whole")
                name = os.path.basename(path)
                self.expect(name == b".driveignore" or not OWN.search(name), f"{path!r} is the drive's own")

    def nothing_outside(self):
        campaign = self.world.campaign
        expected = {"a", "b", "c", "newcomer", "store", "another store", "lost+found"}
        self.expect(set(os.listdir(self.world.place)) <= expected, f"beside it: {os.listdir(self.world.place)}")
        for name in ("temporary", "home"):
            self.expect(not os.listdir(campaign.path(name)), f"in {name}: {os.listdir(campaign.path(name))}")

    def recovers(self, ended):
        """Syncs without faults: nobody has to help. What a person asked for, he asks for again."""
        world = self.world
        for arguments, codes in () if ended else self.act.again:
            code, out, error = world.campaign.run(*arguments)
            self.expect(code in codes, f"once more, it ends with {code}: {error + out}")
        others = [drive for drive in world.drives if drive != self.act.drive]
        for drive in [self.act.drive, *others, self.act.drive]:
            code = world.sync(drive)
            self.expect(code == 0, f"the next sync of {os.path.basename(drive)} ends with {code}: {world.last_error}")
        for drive in world.drives:
            world.sync(drive)
            self.expect("nothing to do" in world.last_error,
                        f"a further sync of {os.path.basename(drive)} does something: {world.last_error}")

    def rest(self):
        """All drives show the same, with all that is owed; the state that they keep is in order. What they show."""
        world = self.world
        seen = [tree.snapshot(drive) for drive in world.drives]
        for drive, other in zip(world.drives[1:], seen[1:]):
            lines = tree.differences(seen[0], other)
            self.expect(not lines, f"{world.drives[0]} and {drive} differ: {lines}")
        live = {facts[1] for facts in seen[0].values() if facts[0] == "file"}
        for content, origin in world.owed.items():
            self.expect(content in live, f"lost: {origin}")
        for drive in world.drives:
            self.state_is_sound(drive)
        return comparable(world.drives[0])

    def state_is_sound(self, drive):
        if not os.path.exists(os.path.join(drive, ".docdrive/index.sqlite")):
            return self.expect(False, f"{os.path.basename(drive)} is no drive")
        staged = [name for area in ("in", "parked", "out")
                  for name in os.listdir(os.path.join(drive, ".docdrive/staging", area))]
        self.expect(not staged, f"staging is not empty at rest: {staged}")
        place = f"file:{drive}/.docdrive/index.sqlite?mode=ro"
        with contextlib.closing(sqlite3.connect(place, uri=True)) as index:
            answer = index.execute("PRAGMA integrity_check").fetchone()[0]
            self.expect(answer == "ok", f"the index is damaged: {answer}")

    def newcomer(self, expected=None):
        """Who joins now gets whole files from the store alone; everything, where it is said what that is."""
        world = self.world
        drive = world.path("newcomer")
        os.mkdir(drive)
        code = world.join(drive)
        self.expect(code == 0, f"a newcomer's sync ends with {code}: {world.last_error}")
        seen = tree.snapshot(drive)
        for path, facts in seen.items():
            self.expect(facts[0] != "file" or facts[1] in world.known, f"a newcomer's {path!r} is not whole")
        if expected is not None:
            lines = tree.differences(tree.snapshot(world.drives[0]), seen)
            self.expect(not lines, f"a newcomer does not get everything: {lines}")
        return {facts[1] for facts in seen.values() if facts[0] == "file"}
