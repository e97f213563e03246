"""PR4, PR18, PR19, TR12: the drive's own files, signals, and errors of file servers."""
import collections
import os
import re
import shutil
import signal
import subprocess
import time

from lib import tree
from lib.catalogue.entry import entry
from lib.faults import disks


@entry
def PR4(world):
    """The drive's own folder on another disk than the drive would outlive its renames: it is refused."""
    world.fill(4)
    state, aside = world.path("a", ".docdrive"), world.path("state")
    shutil.copytree(state, aside, symlinks=True)
    world.edit("b", "folder 1/inner/file 1", b"edited in b")
    world.sync(world.drives[1])
    disks.do("mount", "-t", "tmpfs", "tmpfs", state)
    try:
        shutil.copytree(aside, state, symlinks=True, dirs_exist_ok=True)
        seen = tree.snapshot(world.drives[0])
        code = world.sync(world.drives[0])
        said = world.last_error.strip()
        world.expect(code in (64, 78) and "another file system" in said, f"{code} {said}")
        world.expect(tree.snapshot(world.drives[0]) == seen, "the drive was changed")
    finally:
        disks.unmount(state)
    world.settle()
    world.show(f"refused, {code}: {said}; without the mount it went on")


def traced(world, calls, *arguments):
    """Lines of strace: thread, call."""
    log = world.path("trace")
    done = subprocess.run(["strace", "-f", "-qq", "-y", "-e", f"trace={calls}", "-o", log, world.campaign.program,
                           *arguments], env=world.campaign.environment, stdin=subprocess.DEVNULL, capture_output=True)
    world.expect(done.returncode == 0, f"{arguments}: {done.returncode} {done.stderr[-300:]}")
    with open(log, errors="replace") as file:
        return file.read().splitlines()


@entry
def PR18(world):
    """Nobody but SQLite has the index open: closing a second descriptor would drop its locks (sqlite.org/howtocorrupt)."""
    if shutil.which("strace") is None:
        raise disks.Refused("`command -v strace` finds nothing")
    world.fill(8)
    world.put("a", "work", b"work")
    total = collections.Counter()
    for command in (["sync", world.drives[0]], ["sync", world.drives[1]], ["verify", world.drives[0]],
                    ["status", "-C", world.drives[0]], ["doctor", "-C", world.drives[0]]):
        opens, together = collections.Counter(), 0
        for line in traced(world, "openat,openat2,close,execve", *command):
            found = re.search(r"index\.sqlite>", line)
            if found and re.search(r" open(at|at2)\(", line):
                opens["now"] += 1
                total["opens"] += 1
                together = max(together, opens["now"])
                world.expect("O_CLOEXEC" in line, f"{command[0]}: a child would inherit the index: {line}")
                world.expect(opens["now"] == 1, f"{command[0]}: the index is open twice: {line}")
            elif found and " close(" in line:
                opens["now"] -= 1
                total["closes"] += 1
    world.expect(total["opens"] >= 5, f"only {total['opens']} opens were seen")
    world.settle()
    world.show(f"5 commands under strace: {total['opens']} opens of the index, never two at a time, all O_CLOEXEC")


@entry
def PR19(world):
    """SIGTERM at any moment: ends soon and says so, and the next start goes on."""
    world.fill(8)
    for number in range(300):
        world.put("a", f"many/{number}", world.campaign.random.randbytes(4000))
    started = time.monotonic()
    world.sync(world.drives[0])
    world.sync(world.drives[1])
    length = (time.monotonic() - started) / 2
    codes, slowest = collections.Counter(), 0
    for turn in range(60):
        letter = "ab"[turn % 2]
        for number in world.campaign.random.sample(range(300), 40):
            if turn % 4 < 2:
                world.edit(letter, f"many/{number}", world.campaign.random.randbytes(4000))
        process = world.campaign.start("sync", world.path(letter))
        time.sleep(world.campaign.random.uniform(0, length))
        process.send_signal(signal.SIGTERM)
        sent = time.monotonic()
        try:
            _, error = process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            world.expect(False, f"turn {turn}: does not end")
            process.kill()
            continue
        slowest = max(slowest, time.monotonic() - sent)
        codes[process.returncode] += 1
        # Before it can have said what to do with it, a signal ends it as it ends any program.
        world.expect(process.returncode in (0, 143, -15), f"turn {turn}: {process.returncode} {error}")
        for drive in world.drives:
            for path, facts in tree.snapshot(drive).items():
                world.expect(facts[0] != "file" or facts[1] in world.known, f"turn {turn}: {path!r} is not whole")
        if turn % 4 == 3:
            world.rest(rounds=2)
    world.settle()
    for turn in range(8):
        process = world.watch(world.drives[0])
        time.sleep(world.campaign.random.uniform(0, 2))
        sent = time.monotonic()
        process.send_signal(signal.SIGTERM)
        code = process.wait(30)
        slowest = max(slowest, time.monotonic() - sent)
        codes[f"watch {code}"] += 1
        world.expect(code in (0, 143, -15), f"a watch ended with {code}")
    world.processes = []
    world.expect(slowest < 5, f"one took {slowest:.1f} s")
    world.show(f"60 syncs and 8 watches, codes {dict(codes)}, the slowest ended after {slowest:.2f} s")


@entry
def TR12(world):
    """Errors of file servers at calls on the store; what NFS leaves behind."""
    if shutil.which("strace") is None:
        raise disks.Refused("`command -v strace` finds nothing")
    world.fill(8)
    codes = collections.Counter()
    calls = ["openat", "openat2", "read,pread64", "write,pwrite64", "fsync,fdatasync", "rename,renameat,renameat2",
             "getdents64", "statx", "linkat"]
    for error in ("ESTALE", "EIO", "ETIMEDOUT"):
        for call in calls:
            for when in ("1", "3+"):
                world.edit("a", "folder 1/inner/file 1", world.campaign.random.randbytes(5000))
                world.edit("b", "folder 2/inner/file 2", world.campaign.random.randbytes(5000))
                for letter in "ab":
                    code = injected(world, letter, call, error, when)
                    codes[code] += 1
                    world.expect(code in (0, 2, 10, 11, 65, 69, 75, 78),
                                 f"{error} at {call}, {when}: {code} {world.last_error}")
                for drive in world.drives:
                    for path, facts in tree.snapshot(drive).items():
                        world.expect(facts[0] != "file" or facts[1] in world.known, f"{path!r} is not whole")
                world.rest()
                world.expect_equal()
    for folder, _, _ in list(os.walk(world.store)):
        with open(os.path.join(folder, ".nfs0000000000123456"), "wb") as file:
            file.write(b"removed while open")
    with open(world.path("a", ".nfs0000000000123457"), "wb") as file:
        file.write(b"removed while open")
    world.put("a", "beside", b"beside")
    world.known.add(tree.digest(b"removed while open"))
    world.rest()
    world.expect(not os.path.exists(world.path("b", ".nfs0000000000123457")), ".nfs came elsewhere")
    os.unlink(world.path("a", ".nfs0000000000123457"))
    code, out, error = world.campaign.run("store", "check", cwd=world.drives[0])
    world.expect(code == 0, f"store check beside .nfs files: {code} {out}{error}")
    world.settle()
    world.show(f"{sum(codes.values())} syncs with ESTALE, EIO or ETIMEDOUT at the store's calls, codes "
               f"{dict(sorted(codes.items()))}; each time all was equal after; .nfs files hindered nothing")


def injected(world, letter, calls, error, when):
    """A sync in which these calls fail on anything of the store, by path."""
    places = [option for folder, _, names in os.walk(world.store) for name in ["", *names]
              for option in ("-P", os.path.join(folder, name).rstrip("/"))]
    done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", *places, "-e", f"trace={calls}",
                           "-e", f"inject={calls}:error={error}:when={when}", world.campaign.program, "sync",
                           world.path(letter)], env=world.campaign.environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    world.last_error = (done.stderr + done.stdout).decode("utf-8", "backslashreplace")
    return done.returncode
