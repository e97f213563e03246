"""A disk that becomes read-only in the middle of a sync, as ext4 does by itself after an error (`remount,abort`)."""
import os
import random
import subprocess
import time

from lib.faults import disks
from lib.faults.verdict import CODES
from lib.faults.world_of_two import Pair, campaign, finish

PLACES = ("drive", "store")


class Breaking:
    def __init__(self, made, name, seed):
        self.made = made
        self.image = made.path("disk.img")
        self.turn = 1
        self.rounds = 0
        self.place = made.path("disk")
        self.random = random.Random(f"{seed} {name}")
        disks.make_image(self.image, 32)
        disks.mount_image(self.image, self.place)
        where = {"store": os.path.join(self.place, "store")} if name == "store" else {"b": os.path.join(self.place, "b")}
        self.pair = Pair(made, name, where)
        self.letter = "a" if name == "store" else "b"
        self.pair.fill()
        self.duration = 0.1

    def one(self):
        """The code of the sync that met it; none where it was done before."""
        pair = self.pair
        number = len(pair.known)
        self.rounds += 1
        for place in range(6):
            pair.save("a", f"white/{self.rounds % 5}/{place}", self.random.randbytes(20_000))
        pair.save("a", "red/one", b"edit %d\n" % number)
        # Ten deletes within a day would be held.
        if 1 < self.rounds < 8:
            pair.remove("a", f"white/{self.rounds % 5}/0")
        if self.letter == "b":
            pair.expect(pair.try_sync("a") == 0, f"a is well: {pair.last_error}")
        before = pair.contents(self.letter)
        code = self.break_within()
        pair.expect_whole(self.letter, before)
        # Nothing can be written, and this is said.
        again = pair.try_sync(self.letter)
        pair.expect(again != 0 or self.letter == "a", "a drive that cannot be written says that all is well")
        pair.expect_whole(self.letter, before)
        self.repair()
        pair.settle()
        return code

    def break_within(self):
        started = time.monotonic()
        process = self.made.start("sync", self.pair.path(self.letter))
        time.sleep(self.random.uniform(0, self.duration * 1.1))
        disks.remount(self.place, "abort")
        late = process.poll() is not None
        out, error = process.communicate(timeout=60)
        said = (out + error).decode("utf-8", "backslashreplace")
        self.duration = 0.7 * self.duration + 0.3 * (time.monotonic() - started)
        code = process.returncode
        self.pair.expect(code in CODES, f"it became read-only: {code} {said[:500]}")
        self.pair.expect(code == 0 or said.strip(), f"it became read-only: {code} and not a word")
        self.pair.codes[code] = self.pair.codes.get(code, 0) + 1
        return None if late else code

    def repair(self):
        for _ in range(50):
            try:
                disks.unmount(self.place)
                break
            except disks.Refused:
                time.sleep(0.02)
        # A file of its own: what is still on its way out must not be taken for it.
        repaired = f"{self.made.path('disk.img')}.{self.turn}"
        self.turn += 1
        disks.copy_image(self.image, repaired)
        os.unlink(self.image)
        self.image = repaired
        answer = subprocess.run(["e2fsck", "-fp", self.image], capture_output=True, text=True)
        self.pair.expect(answer.returncode in (0, 1), f"e2fsck: {answer.returncode} {answer.stdout}")
        disks.mount_image(self.image, self.place)


def one_place(name, count, seed):
    made = campaign(f"readonly-{name}", seed)
    met = 0
    try:
        breaking = Breaking(made, name, seed)
        for _ in range(count):
            met += breaking.one() not in (None, 0)
            if made.violations:
                break
        breaking.pair.newcomer()
    finally:
        disks.unmount_all_beneath(made.place)
    return {"met a sync": met, "of": count, "codes": breaking.pair.codes, "wrong": finish(made)}
