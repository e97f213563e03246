"""Two folders that a program keeps in step, the same files changed in both, and what a cleaning must say of the copies."""
import os
import re
import shutil
import subprocess

from lib.conflicts import Expected

# `#` is a number by which a file is known again whatever a program makes of its name.
NAMES = ["Thesis n#.txt", "Übung n#.odt", "a.b n#.tar.gz", "n#", ".n#", ".profile n#", "日本語 n#.md", "(draft) n#.pdf", "n# (1).JPG",
         "Zoë's n#-conflict.md", "n# 2026-01-01.log.txt"]


class Skipped(Exception):
    """What the program, or this machine, cannot do."""


class Case:
    """`sides` are the two folders; whoever knows the program brings them in step with `sync`."""

    scheme = None

    def __init__(self, campaign, name, count):
        self.campaign, self.name = campaign, name
        self.random = campaign.random
        self.sides = [campaign.path(name, side) for side in "ab"]
        for side in self.sides:
            os.makedirs(side)
        self.originals = [self.random.choice(NAMES).replace("#", f"{number:04}") for number in range(count)]

    def command(self, *arguments, cwd=None, codes=(0,), environment=None):
        """Runs a program of the case's to its end; what it said."""
        done = subprocess.run(arguments, cwd=cwd or self.campaign.place, env=dict(self.campaign.environment, **environment or {}),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        text = done.stdout.decode("utf-8", "backslashreplace")
        self.campaign.note(f"{' '.join(arguments)} -> {done.returncode} {text}")
        if done.returncode not in codes:
            raise RuntimeError(f"{arguments[0]} ended with {done.returncode}: {text[-2000:]}")
        return text

    def content(self):
        if self.random.random() < 0.3:
            return b"\xff" + self.random.randbytes(self.random.randint(1, 50_000))
        return b"".join(f"{self.random.randint(0, 9)}\n".encode() for _ in range(self.random.randint(1, 12)))

    def write(self, side, name, data):
        # A new file in place of the old one, as most programs save; links of git-annex are replaced.
        path = os.path.join(self.sides[side], name)
        with open(path + ".new~", "wb") as file:
            file.write(data)
        # What compares times must see one.
        moment = 1_600_000_000 + self.random.randint(0, 10**8)
        os.utime(path + ".new~", (moment, moment))
        os.replace(path + ".new~", path)

    def begin(self):
        for name in self.originals:
            self.write(0, name, self.content())

    def quarrel(self):
        """Each file is edited on both sides, one perhaps with all lines of the other."""
        for name in self.originals:
            one = self.content()
            other = one + self.content() if self.random.random() < 0.3 else self.content()
            if other == one:
                other += b"more\n"
            for side, data in zip((0, 1), self.random.sample([one, other], 2)):
                self.write(side, name, data)

    def decide(self):
        """A person takes a copy over, writes something else, or lets things be; no file is left without its name."""
        copies = self.copies(0)
        for name in self.originals:
            own = [copy for copy, original in copies.items() if original == name]
            is_missing = not os.path.lexists(os.path.join(self.sides[0], name))
            if own and self.random.random() < 0.5:
                with open(os.path.join(self.sides[0], self.random.choice(own)), "rb") as file:
                    self.write(0, name, file.read())
            elif is_missing:
                self.write(0, name, self.content())

    def copies(self, side):
        """The file that each copy is one of: every file that nobody but the program named."""
        numbers = {re.search(r"n(\d{4})", name)[1]: name for name in self.originals}
        found = {}
        for name in os.listdir(self.sides[side]):
            number = re.search(r"n(\d{4})", name)
            if number and name not in self.originals:
                found[name] = numbers[number[1]]
        return found

    def prepare(self):
        """Before the first `sync`; a `Skipped` says what is missing."""

    def between(self):
        """Before both sides are edited."""

    def finish(self):
        """What runs is stopped."""

    def run(self, rounds):
        try:
            self.prepare()
            self.begin()
            self.sync()
            for _ in range(rounds):
                self.between()
                self.quarrel()
                self.sync()
                self.decide()
                self.sync()
        finally:
            self.finish()

    def expected(self, side, takes_contained):
        """What is to be said of each copy, from the bytes alone."""
        place = self.sides[side]

        def read(name):
            with open(os.path.join(place, name), "rb") as file:
                return file.read()

        made, firsts = {}, {}
        for copy, original in sorted(self.copies(side).items(), key=lambda pair: (len(os.fsencode(pair[0])), os.fsencode(pair[0]))):
            data, other = read(copy), read(original)
            first = firsts.get((original, data))
            if first is not None:
                finding = "contained" if takes_contained and first == "contained" else "identical"
            else:
                finding = firsts[original, data] = compared(data, other)
            made[copy] = Expected(finding, frozenset({self.scheme}))
        return made


def compared(copy, original):
    if copy == original:
        return "identical"
    for data in (copy, original):
        if b"\xff" in data:
            return "binary"
    if original.startswith(copy) or is_within(copy, original):
        return "contained"
    return "extended" if copy.startswith(original) or is_within(original, copy) else "different"


def is_within(some, whole):
    lines = iter(whole.splitlines(keepends=True))
    return all(line in lines for line in some.splitlines(keepends=True))


def found(*names):
    """The first of these programs that there is."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise Skipped(f"{' or '.join(names)} is not installed")
