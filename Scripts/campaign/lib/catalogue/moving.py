"""MV11, MV12, MV15, CF15, NM2: moves, names and what conflicts leave."""
import os
import unicodedata

from lib import tree
from lib.catalogue.entry import entry
from lib.faults import disks


@entry
def MV11(world):
    """A folder is renamed that holds ignored things and things that cannot be synced elsewhere: they go along."""
    world.fill(8)
    inner = world.path("b", "folder 1/inner")
    with open(os.path.join(inner, "film.part"), "wb") as file:
        file.write(b"half a film")
    os.mkdir(os.path.join(inner, ".Trash-7"))
    with open(os.path.join(inner, ".Trash-7/old"), "wb") as file:
        file.write(b"old")
    os.mkfifo(os.path.join(inner, "pipe"))
    before = {name: world.inode("b", f"folder 1/{name}") for name in ("", "inner", "inner/film.part", "inner/file 1")}
    os.rename(world.path("a", "folder 1"), world.path("a", "renamed"))
    world.rest(allowed=(0, 2))
    after = {name: world.inode("b", f"renamed/{name}") for name in before}
    world.expect(before == after, f"the folder was not moved as it is: {before} {after}")
    world.expect(not os.path.exists(world.path("b", "folder 1")), "the old folder stays")
    world.expect(os.path.exists(world.path("b", "renamed/inner/pipe")), "the pipe is gone")
    # Now it is deleted elsewhere: what others never saw stays.
    held = [world.path("b", "renamed/inner", name) for name in ("film.part", ".Trash-7/old", "pipe")]
    for folder, _, names in os.walk(world.path("a", "renamed"), topdown=False):
        for name in names:
            place = os.path.join(folder, name)
            if not os.path.islink(place):
                world.give_up(tree.file_digest(place))
            os.unlink(place)
        os.rmdir(folder)
    world.rest(allowed=(0, 2))
    world.expect(all(map(os.path.lexists, held)), "a delete took what its author had not seen")
    world.show("moved with its inodes, ignored things and a pipe; deleted elsewhere, those three stayed")
    for place in held:
        os.unlink(place)
    os.rmdir(world.path("b", "renamed/inner/.Trash-7"))
    world.settle()


@entry
def MV12(world):
    """Only the case of a name changes, of a file, a folder and a link, while others edit there."""
    for turn, first in enumerate("abab"):
        names = [f"Readme {turn}", f"Letters {turn}", f"Link {turn}"]
        if turn == 0:
            world.fill(4)
        world.put("a", names[0], b"readme %d" % turn)
        world.put("a", f"{names[1]}/one", b"letter %d" % turn)
        os.symlink("nowhere", world.path("a", names[2]))
        world.rest(rounds=1)
        inodes = [world.inode("b", name) for name in names]
        for name in names:
            os.rename(world.path("a", name), world.path("a", name.upper()))
        if turn < 2:
            world.edit("b", names[0], b"edited readme %d" % turn)
            world.edit("b", f"{names[1]}/one", b"edited letter %d" % turn)
            world.put("b", f"{names[1]}/two", b"another letter %d" % turn)
        for drive in sorted(world.drives, reverse=first == "b"):
            world.sync(drive)
        world.settle()
        seen = tree.snapshot(world.drives[1])
        for name, inode in zip(names, inodes):
            world.expect(name.encode() not in seen and name.upper().encode() in seen, f"{name}: not one name: {seen.keys()}")
            if turn >= 2 or name == names[2]:
                world.expect(world.inode("b", name.upper()) == inode, f"{name} was not moved, but made anew")
    world.expect(world.copies() == 0, "a conflict copy of a rename and an edit")
    world.show("file, folder and link, twice beside edits: one name, the edit live, no copy; twice alone: the same inodes")


@entry
def NM2(world):
    """Another Unicode form of the same text: other bytes, so a rename like any other."""
    world.fill(4)
    form = {name: unicodedata.normalize(name, "Büro/Übersicht é 가.txt") for name in ("NFC", "NFD")}
    world.put("a", form["NFC"], b"unicode")
    world.rest(rounds=2)
    for old, new in (("NFC", "NFD"), ("NFD", "NFC")):
        inode = world.inode("b", form[old])
        one, other = (form[name].split("/") for name in (old, new))
        os.rename(world.path("a", one[0]), world.path("a", other[0]))
        os.rename(world.path("a", other[0], one[1]), world.path("a", *other))
        world.settle()
        names = [os.fsencode(name) for name in os.listdir(world.drives[1])]
        world.expect(other[0].encode() in names and one[0].encode() not in names, f"{new}: {names}")
        world.expect(world.inode("b", form[new]) == inode, f"{new}: made anew")
    world.show("folder and file from NFC to NFD and back: the bytes of the names came, the inodes stayed")


@entry
def MV15(world):
    """Another disk within the drive, mounted or a subvolume: held with its reason, nothing half, nothing deleted."""
    with world.unless_refused():
        world.disk("a", ("mkfs.btrfs", "-q"))
    world.fill(8)
    kinds = []
    if os.path.islink(world.path("a")):
        with world.unless_refused():
            disks.do("btrfs", "subvolume", "create", world.path("a", "subvolume"))
            kinds.append("subvolume")
    for kind, arguments in (("memory", ("-t", "tmpfs", "tmpfs")), ("bind", ("--bind", world.path("beside")))):
        os.makedirs(world.path("beside"), exist_ok=True)
        os.mkdir(world.path("a", kind))
        with world.unless_refused():
            disks.do("mount", *arguments, world.path("a", kind))
            kinds.append(kind)
    # And one over a folder that others have, and go on working in.
    with world.unless_refused():
        disks.do("mount", "-t", "tmpfs", "tmpfs", world.path("a", "folder 1"))
        kinds.append("folder 1")
    for kind in kinds:
        with open(world.path("a", kind, "on the other disk"), "wb") as file:
            file.write(b"not ours")
    world.edit("b", "folder 1/inner/file 1", b"edited beneath a mount")
    world.put("b", "folder 1/new", b"new beneath a mount")
    world.put("a", "beside the mounts", b"goes on")
    world.rest(allowed=(0, 2))
    said = world.status(world.drives[0])
    for kind in kinds:
        world.expect(f"{kind}: another file system is mounted here" in said, f"{kind} is not told: {said}")
        world.expect(os.listdir(world.path("a", kind)) == ["on the other disk"], f"{kind} was written to")
        world.expect(not os.path.exists(world.path("b", kind, "on the other disk")), f"{kind} was synced")
    world.expect(world.content("b", "folder 1/new") is not None and world.content("b", "beside the mounts") is not None,
                 "a mount held up the rest")
    # A file that a person moves onto the other disk has left the drive.
    for kind in kinds[:1]:
        disks.do("mv", world.path("a", "folder 2/inner/file 2"), world.path("a", kind, "moved there"))
        gone = world.content("b", "folder 2/inner/file 2")
        world.rest(allowed=(0, 2))
        world.expect(gone in tree.kept_aside(world.drives[1]), "what was moved to the other disk is not kept elsewhere")
        world.give_up(gone)
    for kind in kinds:
        if kind == "subvolume":
            disks.do("btrfs", "subvolume", "delete", world.path("a", kind))
        else:
            disks.unmount(world.path("a", kind))
    world.settle()
    world.show(f"{', '.join(kinds)}: held and told, the rest went on; without them all was equal")


@entry
def CF15(world):
    """What a resolved or cleaned conflict takes away is in the trash."""
    world.fill(4)
    kept = 0
    for keep in ("current", "copy", "newest", "largest", "both"):
        world.put("a", f"quarrel {keep}", b"first of %s" % keep.encode())
        world.rest(rounds=1)
        contents = {world.edit(letter, f"quarrel {keep}", f"{letter} of {keep} ".encode() * (3 + ord(letter)))
                    for letter in "ab"}
        world.rest(rounds=2)
        world.expect(world.copies() == 1, f"{world.copies()} copies of {keep}")
        code, out, error = world.campaign.run("conflicts", "resolve", "--all", "--keep", keep, cwd=world.drives[0])
        world.expect(code == 0, f"resolve --keep {keep}: {code} {out}{error}")
        for content in contents:
            world.give_up(content)
        world.rest()
        live = {facts[1] for facts in tree.snapshot(world.drives[0]).values() if facts[0] == "file"}
        aside = tree.kept_aside(world.drives[0])
        for content in contents:
            world.expect(content in live or content in aside, f"--keep {keep}: a content is neither live nor in the trash")
            kept += content not in live
        for path in list(tree.snapshot(world.drives[0])):
            if b"conflicted copy" in path:
                os.unlink(os.path.join(os.fsencode(world.drives[0]), path))
        world.rest(rounds=1)
    # Copies that add nothing.
    world.put("a", "twice", b"twice")
    world.rest(rounds=1)
    for letter, text in (("a", b"one of two"), ("b", b"two of two")):
        world.edit(letter, "twice", text)
    world.rest(rounds=2)
    copy = next(os.fsdecode(path) for path in tree.snapshot(world.drives[0]) if b"conflicted copy" in path)
    world.give_up(world.content("a", copy))
    with open(world.path("a", "twice"), "rb") as file:
        world.put("a", copy, file.read())
    world.rest(rounds=2)
    if os.path.exists(world.path("a", copy)):
        code, out, error = world.campaign.run("conflicts", "clean", world.drives[0], "--identical-only", "--yes")
        world.expect(code == 0 and not os.path.exists(world.path("a", copy)), f"clean: {code} {out}{error}")
        names = [os.path.basename(place) for place in tree.kept_aside(world.drives[0]).values()]
        world.expect(world.content("a", "twice") in tree.kept_aside(world.drives[0]), f"what was cleaned is not in {names}")
        cleaned = "; a cleaned copy too"
    else:
        cleaned = "; equal contents ended their conflict by themselves"
    world.settle()
    world.show(f"5 ways to resolve: {kept} contents went, all to the trash{cleaned}")
