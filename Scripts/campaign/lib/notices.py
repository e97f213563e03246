"""inotify(7) through ctypes: what a running docdrive touches, so that it can be killed in a chosen moment."""
import ctypes
import os
import select
import struct

ACCESS, MODIFY, OPEN, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x1, 0x2, 0x20, 0x40, 0x80, 0x100, 0x200
IS_FOLDER, ONLY_FOLDER, DO_NOT_FOLLOW = 0x40000000, 0x01000000, 0x02000000
ALL = ACCESS | MODIFY | OPEN | MOVED_FROM | MOVED_TO | CREATE | DELETE

libc = ctypes.CDLL(None, use_errno=True)


class Notices:
    """Watches folders; each event is (place, mask, name), place being what `watch` was given for the folder."""

    def __init__(self):
        self.number = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.number < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        self.places = {}

    def watch(self, path, place):
        path = os.fsencode(path)
        watch = libc.inotify_add_watch(self.number, path, ALL | ONLY_FOLDER | DO_NOT_FOLLOW)
        if watch >= 0:
            self.places[watch] = (place, path)

    def watch_all(self, path, place):
        """A folder and what is in it now; folders that come are watched as their event is read."""
        for folder, _, _ in os.walk(os.fsencode(path)):
            self.watch(folder, place)

    def read(self, timeout):
        """The events so far; waits at most `timeout` seconds for the first."""
        if not select.select([self.number], [], [], timeout)[0]:
            return []
        data = os.read(self.number, 1 << 16)
        events = []
        start = 0
        while start < len(data):
            watch, mask, _, length = struct.unpack_from("iIII", data, start)
            name = data[start + 16:start + 16 + length].rstrip(b"\0")
            start += 16 + length
            if watch not in self.places:
                continue
            place, path = self.places[watch]
            if mask & IS_FOLDER and mask & (CREATE | MOVED_TO) and name:
                self.watch(os.path.join(path, name), place)
            events.append((place, mask, os.path.relpath(os.path.join(path, name), path) if name else b"", path))
        return events

    def close(self):
        os.close(self.number)
