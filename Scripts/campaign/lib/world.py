"""A few drives over one folder store, at rest with some files in them; the start of every scripted scenario."""
import os

from lib import tree


class World:
    """Drives a, b, c. `put` and `remove` are people; contents put are owed until `give_up`."""

    def __init__(self, campaign, name, count=3):
        self.campaign = campaign
        self.name = name
        self.place = campaign.path(name)
        os.mkdir(self.place)
        self.store = self.path("store")
        self.drives = [self.path(letter) for letter in "abcdefgh"[:count]]
        self.owed = {}
        self.known = set()
        self.last_error = ""
        self.all_errors = ""

    def path(self, *parts):
        return os.path.join(self.place, *parts)

    def expect(self, holds, text):
        return self.campaign.expect(holds, f"{self.name}: {text}")

    def fill(self, files=24):
        """Makes the drives and brings all to rest with the same tree."""
        for drive in self.drives:
            os.mkdir(drive)
        for number in range(files):
            self.put("a", f"folder {number % 4}/inner/file {number}", b"content %d " % number * (number * 40 + 1))
        self.put("a", "big", self.campaign.random.randbytes(1_500_000))
        os.chmod(self.path("a", "folder 1/inner/file 1"), 0o755)
        os.symlink("file 0", self.path("a", "folder 0/inner/link"))
        for drive in self.drives:
            self.join(drive)
        # What docdrive itself puts into a new drive.
        self.known |= {facts[1] for facts in tree.snapshot(self.drives[0]).values() if facts[0] == "file"}
        self.rest()

    def join(self, drive):
        return self.sync(drive, "--to", self.store, "--name", os.path.basename(drive), "--yes")

    def put(self, drive, name, data):
        path = self.path(drive, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        content = tree.digest(data)
        self.owed[content] = f"{drive}/{name}"
        self.known.add(content)
        return content

    def edit(self, drive, name, data):
        """Replaces what somebody saw: the old content is given up."""
        self.give_up(tree.file_digest(self.path(drive, name)))
        return self.put(drive, name, data)

    def remove(self, drive, name):
        self.give_up(tree.file_digest(self.path(drive, name)))
        os.unlink(self.path(drive, name))

    def give_up(self, content):
        self.owed.pop(content, None)

    def sync(self, drive, *arguments):
        """The exit code; what was said is in `last_error`."""
        code, out, error = self.campaign.run("sync", drive, *arguments)
        self.last_error = error + out
        self.all_errors += self.last_error
        return code

    def rest(self, allowed=(0,), rounds=4):
        """Syncs all drives in turn, some rounds; the codes of the last round must be among those allowed."""
        for turn in range(rounds):
            codes = {}
            for drive in self.drives:
                codes[drive] = (self.sync(drive), self.last_error)
        for drive, (code, error) in codes.items():
            self.expect(code in allowed, f"the last sync of {drive} ended with {code}: {error.strip()}")

    def snapshots(self):
        return [tree.snapshot(drive) for drive in self.drives]

    def expect_equal(self):
        """All drives show the same, all bytes are somebody's, and all that is owed is there."""
        seen = self.snapshots()
        for drive, other in zip(self.drives[1:], seen[1:]):
            lines = tree.differences(seen[0], other)
            self.expect(not lines, f"{self.drives[0]} and {drive} differ:\n      " + "\n      ".join(lines))
        live = {facts[1] for one in seen for facts in one.values() if facts[0] == "file"}
        for content in live - self.known:
            self.expect(False, f"a file holds bytes that nobody saved: {content}")
        for content, origin in self.owed.items():
            self.expect(content in live, f"lost: what was saved as {origin}")
        return seen[0]

    def expect_newcomer(self):
        """Who joins now gets everything from the store alone."""
        drive = self.path(f"newcomer {len(self.drives)}")
        os.mkdir(drive)
        code = self.join(drive)
        for _ in range(2):
            code = self.sync(drive)
        self.expect(code == 0, f"a newcomer's sync ended with {code}: {self.last_error.strip()}")
        lines = tree.differences(tree.snapshot(self.drives[0]), tree.snapshot(drive))
        self.expect(not lines, "a newcomer has not got everything:\n      " + "\n      ".join(lines))

    def copies(self):
        return sum(b"conflicted copy" in path for path in tree.snapshot(self.drives[0]))

    def objects(self, kind):
        """The store's objects of a kind, the newest last."""
        result = []
        for folder, _, names in os.walk(self.store):
            if f"/{kind}" in folder[len(self.store):]:
                result += [os.path.join(folder, name) for name in names]
        return sorted(result, key=lambda path: os.stat(path).st_mtime_ns)
