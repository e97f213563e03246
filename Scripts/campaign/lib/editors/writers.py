"""Editors of text."""
import os
import subprocess
import time

from lib.editors.case import Case

TEXT = "".join(f"line {number}\n" for number in range(200))


def text_file(path):
    if not os.path.exists(path):
        with open(path, "w") as file:
            file.write(TEXT)


class TextEditor(Case):
    """Adds a line at the end of each of some files, some times a round."""

    turns = 2
    names = ("notes.txt",)

    def work(self, folder, turn):
        for name in self.names:
            path = os.path.join(folder, name)
            if not os.path.exists(path):
                text_file(path)
                self.saved(path)
            for number in range(self.turns):
                line = f"added in round {turn}, save {number} by {self.name}"
                self.edit(path, name, line)
                self.expect_saved(path, line)


class Vim(TextEditor):
    """All ways of backupcopy, with and without a backup that stays; the swap file is there for a moment."""

    name = "vim"
    needs = ("vim",)
    # backupcopy=yes and auto write the file anew under its name.
    in_place = True
    names = tuple(
        f"{mode} {backup}.txt" for mode in ("yes", "no", "auto", "no,breaksymlink", "auto,breakhardlink")
        for backup in ("nobackup", "backup"))

    def edit(self, path, name, line):
        mode, backup = name[:-4].split(" ")
        self.tool("vim", "-es", "-u", "NONE", "-c", f"set backupcopy={mode} {backup} swapfile updatecount=1",
                  "-c", f"normal Go{line}", "-c", "preserve", "-c", "sleep 120m", "-c", "wq", path)


class Emacs(TextEditor):
    """Backups by renaming and by copying; the lock and the auto-save file are there for a moment."""

    name = "emacs"
    needs = ("emacs",)
    in_place = True
    names = ("by renaming.org", "by copying.org")

    def edit(self, path, name, line):
        copying = "t" if "copying" in name else "nil"
        self.tool("emacs", "--batch", "-Q", "--eval", f"""(progn
            (setq backup-by-copying {copying} create-lockfiles t)
            (find-file "{path}") (auto-save-mode 1) (goto-char (point-max)) (insert "{line}\\n")
            (do-auto-save t) (sit-for 0.3) (sleep-for 0.3) (save-buffer))""")


class EmacsAtomic(TextEditor):
    """`file-precious-flag`: written beside, then renamed over."""

    name = "emacs, precious"
    needs = ("emacs",)

    def edit(self, path, name, line):
        self.tool("emacs", "--batch", "-Q", "--eval", f"""(progn
            (setq file-precious-flag t make-backup-files nil)
            (find-file "{path}") (goto-char (point-max)) (insert "{line}\\n") (save-buffer))""")


class Nano(TextEditor):
    """In a terminal, with locks, without and with backups."""

    name = "nano"
    needs = ("nano", "tmux")
    in_place = True
    turns = 1
    names = ("letter.txt", "letter with backup.txt")

    def edit(self, path, name, line):
        # A place of its own: the path of a socket has little room.
        socket = f"/tmp/docdrive-nano-{os.getpid()}"
        options = "-GB" if "backup" in name else "-G"
        self.tool("tmux", "-S", socket, "new-session", "-d", "-s", "nano", "-x", "80", "-y", "24",
                  f"nano {options} '{path}'")
        try:
            time.sleep(0.7)
            for keys in (["-l", line], ["Enter"], ["C-o"], ["Enter"], ["C-x"]):
                self.tool("tmux", "-S", socket, "send-keys", "-t", "nano", *keys)
                time.sleep(0.3)
        finally:
            subprocess.run(["tmux", "-S", socket, "kill-server"], capture_output=True)


class Ed(TextEditor):
    name = "ed"
    needs = ("ed",)
    in_place = True

    def edit(self, path, name, line):
        self.tool("ed", "-s", path, input=f"$a\n{line}\n.\nw\nq\n".encode())


class Office(TextEditor):
    """As Microsoft Office saves: the new file beside it, the old one out of the way, the new one in, the old one gone."""

    name = "office pattern"

    def edit(self, path, name, line):
        with open(path) as file:
            text = file.read() + line + "\n"
        folder = os.path.dirname(path)
        made, aside = (os.path.join(folder, other) for other in ("~$new.tmp", "~WRD0001.tmp"))
        with open(made, "w") as file:
            file.write(text)
            os.fsync(file.fileno())
        os.rename(path, aside)
        os.rename(made, path)
        os.unlink(aside)


CASES = [Vim, Emacs, EmacsAtomic, Nano, Ed, Office]
