"""Two folders that a tool keeps in step from A to B: `sync` brings once what changed, and tells what that cost both sides."""
from measure import run
from bench import added
import place
import syncthing


class DocDrive:
    """A to B through a store in a folder."""
    tool = "docdrive"

    def __init__(self, bench, a, work):
        self.bench, self.a, self.b, self.store = bench, a, work / "b", work / "store"
        self.b.mkdir(parents=True)

    def first(self):
        one = self.bench.docdrive("sync", self.a, "--to", self.store, "--yes", "--name", "a")
        other = self.bench.docdrive("sync", self.b, "--to", self.store, "--yes", "--name", "b")
        return self.both(one, other, 0)

    def sync(self):
        before = place.size(self.store)[1]
        return self.both(self.bench.docdrive("sync", self.a), self.bench.docdrive("sync", self.b), before)

    def both(self, one, other, before):
        objects, stored = place.size(self.store)
        return {
            **added(one, other), "a": one["cpu"], "b": other["cpu"], "memory of a": one["memory"],
            "memory of b": other["memory"], "objects": objects, "bytes": stored - before}

    def end(self):
        pass


class Command:
    """A tool that is one command and keeps nothing running."""

    def __init__(self, bench, a, work):
        self.bench, self.a, self.b, self.work = bench, a, work / "b", work
        self.b.mkdir(parents=True)

    def first(self):
        return self.sync()

    def sync(self):
        return run(self.command(), accept=self.accept)

    accept = (0,)

    def end(self):
        pass


class Copy(Command):
    tool = "cp -a"

    def command(self):
        return ["cp", "-a", f"{self.a}/.", self.b]


class Rsync(Command):
    tool = "rsync -a"

    def command(self):
        return ["rsync", "-a", "--delete", *excluded(), f"{self.a}/", f"{self.b}/"]


class RsyncDelta(Rsync):
    tool = "rsync --no-whole-file"

    def sync(self):
        # Both ends on this machine: what goes through the pipe between them is what a network would carry.
        cost = run([*self.command()[:1], "--no-whole-file", "--stats", *self.command()[1:]], accept=(0,))
        carried = [line for line in cost["output"].decode().splitlines() if line.startswith("Total bytes ")]
        return {**cost, "bytes": sum(int(line.split(":")[1].replace(",", "").replace(".", "")) for line in carried)}


class Unison(Command):
    tool = "unison"
    accept = (0, 1)

    def command(self):
        return unison(self.a, self.b, self.work / "archive")


class Rclone(Command):
    tool = "rclone sync"

    def command(self):
        left = [word for name in place.TRACES for word in ("--exclude", f"/{name}", "--exclude", f"/{name}/**")]
        return ["rclone", "--config", "/dev/null", "sync", "--track-renames", *left, self.a, self.b]


class Syncthing:
    tool = "syncthing"
    tuned = False

    def __init__(self, bench, a, work):
        self.bench, self.a, self.b = bench, a, work / "b"
        self.b.mkdir(parents=True)
        for name in ("a", "b"):
            (work / "homes" / name).mkdir(parents=True)
        (a / ".stignore").write_text("/.docdrive\n/.driveignore\n")
        (self.b / ".stignore").write_text("/.docdrive\n/.driveignore\n")
        self.two = syncthing.Two(work / "homes", a, self.b, self.tuned)

    def first(self):
        beside = syncthing.Beside()
        self.two.start()
        self.two.settle()
        used, one, other = self.two.cpu(), self.two.a, self.two.b
        return {
            "cpu": used, "wall": beside.wall(), "a": one.cpu(), "b": other.cpu(), "bytes": one.transferred(),
            "memory": max(one.peak(), other.peak()), "total": one.peak() + other.peak(), **beside.others(used)}

    def sync(self):
        return self.two.sync()

    def end(self):
        self.two.stop()


class SyncthingTuned(Syncthing):
    tool = "syncthing tuned"
    tuned = True


def unison(a, b, archive):
    ignored = [word for name in place.TRACES for word in ("-ignore", f"Path {name}")]
    return ["env", f"UNISON={archive}", "unison", a, b, "-batch", "-auto", "-ui", "text", "-silent", "-times", *ignored]


def excluded():
    return [f"--exclude=/{name}" for name in place.TRACES]


def present(bench, kinds):
    """Those whose tool is here."""
    return [kind for kind in kinds if kind.tool == "docdrive" or bench.has(kind.tool.split()[0])]
