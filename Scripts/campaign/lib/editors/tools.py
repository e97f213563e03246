"""Commands that change files, and programs that write for long."""
import mmap
import os
import time

from lib.editors.case import Case
from lib.editors.writers import TextEditor, text_file

BLOCK = 4096


class Sed(TextEditor):
    name = "sed -i"
    needs = ("sed",)
    names = ("plain.txt", "with backup.txt")

    def edit(self, path, name, line):
        option = "-i.bak" if "backup" in name else "-i"
        self.tool("sed", option, f"$a\\{line}", path)


class Perl(TextEditor):
    """The old file is opened, unlinked, and written anew."""

    name = "perl -i"
    needs = ("perl",)
    in_place = True

    def edit(self, path, name, line):
        self.tool("perl", "-i", "-pe", f'$_ .= "{line}\\n" if eof', path)


class Rsync(TextEditor):
    """From outside into the drive: by a rename, in place, and all at the end."""

    name = "rsync"
    needs = ("rsync",)
    in_place = True
    names = ("renamed.txt", "in place.txt", "delayed.txt")
    OPTIONS = {"renamed.txt": [], "in place.txt": ["--inplace", "--no-whole-file"], "delayed.txt": ["--delay-updates"]}

    def edit(self, path, name, line):
        source = self.campaign.path("outside", self.name)
        os.makedirs(source, exist_ok=True)
        source = os.path.join(source, name)
        with open(path) as file:
            text = file.read()
        with open(source, "w") as file:
            file.write(f"{text}{line}\n")
        # Where rsync compares only size and time, a second edit within a tick would be none.
        self.tool("rsync", "-I", "-t", *self.OPTIONS[name], source, path)

    def was_there(self, name, data):
        """In place it writes over what was there, and cuts it at the end."""
        return name == "in place.txt" and super().was_there(name, data)


class Blocks(Case):
    """A file of blocks, each with a number; what is changed is told block by block."""

    in_place = True
    COUNT = 64

    def __init__(self, campaign):
        super().__init__(campaign)
        self.blocks = [set() for _ in range(self.COUNT)]

    def make(self, path):
        if not os.path.exists(path):
            with open(path, "wb") as file:
                for place in range(self.COUNT):
                    file.write(self.block(place))
            self.saved(path)

    def block(self, place):
        data = self.random.randbytes(BLOCK)
        self.blocks[place].add(data)
        return data

    def was_there(self, name, data):
        """Old blocks and new ones, each of them whole."""
        if len(data) % BLOCK:
            return False
        pieces = [data[start:start + BLOCK] for start in range(0, len(data), BLOCK)]
        return len(pieces) <= self.COUNT and all(
            piece in self.blocks[place] for place, piece in enumerate(pieces))


class Dd(Blocks):
    """Blocks written over in the middle, each by a process of its own."""

    name = "dd conv=notrunc"
    needs = ("dd",)
    # Between two blocks nobody has the file open: what is there then is a saved content.

    def work(self, folder, turn):
        path = os.path.join(folder, "image.bin")
        self.make(path)
        for place in self.random.sample(range(self.COUNT), 6):
            self.tool("dd", f"of={path}", f"bs={BLOCK}", f"seek={place}", "conv=notrunc", "status=none",
                      input=self.block(place))
            self.saved(path)


class Mapped(Blocks):
    """Written through a shared mapping, the same few pages again and again; the descriptor is closed long before.

    With msync every write leaves a trace. Without it only the first write to a page does, until the kernel has written
    the page back: the rest is silent."""

    def work(self, folder, turn):
        path = os.path.join(folder, "mapped.bin")
        self.make(path)
        number = os.open(path, os.O_RDWR)
        mapping = mmap.mmap(number, self.COUNT * BLOCK)
        os.close(number)
        places = self.random.sample(range(self.COUNT), 3)
        for turn in range(5):
            for place in places:
                mapping[place * BLOCK:(place + 1) * BLOCK] = self.block(place)
                if not self.silent:
                    mapping.flush()
                time.sleep(0.1)
        mapping.close()
        self.saved(path)


class MappedSynchronous(Mapped):
    name = "mmap with msync"


class MappedSilent(Mapped):
    name = "mmap without msync"
    silent = True


class Slow(Case):
    """A download: a piece every 200 ms, the file open all the time; and one that is renamed when it is done."""

    name = "slow writer"
    in_place = True

    def work(self, folder, turn):
        straight, beside = (os.path.join(folder, f"{name} {turn}.bin") for name in ("straight", "beside"))
        pieces = [self.random.randbytes(20_000) for _ in range(20)]
        with open(straight, "wb", buffering=0) as one, open(beside + ".part", "wb", buffering=0) as other:
            for piece in pieces:
                one.write(piece)
                other.write(piece)
                time.sleep(0.2)
        os.rename(beside + ".part", beside)
        for path in (straight, beside):
            self.saved(path)

    def was_there(self, name, data):
        return name.startswith("straight") and super().was_there(name, data)


class Log(Case):
    """Lines appended every 100 ms, by a program that keeps the file open and by one that opens it for each line."""

    name = "appending log"
    in_place = True

    def work(self, folder, turn):
        kept, opened = (os.path.join(folder, name) for name in ("kept open.log", "opened.log"))
        with open(kept, "ab", buffering=0) as file:
            for number in range(30):
                line = f"round {turn}, line {number}: {self.random.getrandbits(64):x}\n".encode()
                file.write(line)
                with open(opened, "ab", buffering=0) as other:
                    other.write(line)
                self.saved(opened)
                time.sleep(0.1)
        self.saved(kept)


class LinkedBackup(Case):
    """A backup by hard links, as `cp -al` makes; then the file is replaced. Each name is a file of its own elsewhere."""

    name = "cp -al, then saves"
    needs = ("cp",)

    def work(self, folder, turn):
        path = os.path.join(folder, "thesis.txt")
        text_file(path)
        self.saved(path)
        backup = os.path.join(folder, f"backup {turn}.txt")
        self.tool("cp", "-al", path, backup)
        self.saved(backup)
        self.tool("sed", "-i", f"$a\\added in round {turn}", path)
        self.expect_saved(path, f"added in round {turn}")


CASES = [Sed, Perl, Rsync, Dd, MappedSynchronous, MappedSilent, Slow, Log, LinkedBackup]
