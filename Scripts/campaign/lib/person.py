"""People who work in drives, and what they may expect: the model of the kill campaign.

Every content that a person saves is unique. A content is *excused* once somebody who saw it replaced or deleted it;
all others must still be there in the end. Contents that sit at a path are taken out of the drive by an exchange or a
rename, so that the model knows exactly what was replaced even while docdrive runs.
"""
import ctypes
import os

from lib.tree import STATE, digest, file_digest

libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, EXCHANGE = -100, 2


def exchange(one, other):
    result = libc.renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), EXCHANGE)
    if result != 0:
        raise OSError(ctypes.get_errno(), "renameat2", one)


class Model:
    """All contents ever saved whole, and those that somebody gave up."""

    def __init__(self):
        self.saved = {digest(b"")}
        self.excused = {digest(b"")}
        self.origin = {}

    def save(self, data, origin):
        self.saved.add(digest(data))
        self.origin.setdefault(digest(data), origin)

    def give_up(self, content):
        self.excused.add(content)

    def owed(self):
        return self.saved - self.excused


class Person:
    """Works in one drive. `act` does one random thing and returns what it was."""

    WORDS = ["notes", "plan", "Bericht", "été", "日本", "a b", "x", "README", ".hidden", "data"]
    ENDINGS = ["", ".txt", ".md", ".tar.gz", ".odt"]

    def __init__(self, drive, name, campaign, model, deletes):
        self.drive = os.fsencode(drive)
        self.name = name
        self.campaign = campaign
        self.random = campaign.random
        self.model = model
        self.deletes = deletes
        self.bench = os.fsencode(campaign.path(f"bench-{name}"))
        os.makedirs(self.bench, exist_ok=True)
        self.count = 0

    def content(self):
        """Unique bytes: mostly small, some of one chunk, few of several."""
        self.count += 1
        head = f"{self.name} {self.count} {self.random.getrandbits(64):x}\n".encode()
        kind = self.random.random()
        size = 0 if kind < 0.7 else 3_000 if kind < 0.9 else 300_000 if kind < 0.98 else 2_500_000
        return head + self.random.randbytes(self.random.randrange(size + 1))

    def look(self):
        """(folders, files, links) that are visible now."""
        folders, files, links = [self.drive], [], []
        for folder, inner, names in os.walk(self.drive):
            if folder == self.drive and STATE in inner:
                inner.remove(STATE)
            for name in inner + names:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    links.append(path)
                elif os.path.isdir(path):
                    folders.append(path)
                else:
                    files.append(path)
        return folders, sorted(files), sorted(links)

    def fresh(self, folders):
        name = self.random.choice(self.WORDS) + str(self.random.randrange(40)) + self.random.choice(self.ENDINGS)
        return os.path.join(self.random.choice(sorted(folders)), name.encode())

    def made(self, data, tag):
        """A finished file on the bench, beside the drive."""
        path = os.path.join(self.bench, b"made")
        with open(path, "wb") as file:
            file.write(data)
        self.model.save(data, f"{self.name} {tag}")
        self.last = digest(data)
        return path

    def on(self, path, kind):
        """Does this to a file of this person's drive, if it is there."""
        folders, files, links = self.look()
        path = os.path.join(self.drive, path)
        if path in files:
            self.do(kind, folders, [path], links)

    def act(self):
        folders, files, links = self.look()
        choices = ["create"] * 3 + ["folder", "link"]
        if files:
            choices += ["save"] * 5 + ["write"] * 2 + ["rename"] * 2 + ["chmod", "touch", "backup", "swap"]
            if self.deletes.left():
                choices += ["delete"]
        if len(folders) > 1:
            choices += ["move folder"]
        if links:
            choices += ["relink"]
        self.do(self.random.choice(choices), folders, files, links)

    def do(self, kind, folders, files, links):
        try:
            what = getattr(self, kind.replace(" ", "_"))(folders, files, links)
        except FileNotFoundError:
            what = "found nothing there any more"
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            what = "found the place taken"
        made = os.path.join(self.bench, b"made")
        if os.path.exists(made):
            # Nobody ever saw it.
            os.unlink(made)
            self.model.give_up(self.last)
        self.campaign.note(f"{self.name}: {kind}: {what}")

    def add(self):
        """One more file under a name that nothing has."""
        path = os.path.join(self.drive, b"more %d of %s" % (self.count, self.name.encode()))
        os.rename(self.made(self.content(), path), path)

    def create(self, folders, files, links):
        path = self.fresh(folders)
        made = self.made(self.content(), path)
        # A rename without replacing: a content that came a moment ago is not given up.
        os.link(made, path)
        os.unlink(made)
        return path

    def folder(self, folders, files, links):
        path = self.fresh(folders)
        os.mkdir(path)
        return path

    def link(self, folders, files, links):
        path = self.fresh(folders)
        os.symlink(self.random.choice([b"nowhere", b"../x", b"/etc/hostname", b"notes1"]), path)
        return path

    def relink(self, folders, files, links):
        path = self.random.choice(links)
        made = os.path.join(self.bench, b"made-link")
        os.symlink(b"target%d" % self.random.randrange(1000), made)
        os.rename(made, path)
        return path

    def save(self, folders, files, links):
        """By rename; the exchange tells what was there."""
        path = self.random.choice(files)
        made = self.made(self.content(), path)
        mode = os.stat(path).st_mode & 0o777
        os.chmod(made, mode)
        exchange(made, path)
        self.model.give_up(file_digest(made))
        os.unlink(made)
        return path

    def write(self, folders, files, links):
        """In place; called only while nothing runs."""
        path = self.random.choice(files)
        if self.busy:
            return self.save(folders, files, links)
        self.model.give_up(file_digest(path))
        data = self.content()
        self.model.save(data, f"{self.name} {path}")
        with open(path, "r+b") as file:
            file.write(data)
            file.truncate()
        return path

    busy = False

    def backup(self, folders, files, links):
        """As editors do that rename the old file to f~ and write a new one."""
        path = self.random.choice(files)
        old = path + b"~"
        if os.path.lexists(old) or len(os.path.basename(old)) > 200:
            return "backup is there"
        made = self.made(self.content(), path)
        os.rename(path, old)
        os.link(made, path)
        os.unlink(made)
        return path

    def rename(self, folders, files, links):
        path, new = self.random.choice(files), self.fresh(folders)
        if os.path.lexists(new):
            return "taken"
        rename_free(path, new)
        return f"{path} to {new}"

    def move_folder(self, folders, files, links):
        path = self.random.choice(folders[1:])
        new = self.fresh([folder for folder in folders if not (folder + b"/").startswith(path + b"/")])
        rename_free(path, new)
        return f"{path} to {new}"

    def swap(self, folders, files, links):
        one, other = self.random.choice(files), self.random.choice(files)
        if one != other:
            exchange(one, other)
        return f"{one} with {other}"

    def chmod(self, folders, files, links):
        path = self.random.choice(files)
        os.chmod(path, self.random.choice([0o644, 0o755, 0o600]))
        return path

    def touch(self, folders, files, links):
        path = self.random.choice(files)
        os.utime(path, ns=(0, self.random.randrange(10**18)))
        return path

    def delete(self, folders, files, links):
        """Taken out of the drive first: exactly what goes is given up."""
        self.deletes.take()
        path = self.random.choice(files)
        gone = os.path.join(self.bench, b"gone")
        os.rename(path, gone)
        self.model.give_up(file_digest(gone))
        os.unlink(gone)
        return path


def rename_free(old, new):
    """Renames without replacing."""
    if libc.renameat2(AT_FDCWD, old, AT_FDCWD, new, 1) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), old)


class Budget:
    """Few deletes, so that the brake has nothing to hold."""

    def __init__(self, count):
        self.count = count

    def left(self):
        return self.count > 0

    def take(self):
        self.count -= 1
