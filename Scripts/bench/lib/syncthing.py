"""Syncthing as one measures it: instances on loopback that know only one another, driven by their REST interface."""
import copy
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

import processes
from measure import Beside

KEY = "measuring"
# What people are told to set for speed; fsync is off, which docdrive never gives up.
TUNED_FOLDER = {
    "fsWatcherDelayS": "1", "disableFsync": "true", "maxConcurrentWrites": "16", "pullerMaxPendingKiB": "131072",
    "copyRangeMethod": "copy_file_range",
}
TUNED_OPTIONS = {"progressUpdateIntervalS": "-1", "databaseTuning": "large"}
# Alone on loopback, and not of low priority beside the others.
OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
    "urAccepted": "-1", "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0", "startBrowser": "false",
    "reconnectionIntervalS": "1", "announceLANAddresses": "false", "setLowPriority": "false",
}


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Instance:
    """One Syncthing with one folder, not yet running."""

    def __init__(self, home, folder):
        self.home, self.folder, self.process = home, folder, None
        self.gui, self.port = port(), port()
        subprocess.run(
            ["syncthing", "generate", "--home", home, "--no-default-folder", "--skip-port-probing"],
            capture_output=True, check=True)
        told = subprocess.run(["syncthing", "--home", home, "--device-id"], capture_output=True, text=True, check=True)
        self.id = told.stdout.strip()

    def configure(self, others=(), tuned=False, **folder):
        """Shares its folder with the others."""
        file = self.home / "config.xml"
        document = ElementTree.parse(file)
        root = document.getroot()
        for other in others:
            device = copy.deepcopy(root.find("defaults/device"))
            device.set("id", other.id)
            device.set("compression", "never" if tuned else "metadata")
            put(device, "address", f"tcp://127.0.0.1:{other.port}")
            root.append(device)
        shared = copy.deepcopy(root.find("defaults/folder"))
        shared.set("id", "f")
        shared.set("path", str(self.folder))
        shared.set("rescanIntervalS", "3600")
        for name, value in {"fsWatcherEnabled": "false", **(TUNED_FOLDER if tuned else {}), **folder}.items():
            shared.set(name, value) if name in shared.attrib else put(shared, name, value)
        for one in [self, *others]:
            ElementTree.SubElement(shared, "device").set("id", one.id)
        root.append(shared)
        options = {**OPTIONS, **(TUNED_OPTIONS if tuned else {}), "listenAddress": f"tcp://127.0.0.1:{self.port}"}
        for name, value in options.items():
            put(root.find("options"), name, value)
        put(root.find("options"), "minHomeDiskFree", "0")
        root.find("gui").set("tls", "false")
        put(root.find("gui"), "address", f"127.0.0.1:{self.gui}")
        put(root.find("gui"), "apikey", KEY)
        document.write(file, encoding="utf-8")
        (self.folder / ".stfolder").mkdir(parents=True, exist_ok=True)
        return self

    def start(self):
        self.log = self.home / "log.txt"
        log = self.log.open("ab")
        self.logged = log.tell()
        self.process = subprocess.Popen(
            ["syncthing", "serve", "--home", self.home, "--no-browser", "--no-restart", "--no-upgrade",
             "--no-default-folder", "--skip-port-probing"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "HOME": str(self.home)})
        wait(lambda: self.answers(), 60, "syncthing answers")
        return self

    def answers(self):
        try:
            return self.ask("system/ping")
        except (OSError, urllib.error.URLError):
            return None

    def ask(self, path, post=False):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui}/rest/{path}", headers={"X-API-Key": KEY}, data=b"" if post else None)
        with urllib.request.urlopen(request, timeout=3600) as answer:
            text = answer.read()
        return json.loads(text) if text.strip() else {}

    def scan(self, path=None):
        """Returns when the folder, or one path in it, has been looked at."""
        self.ask("db/scan?folder=f" + (f"&sub={urllib.parse.quote(path)}" if path else ""), post=True)

    def status(self):
        return self.ask("db/status?folder=f")

    def scanned(self):
        """Waits for the scan that starting begins with."""
        said = b"Completed initial scan"
        wait(lambda: said in self.log.read_bytes()[self.logged:] and self.status()["state"] == "idle", 3600, "first scan")

    def cpu(self):
        return processes.cpu(self.process.pid)

    def peak(self):
        return sum(processes.memory(one, "VmHWM") for one in processes.tree(self.process.pid))

    def transferred(self):
        return self.ask("system/connections")["total"]["outBytesTotal"]

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        return self


class Two:
    """Two instances that share a folder each."""

    def __init__(self, homes, a, b, tuned=False, **folder):
        self.a, self.b = (Instance(homes / name, path) for name, path in (("a", a), ("b", b)))
        self.a.configure([self.b], tuned, **folder)
        self.b.configure([self.a], tuned, **folder)

    def start(self):
        """A has looked at its folder before B starts."""
        self.a.start().scanned()
        self.b.start().scanned()
        return self

    def equal(self):
        """Whether both are at rest with the same items."""
        one, other = self.a.status(), self.b.status()
        names = ("globalFiles", "globalDirectories", "globalSymlinks", "globalBytes", "globalDeleted")
        return (
            one["state"] == other["state"] == "idle" and one["needTotalItems"] == other["needTotalItems"] == 0
            and not one.get("pullErrors") and all(one[name] == other[name] for name in names)
            and one["localFiles"] == other["localFiles"] and one["localBytes"] == other["localBytes"])

    def settle(self, limit=3600):
        wait(self.equal, limit, "syncthing is in step")

    def sync(self):
        """Looks at A, and waits until B has what is there."""
        before, sent, beside = self.cpu(), self.a.transferred() + self.b.transferred(), Beside()
        self.a.scan()
        time.sleep(0.5)
        self.settle()
        used = self.cpu() - before
        return {
            "cpu": used, "wall": beside.wall(), "bytes": self.a.transferred() + self.b.transferred() - sent,
            "memory": max(self.a.peak(), self.b.peak()), "total": self.a.peak() + self.b.peak(), **beside.others(used)}

    def cpu(self):
        return self.a.cpu() + self.b.cpu()

    def stop(self):
        self.a.stop()
        self.b.stop()


def put(element, name, value):
    for old in element.findall(name):
        element.remove(old)
    ElementTree.SubElement(element, name).text = value


def wait(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.1)
