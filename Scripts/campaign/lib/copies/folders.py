"""Programs that keep two folders in step, one run at a time."""
import os
import re

from lib.copies.case import Case, Skipped, found


class Unison(Case):
    scheme = "unison"

    def prepare(self):
        self.program = found("unison")

    def sync(self):
        # 1: files were skipped; with a preference none is.
        self.command(self.program, *self.sides, "-batch", "-auto", "-silent", "-copyonconflict", "-prefer", self.random.choice(self.sides))


class Rclone(Case):
    """bisync: both sides are renamed, and no file keeps the name."""

    scheme = "rclone"
    options = ()
    variable = "RCLONE"
    # Before, the marks were `..path1` and `..path2`, and there was no choice.
    versions = ((1, 66), (2, 0))

    def prepare(self):
        self.program = found(os.environ.get(self.variable, "rclone"))
        version = tuple(map(int, re.search(r"v(\d+)\.(\d+)", self.command(self.program, "version")).groups()))
        if not self.versions[0] <= version < self.versions[1]:
            raise Skipped(f"rclone {version[0]}.{version[1]} writes other marks; name another in {self.variable}")
        self.is_first = True

    def sync(self):
        self.command(self.program, "bisync", *self.sides, "--workdir", self.campaign.path(self.name, "work"), "--force",
                     *(["--resync"] if self.is_first else []), *self.options)
        self.is_first = False


class RclonePlain(Rclone):
    options = ("--conflict-resolve", "none")


class RcloneKeepingExtensions(Rclone):
    options = ("--conflict-resolve", "none", "--suffix-keep-extension")


class RcloneDates(Rclone):
    options = ("--conflict-resolve", "none", "--conflict-loser", "num", "--conflict-suffix", "{DateOnly}-conflict")


class RcloneWinner(Rclone):
    options = ("--conflict-resolve", "newer", "--conflict-loser", "num")


class OldRclone(Rclone):
    variable = "RCLONE_OLD"
    versions = ((1, 58), (1, 66))


class GitAnnex(Case):
    scheme = "gitannex"
    identity = {f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER") for what, text in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))}

    def git(self, side, *arguments, codes=(0,)):
        return self.command("git", *arguments, cwd=self.sides[side], codes=codes, environment=self.identity)

    def prepare(self):
        found("git-annex")
        self.git(0, "init", "-q", "-b", "main")
        self.git(0, "commit", "-q", "--allow-empty", "-m", "nothing yet")
        self.git(1, "clone", "-q", self.sides[0], ".")
        self.git(0, "remote", "add", "origin", self.sides[1])
        for side in (0, 1):
            self.git(side, "annex", "init", "-q", "ab"[side])
            # Files rather than links to where the contents are; those that begin with a dot too.
            for setting in ("annex.addunlocked", "annex.dotfiles"):
                self.git(side, "config", setting, "true")

    def sync(self):
        for side in (0, 1):
            self.git(side, "annex", "add", "-q", ".")
            self.git(side, "commit", "-q", "-a", "--allow-empty", "-m", "saved")
        # What one has resolved the other gets; the first finds it when both have spoken.
        for side in (1, 0, 1):
            self.git(side, "annex", "sync", "-q", "--content", codes=(0, 1))
