"""Two devices and a server with a bad line between them: Scripts/servers/link and what lives in its namespaces."""
import os
import random
import subprocess
import threading
import time

from lib import servers


class Line:
    """The wires of `count` devices to a server."""

    def __init__(self, campaign, count, *options):
        self.place = campaign.path("line")
        done = subprocess.run([os.path.join(servers.FOLDER, "link"), "start", self.place, "--devices", str(count),
                               "--seed", str(campaign.seed), *options], capture_output=True, text=True)
        if done.returncode:
            raise servers.Skipped(done.stderr.strip())
        values = servers.read(self.place)
        self.address, self.server = values["ADDRESS"], values["SERVER"]
        self.devices = [values[f"DEVICE_{number}"] for number in range(1, count + 1)]

    def at(self, device):
        """What a command begins with that runs on a device."""
        return ["ip", "netns", "exec", self.devices[device]]

    def down(self, device):
        open(os.path.join(self.place, f"down-{device + 1}"), "w").close()

    def up(self, device):
        try:
            os.unlink(os.path.join(self.place, f"down-{device + 1}"))
        except FileNotFoundError:
            pass

    def passed(self, device):
        """Bytes of packets from the device, and to it."""
        try:
            with open(os.path.join(self.place, f"bytes-{device + 1}")) as file:
                return tuple(map(int, file.read().split()))
        except FileNotFoundError:
            return 0, 0

    def processes(self, device):
        out = subprocess.run(["ip", "netns", "pids", self.devices[device]], capture_output=True, text=True).stdout
        return [int(word) for word in out.split()]

    def stop(self):
        subprocess.run([os.path.join(servers.FOLDER, "link"), "stop", self.place], capture_output=True)


class FarServer(servers.Server):
    """A server at the other end. It listens on 127.0.0.1 there; a forwarder makes that the line's address."""

    def __init__(self, campaign, name, line):
        self.line = line
        self.forwarder = None
        super().__init__(campaign, name)
        if self.script != "sshd":
            host, port = self.address.split(":")
            self.forwarder = subprocess.Popen(
                ["ip", "netns", "exec", line.server, "python3", os.path.join(os.path.dirname(__file__), "forward.py"),
                 line.address, port, host], stdout=subprocess.PIPE)
            self.forwarder.stdout.readline()

    def command(self, *words):
        listen = ["--listen", self.line.address] if self.script == "sshd" and words[0] == "start" else []
        done = subprocess.run(
            ["ip", "netns", "exec", self.line.server, os.path.join(servers.FOLDER, self.script), *words, *listen],
            capture_output=True, text=True, env=dict(os.environ, LC_ALL="C.UTF-8"))
        if done.returncode:
            raise servers.Skipped(f"{self.name} does not start: {done.stderr.strip()[-600:]}")

    def store(self, path):
        return super().store(path).replace("127.0.0.1", self.line.address)

    def stop(self):
        if self.forwarder:
            self.forwarder.kill()
            self.forwarder.wait()
        super().stop()


class Weather:
    """Cuts the line and mends it, `cuts` times in all, on one device or on all. Every fifth cut lasts so long that
    connections are given up; the others are over before anybody notices."""

    def __init__(self, line, cuts, seed):
        self.line, self.left, self.random = line, cuts, random.Random(seed)
        self.cuts, self.seconds = 0, 0.0
        self.goes_on = True
        self.thread = threading.Thread(target=self.blow, daemon=True)
        self.thread.start()

    def blow(self):
        while self.goes_on and self.left:
            self.wait(self.random.uniform(1, 8))
            long = self.left % 5 == 0
            pause = self.random.uniform(62, 80) if long else self.random.uniform(0.3, 6)
            devices = self.random.choice([[0], [1], [0, 1]])
            for device in devices:
                self.line.down(device)
            self.wait(pause)
            for device in devices:
                self.line.up(device)
            self.left -= 1
            self.cuts += 1
            self.seconds += pause

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while self.goes_on and time.monotonic() < end:
            time.sleep(0.05)

    @property
    def is_over(self):
        return not self.thread.is_alive()

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        """Fair from now on."""
        self.goes_on = False
        self.thread.join()
        for device in range(len(self.line.devices)):
            self.line.up(device)
