// SPDX-License-Identifier: GPL-2.0-only

import Glibc

extension Watcher {
    /// Something was written into a file; its close tells of it, or time.
    func noteWrite(_ event: RawEvent, in folder: Folder) {
        let isMuch = writes.wrote(OpenWrites.Write(folder: folder, name: event.name), now: now)
        if isMuch { hear(folder, writes: false) }
    }

    func tellOpenWrites() {
        for write in writes.takeDue(now: now) where tree.holds(write.folder) {
            report(write.name, in: write.folder, isClosed: false)
        }
        for folder in writes.takeRested(now: now) where tree.holds(folder) {
            // One that is on its way elsewhere is heard again when it has arrived.
            if !hear(folder, writes: true) { writes.rest(folder, now: now) }
        }
    }

    /// The kernel's watch stays, and has another mask (inotify_add_watch(2)). False where the folder cannot be reached now.
    @discardableResult
    private func hear(_ folder: Folder, writes: Bool) -> Bool {
        // A new watch has all of the mask.
        guard let watch = folder.watch else { return true }
        guard let descriptor = open(folder) else { return false }
        defer { close(descriptor) }
        let whole = folder === tree.root ? WatchMask.root : WatchMask.folder
        library.change(watch, of: descriptor, mask: writes ? whole : whole & ~IN_MODIFY)
        return true
    }
}
