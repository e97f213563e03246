"""Looks at a drive all the time, and keeps every content that it ever showed under a name."""
import os
import threading

from lib.tree import digest

KEPT = 2_000_000


class Observer(threading.Thread):
    """Looks at these folders of the drive. `seen` has for each path its contents by digest, `gone` how often it went
    away."""

    def __init__(self, drive, folders):
        super().__init__(daemon=True)
        self.folders = folders
        self.drive = os.fsencode(drive)
        self.facts = {}
        self.seen = {}
        self.gone = {}
        self.looks = 0
        self.ending = threading.Event()

    def run(self):
        while not self.ending.wait(0.01):
            self.look()

    def look(self):
        now = {}
        for folder in self.folders:
            self.walk(os.path.join(self.drive, folder), folder + b"/", now)
        for path in self.facts.keys() - now.keys():
            self.gone[path] = self.gone.get(path, 0) + 1
        self.facts = now
        self.looks += 1

    def walk(self, folder, prefix, now):
        try:
            entries = list(os.scandir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return
        for entry in entries:
            path = prefix + entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    self.walk(entry.path, path + b"/", now)
                elif entry.is_file(follow_symlinks=False):
                    now[path] = self.file(entry.path, path)
                else:
                    now[path] = None
                    self.seen.setdefault(path, {})["link"] = b""
            except (FileNotFoundError, NotADirectoryError):
                # It was exchanged between the listing and the look: the next look sees it.
                now[path] = self.facts.get(path)

    def file(self, place, path):
        with open(place, "rb") as file:
            found = os.fstat(file.fileno())
            facts = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            if self.facts.get(path) != facts:
                data = file.read()
                self.seen.setdefault(path, {})[digest(data)] = data[:KEPT]
        return facts

    def stop(self):
        self.ending.set()
        self.join()
        self.look()
