"""What every campaign needs: the program under test, a place to work in, and how violations are told."""
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def program():
    """The release binary: $DOCDRIVE, else what Scripts/docdrive built, else a plain release build."""
    found = os.environ.get("DOCDRIVE")
    places = [found] if found else [
        os.path.join(HERE, ".build", build, "release/docdrive") for build in ("docdrive", "")]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    sys.exit("no docdrive found; run Scripts/docdrive once, or set DOCDRIVE to a release build")


class Violation(Exception):
    pass


class Campaign:
    """A temporary folder, a seeded random source, and a count of what was checked."""

    def __init__(self, name, seed):
        self.name = name
        self.seed = seed
        self.random = random.Random(seed)
        self.program = program()
        self.place = tempfile.mkdtemp(prefix=f"docdrive-{name}-")
        self.violations = []
        self.trace = []
        self.checks = 0
        # So many of the last things that happened are told with a violation.
        self.shown = 40
        # Nothing of the person who runs this takes part.
        self.environment = dict(os.environ, HOME=self.path("home"), XDG_RUNTIME_DIR=self.path("run"),
                                XDG_CONFIG_HOME=self.path("config"), XDG_DATA_HOME=self.path("data"),
                                XDG_STATE_HOME=self.path("state"), LC_ALL="C.UTF-8")
        os.makedirs(self.path("home"))
        os.makedirs(self.path("run"), 0o700)

    def path(self, *parts):
        return os.path.join(self.place, *parts)

    def note(self, text):
        self.trace.append(text)

    def expect(self, holds, text):
        """Counts a check; notes a violation with the last things that happened."""
        self.checks += 1
        if not holds:
            self.violations.append(text)
            print(f"VIOLATION (seed {self.seed}): " + text.replace(self.place + "/", ""), flush=True)
            for line in self.trace[-self.shown:]:
                print("    " + line.replace(self.place + "/", "").replace("\n", " | ")[:2000])
            self.trace.clear()
        return holds

    def run(self, *arguments, cwd=None, prefix=(), timeout=600):
        """Runs docdrive to its end: (exit code, stdout, stderr), a negative code for a signal."""
        done = subprocess.run([*prefix, self.program, *arguments], cwd=cwd or self.place, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
        out, err = (text.decode("utf-8", "backslashreplace") for text in (done.stdout, done.stderr))
        self.note(f"docdrive {' '.join(map(str, arguments))} -> {done.returncode} {out.strip()} {err.strip()}")
        return done.returncode, out, err

    def start(self, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, prefix=(), group=False):
        """Starts docdrive and returns the process; in a group of its own where it is to be stopped as a whole."""
        return subprocess.Popen([*prefix, self.program, *arguments], cwd=self.place, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, start_new_session=group)

    def finish(self, figures):
        """Prints the figures, cleans up and ends the process."""
        for name, value in figures.items():
            print(f"{name}: {value}")
        print(f"checks: {self.checks}, violations: {len(self.violations)}")
        if self.violations or os.environ.get("CAMPAIGN_KEEP"):
            print(f"kept for a look: {self.place}")
        else:
            shutil.rmtree(self.place)
        sys.exit(1 if self.violations else 0)


def seed_from(arguments):
    """Takes `--seed N` out of the arguments; a fresh seed without it."""
    if "--seed" in arguments:
        place = arguments.index("--seed")
        seed = int(arguments[place + 1])
        del arguments[place:place + 2]
        return seed
    return random.SystemRandom().randrange(1 << 32)
