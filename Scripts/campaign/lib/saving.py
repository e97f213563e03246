"""Programs that change many files at once, each in a folder of its own in each drive. How single files are saved is
the matter of `editors`."""
import os
import shutil
import subprocess
import time

from lib import input, tree

TEXT = "".join(f"line {number}\n" for number in range(200))


class Saving:
    def __init__(self, campaign, drives):
        self.campaign = campaign
        self.drives = drives
        self.expected = {}

    def steps(self):
        """Does one thing after the other; yields the name of each when it is done."""
        for name in ("archive", "git_checkout", "moves", "storm", "many_deletes"):
            done = getattr(self, name)()
            if done:
                yield done

    def folder(self, drive, name):
        path = os.path.join(drive, f"work of {os.path.basename(drive)}", name)
        os.makedirs(path, exist_ok=True)
        return path

    def file(self, drive, folder, name):
        path = os.path.join(self.folder(drive, folder), name)
        with open(path, "w") as file:
            file.write(TEXT)
        return path

    def expect(self, drive, path):
        """From now on every drive must show this file as it is here now."""
        self.expected[os.path.relpath(path, drive)] = tree.file_digest(path)

    def wrong(self):
        for path, content in self.expected.items():
            for drive in self.drives:
                there = os.path.join(drive, path)
                if not os.path.isfile(there):
                    yield f"{there} is missing"
                elif tree.file_digest(there) != content:
                    yield f"{there} has other content than was saved last"

    def tool(self, *command, **options):
        if shutil.which(command[0]) is None:
            return False
        done = subprocess.run(command, env=dict(self.campaign.environment, TERM="xterm"), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120, **options)
        self.campaign.expect(done.returncode == 0, f"{command}: {done.returncode} {done.stderr[-300:]}")
        return True

    def archive(self):
        archive = self.campaign.path("archive.tar.gz")
        source = self.campaign.path("reference")
        self.tool("tar", "czf", archive, "-C", os.path.join(source, "repository"), "part 1", "part 2")
        for drive in self.drives:
            self.tool("tar", "xzf", archive, "-C", self.folder(drive, "tar"))
        return "tar x"

    def git_checkout(self):
        """Back and forth in one drive, then in another after it has come there."""
        repository = os.path.join(self.drives[0], "repository")
        for branch in ("other", "main", "other"):
            input.git(repository, "checkout", "-q", branch)
        return "git checkout, three times"

    def moves(self):
        for drive in self.drives:
            work = os.path.dirname(self.folder(drive, "swapped"))
            os.rename(os.path.join(work, "tar"), os.path.join(work, "tar moved"))
            os.rename(os.path.join(work, "tar moved/part 1"), os.path.join(work, "part 1 moved out"))
            one, other = (self.file(drive, "swapped", name) for name in ("1.txt", "2.txt"))
            with open(other, "a") as file:
                file.write("the other\n")
            # Long enough for a watch to have seen them before they change places.
            time.sleep(3)
            os.rename(one, one + ".tmp")
            os.rename(other, one)
            os.rename(one + ".tmp", other)
            self.expect(drive, one)
            self.expect(drive, other)
        return "folders moved, files swapped"

    def storm(self):
        """Many quick saves of few files, in all drives at once."""
        paths = [(drive, self.file(drive, "storm", f"{number}.txt")) for drive in self.drives for number in range(8)]
        for turn in range(60):
            for drive, path in paths:
                if turn % 2:
                    with open(path, "a") as file:
                        file.write(f"turn {turn}\n")
                else:
                    with open(path + ".new", "w") as file:
                        file.write(f"{TEXT}turn {turn}\n")
                    os.rename(path + ".new", path)
            time.sleep(0.02)
        for drive, path in paths:
            self.expect(drive, path)
        return f"{60 * len(paths)} quick saves"

    def many_deletes(self):
        """More than the brake lets through: held until confirmed, and nothing else waits."""
        reference = self.campaign.path("reference")
        first = next(name for name in sorted(os.listdir(reference)) if input.count(os.path.join(reference, name)) > 1100)
        shutil.rmtree(os.path.join(self.drives[0], first))
        path = self.file(self.drives[0], "deletes", "meanwhile.txt")
        self.expect(self.drives[0], path)
        there = [os.path.join(drive, os.path.relpath(path, self.drives[0])) for drive in self.drives[1:]]
        self.wait("what was saved beside held deletes comes", lambda: all(map(os.path.exists, there)))
        for drive in self.drives[1:]:
            self.campaign.expect(os.path.isdir(os.path.join(drive, first)), f"{first} is gone in {drive}, unasked")
        for drive in self.drives:
            gone = os.path.join(drive, first)
            self.wait(f"deletes are held in {drive}", lambda: self.campaign.run("deletes", "ls", cwd=drive)[0] == 12)
            code, out, error = self.campaign.run("deletes", "confirm", cwd=drive)
            self.campaign.expect(code == 0, f"confirming deletes in {drive}: {code} {out} {error}")
            self.wait(f"{first} goes from {drive}", lambda: not os.path.exists(gone))
        return "many deletes, held and confirmed"

    def wait(self, what, holds, limit=60):
        end = time.monotonic() + limit
        while not holds():
            if time.monotonic() > end:
                return self.campaign.expect(False, f"never: {what}")
            time.sleep(0.3)
        return True
