"""Real servers, started by Scripts/servers, and what docdrive needs to use them."""
import os
import subprocess
from urllib.parse import urlsplit, urlunsplit

from lib import run

FOLDER = os.path.join(run.HERE, "Scripts/servers")
MISSING = 77


class Skipped(Exception):
    pass


class Server:
    """One server with everything it keeps in a folder of the campaign; `name` may have an argument: `rclone-webdav`."""

    def __init__(self, campaign, name):
        self.campaign, self.name = campaign, name
        self.script, *self.kind = name.split("-", 1)
        self.place = campaign.path("servers", name)
        os.makedirs(os.path.dirname(self.place), exist_ok=True)
        # Servers that root starts go on as somebody else.
        os.chmod(campaign.place, 0o711)
        self.command("start", self.place, *self.kind)
        self.values = read(self.place)
        self.url = self.values["URL"]
        self.secrets = [value for name, value in self.values.items()
                        if name in ("PASSWORD", "AWS_SECRET_ACCESS_KEY")]

    def command(self, *words):
        # What they install is the machine's, not this campaign's.
        done = subprocess.run([os.path.join(FOLDER, self.script), *words], capture_output=True, text=True,
                              env=dict(os.environ, LC_ALL="C.UTF-8"))
        if done.returncode == MISSING:
            raise Skipped(done.stderr.strip())
        if done.returncode:
            raise Skipped(f"{self.name} does not start: {done.stderr.strip()[-600:]}")

    def stop(self):
        subprocess.run([os.path.join(FOLDER, self.script), "stop", self.place], capture_output=True)

    def environment(self):
        """What a person would have set."""
        values = {name: value for name, value in self.values.items() if name.startswith(("AWS_", "DOCDRIVE_"))}
        if "PASSWORD" in self.values:
            values["DOCDRIVE_STORE_PASSWORD"] = self.values["PASSWORD"]
        return values

    def store(self, path):
        """The URL of a store of its own on this server."""
        parts = urlsplit(self.url)
        query = parts.query
        if self.values.get("CA"):
            query += ("&" if query else "") + f"ca={self.values['CA']}"
        return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{path}", query=query))

    @property
    def address(self):
        """HOST:PORT of what a proxy would pass on to."""
        parts = urlsplit(self.url)
        if parts.scheme == "s3":
            fields = dict(field.split("=", 1) for field in parts.query.split("&"))
            return urlsplit(fields["endpoint"].replace("%3A", ":").replace("%2F", "/")).netloc
        return parts.netloc.rsplit("@", 1)[-1]


class Proxy:
    """Scripts/servers/faults before a server that speaks HTTP."""

    def __init__(self, campaign, server, name, *options):
        self.place = campaign.path("servers", name)
        subprocess.run([os.path.join(FOLDER, "faults"), "start", self.place, "--to", server.address, *options],
                       check=True, capture_output=True)
        self.server, self.address = server, read(self.place)["PROXY"]

    def store(self, path):
        return self.server.store(path).replace(self.server.address, self.address)

    def requests(self):
        """(method, target, fault) of each."""
        with open(os.path.join(self.place, "log")) as log:
            return [tuple(line.split(" ")[1:4]) for line in log.read().splitlines()]

    def stop(self):
        subprocess.run([os.path.join(FOLDER, "faults"), "stop", self.place], capture_output=True)


def read(place):
    with open(os.path.join(place, "env")) as file:
        return dict(line.split("=", 1) for line in file.read().splitlines() if "=" in line)
