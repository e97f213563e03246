"""Two devices in step, then apart: 22 things that both do, and what is there after they meet again.

Lost is a text that somebody wrote and that is nowhere any more; unequal, where A and B differ in the end; spurious, where the
same bytes are there twice and nobody made them twice.
"""
import subprocess
import time

import pairs
import scenarios
import syncthing
from goals import Goal
from measure import run

NAME = "conflicts"
PEERS = ["unison", "rsync", "rclone", "git-annex", "syncthing"]
GOALS = [
    Goal(f"conflicts {figure}", f"the 22 conflict scenarios: {figure}", NAME, "scenarios", "docdrive", 0, figure=figure,
         unit="of 22")
    for figure in ("lost", "unequal", "spurious")
] + [
    Goal("conflicts silent", "the silent change, neither brought to B nor found by `verify`", NAME, "scenarios", "docdrive", 0,
         figure="unnoticed", unit="of 1"),
]


def measure(bench):
    for kind in pairs.present(bench, KINDS):
        keys = [scenario.key for scenario in scenarios.SCENARIOS]
        if kind.alone:
            each = {key: kind(bench, bench.place.new(f"{kind.__name__}{key}")) for key in keys}
        else:
            each = dict.fromkeys(keys, kind(bench, bench.place.new(kind.__name__)))
        try:
            played(bench, each)
        finally:
            for one in set(each.values()):
                one.end()
    bench.place.clear()


def played(bench, each):
    """Each scenario on its devices, which are the same for all unless the tool needs one pair for each."""
    devices = set(each.values())
    for scenario in scenarios.SCENARIOS:
        folder = each[scenario.key].a / scenario.key
        folder.mkdir(parents=True)
        scenario.base(folder)
    for one in devices:
        one.meet()
        one.part()
    for side in ("a", "b"):
        # Clocks of file systems tick, and B is the later one.
        time.sleep(2.1)
        for scenario in scenarios.SCENARIOS:
            act(getattr(scenario, side), getattr(each[scenario.key], side) / scenario.key)
    for one in devices:
        one.meet()
    ends = [ended(each[scenario.key], scenario) for scenario in scenarios.SCENARIOS]
    sums = {name: sum(bool(end[name]) for end in ends) for name in ("lost", "unequal", "spurious")}
    one = each["20"]
    bench.records.add(
        NAME, "scenarios", one.tool, bench.version(one.tool), [{**sums, **one.more()}], scenarios=ends)
    bench.note(f"conflicts {one.tool}: {sums}")


def act(act, folder):
    try:
        act(folder)
    except OSError:
        # Where a tool did not bring the base, there is nothing to edit; what is missing shows in the end.
        pass


def ended(one, scenario):
    a, b = (scenarios.contents(folder / scenario.key) for folder in (one.a, one.b))
    seen = set(a.values()) | set(b.values())
    # What nobody may see: the silent change is for verify to find, and two may have made one text.
    unequal = a != b and scenario.key != "20"
    texts = [text for text in b.values() if text and not text.startswith("->")]
    doubled = [text for text in set(texts) if texts.count(text) > 1]
    return {
        "key": scenario.key, "title": scenario.title, "lost": [text for text in scenario.kept if text not in seen],
        "unequal": unequal, "spurious": doubled, "a": a, **({} if a == b else {"b": b})}


class Devices:
    """Two folders that a tool keeps equal in both directions when they meet."""
    # Whether one scenario of a tool spoils the others.
    alone = False

    def __init__(self, bench, work):
        self.bench, self.work, self.a, self.b = bench, work, work / "a", work / "b"
        for folder in (self.a, self.b):
            folder.mkdir()

    def part(self):
        pass

    def more(self):
        return {}

    def end(self):
        pass


class DocDrive(Devices):
    tool = "docdrive"

    def __init__(self, bench, work):
        super().__init__(bench, work)
        for name, folder in (("a", self.a), ("b", self.b)):
            bench.docdrive("sync", folder, "--to", work / "store", "--yes", "--name", name)

    def meet(self):
        for folder in (self.a, self.b) * 3:
            self.bench.docdrive("sync", folder, accept=range(256))

    def more(self):
        told = self.bench.docdrive("-C", self.a, "verify", accept=(0, 65))
        found = b"20/f.txt" in told["output"] + told["errors"]
        brought = "QQQQ20" in scenarios.contents(self.b / "20").values()
        return {"unnoticed": int(not found and not brought)}


class Unison(Devices):
    tool = "unison -batch"
    options = ()

    def meet(self):
        for _ in range(2):
            run([*pairs.unison(self.a, self.b, self.work / "archive"), *self.options], accept=range(4))


class UnisonNewer(Unison):
    tool = "unison -prefer newer"
    options = ("-prefer", "newer")


class UnisonCopies(Unison):
    tool = "unison -prefer newer -copyonconflict"
    options = ("-prefer", "newer", "-copyonconflict")


class Rsync(Devices):
    tool = "rsync -au both ways"

    def meet(self):
        for source, target in ((self.a, self.b), (self.b, self.a)):
            run(["rsync", "-au", f"{source}/", f"{target}/"], accept=range(256))


class Bisync(Devices):
    """Each meeting twice; the first is the one that bisync asks for. One file against a folder stops it for all."""
    tool = "rclone bisync"
    alone = True
    begun = False

    def meet(self):
        (self.a / "RCLONE_TEST").touch()
        for _ in range(2):
            first = [] if self.begun else ["--resync"]
            self.begun = True
            run(["rclone", "--config", "/dev/null", "bisync", self.a, self.b, "--workdir", self.work / "state", "--force", *first],
                accept=range(256))


class Annex(Devices):
    """It takes small files of one folder for moved ones of another."""
    tool = "git-annex sync --content"
    alone = True

    def __init__(self, bench, work):
        super().__init__(bench, work)
        self.b.rmdir()
        begin = ('git config user.email a@example.org; git config user.name "$0"; git annex init -q "$0"')
        self.shell(self.a, f"git init -q -b main . && {begin}; git annex config --set annex.addunlocked true; "
                   "git annex config --set annex.largefiles anything; git commit -q --allow-empty -m begin", "a")
        self.shell(work, "git clone -q a b", "")
        self.shell(self.b, begin, "b")
        self.shell(self.a, "git remote add b ../b", "a")

    def shell(self, folder, script, name):
        subprocess.run(["sh", "-c", script, name], cwd=folder, capture_output=True)

    def meet(self):
        for folder in (self.a, self.b) * 3:
            self.shell(folder, "git annex add -q .; git annex sync --content", "")

    def end(self):
        # Its objects are read-only; they go with the rest.
        self.shell(self.work, "chmod -R u+w .", "")


class Syncthing(Devices):
    tool = "syncthing"

    def __init__(self, bench, work):
        super().__init__(bench, work)
        for name in ("a", "b"):
            (work / "homes" / name).mkdir(parents=True)
        self.two = syncthing.Two(work / "homes", self.a, self.b).start()

    def part(self):
        self.two.stop()

    def meet(self):
        if self.two.a.process.poll() is not None:
            self.two.start()
        for _ in range(2):
            for one in (self.two.a, self.two.b):
                one.scan()
            try:
                self.two.settle(30)
            except TimeoutError:
                # A file against a folder it never ends.
                self.bench.note("syncthing: not in step after 30 s")

    def end(self):
        self.two.stop()


KINDS = [DocDrive, Unison, UnisonNewer, UnisonCopies, Rsync, Bisync, Annex, Syncthing]
