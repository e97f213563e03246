"""Several drives with `docdrive watch` running on each."""
import os
import signal
import time

from lib import tree


class Watching:
    LIMIT = 240

    def __init__(self, campaign, drives):
        self.campaign = campaign
        self.drives = drives
        self.processes = {}

    def start(self):
        for drive in self.drives:
            self.start_one(drive)

    def start_one(self, drive):
        log = open(drive + ".log", "ab")
        self.processes[drive] = self.campaign.start("watch", drive, "--jsonl", stdout=log, stderr=log)

    def said(self, drive):
        with open(drive + ".log", "rb") as file:
            return file.read()[-1500:].decode("utf-8", "backslashreplace")

    def unequal(self):
        first, *others = [tree.snapshot(drive) for drive in self.drives]
        lines = []
        for drive, other in zip(self.drives[1:], others):
            lines += tree.differences(first, other, 6)
        for drive, process in self.processes.items():
            if process.poll() is not None:
                lines.append(f"watch of {drive} has ended with {process.returncode}: {self.said(drive)}")
        return "\n      ".join(lines)

    def wait_equal(self):
        """Seconds until all drives show the same, twice in a row; None if they never do."""
        started = time.monotonic()
        before = None
        equal_since = None
        while time.monotonic() - started < self.LIMIT:
            now = [tree.snapshot(drive, contents=False) for drive in self.drives]
            if any(one != now[0] for one in now) or now != before:
                equal_since = None if any(one != now[0] for one in now) else time.monotonic()
            elif equal_since and time.monotonic() - equal_since > 2 and not self.unequal():
                return equal_since - started
            before = now
            time.sleep(0.5)
        return None

    def stop(self):
        """Ends them politely; the peak memory of each in MiB."""
        peaks = []
        for drive, process in self.processes.items():
            try:
                with open(f"/proc/{process.pid}/status") as status:
                    peaks += [int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")]
            except FileNotFoundError:
                pass
            process.send_signal(signal.SIGTERM)
            code = process.wait(30)
            self.campaign.expect(code in (0, 143), f"watch of {drive} ended with {code}: {self.said(drive)}")
        return peaks
