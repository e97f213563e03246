"""Files that belong together: a database and its journal, a repository, a mailbox."""
import hashlib
import os
import socket
import sqlite3
import subprocess
import sys
import time
import zlib

from lib import input
from lib.editors.case import Case

PAGE = 4096


class Database(Case):
    """SQLite with commits running. What travels is each file for itself: a copy of the database that was taken between
    two commits is one of its states; one taken within a commit has pages of both. In rest it is the database."""

    needs = ("sqlite3",)
    in_place = True
    # A journal that is deleted comes with every commit and goes again.
    COMMITS = 25

    def __init__(self, campaign):
        super().__init__(campaign)
        self.pages = {}
        self.rows = 0

    def work(self, folder, turn):
        path = os.path.join(folder, "data.db")
        # A process of its own writes: to open and close the file here would drop its locks.
        process = self.writer(path, turn)
        for line in process.stdout:
            if line == b"committed\n":
                self.committed(path)
                process.stdin.write(b"\n")
                process.stdin.flush()
        error = process.stderr.read()
        self.campaign.expect(process.wait(60) == 0, f"{self.name}: {error[-300:]}")
        self.committed(path)
        self.rows += self.COMMITS

    def writer(self, path, turn):
        program = f"""
import os, random, sqlite3, sys
database = sqlite3.connect({path!r}, isolation_level=None)
database.execute("pragma page_size = {PAGE}")
database.execute("pragma journal_mode = {self.mode}")
database.execute("create table if not exists t (turn, number, data)")
for number in range({self.COMMITS}):
    database.execute("begin")
    database.execute("insert into t values (?, ?, ?)", ({turn}, number, random.randbytes(random.randrange(6000))))
    database.execute("update t set data = ? where rowid = abs(random()) % (select max(rowid) from t) + 1",
                     (random.randbytes(3000),))
    database.execute("commit")
    if number % 10 == 9 and {self.mode == "wal"}:
        database.execute("pragma wal_checkpoint")
    print("committed", flush=True)
    sys.stdin.readline()
database.close()
"""
        return subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def committed(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.saved(path, data)
        for place, start in enumerate(range(0, len(data), PAGE)):
            self.pages.setdefault(place, set()).add(data[start:start + PAGE])

    def was_there(self, name, data):
        """Every page is one that the database had in its place, or the copy was cut between two."""
        return all(data[start:start + PAGE] in self.pages.get(place, ())
                   for place, start in enumerate(range(0, len(data) // PAGE * PAGE, PAGE)))

    def look_again(self, folders):
        for folder in folders:
            path = os.path.join(folder, "data.db")
            # `immutable`: a look leaves no files beside it.
            database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
            sound = database.execute("pragma integrity_check").fetchone()[0]
            rows = database.execute("select count(*) from t").fetchone()[0]
            database.close()
            self.campaign.expect(sound == "ok" and rows == self.rows,
                                 f"{self.name}: {path} in rest: {sound}, {rows} rows of {self.rows}")
            left = [name for name in os.listdir(folder) if name not in self.states]
            self.campaign.expect(not left, f"{self.name}: left in {folder}: {left}")


class DatabaseWAL(Database):
    name = "SQLite, WAL"
    mode = "wal"


class DatabaseRollback(Database):
    name = "SQLite, rollback journal"
    mode = "delete"


class Repository(Case):
    """Commits, branches, checkouts and gc. In rest it is the same sound repository everywhere."""

    name = "git"
    needs = ("git",)

    def work(self, folder, turn):
        place = os.path.join(folder, "repository")
        if not os.path.isdir(place):
            os.makedirs(place)
            input.git(place, "init", "-q", "-b", "main")
        for number in range(5):
            for other in range(6):
                with open(os.path.join(place, f"file {other}.txt"), "a") as file:
                    file.write(f"round {turn}, commit {number}\n")
            input.git(place, "add", "-A")
            input.git(place, "commit", "-q", "-m", f"round {turn}, commit {number}")
            self.saves += 1
        input.git(place, "checkout", "-q", "-b", f"branch-{turn}", "HEAD~3")
        with open(os.path.join(place, f"only on {turn}.txt"), "w") as file:
            file.write(f"{turn}\n")
        input.git(place, "add", "-A")
        input.git(place, "commit", "-q", "-m", f"on branch {turn}")
        input.git(place, "checkout", "-q", "main")
        input.git(place, "gc", "-q", "--prune=now")
        input.git(place, "checkout", "-q", f"branch-{turn}")
        input.git(place, "checkout", "-q", "main")

    def permits(self, path, data, way):
        """An object is whole under its name: git makes it elsewhere and then gives it that."""
        parts = path.split("/")
        if parts[-3:-2] == ["objects"] and len(parts[-1]) == 38:
            return self.hashes_to(data, parts[-2] + parts[-1])
        return True

    def hashes_to(self, data, name):
        try:
            return hashlib.sha1(zlib.decompress(data)).hexdigest() == name
        except zlib.error:
            return False

    def look_again(self, folders):
        heads = []
        for folder in folders:
            place = os.path.join(folder, "repository")
            input.git(place, "fsck", "--full", "--strict")
            state = input.git(place, "status", "--porcelain")
            self.campaign.expect(not state, f"{self.name}: changes in {place}: {state[:200]}")
            heads.append(input.git(place, "for-each-ref"))
        self.campaign.expect(len(set(heads)) == 1, f"{self.name}: branches differ: {heads}")


class Maildir(Case):
    """Mail as maildir(5) has it: written in tmp, where it may be half, then moved to new; read mail moves to cur."""

    name = "Maildir"
    # A mail is given another name when it is read.
    keeps_identity = False
    # A sync may find a mail half in tmp. Then others have that half under the mail's new name until they have the rest:
    # an item goes to its new place before it gets its new bytes.
    in_place = True

    def work(self, folder, turn):
        box = os.path.join(folder, "mail")
        for inner in ("tmp", "new", "cur"):
            os.makedirs(os.path.join(box, inner), exist_ok=True)
        for number in range(12):
            name = f"{1_700_000_000 + turn}.M{number}P{os.getpid()}.{socket.gethostname()}"
            data = f"Subject: {turn} {number}\n\n{self.random.getrandbits(256):x}\n".encode() * 40
            made = os.path.join(box, "tmp", name)
            with open(made, "wb", buffering=0) as file:
                for start in range(0, len(data), 1000):
                    file.write(data[start:start + 1000])
                    time.sleep(0.01)
                os.fsync(file.fileno())
            came = os.path.join(box, "new", name)
            self.saved(came, data)
            # Either way is in use.
            if number % 2:
                os.rename(made, came)
            else:
                os.link(made, came)
                os.unlink(made)
            time.sleep(0.05)
        for name in sorted(os.listdir(os.path.join(box, "new")))[::2]:
            old, new = f"mail/new/{name}", f"mail/cur/{name}:2,S"
            with self.lock:
                self.states[new], self.last[new] = self.states[old], self.last.pop(old)
            os.rename(os.path.join(folder, old), os.path.join(folder, new))
            time.sleep(0.05)


CASES = [DatabaseWAL, DatabaseRollback, Repository, Maildir]
