"""Processes that may open few files, write no large ones, or have little memory (`prlimit`).

Where memory ends, Swift's runtime ends the process, and libdispatch waits for as long as no thread can be made: both are
kills here, after a while, and what holds after kills must hold.
"""
import random
import shutil

from lib.faults.verdict import CODES
from lib.faults.world_of_two import Pair, campaign, finish

KINDS = ("nofile", "fsize", "as")
RANGES = {"nofile": (6, 60), "fsize": (0, 300_000), "as": (64 << 20, 260 << 20)}


def limits(kind, count, source):
    low, high = RANGES[kind]
    return [low + int((high - low) * source.random() ** (1 if kind != "fsize" else 3)) for _ in range(count)]


def one_kind(kind, count, seed):
    made = campaign(f"limits-{kind}", seed)
    pair = Pair(made, kind, {})
    pair.fill()
    source = random.Random(f"{seed} {kind}")
    failed = 0
    for limit in limits(kind, count, source):
        number = len(pair.known)
        pair.put("a", f"white/{number}", source.randbytes(source.choice([300, 9_000, 150_000])))
        pair.edit("a", "red/one", b"edit %d\n" % number + source.randbytes(source.choice([100, 30_000])))
        pair.edit("b", "red/two", b"in b %d\n" % number)
        prefix = ["timeout", "-s", "KILL", "8", "prlimit", f"--{kind}={limit}", "--core=0"]
        for letter in "ab":
            before = pair.contents(letter)
            # The loader itself ends with 127 where it has too little.
            crashes = {127, 132, 133, 134, 137, 139, -4, -5, -6, -9, -11} if kind == "as" else {127}
            failed += tolerant_sync(pair, letter, prefix, crashes) != 0
            pair.expect_whole(letter, before)
        pair.settle()
        if made.violations:
            break
    pair.newcomer()
    return {"failed": failed, "of": 2 * count, "codes": pair.codes, "wrong": finish(made)}


def tolerant_sync(pair, letter, prefix, crashes):
    code, out, error = pair.campaign.run("sync", pair.path(letter), prefix=prefix)
    pair.codes[code] = pair.codes.get(code, 0) + 1
    pair.expect(code in CODES | crashes, f"{' '.join(prefix)}: sync of {letter} ends with {code}: {error[:600]}")
    pair.expect(code == 0 or (error + out).strip() or code < 0 or code > 128, f"{' '.join(prefix)}: {code} and not a word")
    return code


def missing():
    return None if shutil.which("prlimit") else "there is no prlimit"
