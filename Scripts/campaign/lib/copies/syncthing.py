"""Two instances of Syncthing that know nobody but each other."""
import json
import os
import socket
import subprocess
import time
import urllib.request

from lib.copies.case import Case, found

CONFIGURATION = """<configuration version="35">
    <folder id="folder" path="{folder}" type="sendreceive" rescanIntervalS="3600" fsWatcherEnabled="false">
        <device id="{one}"></device><device id="{other}"></device>
        <maxConflicts>-1</maxConflicts>
        <minDiskFree unit="">0</minDiskFree>
    </folder>
    <device id="{one}" name="one"><address>tcp://127.0.0.1:{port_of_one}</address></device>
    <device id="{other}" name="other"><address>tcp://127.0.0.1:{port_of_other}</address></device>
    <gui enabled="true"><address>127.0.0.1:{api}</address><apikey>of-the-campaign</apikey></gui>
    <options>
        <listenAddress>tcp://127.0.0.1:{port_of_one}</listenAddress>
        <globalAnnounceEnabled>false</globalAnnounceEnabled>
        <localAnnounceEnabled>false</localAnnounceEnabled>
        <relaysEnabled>false</relaysEnabled>
        <natEnabled>false</natEnabled>
        <startBrowser>false</startBrowser>
        <urAccepted>-1</urAccepted>
        <crashReportingEnabled>false</crashReportingEnabled>
        <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
        <reconnectionIntervalS>1</reconnectionIntervalS>
    </options>
</configuration>
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Syncthing(Case):
    scheme = "syncthing"
    limit = 180

    def prepare(self):
        self.processes = []
        program = found("syncthing")
        homes = [self.campaign.path(self.name, f"home-{side}") for side in "ab"]
        for home in homes:
            self.command(program, "generate", "--home", home)
        self.devices = [self.command(program, "--home", home, "--device-id").split()[-1] for home in homes]
        self.apis, ports = free_ports(2), free_ports(2)
        for side, home in enumerate(homes):
            with open(os.path.join(home, "config.xml"), "w") as file:
                file.write(CONFIGURATION.format(
                    folder=self.sides[side], one=self.devices[side], other=self.devices[1 - side], port_of_one=ports[side],
                    port_of_other=ports[1 - side], api=self.apis[side]))
            with open(os.path.join(home, "log"), "wb") as log:
                self.processes.append(subprocess.Popen(
                    [program, "serve", "--home", home, "--no-browser", "--no-restart", "--no-upgrade"],
                    env=dict(self.campaign.environment, STNOUPGRADE="1"), stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        self.wait("both to answer", lambda: all(self.ask(side, "GET", "system/ping") for side in (0, 1)))

    def ask(self, side, method, path):
        """Nil where it does not answer yet."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.apis[side]}/rest/{path}", method=method, headers={"X-API-Key": "of-the-campaign"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
                return json.loads(text) if text.strip() else {"done": True}
        except OSError:
            return None

    def wait(self, what, condition):
        limit = time.monotonic() + self.limit
        while not condition():
            if time.monotonic() > limit:
                raise RuntimeError(f"waited in vain for {what}")
            if any(process.poll() is not None for process in self.processes):
                raise RuntimeError(f"an instance ended while waiting for {what}")
            time.sleep(0.1)

    def between(self):
        for side in (0, 1):
            self.ask(side, "POST", f"system/pause?device={self.devices[1 - side]}")
        self.wait("nobody to be connected", lambda: not any(map(self.is_connected, (0, 1))))

    def is_connected(self, side):
        connections = (self.ask(side, "GET", "system/connections") or {}).get("connections", {})
        return connections.get(self.devices[1 - side], {}).get("connected", False)

    def sync(self):
        for side in (0, 1):
            if self.ask(side, "POST", "db/scan?folder=folder") is None:
                raise RuntimeError("a scan failed")
        for side in (0, 1):
            self.ask(side, "POST", f"system/resume?device={self.devices[1 - side]}")
        self.wait("both to be connected", lambda: all(map(self.is_connected, (0, 1))))
        self.wait("both to be in step", lambda: self.is_in_step() and self.is_in_step())

    def is_in_step(self):
        states = [self.ask(side, "GET", "db/status?folder=folder") or {} for side in (0, 1)]
        names = [sorted(name for name in os.listdir(side) if name != ".stfolder") for side in self.sides]
        return (all(state.get("state") == "idle" and state.get("needTotalItems") == 0 for state in states)
                and states[0].get("globalFiles") == states[1].get("globalFiles") == len(names[0]) and names[0] == names[1]
                and all(self.completion(side) == 100 for side in (0, 1)) and self.are_equal(names[0]))

    def completion(self, side):
        return (self.ask(side, "GET", f"db/completion?folder=folder&device={self.devices[1 - side]}") or {}).get("completion")

    def are_equal(self, names):
        def read(side, name):
            with open(os.path.join(side, name), "rb") as file:
                return file.read()
        try:
            return all(read(self.sides[0], name) == read(self.sides[1], name) for name in names)
        except FileNotFoundError:
            return False

    def finish(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(60)
