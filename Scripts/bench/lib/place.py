"""The folder that a run works in: new folders, and old ones put aside."""
import fcntl
import os
import shutil
import subprocess
import time

# What tools leave in the folders that they keep.
TRACES = [".docdrive", ".driveignore", ".stfolder", ".stignore"]


class Place:
    def __init__(self, root):
        self.root = root.resolve()
        for name in ["home", "run", "work", "aside"]:
            (self.root / name).mkdir(parents=True, exist_ok=True)
        # Two runs would clear one another's folders.
        self.lock = (self.root / "lock").open("w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"another run works in {self.root}: choose another --place") from None
        (self.root / "run").chmod(0o700)
        os.environ.update(HOME=str(self.root / "home"), XDG_RUNTIME_DIR=str(self.root / "run"), LC_ALL="C.UTF-8")
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]:
            os.environ.pop(name, None)

    def new(self, name, make=True):
        """An empty folder; what was there before goes aside."""
        folder = self.root / "work" / name
        self.aside(folder)
        if make:
            folder.mkdir(parents=True)
        return folder

    def aside(self, *paths):
        """Out of the way, not deleted: for a minute after many deletes ext4 makes new files slowly."""
        for path in paths:
            if os.path.lexists(path):
                os.rename(path, self.root / "aside" / f"{time.time_ns()}")

    def plain(self, folder):
        """The folder without what tools left in it."""
        self.aside(*(folder / name for name in TRACES))
        return folder

    def clear(self):
        """Deletes what was put aside and what was worked in."""
        for name in ["aside", "work"]:
            subprocess.run(["rm", "-rf", self.root / name], check=True)
            (self.root / name).mkdir()

    def free(self):
        return shutil.disk_usage(self.root).free


def size(folder):
    """Files and bytes of a folder, without what tools left in it."""
    files = total = 0
    for above, folders, names in os.walk(os.fsencode(folder)):
        if above == os.fsencode(folder):
            folders[:] = [name for name in folders if os.fsdecode(name) not in TRACES]
            names = [name for name in names if os.fsdecode(name) not in TRACES]
        for name in names:
            files += 1
            total += os.lstat(above + b"/" + name).st_size
    return files, total


def differences(one, other):
    """Where two folders differ in names or bytes, without what tools left in them: lines of diff."""
    without = [word for name in TRACES for word in ("-x", name)]
    told = subprocess.run(
        ["diff", "-rq", "--no-dereference", *without, one, other], capture_output=True, text=True, errors="replace")
    return told.stdout.splitlines()


def read_all(folder):
    """Reads every byte, so that a run right after finds it in memory: pages leave it within tens of seconds here."""
    subprocess.run(["sh", "-c", 'find "$0" -type f -print0 | xargs -0 cat > /dev/null', folder], check=True)
