"""A disk whose power can be cut: an ext4 image on a loop device, copied while everything holds still."""
import os
import subprocess
import time

from lib.faults import disks


class CutDisk:
    """What the device was told to write by that instant is there afterwards, and nothing that was only in memory."""

    def __init__(self, image, place, mebibytes, options):
        self.image = image
        self.place = place
        self.options = options
        self.copy = image + ".cut"
        disks.make_image(image, mebibytes)
        self.mount()

    def mount(self):
        disks.mount_image(self.image, self.place, *self.options)
        answer = subprocess.run(["losetup", "-n", "-O", "NAME", "-j", self.image], capture_output=True, text=True)
        self.device = os.path.basename(answer.stdout.split()[0])

    def activity(self):
        """What the device has written so far, and what is on its way."""
        with open(f"/sys/block/{self.device}/stat") as file:
            numbers = file.read().split()
        return numbers[4], numbers[6], int(numbers[8])

    def take(self):
        """Copies the image; once more where the device was written to meanwhile. Whoever writes is stopped."""
        for _ in range(200):
            before = self.activity()
            if before[2] == 0:
                disks.copy_image(self.image, self.copy)
                if self.activity() == before:
                    return
            time.sleep(0.002)
        raise disks.Refused("the device of a cut never came to rest")

    def cut(self):
        """The copy takes the place of what was: the machine starts again. Nobody may have it open."""
        self.unmount()
        os.replace(self.copy, self.image)
        self.mount()

    def unmount(self):
        for _ in range(100):
            try:
                return disks.unmount(self.place)
            except disks.Refused:
                time.sleep(0.02)
        disks.unmount(self.place)
