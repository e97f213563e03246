import DriveCore

// The changes of names that both faces of the folder are made of. Each is one atomic change of the file system, and
// each is remembered until it is durable.
extension MemoryFolder {
    /// Nil where the folder has been removed.
    func folderNode(_ number: Int) -> MemoryNode? {
        guard number > 0, number < nodes.count, let node = nodes[number], node.kind == .folder else { return nil }
        return node
    }

    func entry(_ name: FileName, in folder: Int) -> MemoryNode? {
        guard let entries = folderNode(folder)?.entries else { return nil }
        if let exact = entries[name] { return exact }
        guard options.ignoresCase else { return nil }
        return entries.nodes.first { $0.name.bytes.map(Self.small) == name.bytes.map(Self.small) }
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Whether `node` is `ancestor` or lies in it.
    func isInside(_ node: MemoryNode, _ ancestor: MemoryNode) -> Bool {
        var current: MemoryNode? = node
        while let here = current {
            if here === ancestor { return true }
            current = here.parent == 0 ? nil : nodes[here.parent]
        }
        return false
    }

    func link(_ node: MemoryNode, as name: FileName, in folder: MemoryNode) {
        attach(node, name, folder)
        unstored.append(.linked(node, name: name, folder: folder), retire: retire)
    }

    func unlink(_ node: MemoryNode) {
        guard let folder = folderNode(node.parent) else { return }
        unstored.append(.unlinked(node, name: node.name, folder: folder), retire: retire)
        detach(node, folder)
        // Its link count falls.
        node.changed = now()
        release(node)
    }

    /// `rename`: what had the new name is gone, if anything did.
    func rename(_ node: MemoryNode, to name: FileName, in target: MemoryNode) {
        guard let source = folderNode(node.parent) else { return }
        let replaced = target.entries[name]
        if replaced === node { return }
        unstored.append(
            .renamed(
                node, oldName: node.name, oldFolder: source, newName: name, newFolder: target, replaced: replaced),
            retire: retire)
        if let replaced {
            detach(replaced, target)
            replaced.changed = now()
            release(replaced)
        }
        detach(node, source)
        attach(node, name, target)
        node.changed = now()
    }

    func exchange(_ a: MemoryNode, _ b: MemoryNode) {
        guard a !== b, let folderA = folderNode(a.parent), let folderB = folderNode(b.parent) else { return }
        unstored.append(.exchanged(a, b), retire: retire)
        swapPlaces(a, folderA, b, folderB)
        a.changed = now()
        b.changed = a.changed
    }

    func swapPlaces(_ a: MemoryNode, _ folderA: MemoryNode, _ b: MemoryNode, _ folderB: MemoryNode) {
        let (nameA, nameB) = (a.name, b.name)
        detach(a, folderA)
        detach(b, folderB)
        attach(a, nameB, folderB)
        attach(b, nameA, folderA)
    }

    func attach(_ node: MemoryNode, _ name: FileName, _ folder: MemoryNode) {
        touched.insert(name, in: folder.number)
        node.name = name
        node.parent = folder.number
        folder.entries.insert(node)
        touchAgain(movedWith: node)
        folder.modified = now()
        folder.changed = folder.modified
    }

    func detach(_ node: MemoryNode, _ folder: MemoryNode) {
        touched.insert(node.name, in: folder.number)
        folder.entries.remove(node)
        node.parent = 0
        folder.modified = now()
        folder.changed = folder.modified
    }

    /// The node and all in it no longer exist for anybody who looks; open files still do.
    private func release(_ node: MemoryNode) {
        nodes[node.number] = nil
        used -= UInt64(node.bytes.count)
        for child in node.entries.nodes { release(child) }
    }

    /// A power cut brings a removed node back.
    func restore(_ node: MemoryNode) {
        nodes[node.number] = node
        used += UInt64(node.bytes.count)
        for child in node.entries.nodes { restore(child) }
    }

    /// Inode numbers are free for reuse only when no power cut can bring their inodes back.
    func retire(_ node: MemoryNode) {
        guard options.reusesInodes else { return }
        freeInodes.append(node.inode)
        for child in node.entries.nodes { retire(child) }
    }

    func replaceBytes(of node: MemoryNode, with bytes: [UInt8]) {
        willWrite(node)
        used = used - UInt64(node.bytes.count) + UInt64(bytes.count)
        node.bytes = bytes
    }

    /// Must come before every change of a file's bytes or times that the disk does not have at once.
    func willWrite(_ node: MemoryNode) {
        guard node.stored == nil else { return }
        node.stored = MemoryNode.Stored(
            bytes: node.bytes, modified: node.modified, changed: node.changed, mode: node.mode, extended: node.extended)
        unstored.append(written: node)
    }
}
