"""The programs that docdrive is measured beside: where they come from, and which version is here."""
import os
import re
import shutil
import subprocess

# Command: Debian's package, how it tells its version. Syncthing of Debian 12 is of 2022: no claim rests on it alone.
PEERS = {
    "cp": ("coreutils", "--version"),
    "find": ("findutils", "--version"),
    "xxhsum": ("xxhash", "--version"),
    "openssl": ("openssl", "version"),
    "rsync": ("rsync", "--version"),
    "unison": ("unison", "-version"),
    "rclone": ("rclone", "version"),
    "syncthing": ("syncthing", "--version"),
    "lsyncd": ("lsyncd", "--version"),
    "inotifywait": ("inotify-tools", "--help"),
    "watchman": ("watchman", "--version"),
    "git-annex": ("git-annex", "version"),
    "strace": ("strace", "--version"),
    "plocate": ("plocate", "--version"),
    "fdfind": ("fd-find", "--version"),
    "sqlite3": ("sqlite3", "--version"),
    "recollindex": ("recollcmd", "-h"),
    "jdupes": ("jdupes", "-v"),
}


def missing(tools):
    """Packages for the tools that are not here."""
    return sorted({PEERS[tool][0] for tool in tools if not shutil.which(tool)})


def install(packages):
    before = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*before, "apt-get", "update", "-qq"], check=False)
    subprocess.run([*before, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], check=True)


def version(tool):
    """As the tool tells it, else as Debian's package does."""
    package, question = PEERS[tool]
    asked = subprocess.run([tool, question], capture_output=True, text=True, stdin=subprocess.DEVNULL, errors="replace")
    found = re.search(r"\d+\.\d[\w.+-]*", asked.stdout + asked.stderr)
    if found:
        return found.group(0)
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True).stdout
