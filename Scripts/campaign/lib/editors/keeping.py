"""The two ways in which drives are kept in step while programs save: watched, or by passes one after the other."""
import collections
import os
import threading
import time

from lib import tree
from lib.watching import Watching


class Watched:
    """`docdrive watch` on every drive."""

    name = "watch"

    def __init__(self, campaign, drives):
        self.campaign = campaign
        self.watching = Watching(campaign, drives)

    def start(self):
        self.watching.start()
        self.rest([])

    def begin(self):
        pass

    def rest(self, silent):
        """Until all are equal; a watched drive waits for writers, so that nothing is silent to it."""
        waited = self.watching.wait_equal()
        self.campaign.expect(waited is not None, f"no rest: {self.watching.unequal()}")
        return []

    def stop(self):
        return "peak memory " + ", ".join(f"{peak} MiB" for peak in self.watching.stop())


class Passes:
    """`docdrive sync` of every drive, again and again, in the middle of everything."""

    name = "sync"

    def __init__(self, campaign, drives):
        self.campaign = campaign
        self.drives = drives
        self.codes = collections.Counter()
        self.threads = []

    def start(self):
        self.campaign.run("sync", self.drives[0])

    def begin(self):
        self.ending = threading.Event()
        self.threads = [threading.Thread(target=self.loop, args=(drive,)) for drive in self.drives]
        for thread in self.threads:
            thread.start()

    def loop(self, drive):
        while not self.ending.is_set():
            code, _, error = self.campaign.run("sync", drive)
            self.codes[code] += 1
            # 2: a file changed faster than it could be read, which is told and tried again.
            self.campaign.expect(code in (0, 2), f"a sync beside programs: {code} {error}")
            time.sleep(0.02)

    def rest(self, silent):
        """Until nothing changes; returns which of the paths that may change silently stay apart."""
        self.ending.set()
        for thread in self.threads:
            thread.join()
        before = None
        for turn in range(6):
            codes = [self.campaign.run("sync", drive)[0] for drive in self.drives]
            now = [tree.snapshot(drive) for drive in self.drives]
            if now == before and set(codes) == {0}:
                break
            before = now
        self.campaign.expect(set(codes) == {0}, f"the last syncs ended with {codes}")
        one, other = now
        apart = [path for path in silent if one.get(os.fsencode(path)) != other.get(os.fsencode(path))]
        for path in apart:
            del one[os.fsencode(path)], other[os.fsencode(path)]
        lines = tree.differences(one, other)
        self.campaign.expect(not lines, "the drives differ:\n      " + "\n      ".join(lines))
        return apart

    def stop(self):
        return "syncs by exit code: " + ", ".join(f"{code}: {count}" for code, count in sorted(self.codes.items()))


KEEPING = {"watch": Watched, "sync": Passes}
