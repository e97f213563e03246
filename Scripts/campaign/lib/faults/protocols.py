"""The protocols that are swept: each brings two drives at rest to where one command carries it out.

A protocol returns the arguments of the command, the drive that it works on, what it gives up for good, and what a person
does again where the command did not come to its end, each with the exit codes that are right then.
"""
import collections
import contextlib
import json
import os
import sqlite3

from lib import tree

Act = collections.namedtuple("Act", "arguments drive given_up again", defaults=(frozenset(), ()))
PROTOCOLS = {}


def protocol(function):
    PROTOCOLS[function.__name__] = function
    return function


def sync(world, letter):
    return Act(["sync", world.path(letter)], world.path(letter))


def synced_by_a(world):
    """What a did is in the store, and b brings it."""
    world.expect(world.sync(world.path("a")) == 0, f"preparing: {world.last_error}")
    return sync(world, "b")


def move(world, drive, name, new):
    os.makedirs(os.path.dirname(world.path(drive, new)), exist_ok=True)
    os.rename(world.path(drive, name), world.path(drive, new))


@protocol
def pull(world):
    """New files, folders and links, other contents, other attributes."""
    world.put("a", "new", b"new in a\n" * 9)
    world.put("a", "white/deeper/new", b"new and deep\n")
    world.put("a", "white/big", world.campaign.random.randbytes(90_000))
    world.edit("a", "red/one", b"edited in a\n")
    world.edit("a", "blue/deep/two", world.campaign.random.randbytes(20_000))
    os.symlink("new", world.path("a", "white/link"))
    os.chmod(world.path("a", "green/six"), 0o755)
    return synced_by_a(world)


@protocol
def push(world):
    world.put("a", "new", b"new in a\n" * 9)
    world.put("a", "white/big", world.campaign.random.randbytes(90_000))
    world.edit("a", "red/one", b"edited in a\n")
    os.symlink("new", world.path("a", "white/link"))
    return sync(world, "a")


@protocol
def conflict(world):
    """Both changed two files, and made two of one name."""
    for name in ("red/one", "top", "made by both"):
        for drive in ("a", "b"):
            if os.path.exists(world.path(drive, name)):
                world.edit(drive, name, f"{name} as {drive} has it\n".encode())
            else:
                world.put(drive, name, f"{name} as {drive} has it\n".encode())
    return synced_by_a(world)


@protocol
def rename(world):
    """Files and folders moved, two names that change places, one on its way into a moved folder."""
    move(world, "a", "red/two", "green/moved")
    move(world, "a", "blue", "green/blue")
    move(world, "a", "top", "aside")
    move(world, "a", "tool", "top")
    move(world, "a", "aside", "tool")
    return synced_by_a(world)


@protocol
def delete(world):
    """A file, a link, and a folder with what is in it; a file in the place of a folder."""
    world.remove("a", "top")
    os.unlink(world.path("a", "link"))
    for name in ("one", "two", "six"):
        world.remove("a", f"blue/deep/{name}")
    os.rmdir(world.path("a", "blue/deep"))
    os.rmdir(world.path("a", "blue"))
    world.put("a", "blue", b"a file where a folder was\n")
    return synced_by_a(world)


def trashed(world):
    for name in ("top", "red/one", "green/two"):
        world.remove("a", name)
    synced_by_a(world)
    world.rest(rounds=2)


@protocol
def trash(world):
    """Two files come out of the trash."""
    lost = [b"at the top\n", b"one in red\n" * 20]
    trashed(world)
    for data in lost:
        world.owed[tree.digest(data)] = "b/trash"
    restore = ["-C", world.path("b"), "trash", "restore"]
    # What is back already is not in the trash.
    again = [(restore + [name], (0, 64)) for name in ("top", "red/one")]
    return Act(restore + ["top", "red/one"], world.path("b"), again=again)


@protocol
def resolve(world):
    """Three conflicts end: the copies take the places of their files."""
    conflict(world)
    world.rest(rounds=2)
    command = ["-C", world.path("b"), "conflicts", "resolve", "--all", "--keep", "copy"]
    # The contents that lose, and what conflicts come from, which is kept while they stand.
    given_up = set(tree.kept_aside(world.path("b")))
    for name in ("red/one", "top", "made by both"):
        with open(world.path("b", name), "rb") as file:
            given_up.add(tree.digest(file.read()))
    for digest in given_up & set(world.owed):
        del world.owed[digest]
    # What has ended already is no conflict.
    return Act(command, world.path("b"), frozenset(given_up), [(command, (0,))])


@protocol
def undo(world):
    """What was resolved comes back, three contents over others and three beside them."""
    act = resolve(world)
    world.expect(world.campaign.run(*act.arguments)[0] == 0, "preparing")
    world.rest(rounds=2)
    listed = world.campaign.run("-C", world.path("b"), "undo", "--list", "--jsonl")[1].splitlines()
    number = max(json.loads(line)["id"] for line in listed if json.loads(line)["kind"] == "resolve")
    command = ["-C", world.path("b"), "undo", str(number), "--yes"]
    # What is back already is passed over.
    return Act(command, world.path("b"), again=[(command, (0,))])


@protocol
def restore(world):
    """A folder that was deleted comes back, its contents from the trash and from the store."""
    for name in ("one", "two", "six"):
        world.remove("b", f"blue/deep/{name}")
    os.rmdir(world.path("b", "blue/deep"))
    world.rest(rounds=2)
    command = ["restore", world.path("b", "blue/deep")]
    # What is back already is not deleted.
    return Act(command, world.path("b"), again=[(command, (0, 64))])


@protocol
def empty(world):
    """The trash is emptied: what was in it is given up."""
    trashed(world)
    command = ["-C", world.path("b"), "trash", "empty", "--yes"]
    return Act(command, world.path("b"), frozenset(tree.kept_aside(world.path("b"))), [(command, (0,))])


def joining(world, drive):
    command = ["sync", drive, "--to", world.store, "--name", "c", "--yes"]
    return Act(command, drive, again=[(command, (0,))])


@protocol
def join(world):
    """A third drive joins, with some equal, some other and some own files."""
    drive = world.path("c")
    os.mkdir(drive)
    world.put("c", "top", b"at the top\n")
    world.put("c", "red/one", b"another one\n")
    world.put("c", "own/file", b"only in c\n")
    world.drives.append(drive)
    return joining(world, drive)


@protocol
def found(world):
    """A first drive makes a new store."""
    drive = world.path("c")
    os.mkdir(drive)
    for name in ("one", "two", "inner/three"):
        world.put("c", name, f"{name} in c\n".encode() * 9)
    world.owed = {content: origin for content, origin in world.owed.items() if origin.startswith("c/")}
    world.store = world.path("another store")
    world.drives = [drive]
    return joining(world, drive)


@protocol
def commit(world):
    """Records without new bytes: moves, deletes, attributes."""
    move(world, "a", "red/two", "green/moved")
    move(world, "a", "blue", "azure")
    world.remove("a", "top")
    os.chmod(world.path("a", "green/six"), 0o755)
    return sync(world, "a")


@protocol
def compact(world):
    """a has so many small segments that the next sync makes one of them."""
    number = 0
    while most_segments(world) < 15:
        number += 1
        world.put("a", f"small {number}", b"small %d\n" % number)
        world.expect(world.sync(world.path("a")) == 0, f"preparing: {world.last_error}")
    world.sync(world.path("b"))
    world.put("a", "one more", b"one more\n")
    return sync(world, "a")


def most_segments(world):
    """Of the device that has most."""
    counts = collections.Counter(os.path.dirname(path) for path in world.objects("") if "/log/" in path)
    return max(counts.values())


@protocol
def rebuild(world):
    """b's index is damaged: it is moved aside and made anew from folder and store."""
    world.put("b", "new", b"new in b\n")
    world.edit("a", "red/one", b"edited in a\n")
    synced_by_a(world)
    index = world.path("b", ".docdrive/index.sqlite")
    with open(index, "r+b") as file:
        file.write(world.campaign.random.randbytes(100))
    return sync(world, "b")


# Version 11 has one more reason for which something is in the trash; version 12 folds names otherwise.
NEWEST = 12
# Of version 10: when what is kept for a while came, by the time that was seen pass.
TO_VERSION_9 = """
    DROP INDEX versionSince;
    ALTER TABLE trash DROP COLUMN since;
    ALTER TABLE version DROP COLUMN since;
    CREATE INDEX versionUntil ON version (until);
    PRAGMA user_version = 9;
"""
# Of versions 6 and 7: files with ignore rules have an index; of version 8: what only a drive without a store has.
TO_VERSION_5 = "DROP INDEX rowIgnoreFile; PRAGMA user_version = 5;"
# Of version 5: names of conflict copies in the order in which they were given.
TO_VERSION_4 = """
    ALTER TABLE derived RENAME TO newer;
    CREATE TABLE derived (
        node INTEGER NOT NULL, place INTEGER NOT NULL, name BLOB NOT NULL, ownName BLOB NOT NULL,
        item INTEGER NOT NULL, device INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (node, place)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO derived SELECT node, row_number() OVER (PARTITION BY node ORDER BY ownName, item), name, ownName, item,
        device, n FROM newer;
    DROP TABLE newer;
    PRAGMA user_version = 4;
"""
# Of version 4: names for searches in another index.
TO_VERSION_3 = """
    DROP TABLE nameIndexBlock; DROP TABLE nameIndexPiece; DROP TABLE renamed; DROP TABLE knownFolder;
    DROP INDEX rowFolder;
    CREATE TABLE nameIndex (name TEXT);
    CREATE TABLE renamed (row INTEGER PRIMARY KEY, name TEXT);
    PRAGMA user_version = 3;
"""


@protocol
def migrate(world):
    """b's index, which knows a conflict, has an earlier version of its schema; the sync that takes a's news brings it up
    to date."""
    for drive in ("a", "b"):
        world.edit(drive, "top", f"top as {drive} has it\n".encode())
        world.expect(world.sync(world.path(drive)) == 0, f"preparing: {world.last_error}")
    world.put("a", "new", b"new in a\n" * 9)
    world.edit("a", "red/one", b"edited in a\n")
    act = synced_by_a(world)
    with contextlib.closing(sqlite3.connect(world.path("b", ".docdrive/index.sqlite"))) as index, index:
        version, = index.execute("PRAGMA user_version").fetchone()
        world.expect(version == NEWEST, f"the index has version {version}, and the way back is known from {NEWEST}")
        index.executescript(TO_VERSION_9 + TO_VERSION_5 + TO_VERSION_4 + TO_VERSION_3)
    return act
