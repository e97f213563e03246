"""Which faults a call can meet in earnest."""
NAMES = ["renameat2", "renameat", "rename", "linkat", "link", "unlinkat", "unlink", "mkdirat", "mkdir", "symlinkat",
         "rmdir"]
BYTES = ["write", "pwrite64", "ftruncate", "fallocate", "copy_file_range"]
SYNCS = ["fsync", "fdatasync", "syncfs"]
FACTS = ["fchmod", "fchmodat", "chmod", "fchown", "fchownat", "utimensat", "setxattr", "fsetxattr", "removexattr"]
OPENS = ["openat", "openat2"]
LOOKS = ["getdents64", "statx", "newfstatat", "read", "pread64", "readlinkat"]

CHANGES = NAMES + BYTES + SYNCS + FACTS
SWEPT = CHANGES + OPENS + LOOKS

# What each fault makes of a call, and the calls that it can befall. A short write is one of no bytes: strace skips the
# call, so any other answer would be a lie. Writes that are short in earnest: `space` and `limits`.
FAULTS = {
    "kill": ("signal=KILL", CHANGES),
    "term": ("signal=TERM", CHANGES),
    "ENOSPC": ("error=ENOSPC", NAMES + BYTES + SYNCS + FACTS + ["openat"]),
    "EDQUOT": ("error=EDQUOT", NAMES + BYTES + SYNCS + FACTS + ["openat"]),
    "EIO": ("error=EIO", SWEPT),
    "EMFILE": ("error=EMFILE", OPENS),
    "short": ("retval=0", ["write", "pwrite64"]),
    "EINTR": ("error=EINTR", OPENS + ["write", "read", "pread64", "pwrite64"]),
}


def befalls(fault, point):
    """Opening a file that is there needs no room, and creating one can be killed as any other change."""
    if point.name == "openat":
        creates = point.place.startswith("+")
        if fault in ("ENOSPC", "EDQUOT"):
            return creates
        if fault in ("kill", "term"):
            return creates
    return point.name in FAULTS[fault][1]


def injection(fault, name, number):
    return f"{name}:{FAULTS[fault][0]}:when={number}"
