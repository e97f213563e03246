"""A way of saving, and what other devices may see of it."""
import fnmatch
import shutil
import subprocess
import threading

from lib.tree import digest

# What a new drive's .driveignore names, as far as a program here leaves it behind.
IGNORED = [".~lock.*#", "~$*", ".#*", "#*#", ".*.sw?", "4913", ".goutputstream-*", "*.part"]


class Missing(Exception):
    """This machine lacks what the case needs; says what it answered."""


class Case:
    """Saves in a folder of its own. What it tells as `saved` it is about; all else that it leaves is a by-product."""

    name = ""
    needs = ()
    # The file is changed under its own name: one sync may rightly see it half written, a watched drive waits.
    in_place = False
    # Whoever saves so saves one file all the time, though its name be gone for a moment.
    keeps_identity = True
    # Changes that leave no trace in size, dates or inode (docs/decisions/0005).
    silent = False

    def __init__(self, campaign):
        self.campaign = campaign
        self.random = campaign.random
        self.states = {}
        self.last = {}
        self.saves = 0
        self.lock = threading.Lock()

    def check_needs(self):
        for program in self.needs:
            if shutil.which(program) is None:
                raise Missing(f"`command -v {program}` finds nothing")

    def work(self, folder, turn):
        """Does the saves of a round."""
        raise NotImplementedError

    def tool(self, *command, **options):
        options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
        if options["stdin"] is None:
            del options["stdin"]
        environment = dict(self.campaign.environment, TERM="xterm", **options.pop("more", {}))
        done = subprocess.run(command, env=environment, capture_output=True, timeout=180, **options)
        self.campaign.expect(
            done.returncode == 0,
            f"{self.name}: {' '.join(map(str, command))[:200]}: {done.returncode} {(done.stderr or done.stdout)[-300:]}")
        return done.stdout

    def saved(self, path, data=None):
        """The file has been saved as it is now; or as `data`, which it may not be any more."""
        if data is None:
            with open(path, "rb") as file:
                data = file.read()
        with self.lock:
            name = self.name_of(path)
            self.states.setdefault(name, {})[digest(data)] = data
            self.last[name] = digest(data)
            self.saves += 1

    def name_of(self, path):
        """Its path within the case's folder."""
        return path.split(f"/{self.name}/", 1)[1]

    def expect_saved(self, path, text):
        """The program has really done what it was told."""
        with open(path, "rb") as file:
            data = file.read()
        self.campaign.expect(text.encode() in data, f"{self.name}: {path} has not got {text!r}")
        self.saved(path, data)

    def permits(self, path, data, way):
        """Whether another device may show this content there; the path is that within the folder."""
        if path not in self.states or digest(data) in self.states[path]:
            return True
        return self.in_place and way == "sync" and self.was_there(path, data)

    def was_there(self, name, data):
        """Whether the file can have been so for a moment while it was written: the beginning of a saved content."""
        return any(state.startswith(data) for state in self.states[name].values())

    def look_again(self, folders):
        """More that must hold in every drive once all are at rest."""


def patterns(name):
    """Those that ignore it."""
    return [pattern for pattern in IGNORED if fnmatch.fnmatchcase(name, pattern)]
