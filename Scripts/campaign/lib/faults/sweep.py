"""Each protocol once for every call and fault: put back, run with the fault, look, go on without, look again."""
import collections
import os
import random
import shutil

from lib import run, tree
from lib.faults import disks, points
from lib.faults.fixture import Fixture
from lib.faults.protocols import PROTOCOLS
from lib.faults.strace import Tracing, failed, hits, narrowed
from lib.faults.verdict import Verdict, contents

TRIES = 3
Run = collections.namedtuple("Run", "fault point")


class Figures:
    """What became of the sweep of one protocol."""

    def __init__(self, name):
        self.name = name
        self.there = collections.Counter()
        self.hit = collections.defaultdict(set)
        self.violations = collections.Counter()
        self.codes = collections.Counter()
        self.runs = 0
        self.wrong = 0


class Sweep:
    """One protocol."""

    def __init__(self, name, seed, limit, wanted_faults, wanted_calls):
        self.name = name
        self.campaign = run.Campaign("faults-" + name, seed)
        self.campaign.shown = 8
        self.campaign.environment["TMPDIR"] = self.campaign.path("temporary")
        os.mkdir(self.campaign.path("temporary"))
        self.random = random.Random(f"{seed} {name}")
        self.limit = limit
        self.faults = wanted_faults or list(points.FAULTS)
        self.wanted_calls = wanted_calls
        self.figures = Figures(name)
        # The points that some fault of this sweep can befall.
        self.wanted = set()
        self.store_held = set()

    def carry_out(self):
        try:
            self.prepare()
            if not self.campaign.violations:
                self.sweep()
        finally:
            disks.unmount_all_beneath(self.campaign.place)
        self.figures.wrong = len(self.campaign.violations)
        print(f"{self.name} is swept: {self.figures.runs} runs, {self.figures.wrong} violations", flush=True)
        if self.figures.wrong:
            print(f"kept for a look: {self.campaign.place}", flush=True)
        else:
            shutil.rmtree(self.campaign.place)
        return self.figures

    def prepare(self):
        """The fixture, and one run without a fault: it shows the points, and how all must end."""
        self.world = Fixture(self.campaign, self.name)
        self.world.fill()
        self.act = PROTOCOLS[self.name](self.world)
        if self.name not in ("found",):
            self.store_held = self.held_by_store()
        self.world.freeze()
        self.tracing = Tracing(self.campaign, self.world.place)
        self.baseline = None
        self.calls = {}
        self.aim = []
        self.narrow = {}
        # First all changes; then, now that all places are known, the looks at them.
        for calls in (points.CHANGES, points.OPENS + points.LOOKS):
            self.world.restore()
            self.before = contents(self.act.drive)
            existing = set(self.tracing.places())
            code, said, made = self.tracing.run(self.act.arguments, calls, self.aim if calls != points.CHANGES else ())
            self.campaign.expect(code == 0, f"{self.name} without a fault ends with {code}: {said}")
            self.calls.update({call.point: call for call in made if not failed(call)})
            self.narrow.update({call.point: narrowed(call, made, existing) for call in made})
            # Numbers hold for one aim only: it is the same from here on.
            self.aim = self.aim or sorted(existing | set(self.tracing.places()))
            verdict = Verdict(self.world, self.act)
            self.look(verdict, "none", "", code, said, early=False)
            for text in verdict.wrong:
                self.campaign.expect(False, f"{self.name} without a fault: {text}")
        self.numbers = {point: call.number for point, call in self.calls.items()}
        self.world.unmount()

    def held_by_store(self):
        """What a newcomer gets before the command, less what the command's own drive has replaced or deleted."""
        copy = Verdict(self.world, self.act)
        held = copy.newcomer()
        shutil.rmtree(self.world.path("newcomer"))
        return held & self.world.owed.keys()

    def sweep(self):
        runs = []
        for point in self.calls:
            if self.wanted_calls and point.name not in self.wanted_calls:
                continue
            mine = [fault for fault in self.faults if points.befalls(fault, point)]
            if mine:
                self.figures.there[point.name] += 1
                self.wanted.add(point)
            runs += [Run(fault, point) for fault in mine]
        self.random.shuffle(runs)
        # A sample takes half of its runs from the kills, since these alone reach every state.
        if self.limit:
            kills = [one for one in runs if one.fault == "kill"]
            others = [one for one in runs if one.fault != "kill"]
            runs = (kills[:self.limit // 2] + others)[:self.limit]
        # docdrive's threads share their work anew each time: what was missed is tried again.
        met = set()
        for turn in range(1 if self.limit else TRIES):
            for one in runs:
                if one not in met and len(self.campaign.violations) < 20:
                    met |= self.inject(one, is_narrow=turn > 0)

    def inject(self, one, is_narrow):
        """What was met: other threads may have been there first, or too."""
        fault, point = one
        self.world.restore()
        self.campaign.trace.clear()
        number = self.numbers[point]
        aim = () if point.name in points.CHANGES else self.aim
        is_narrow = is_narrow and self.narrow[point] is not None
        if is_narrow:
            aim, number = (self.narrow[point][0],), self.narrow[point][1]
        injection = points.injection(fault, point.name, number)
        code, said, calls = self.tracing.run(self.act.arguments, [point.name], aim, injection)
        hit = hits(calls, fault, point.name, number, code)
        if not is_narrow:
            self.numbers.update({call.point: call.number for call in calls if call.point in self.calls})
        self.figures.runs += 1
        self.figures.codes[code] += 1
        verdict = Verdict(self.world, self.act)
        early = fault == "kill" and self.figures.runs % 3 == 0
        self.look(verdict, fault, " ".join(call.point.place for call in hit), code, said, early)
        for call in hit:
            if call.point in self.wanted:
                self.figures.hit[point.name].add(call.point)
        if verdict.wrong:
            self.figures.violations[point.name] += 1
            place = hit[0].point if hit else point
            self.tell(verdict, fault, place, injection)
        return {Run(fault, call.point) for call in hit}

    def look(self, verdict, fault, place, code, said, early):
        verdict.ending(fault, place, code, said)
        verdict.nothing_lost(self.before)
        if early:
            # Whatever happened, the store is whole for whoever joins.
            got = verdict.newcomer()
            verdict.expect(not self.store_held - got, "a newcomer right after it does not get what the store held")
            shutil.rmtree(self.world.path("newcomer"))
        verdict.recovers(ended=code == 0)
        shown = verdict.rest()
        if self.baseline is None:
            self.baseline = shown
        lines = tree.differences(self.baseline, shown)
        verdict.expect(not lines, f"it ends otherwise than without a fault: {lines}")
        if not early:
            verdict.newcomer(expected=shown)
        verdict.nothing_lost(self.before)
        verdict.nothing_outside()

    def tell(self, verdict, fault, point, injection):
        kept = self.campaign.path(f"violation-{len(self.campaign.violations)}")
        shutil.copytree(self.world.place, kept, symlinks=True, ignore_dangling_symlinks=True)
        shutil.copy(self.tracing.log, kept)
        text = f"{self.name}, {fault} at {point.name} {point.place} #{point.ordinal} ({injection}): "
        self.campaign.expect(False, text + "; ".join(verdict.wrong))


def table(sweeps):
    """The histogram: for each protocol and call the points there are, those that were met, and the violations."""
    names = sorted({name for sweep in sweeps for name in sweep.there})
    lines = ["calls met of those there are; ! violations"]
    for sweep in sweeps:
        cells = []
        for name in names:
            if sweep.there[name]:
                bad = f" !{sweep.violations[name]}" if sweep.violations[name] else ""
                cells.append(f"{name} {len(sweep.hit[name])}/{sweep.there[name]}{bad}")
        met = sum(len(points) for points in sweep.hit.values())
        lines.append(f"{sweep.name}: {met}/{sum(sweep.there.values())} points in {sweep.runs} runs, "
                     f"{sum(sweep.violations.values())} violations")
        lines.append("    " + ", ".join(cells))
        lines.append("    exit codes " + ", ".join(f"{code}: {count}" for code, count in sorted(sweep.codes.items())))
    return "\n".join(lines)
