"""Drives a and b and their store, each in a place of its own; people who save, and what must hold at rest."""
import os
import shutil

from lib import run, tree
from lib.faults.verdict import CODES, CRASH, OWN
from lib.world import World


class Pair(World):
    """`places` says where a part lies that is not beside the others."""

    def __init__(self, campaign, name, places):
        super().__init__(campaign, name, count=2)
        self.places = places
        self.store = places.get("store", self.path("store"))
        self.drives = [places.get(letter, self.path(letter)) for letter in "ab"]
        self.codes = {}

    def path(self, *parts):
        if parts and parts[0] in getattr(self, "places", {}):
            return os.path.join(self.places[parts[0]], *parts[1:])
        return super().path(*parts)

    def fill(self):
        for drive in self.drives:
            os.makedirs(drive, exist_ok=True)
        for folder in ("red", "green", "blue/deep"):
            for name in ("one", "two", "six"):
                self.put("a", f"{folder}/{name}", f"{name} in {folder}\n".encode() * 20)
        for drive in self.drives:
            self.expect(self.join(drive) == 0, f"joining: {self.last_error}")
        self.known |= {facts[1] for facts in tree.snapshot(self.drives[0]).values() if facts[0] == "file"}
        self.rest(rounds=2)

    def try_sync(self, letter, allowed=CODES, prefix=()):
        """A sync that may fail, but not otherwise than with a sentence and one of the codes."""
        code, out, error = self.campaign.run("sync", self.path(letter), prefix=prefix)
        self.last_error = error + out
        self.codes[code] = self.codes.get(code, 0) + 1
        self.expect(code in allowed, f"sync of {letter} ends with {code}: {self.last_error.strip()[:300]}")
        self.expect(code == 0 or self.last_error.strip(), f"sync of {letter} ends with {code} and says nothing")
        self.expect(not CRASH.search(self.last_error), f"sync of {letter} crashed: {self.last_error[:300]}")
        return code

    def expect_whole(self, letter, before=()):
        """Every file that a person sees is whole, and nothing of `before` is gone from the drive."""
        seen = tree.snapshot(self.path(letter))
        for path, facts in seen.items():
            self.expect(facts[0] != "file" or facts[1] in self.known, f"{path!r} in {letter} is not whole")
            name = os.path.basename(path)
            self.expect(name == b".driveignore" or not OWN.search(name), f"{path!r} in {letter} is docdrive's own")
        live = {facts[1] for facts in seen.values() if facts[0] == "file"}
        gone = set(before) - live - tree.kept_aside(self.path(letter)).keys()
        self.expect(not gone, f"lost in {letter}: {[self.owed.get(one, one) for one in gone]}")

    def contents(self, letter):
        return {facts[1] for facts in tree.snapshot(self.path(letter)).values() if facts[0] == "file"}

    def save(self, letter, name, data):
        """A new file, or an edit of the one that has the name."""
        act = self.edit if os.path.exists(self.path(letter, name)) else self.put
        return act(letter, name, data)

    def settle(self):
        """Without faults all comes to rest, equal. Deletes are held where there are many within a day: they are meant."""
        for drive in self.drives * 2:
            code = self.sync(drive)
            if code == 12:
                self.campaign.run("-C", drive, "deletes", "confirm")
        for drive in self.drives:
            code = self.sync(drive)
        self.expect(code == 0, f"the last sync ends with {code}: {self.last_error.strip()}")
        self.expect_equal()

    def newcomer(self):
        self.expect_newcomer()
        shutil.rmtree(self.path(f"newcomer {len(self.drives)}"))


def campaign(name, seed):
    made = run.Campaign("faults-" + name, seed)
    made.shown = 8
    made.environment["TMPDIR"] = made.path("temporary")
    os.mkdir(made.path("temporary"))
    return made


def finish(made):
    """Removes the place, or keeps it for a look; the number of violations."""
    if made.violations:
        print(f"kept for a look: {made.place}", flush=True)
    else:
        shutil.rmtree(made.place)
    return len(made.violations)
