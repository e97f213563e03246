"""A drive that is watched: started, at rest, counted for a while."""
import os
import signal
import subprocess
import time

import processes
from measure import Beside


def started(bench, folder, before=(), **options):
    """`docdrive watch`, after it has looked at the folder once. `before` is a command that runs it."""
    log = (bench.place.root / "work" / f"{folder.name}.watch").open("wb")
    process = subprocess.Popen(
        [*before, bench.program, "watch", str(folder)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        start_new_session=True, **options)
    return process


def still(process, seconds=5, limit=900):
    """Returns when the processes have used no CPU to speak of for some seconds."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        before = processes.cpu(process.pid)
        time.sleep(seconds)
        if process.poll() is not None:
            raise SystemExit(f"{process.args[0]} ended with {process.returncode}")
        # A first look uses half a second of each second at least.
        if processes.cpu(process.pid) - before < 0.02 * seconds and processes.cpu(process.pid) > 0.01:
            return
    raise TimeoutError(f"{process.args[0]} does not come to rest")


def alone(process, limit=120):
    """Returns when the process that reads documents is let go, half a minute after the last of them."""
    end = time.monotonic() + limit
    while any(processes.name(one) == "docdrive-import" for one in processes.tree(process.pid)):
        if time.monotonic() > end:
            raise TimeoutError("the process that reads documents does not end")
        time.sleep(1)


def counted(process, seconds):
    """What the processes do while nothing happens."""
    beside = Beside()
    cpu, woken, written = processes.cpu(process.pid), processes.sleeps(process.pid), processes.written(process.pid)
    time.sleep(seconds)
    used = processes.cpu(process.pid) - cpu
    return {
        "cpu": used, "wall": beside.wall(), "wakeups": processes.wakeups(woken, processes.sleeps(process.pid)),
        "written": processes.written(process.pid) - written, "watches": processes.watches(process.pid),
        "resident": sum(map(processes.memory, processes.tree(process.pid))), **beside.others(used)}


def stopped(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
