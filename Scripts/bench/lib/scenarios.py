"""The 22 things that two devices can do to the same files while they do not know of one another."""
import os
import shutil
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

COMPOSED = unicodedata.normalize("NFC", "Résumé.txt")
DECOMPOSED = unicodedata.normalize("NFD", "Résumé.txt")


@dataclass(frozen=True)
class Scenario:
    """What is there before, what A does, what B does two seconds later; and the texts that must be somewhere in the end."""
    key: str
    title: str
    base: Callable[[Path], None]
    a: Callable[[Path], None]
    b: Callable[[Path], None]
    kept: tuple[str, ...] = ()


def write(name, text, time=None):
    def done(folder):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            file.unlink()
        elif file.exists():
            # git-annex takes the right to write away.
            file.chmod(0o644)
        file.write_text(text + "\n" + "x" * 500 + "\n")
        if time:
            os.utime(file, (time, time))
    return done


def remove(name):
    def done(folder):
        path = folder / name
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    return done


def rename(name, other):
    return lambda folder: (folder / name).rename(folder / other)


def link(name, target):
    return lambda folder: (folder / name).symlink_to(target)


def all_of(*acts):
    def done(folder):
        for act in acts:
            act(folder)
    return done


def nothing(folder):
    pass


SCENARIOS = [
    Scenario("01", "both edit", write("report.txt", "BASE01"), write("report.txt", "A01"), write("report.txt", "B01"),
             ("A01", "B01")),
    Scenario("02", "both edit to the same bytes", write("report.txt", "BASE02"), write("report.txt", "S02"),
             write("report.txt", "S02"), ("S02",)),
    Scenario("03", "A edits, B deletes", write("f.txt", "BASE03"), write("f.txt", "A03"), remove("f.txt"), ("A03",)),
    Scenario("04", "A deletes, B edits", write("f.txt", "BASE04"), remove("f.txt"), write("f.txt", "B04"), ("B04",)),
    Scenario("05", "A renames, B edits", write("old.txt", "BASE05"), rename("old.txt", "new.txt"), write("old.txt", "B05"),
             ("B05",)),
    Scenario("06", "both make a file of one name", write("keep", "K06"), write("n.txt", "A06"), write("n.txt", "B06"),
             ("A06", "B06")),
    Scenario("07", "both make the same file at other times", write("keep", "K07"), write("n.txt", "S07"),
             write("n.txt", "S07"), ("S07",)),
    Scenario("08", "A makes a folder, B a file of its name", write("keep", "K08"), write("x/in.txt", "A08"), write("x", "B08"),
             ("A08", "B08")),
    Scenario("09", "A makes a folder of a file, B edits it", write("x", "BASE09"), all_of(remove("x"), write("x/in.txt", "A09")),
             write("x", "B09"), ("A09", "B09")),
    Scenario("10", "names that differ in case only", write("keep", "K10"), write("Case.txt", "A10"), write("case.txt", "B10"),
             ("A10", "B10")),
    Scenario("11", "A renames in case only, B edits", write("foo.txt", "BASE11"), rename("foo.txt", "FOO.txt"),
             write("foo.txt", "B11"), ("B11",)),
    Scenario("12", "both rename the same file", write("f.txt", "T12"), rename("f.txt", "nameA.txt"), rename("f.txt", "nameB.txt"),
             ("T12",)),
    Scenario("13", "A deletes a folder, B adds to it", write("dir/one.txt", "T13"), remove("dir"), write("dir/two.txt", "B13"),
             ("B13",)),
    Scenario("14", "A renames a folder, B edits in it",
             all_of(write("dir/one.txt", "BASE14"), write("dir/two.txt", "T14")), rename("dir", "dir2"),
             write("dir/one.txt", "B14"), ("B14", "T14")),
    Scenario("15", "one name, composed and decomposed", write("keep", "K15"), write(COMPOSED, "A15"), write(DECOMPOSED, "B15"),
             ("A15", "B15")),
    Scenario("16", "A moves a file into a folder that B deletes", all_of(write("f.txt", "T16"), write("dir/o.txt", "U16")),
             rename("f.txt", "dir/f.txt"), remove("dir"), ("T16",)),
    Scenario("17", "A edits, B puts an old backup back", write("f.txt", "BASE17"), write("f.txt", "A17"),
             write("f.txt", "B17", 1_500_000_000), ("A17", "B17")),
    Scenario("18", "both delete", all_of(write("f.txt", "BASE18"), write("keep", "K18")), remove("f.txt"), remove("f.txt")),
    Scenario("19", "both edit, same size and time", write("f.txt", "BASE19", 1_600_000_000),
             write("f.txt", "AAAA19", 1_700_000_000), write("f.txt", "BBBB19", 1_700_000_000), ("AAAA19", "BBBB19")),
    Scenario("20", "A's bytes change, size and time do not", write("f.txt", "BASE20", 1_600_000_000),
             write("f.txt", "QQQQ20", 1_600_000_000), nothing, ("QQQQ20",)),
    Scenario("21", "A makes a link, B a file of its name", write("keep", "K21"), link("l", "keep"), write("l", "B21"), ("B21",)),
    Scenario("22", "A swaps two files, B edits one", all_of(write("x.txt", "X22"), write("y.txt", "Y22")),
             all_of(rename("x.txt", "t"), rename("y.txt", "x.txt"), rename("t", "y.txt")), write("x.txt", "B22"),
             ("B22", "Y22")),
]


def contents(folder):
    """What lies in a folder: names with the first line of each file, or where a link points."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() and ".git/annex" not in os.readlink(path):
            found[name] = "-> " + os.readlink(path)
        elif path.is_dir():
            if not any(path.iterdir()):
                found[name + "/"] = ""
        elif path.exists():
            found[name] = path.read_text(errors="replace").split("\n", 1)[0]
        else:
            found[name] = "(not here)"
    return found
