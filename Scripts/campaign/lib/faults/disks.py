"""Disks of a test's own: images of ext4 on a loop device, tmpfs, remounts. What the machine refuses is told."""
import os
import subprocess


class Refused(Exception):
    """The machine does not let us; says what it answered."""


def do(*command):
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        answer = (done.stderr or done.stdout).decode("utf-8", "backslashreplace").strip()
        raise Refused(f"`{' '.join(command)}` answers: {answer}")


def make_image(path, mebibytes):
    with open(path, "wb") as file:
        file.truncate(mebibytes << 20)
    do("mkfs.ext4", "-q", "-N", "4096", path)


def copy_image(source, target):
    do("cp", "--reflink=auto", "--sparse=always", source, target)


def mount_image(image, place, *options):
    os.makedirs(place, exist_ok=True)
    do("mount", "-o", ",".join(("loop", "noatime") + options), image, place)


def mount_memory(place, size):
    os.makedirs(place, exist_ok=True)
    do("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place)


def remount(place, *options):
    do("mount", "-o", ",".join(("remount",) + options), place)


def unmount(place, *options):
    do("umount", *options, place)


def unmount_all_beneath(place):
    """What a test left mounted when it failed."""
    with open("/proc/mounts") as mounts:
        points = [line.split()[1].replace("\\040", " ") for line in mounts]
    for point in reversed(points):
        if point.startswith(place + "/"):
            subprocess.run(["umount", "-l", point], capture_output=True)
