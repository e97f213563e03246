"""Runs programs and tells what they cost: CPU of a program and all its children, wall time, peak memory, lines printed."""
import json
import os
import resource
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import processes

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def release():
    """The program: $DOCDRIVE, or a release build made now."""
    given = os.environ.get("DOCDRIVE")
    if given:
        return given
    subprocess.run(["swift", "build", "-c", "release"], cwd=ROOT, check=True)
    return str(ROOT / ".build/release/docdrive")


def run(command, accept=(0, 1), **options):
    """One program to its end. `memory` is the peak of its largest process, `total` of all together."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        beside = Beside()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, **options)
        peak = Peak(process.pid)
        _, status, used = os.wait4(process.pid, 0)
        cost = {"cpu": used.ru_utime + used.ru_stime, "wall": beside.wall()}
        process.returncode = os.waitstatus_to_exitcode(status)
        cost |= {**peak.end(used.ru_maxrss * 1024), **beside.others(cost["cpu"])}
        output.seek(0)
        errors.seek(0)
        text, told = output.read(), errors.read()
        if process.returncode not in accept:
            raise SystemExit(f"{' '.join(map(str, command))}: exit {process.returncode}\n{told.decode(errors='replace')}")
    return {**cost, "output": text, "errors": told, "exit": process.returncode}


class Beside:
    """What else the machine does meanwhile: CPU seconds a wall second of anything but what is measured and the measuring."""

    def __init__(self):
        self.busy, self.own, self.began = processes.busy(), time.process_time(), time.monotonic()

    def wall(self):
        return time.monotonic() - self.began

    def others(self, cpu):
        used = processes.busy() - self.busy - cpu - (time.process_time() - self.own)
        return {"others": max(0, used) / max(self.wall(), 0.01)}


class Peak(threading.Thread):
    """Peak memory of a program and its children. What wait4 tells of a child includes the peak of who started it, so
    small figures are taken from the kernel's own note of each process, looked up while it runs."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.largest, self.total, self.over = pid, 0, 0, threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.03):
            here = processes.tree(self.pid)
            self.largest = max([self.largest, *(processes.memory(one, "VmHWM") for one in here)])
            self.total = max(self.total, sum(processes.memory(one) for one in here))

    def end(self, told):
        self.over.set()
        self.join()
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        largest = told if told > own or not self.largest else self.largest
        return {"memory": largest, "total": max(self.total, largest)}


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
