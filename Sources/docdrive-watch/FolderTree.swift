// SPDX-License-Identifier: GPL-2.0-only

/// The folders under the root and where they are, as far as the events seen so far tell.
///
/// A folder that left its place is *detached*, with everything beneath it, until it is found elsewhere (then putting it
/// there is all that a rename costs) or until its time is over.
struct FolderTree {
    let root: Folder
    private(set) var byWatch: [Int32: Folder] = [:]
    private(set) var byInode: [UInt64: Folder] = [:]
    private(set) var detached: [Folder: UInt32] = [:]
    /// Changes whenever a path may have changed.
    private(set) var generation: UInt32 = 0

    init(root: Folder) {
        self.root = root
        byInode[root.inode] = root
    }

    var count: Int { byInode.count }

    /// Whether the folder has not been forgotten.
    func holds(_ folder: Folder) -> Bool { byInode[folder.inode] === folder }

    /// Puts a folder, new or known, in a place. Whatever was there is detached.
    mutating func attach(_ folder: Folder, to parent: Folder, name: [UInt8], now: UInt32) {
        breakCycle(placing: folder, under: parent, now: now)
        if let old = parent.children[name], old !== folder { detach(old, now: now) }
        unlink(folder)
        detached[folder] = nil
        (folder.parent, folder.name) = (parent, name)
        parent.children.insert(folder)
        byInode[folder.inode] = folder
        generation &+= 1
    }

    mutating func detach(_ folder: Folder, now: UInt32) {
        unlink(folder)
        detached[folder] = now
        generation &+= 1
    }

    mutating func setWatch(_ watch: Int32, of folder: Folder) {
        folder.watch = watch
        byWatch[watch] = folder
    }

    /// Forgets a folder whose watch the kernel has removed; what it held is detached, for it must have been moved.
    mutating func forget(_ folder: Folder, now: UInt32) {
        for child in folder.children { detach(child, now: now) }
        erase(folder)
    }

    /// Forgets a detached folder and all beneath it.
    mutating func forgetSubtree(_ folder: Folder, each: (Folder) -> Void) {
        var folders: [Folder] = []
        folder.forEach { folders.append($0) }
        for folder in folders {
            each(folder)
            erase(folder)
        }
    }

    /// The path beneath the root, or nil if the folder is detached or beneath a detached one.
    func path(of folder: Folder) -> [UInt8]? {
        guard let chain = chain(to: folder) else { return nil }
        return Array(chain.map(\.name).joined(separator: [UInt8(ascii: "/")]))
    }

    /// The folders from the root's child down to `folder`; empty for the root, nil if it is detached.
    func chain(to folder: Folder) -> [Folder]? {
        var chain: [Folder] = []
        var place = folder
        while place !== root {
            chain.append(place)
            guard let parent = place.parent else { return nil }
            place = parent
        }
        chain.reverse()
        return chain
    }

    private mutating func erase(_ folder: Folder) {
        unlink(folder)
        detached[folder] = nil
        if byInode[folder.inode] === folder { byInode[folder.inode] = nil }
        if let watch = folder.watch { byWatch[watch] = nil }
        folder.watch = nil
        folder.children = FolderChildren()
        generation &+= 1
    }

    private func unlink(_ folder: Folder) {
        folder.parent?.children.remove(folder)
        folder.parent = nil
    }

    /// A listing may show a folder under one that the tree still has beneath it, since the disk is ahead of the events:
    /// cut the part between, whose own event is still to come.
    private mutating func breakCycle(placing folder: Folder, under parent: Folder, now: UInt32) {
        var place = parent
        while let above = place.parent {
            if above === folder { return detach(place, now: now) }
            place = above
        }
    }
}
