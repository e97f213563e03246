"""Programs of desktops: what GLib does when it saves, and LibreOffice."""
import os
import subprocess

from lib.editors.case import Case, Missing
from lib.editors.writers import TextEditor, TEXT

# Debian's modules belong to Debian's Python, whichever runs this.
PYTHON = "/usr/bin/python3"

REPLACE = """
import sys, time
from gi.repository import Gio
path, line, backup, flags = sys.argv[1:]
file = Gio.File.new_for_path(path)
flags = {"none": Gio.FileCreateFlags.NONE, "new": Gio.FileCreateFlags.REPLACE_DESTINATION}[flags]
old = file.load_contents(None)[1]
stream = file.replace(None, backup == "backup", flags, None)
stream.write_all(old, None)
stream.flush(None)
time.sleep(0.4)
stream.write_all((line + "\\n").encode(), None)
stream.close(None)
"""


def python_has(module):
    done = subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Missing(f"`{PYTHON} -c 'import {module}'` answers: {done.stderr.strip().splitlines()[-1]}")


class GLib(TextEditor):
    """g_file_replace, as gedit and all of GNOME save; the stream is open for a moment."""

    name = "GLib"
    names = ("plain none.txt", "plain new.txt", "backup none.txt", "backup new.txt")
    # With a backup the old file is renamed and a new one made, then filled.
    in_place = True

    def check_needs(self):
        python_has("gi")

    def edit(self, path, name, line):
        backup, flags = name[:-4].split(" ")
        self.tool(PYTHON, "-c", REPLACE, path, line, backup, flags)


class GioSave(TextEditor):
    name = "gio save"
    needs = ("gio",)
    in_place = True
    names = ("plain.txt", "with backup.txt")

    def edit(self, path, name, line):
        with open(path) as file:
            text = file.read()
        options = ["--backup"] if "backup" in name else []
        self.tool("gio", "save", *options, path, input=f"{text}{line}\n".encode())


class LibreOffice(Case):
    """Converts in place, over what was there."""

    name = "soffice --convert-to"
    needs = ("soffice",)
    # soffice copies the finished document over the old one, byte by byte.
    in_place = True

    def work(self, folder, turn):
        source = os.path.join(folder, "report.txt")
        with open(source, "w") as file:
            file.write(f"{TEXT}round {turn}\n")
        self.saved(source)
        for kind in ("odt", "docx"):
            self.tool("soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{self.profile()}",
                      "--convert-to", kind, "--outdir", folder, source)
            self.saved(os.path.join(folder, f"report.{kind}"))

    def profile(self):
        return self.campaign.path("office profile").replace(" ", "%20")


UNO = """
import subprocess, sys, time, uno
from com.sun.star.beans import PropertyValue
profile, source, path, line = sys.argv[1:]
pipe = "docdrive%d" % __import__("os").getpid()
office = subprocess.Popen(["soffice", "--headless", "--norestore", "--nologo", "-env:UserInstallation=file://" + profile,
                           "--accept=pipe,name=%s;urp" % pipe], stderr=subprocess.DEVNULL)
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
for turn in range(300):
    try:
        context = resolver.resolve("uno:pipe,name=%s;urp;StarOffice.ComponentContext" % pipe)
        break
    except Exception:
        time.sleep(0.1)
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
import os
hidden = PropertyValue("Hidden", 0, True, 0)
def url(path): return uno.systemPathToFileUrl(path)
if not os.path.exists(path):
    document = desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, (hidden,))
    document.Text.setString("beginning")
    document.storeAsURL(url(path), ())
    print("made", flush=True)
else:
    document = desktop.loadComponentFromURL(url(path), "_blank", 0, (hidden,))
for turn in range(2):
    document.Text.insertString(document.Text.End, line + " %d" % turn, False)
    time.sleep(1)
    document.store()
    print("saved", flush=True)
    sys.stdin.readline()
locks = [name for name in os.listdir(os.path.dirname(path)) if name.startswith(".~lock")]
print("locks", len(locks), flush=True)
document.close(True)
try: desktop.terminate()
except Exception: pass
office.wait(30)
"""


class LibreOfficeSave(Case):
    """Opens a document in the drive, changes it and saves it; the lock is there all the time."""

    name = "LibreOffice saves"
    needs = ("soffice",)

    def check_needs(self):
        super().check_needs()
        python_has("uno")

    def work(self, folder, turn):
        path = os.path.join(folder, "letter.odt")
        profile = self.campaign.path("office profile for saving").replace(" ", "%20")
        process = subprocess.Popen([PYTHON, "-c", UNO, profile, "", path, f"round {turn}"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.campaign.environment)
        locks = b""
        for line in process.stdout:
            if line.startswith((b"saved", b"made")):
                self.saved(path)
            if line.startswith(b"saved"):
                process.stdin.write(b"\n")
                process.stdin.flush()
            if line.startswith(b"locks"):
                locks = line
        error = process.stderr.read()
        code = process.wait(60)
        self.campaign.expect(code == 0 and locks == b"locks 1\n", f"{self.name}: {code} {locks} {error[-400:]}")


CASES = [GLib, GioSave, LibreOffice, LibreOfficeSave]
