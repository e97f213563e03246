"""Conflict copies as each program names them, and files that only look like copies."""
import os
import string
import unicodedata
from dataclasses import dataclass

STEMS = ["Budget", "Thesis", "notes 2026", "a.b", "Übung", "日本語", "(draft) plan", "report_final", ".profile-x", "IMG_2041"]
ENDINGS = [".txt", ".odt", ".md", ".pdf", "", ".JPG"]


def two(random, most, least=0):
    return f"{random.randint(least, most):02}"


def date(random, joint="-"):
    return joint.join([str(random.randint(2009, 2026)), two(random, 12, 1), two(random, 28, 1)])


def clock(random, joint=""):
    return joint.join([two(random, 23), two(random, 59), two(random, 59)])


def word(random, letters, length):
    return "".join(random.choice(letters) for _ in range(length))


BASE32 = string.ascii_uppercase + "234567"
PEOPLE = ["Ada Lovelace", "Zoë", "laptop", "x1-carbon"]

# What a program puts before the ending. After it where the ending comes last: see `after`.
SCHEMES = {
    "docdrive": lambda r: f" (conflicted copy from {r.choice(PEOPLE)} {date(r)} {clock(r)})",
    "syncthing": lambda r: f".sync-conflict-{date(r, '')}-{clock(r)}-{word(r, BASE32, 7)}",
    "nextcloud": lambda r: f" (conflicted copy {date(r)} {clock(r)})",
    "owncloud": lambda r: f"_conflict-{date(r, '')}-{clock(r)}",
    "seafile": lambda r: f" (SFConflict {r.choice(['', 'ada@example.org '])}{date(r)}-{clock(r, '-')})",
    "unison": lambda r: f" (conflict{r.choice(['', ' #1', ' #12'])}{'_on_'}{date(r)})",
    "rclone": lambda r: f".conflict{r.randint(1, 9)}",
    "dropbox": lambda r: r.choice([
        f" ({r.choice(PEOPLE)}'s conflicted copy {date(r)})", f" ({r.choice(PEOPLE)}’s conflicted copy {date(r)})",
        f" (In Konflikt stehende Kopie von {r.choice(PEOPLE)} {date(r)})", f" (Copie en conflit de {r.choice(PEOPLE)} {date(r)})",
        " (Case Conflict)", " (Unicode Encoding Conflict)", " (Selective Sync Conflict)"]),
    "maestral": lambda r: r.choice([f" ({r.choice(PEOPLE)}'s conflicting copy {date(r)})", " (case conflict)", " (unicode conflict)"]),
    "onedrive": lambda r: f"-{r.choice(['laptop', 'x1-carbon'])}-safeBackup-{r.randint(1, 1000):04}",
    "gitannex": lambda r: f".variant-{word(r, '0123456789abcdef', 4)}",
    "resilio": lambda r: r.choice([".Conflict", ".Conflict1", ".Conflict23"]),
    "obsidian": lambda r: f" (Conflicted copy {r.choice(PEOPLE)} {date(r, '')}{two(r, 23)}{two(r, 59)})",
}
# One name may be that of several programs.
ALIKE = [{"nextcloud", "owncloud"}, {"dropbox", "maestral"}]

# Names that tell nothing: their bytes are those of a file beside them all the same.
LOOK_ALIKES = [
    lambda r: " copy", lambda r: " (1)", lambda r: " 2", lambda r: " (conflicted copy)", lambda r: " conflict", lambda r: "-conflict-2",
    lambda r: f".sync-conflict-{date(r, '')}", lambda r: f".sync-conflict-20201399-{clock(r)}-ABCDEFG",
    lambda r: f" (conflicted copy 2020-99-01 {clock(r)})", lambda r: " (SFConflict me)", lambda r: ".variant-xyz1", lambda r: ".variant-12345",
    lambda r: "-safeBackup-0001x", lambda r: ".conflicting", lambda r: " (conflict of interest)", lambda r: " (Ada's copy 2020-01-01)",
    lambda r: ".Conflicted", lambda r: " (in conflict)", lambda r: f" ({date(r)})",
]


@dataclass
class Expected:
    # Nil where nothing may be said of it.
    finding: str | None
    schemes: frozenset = frozenset()
    is_decoy: bool = False


def lines(random, count):
    return [f"{random.random()}\n".encode() for _ in range(count)]


def pair(random, finding):
    """The bytes of an original and of its copy."""
    if finding == "identical":
        data = random.choice([b"".join(lines(random, random.randint(1, 40))), random.randbytes(random.randint(1, 200_000)), b""])
        return data, data
    if finding == "binary":
        data = bytes([0xFF]) + random.randbytes(random.randint(1, 100_000))
        # The last byte alone, more, or less.
        return data, random.choice([data[:-1] + bytes([data[-1] ^ 1]), data + b"\xff", data[:-1] or b"\xfe"])
    whole = lines(random, random.randint(2, 60))
    some = [line for line in whole[:-1] if random.random() < 0.6]
    if finding == "contained":
        return b"".join(whole), b"".join(some)
    if finding == "extended":
        return b"".join(some), b"".join(whole)
    return b"".join(whole), b"".join(some) + b"another line\n"


def name(random, number):
    return f"{random.choice(STEMS)} {number}", random.choice(ENDINGS)


def marked(random, scheme, stem, ending):
    mark = SCHEMES[scheme](random)
    if scheme == "rclone" and random.random() < 0.5:
        return stem + ending + mark
    return stem + mark + ending


def fill(place, random, count):
    """`count` copies and as many decoys; returns what is to be said of each, by its path."""
    made = {}

    def write(folder, file, data):
        path = os.path.join(folder, file)
        os.makedirs(os.path.join(place, folder), exist_ok=True)
        with open(os.path.join(place, path), "xb") as output:
            output.write(data)
        return path

    for number in range(count):
        folder = f"{random.choice(['Papers', 'Bilder', 'a/b c'])}/{number % 40}"
        scheme = random.choice(list(SCHEMES))
        finding = random.choice(["identical"] * 4 + ["contained", "extended", "different", "binary"])
        stem, ending = name(random, number)
        original, copy = pair(random, finding)
        write(folder, stem + ending, original)
        # One in five comes from a system that writes accents as letters of their own.
        form = "NFD" if random.random() < 0.2 else "NFC"
        path = write(folder, unicodedata.normalize(form, marked(random, scheme, stem, ending)), copy)
        schemes = frozenset(next((alike for alike in ALIKE if scheme in alike), {scheme}))
        made[path] = Expected(finding, schemes)
    for number in range(count, 2 * count):
        decoy(write, random, made, number)
    return made


def decoy(write, random, made, number):
    folder, (stem, ending) = f"Decoys/{number % 40}", name(random, number)
    scheme = random.choice(list(SCHEMES))
    schemes = frozenset(next((alike for alike in ALIKE if scheme in alike), {scheme}))
    kind = random.randrange(4)
    if kind == 0:  # a look-alike with the very bytes
        data, _ = pair(random, "identical")
        write(folder, stem + ending, data)
        path = write(folder, stem + random.choice(LOOK_ALIKES)(random) + ending, data)
        made[path] = Expected(None, is_decoy=True)
    elif kind == 1:  # the last block differs
        data = bytes([0xFF]) + random.randbytes(random.randint(9_000, 150_000))
        write(folder, stem + ending, data)
        path = write(folder, marked(random, scheme, stem, ending), data[:-1] + bytes([data[-1] ^ 0x55]))
        made[path] = Expected("binary", schemes, True)
    elif kind == 2:  # its original is not there
        path = write(folder, marked(random, scheme, stem, ending), b"alone")
        made[path] = Expected("original-missing", schemes, True)
    else:  # the original is in another folder
        data, _ = pair(random, "identical")
        write(f"Elsewhere/{number}", stem + ending, data)
        path = write(folder, marked(random, scheme, stem, ending), data)
        made[path] = Expected("original-missing", schemes, True)
