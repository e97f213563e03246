"""What the kernel tells of running processes and of the machine: CPU, memory, watches, wake-ups, bytes written."""
import os
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def tree(pid):
    """A process and all that descend from it."""
    found = [pid]
    for one in found:
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                found += map(int, Path(f"/proc/{one}/task/{thread}/children").read_text().split())
        except OSError:
            pass
    return found


def cpu(pid):
    """Seconds that a process and all that descend from it have used so far, those that ended included."""
    return sum(own_cpu(one) + ended_cpu(one) for one in tree(pid))


def own_cpu(pid):
    try:
        # The CPU clock of another process: nanoseconds, where /proc has ticks of 10 ms.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0


def ended_cpu(pid):
    """Of children that were waited for; the kernel has that in ticks only."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[13]) + int(fields[14])) / TICKS
    except OSError:
        return 0


def name(pid):
    """Of the program, at most 15 bytes of it; empty where the process has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def memory(pid, field="VmRSS"):
    """Bytes; VmHWM is the peak so far."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def watches(pid):
    """How many inotify watches a process and its descendants hold."""
    total = 0
    for one in tree(pid):
        for info in listed(f"/proc/{one}/fdinfo"):
            try:
                total += info.read_text().count("inotify wd:")
            except OSError:
                pass
    return total


def sleeps(pid):
    """How often each thread of these processes has gone to sleep of itself, which is how often it was woken."""
    found = {}
    for one in tree(pid):
        for thread in listed(f"/proc/{one}/task"):
            try:
                text = (thread / "status").read_text()
            except OSError:
                continue
            found[thread.name] = int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])
    return found


def wakeups(before, now):
    """Between two looks. Threads may have ended meanwhile, which is no reason to count less."""
    return sum(count - before.get(thread, 0) for thread, count in now.items())


def written(pid):
    """Bytes that these processes had written to disks."""
    total = 0
    for one in tree(pid):
        try:
            total += int(Path(f"/proc/{one}/io").read_text().split("\nwrite_bytes:")[1].split()[0])
        except OSError:
            pass
    return total


def listed(folder):
    try:
        return list(Path(folder).iterdir())
    except OSError:
        return []


def busy():
    """CPU seconds that the whole machine has worked so far."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    return sum(int(fields[place]) for place in (1, 2, 3, 6, 7)) / TICKS
