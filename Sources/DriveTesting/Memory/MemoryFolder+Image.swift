import DriveCore

extension MemoryFolder {
    /// All that the disk holds at one moment, as a backup of the whole machine has it.
    public struct Image {
        fileprivate var nodes: [MemoryNode?]
        fileprivate var used: UInt64
    }

    public func image() -> Image { Image(nodes: Self.copies(of: nodes), used: used) }

    /// The disk is what it was, all of it durable. Inodes that are made later are others than those made since.
    public func restore(_ image: Image) {
        let count = nodes.count
        nodes = Self.copies(of: image.nodes)
        nodes += Array(repeating: nil, count: max(0, count - nodes.count))
        used = image.used
        freeInodes = []
        unstored = UnstoredChanges()
    }

    private static func copies(of nodes: [MemoryNode?]) -> [MemoryNode?] {
        let copies = nodes.map { $0?.copy() }
        for (node, copy) in zip(nodes, copies) {
            for entry in node?.entries.all ?? [] {
                if let child = copies[entry.node.number] { copy?.entries.insert(child, as: entry.name) }
            }
        }
        return copies
    }
}

extension MemoryNode {
    /// The same inode without what is in it.
    fileprivate func copy() -> MemoryNode {
        let copy = MemoryNode(number: number, inode: inode, kind: kind, birth: birth, bytes: bytes, mode: mode)
        copy.modified = modified
        copy.changed = changed
        copy.extended = extended
        copy.isStaged = isStaged
        copy.hasHiddenBytes = hasHiddenBytes
        copy.links = links
        copy.parent = parent
        copy.name = name
        return copy
    }
}
