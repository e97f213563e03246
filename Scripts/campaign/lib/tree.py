"""What a person sees in a drive: names as bytes, contents, executable bits, times, link targets."""
import hashlib
import os
import stat

STATE = b".docdrive"


def digest(data):
    return hashlib.sha256(data).hexdigest()[:24]


def file_digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:24]


def snapshot(root, contents=True):
    """{path: facts} of everything visible; a file's facts are (kind, digest, executable, mtime in ns)."""
    root = os.fsencode(root)
    result = {}

    def walk(folder, prefix):
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if not prefix and entry.name == STATE:
                continue
            path = prefix + entry.name
            facts = entry.stat(follow_symlinks=False)
            if entry.is_symlink():
                result[path] = ("link", os.readlink(entry.path))
            elif entry.is_dir():
                result[path] = ("folder",)
                walk(entry.path, path + b"/")
            elif stat.S_ISREG(facts.st_mode):
                content = file_digest(entry.path) if contents else facts.st_size
                result[path] = ("file", content, bool(facts.st_mode & 0o100), facts.st_mtime_ns)
            else:
                result[path] = ("other",)

    walk(root, b"")
    return result


def differences(left, right, limit=12):
    """Lines that say where two snapshots differ."""
    lines = []
    for path in sorted(left.keys() | right.keys()):
        if left.get(path) != right.get(path):
            lines.append(f"{path!r}: {left.get(path)} against {right.get(path)}")
    more = len(lines) - limit
    return lines[:limit] + ([f"... and {more} more"] if more > 0 else [])


def kept_aside(root):
    """Digests of everything in a drive's trash and staging, with the file's place."""
    result = {}
    state = os.path.join(os.fsencode(root), STATE)
    for area in (b"trash", b"staging"):
        for folder, _, names in os.walk(os.path.join(state, area)):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    result[file_digest(path)] = path
    return result


def whole(root):
    """A digest of everything in a folder, hidden or not: names, kinds, modes, contents, times."""
    sum = hashlib.sha256()
    for folder, folders, names in os.walk(os.fsencode(root)):
        folders.sort()
        for name in sorted(folders + names):
            path = os.path.join(folder, name)
            facts = os.lstat(path)
            sum.update(b"%s\0%o\0" % (path, facts.st_mode))
            if stat.S_ISLNK(facts.st_mode):
                sum.update(os.readlink(path))
            elif stat.S_ISREG(facts.st_mode):
                sum.update(b"%d\0%s" % (facts.st_mtime_ns, file_digest(path).encode()))
    return sum.hexdigest()
