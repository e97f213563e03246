"""Runs programs and tells what they cost: CPU of a program and all its children, wall time, peak memory, lines printed."""
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def release():
    """The program: $DOCDRIVE, or a release build made now."""
    given = os.environ.get("DOCDRIVE")
    if given:
        return given
    subprocess.run(["swift", "build", "-c", "release", "--product", "docdrive"], cwd=ROOT, check=True)
    return str(ROOT / ".build/release/docdrive")


def run(command, **options):
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        began = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, **options)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
        errors.seek(0)
        if process.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(map(str, command))}: exit {process.returncode}\n{errors.read().decode()}")
    return {"cpu": used.ru_utime + used.ru_stime, "wall": wall, "memory": used.ru_maxrss * 1024, "output": text}


def interleaved(commands, rounds):
    """Medians of commands that take turns, so that whatever else the machine does hits all of them. One round before
    counts for nothing: it reads what the others find in memory."""
    results = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            result = run(command)
            if turn:
                results[name].append(result)
    return {
        name: {
            **{key: statistics.median(result[key] for result in all) for key in ("cpu", "wall", "memory")},
            "output": all[-1]["output"],
        }
        for name, all in results.items()
    }


class Table:
    """One line for each figure: for people on the terminal, as JSON in a file if one is asked for."""

    def __init__(self, file):
        self.file = file

    def add(self, what, figure, goal, met, **details):
        print(f"{'ok  ' if met else 'MISS'}  {what:58}  {figure:34}  goal {goal}", flush=True)
        if self.file:
            with open(self.file, "a") as file:
                file.write(json.dumps({"what": what, "figure": figure, "goal": goal, "met": met, **details}) + "\n")

    def note(self, text):
        print(f"      {text}", flush=True)
