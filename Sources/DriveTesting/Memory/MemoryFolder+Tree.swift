import DriveCore

// The changes of names that both faces of the folder are made of. Each is one atomic change of the file system, and
// each is remembered until it is durable.
extension MemoryFolder {
    /// Nil where the folder has been removed.
    func folderNode(_ number: Int) -> MemoryNode? {
        guard number > 0, number < nodes.count, let node = nodes[number], node.kind == .folder else { return nil }
        return node
    }

    func entry(_ name: FileName, in folder: Int) -> MemoryNode? { found(name, in: folder)?.node }

    /// With the name that it has, which may be another where case does not count.
    func found(_ name: FileName, in folder: Int) -> (name: FileName, folder: MemoryNode, node: MemoryNode)? {
        guard let folder = folderNode(folder) else { return nil }
        if let exact = folder.entries[name] { return (name, folder, exact) }
        guard options.ignoresCase,
            let other = folder.entries.all.first(where: {
                $0.name.bytes.map(Self.small) == name.bytes.map(Self.small)
            })
        else { return nil }
        return (other.name, folder, other.node)
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

    func unlink(_ name: FileName, in folder: MemoryNode) {
        guard let node = folder.entries[name] else { return }
        unstored.append(.unlinked(node, name: name, folder: folder), retire: retire)
        detach(name, folder)
        // Its link count falls.
        node.changed = now()
        release(node)
    }

    /// `rename`: what had the new name is gone, if anything did. Of two names of one file both stay.
    func rename(_ name: FileName, in source: MemoryNode, to newName: FileName, in target: MemoryNode) {
        guard let node = source.entries[name] else { return }
        let replaced = target.entries[newName]
        if replaced === node { return }
        unstored.append(
            .renamed(
                node, oldName: name, oldFolder: source, newName: newName, newFolder: target, replaced: replaced),
            retire: retire)
        if let replaced {
            detach(newName, target)
            replaced.changed = now()
            release(replaced)
        }
        detach(name, source)
        attach(node, newName, target)
        node.changed = now()
    }

    /// Of two names of one file nothing changes.
    func exchange(_ nameA: FileName, in folderA: MemoryNode, _ nameB: FileName, in folderB: MemoryNode) {
        guard let a = folderA.entries[nameA], let b = folderB.entries[nameB], a !== b else { return }
        let change = NameChange.exchanged(nameA: nameA, folderA: folderA, nameB: nameB, folderB: folderB)
        unstored.append(change, retire: retire)
        swapPlaces(nameA, folderA, nameB, folderB)
        a.changed = now()
        b.changed = a.changed
    }

    func swapPlaces(_ nameA: FileName, _ folderA: MemoryNode, _ nameB: FileName, _ folderB: MemoryNode) {
        let a = detach(nameA, folderA)
        let b = detach(nameB, folderB)
        attach(a, nameB, folderB)
        attach(b, nameA, folderA)
    }

    /// Whether one of them is a folder that the other lies in, by the folders of both.
    func areNested(_ a: MemoryNode, in folderA: MemoryNode, _ b: MemoryNode, in folderB: MemoryNode) -> Bool {
        a !== b && (isInside(folderB, a) || isInside(folderA, b))
    }

    func attach(_ node: MemoryNode, _ name: FileName, _ folder: MemoryNode) {
        touched.insert(name, in: folder.number)
        node.name = name
        node.parent = folder.number
        node.links += 1
        folder.entries.insert(node, as: name)
        touchAgain(movedWith: node)
        folder.modified = now()
        folder.changed = folder.modified
    }

    @discardableResult
    func detach(_ name: FileName, _ folder: MemoryNode) -> MemoryNode {
        touched.insert(name, in: folder.number)
        let node = folder.entries.remove(name)
        node.links -= 1
        if node.links == 0 { node.parent = 0 }
        folder.modified = now()
        folder.changed = folder.modified
        return node
    }

    /// What has lost its last name, and all in it, no longer exist for anybody who looks; open files still do.
    func release(_ node: MemoryNode) {
        guard node.links == 0 else { return }
        nodes[node.number] = nil
        used -= UInt64(node.bytes.count)
        for child in node.entries.all {
            child.node.links -= 1
            release(child.node)
        }
    }

    /// A power cut brings a removed node back, before it gets its name.
    func restore(_ node: MemoryNode) {
        guard node.links == 0 else { return }
        nodes[node.number] = node
        used += UInt64(node.bytes.count)
        for child in node.entries.all {
            restore(child.node)
            child.node.links += 1
        }
    }

    /// Inode numbers are free for reuse only when no power cut can bring their inodes back.
    func retire(_ node: MemoryNode) {
        guard options.reusesInodes, node.links == 0, !node.isRetired else { return }
        node.isRetired = true
        freeInodes.append(node.inode)
        for child in node.entries.all { retire(child.node) }
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
