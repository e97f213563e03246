"""Real files in large numbers: what the machine has, and a git repository with a history of loose objects."""
import os
import subprocess
import sysconfig

SOURCES = ["/usr/share/doc", "/usr/share/perl", "/usr/share/perl5", "/usr/lib/python3", sysconfig.get_paths()["stdlib"]]


def gather(target, random, wanted):
    """Copies everything to `target`; commits to a repository until there are `wanted` files."""
    os.makedirs(target)
    for number, source in enumerate(SOURCES):
        if not os.path.isdir(source):
            continue
        place = os.path.join(target, f"{number} {os.path.basename(source)}")
        os.mkdir(place)
        # What was installed with pip is another matter, and may be anything.
        inner = [os.path.join(source, name) for name in sorted(os.listdir(source)) if name != "site-packages"]
        subprocess.run(["cp", "-a", "-t", place, *inner], check=True)
    repository(os.path.join(target, "repository"), random, commits=max(60, (wanted - count(target)) // 14))


def count(folder):
    return sum(len(names) for _, _, names in os.walk(folder))


def git(folder, *arguments, **options):
    names = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gc.auto=0"]
    return subprocess.run(["git", "-C", folder, *names, *arguments], check=True, capture_output=True, **options).stdout


def repository(folder, random, commits, files=600):
    """Commits to `main`, then some to `other`; every object loose. `main` is checked out."""
    os.makedirs(folder)
    git(folder, "init", "-q", "-b", "main")
    stream = []

    def commit(branch, number, paths, first=None):
        stream.append(f"commit refs/heads/{branch}\ncommitter Ada <ada@example.org> {1_700_000_000 + number} +0000\n")
        stream.append(f"data {len(str(number))}\n{number}\n")
        if first:
            stream.append(f"from {first}\n")
        for path in paths:
            text = "".join(f"line {random.getrandbits(40):x}\n" for _ in range(random.randrange(1, 40)))
            stream.append(f"M {random.choice(['100644', '100644', '100755'])} inline {path}\ndata {len(text)}\n{text}\n")

    paths = [f"part {number % 7}/module {number % 31}/file {number}.txt" for number in range(files)]
    commit("main", 0, paths)
    for number in range(1, commits):
        commit("main", number, random.sample(paths, 8))
    commit("other", commits, random.sample(paths, 200), first="refs/heads/main")
    commit("other", commits + 1, [f"only on other/{number}" for number in range(80)])
    git(folder, "fast-import", "--quiet", input="".join(stream).encode())
    packs = os.path.join(folder, ".git/objects/pack")
    for name in os.listdir(packs):
        os.rename(os.path.join(packs, name), os.path.join(folder, ".git", name))
    for name in os.listdir(os.path.join(folder, ".git")):
        if name.endswith(".pack"):
            with open(os.path.join(folder, ".git", name), "rb") as pack:
                git(folder, "unpack-objects", "-q", stdin=pack)
    for name in os.listdir(os.path.join(folder, ".git")):
        if name.startswith("pack-"):
            os.unlink(os.path.join(folder, ".git", name))
    git(folder, "checkout", "-q", "main")
