// SPDX-License-Identifier: GPL-2.0-only

import Glibc

extension Watcher {
    /// Deeper than this a listing does not recurse, so that neither descriptors nor the stack run out; the rest is
    /// listed from there.
    private static let deepest = 64
    /// For how long after a report the drive may not have read a name yet: longer than it waits for a writer (60 s).
    private static let readingTime: UInt32 = 120

    /// Looks at one name that may be a folder.
    func look(at name: [UInt8], in folder: Folder) {
        guard let descriptor = open(folder) else {
            unlisted.insert(folder)
            return
        }
        defer { close(descriptor) }
        look(at: name, in: folder, descriptor: descriptor, depth: 0)
    }

    /// Opens a folder by its path, but only if it really is that folder.
    func open(_ folder: Folder) -> Int32? {
        guard let root = rootDescriptor ?? Disk.openRoot(arguments.root) else { return nil }
        defer { if rootDescriptor == nil { close(root) } }
        guard let chain = tree.chain(to: folder), let descriptor = Disk.openFolder(chain: chain, under: root) else {
            return nil
        }
        guard let status = FolderStatus(descriptor: descriptor), status.device == device, status.inode == folder.inode
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private func look(at name: [UInt8], in parent: Folder, descriptor: Int32, depth: Int) {
        guard let child = Disk.openFolder(name, in: descriptor) else {
            // Otherwise gone again, not a folder, a link, or not ours to read: nothing to watch.
            if [EMFILE, ENFILE, ENOMEM].contains(errno) { unlisted.insert(parent) }
            return
        }
        defer { close(child) }
        guard let status = FolderStatus(descriptor: child), status.device == device,
            !leftOutInodes.contains(status.inode)
        else { return }
        if let known = tree.byInode[status.inode] {
            guard known !== tree.root else { return }
            place(known, at: name, in: parent)
            if isListingAll { list(known, descriptor: child, depth: depth + 1) }
        } else {
            let folder = Folder(inode: status.inode, name: name)
            tree.attach(folder, to: parent, name: name, now: now)
            list(folder, descriptor: child, depth: depth + 1)
        }
    }

    /// A rename costs this and nothing more, except that what was reported under the old path and may not have been
    /// read yet is reported again under the new one.
    private func place(_ folder: Folder, at name: [UInt8], in parent: Folder) {
        guard folder.parent !== parent || folder.name != name else { return }
        tree.attach(folder, to: parent, name: name, now: now)
        guard !isListingAll else { return }
        folder.forEach { if $0.lastReport != 0, now - $0.lastReport < Self.readingTime { unlisted.insert($0) } }
    }

    /// Watches, then lists: what appears before the watch is in the listing, what appears later makes an event.
    private func list(_ folder: Folder, descriptor: Int32, depth: Int) {
        watch(folder, descriptor: descriptor)
        guard depth < Self.deepest else {
            unlisted.insert(folder)
            return
        }
        // A listing says what is there; what is not there any more is for the drive to find out.
        if isReporting { report([], in: folder, isClosed: true) }
        var seen: Set<[UInt8]> = []
        let isComplete = Disk.list(descriptor) { name, maybeFolder in
            if folder === tree.root, arguments.leavesOut(name) { return }
            if isReporting { report(name, in: folder, isClosed: true) }
            guard maybeFolder else { return }
            if isListingAll { seen.insert(name) }
            look(at: name, in: folder, descriptor: descriptor, depth: depth)
        }
        if isListingAll, isComplete {
            for child in folder.children where !seen.contains(child.name) { tree.detach(child, now: now) }
        }
    }

    private func watch(_ folder: Folder, descriptor: Int32) {
        guard folder.watch == nil else { return }
        let root = arguments.onlyArrivals ? WatchMask.arrivals : WatchMask.root
        let mask = folder === tree.root ? root : WatchMask.folder
        switch library.watch(descriptor: descriptor, mask: mask) {
        case .watch(let watch):
            if tree.byWatch[watch] != nil { library.leaked += 1 }
            tree.setWatch(watch, of: folder)
            unwatched.remove(folder)
        case .failed: unwatched.insert(folder)
        }
    }

    /// Lists everything beneath the root without reporting it.
    func listAll() {
        (isReporting, isListingAll) = (false, true)
        defer { (isReporting, isListingAll) = (true, false) }
        unlisted = [tree.root]
        vanished = [:]
        while !unlisted.isEmpty {
            let before = unlisted
            listUnlisted()
            // What cannot be reached even now is gone, or its event is still to come.
            unlisted.subtract(before)
        }
    }

    /// Lists what waits for it, as far as it can be reached.
    func listUnlisted() {
        guard !unlisted.isEmpty else { return }
        triedGeneration = tree.generation
        let folders = unlisted
        unlisted = []
        for folder in folders where tree.holds(folder) {
            guard let descriptor = open(folder) else {
                unlisted.insert(folder)
                continue
            }
            list(folder, descriptor: descriptor, depth: 0)
            close(descriptor)
        }
    }

    /// Watches a folder that could not be watched before, and reports what is in it. False if there is still no watch.
    func watchAgain(_ folder: Folder) -> Bool {
        guard let descriptor = open(folder) else { return true }
        defer { close(descriptor) }
        watch(folder, descriptor: descriptor)
        guard folder.watch != nil else { return false }
        list(folder, descriptor: descriptor, depth: 0)
        return true
    }
}
