"""Runs docdrive under strace: which calls it makes, and what becomes of it when one of them fails or kills it.

strace counts a call's `when=` for each thread by itself, and docdrive's threads share their work anew in every run. So
what was hit is read from the log afterwards: a point is the n-th call of its kind at its place, whoever makes it.
"""
import collections
import os
import re
import shutil
import subprocess

CALL = re.compile(r"(\d+) +(\w+)\((.*)")
SILENCED = re.compile(r"\d+ +write\([12]<.*INJECTED")
PATHS = re.compile(r"<(/[^>]*)>|\"([^\"]*)\"")
RANDOM = re.compile(r"(?=[0-9a-z]*\d)[0-9a-z]{4,}")
RESULT = re.compile(r"\) += (-?\d+)")

Point = collections.namedtuple("Point", "name place ordinal")
Call = collections.namedtuple("Call", "point thread number text paths")


def missing():
    """Why this machine cannot do it, or nothing."""
    if not shutil.which("strace"):
        return "there is no strace"
    # Containers may forbid it to look at other processes.
    tried = subprocess.run(["strace", "-f", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    return None if tried.returncode == 0 else "strace cannot trace here: " + tried.stderr.strip()


class Tracing:
    def __init__(self, campaign, world_place):
        self.campaign = campaign
        self.world_place = world_place
        self.log = campaign.path("strace.log")

    def places(self):
        """All that is in the world now."""
        found = [self.world_place]
        for folder, folders, names in os.walk(self.world_place):
            found += [os.path.join(folder, name) for name in folders + names]
        return [path for path in found if not os.path.islink(path)]

    def run(self, arguments, calls, aim=(), injection=None):
        """(exit code, stderr and stdout, the calls within the world in the order in which they were made).

        With an aim, calls count only at these places: else those of the loader would count too.
        """
        prefix = ["strace", "-f", "-y", "-s", "0", "-o", self.log, "-e", "trace=" + ",".join(calls), "-e", "signal=none"]
        # Faster, but strace 6.1 then loses the signals of all but the first call.
        if "signal=" not in (injection or ""):
            prefix.append("--seccomp-bpf")
        for place in aim:
            prefix += ["-P", place]
        if injection:
            prefix += ["-e", "inject=" + injection]
        code, out, error = self.campaign.run(*arguments, prefix=prefix, timeout=120)
        said = error + out
        if not said.strip() and self.is_silenced():
            said = "(what it wrote met the fault)"
        return code, said, self.calls()

    def is_silenced(self):
        """Each thread's calls are counted by themselves: the message of one may be the first write of its thread."""
        with open(self.log, encoding="utf-8", errors="backslashreplace") as log:
            return any(SILENCED.match(line) for line in log)

    def calls(self):
        numbers = collections.Counter()
        ordinals = collections.Counter()
        result = []
        with open(self.log, encoding="utf-8", errors="backslashreplace") as log:
            for line in log:
                found = CALL.match(line)
                if not found:
                    continue
                thread, name, rest = found.groups()
                numbers[thread, name] += 1
                # Not that of a file which the call opened: it is not there where the call failed.
                paths = [one or other for one, other in PATHS.findall(RESULT.split(rest)[0])]
                place = self.place(rest, paths)
                if place:
                    ordinals[name, place] += 1
                    point = Point(name, place, ordinals[name, place])
                    result.append(Call(point, thread, numbers[thread, name], rest, frozenset(paths)))
        return result

    def place(self, text, paths):
        """The paths of a call, without what is random in them; empty for a call outside the world."""
        if not any(path.startswith(self.world_place) for path in paths):
            return ""
        shown = [RANDOM.sub("*", path.removeprefix(self.world_place).strip("/")) for path in paths if path]
        creates = "+" if "O_CREAT" in text else ""
        return creates + " ".join(shown)


def narrowed(call, calls, places):
    """A place that the call is at, and which of its thread's calls of that kind there it is: fewer are in its way."""
    best = None
    for place in call.paths & places:
        there = [one for one in calls if one.point.name == call.point.name and place in one.paths]
        before = there[:there.index(call)]
        in_the_way = len({one.thread for one in there})
        number = 1 + sum(one.thread == call.thread for one in before)
        if best is None or (in_the_way, len(there)) < best[0]:
            best = ((in_the_way, len(there)), place, number)
    return best and best[1:]


def failed(call):
    """Whether the call gave an error by itself."""
    found = RESULT.search(call.text)
    return bool(found) and int(found.group(1)) < 0


def hits(calls, fault, name, number, code):
    """The calls that an injection `when=number` met, by what strace and the process say of it."""
    met = [call for call in calls if call.point.name == name and call.number == number]
    if fault == "kill":
        return met[:1] if code == -9 else []
    if fault == "term":
        return met[:1]
    return [call for call in met if "INJECTED" in call.text]
