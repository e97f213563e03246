import DriveCore

/// What the disk does not hold yet, oldest first.
///
/// The model is a journalling file system with ordered metadata and delayed data (ext4, XFS): changes of names become
/// durable in the order they were made, so a cut loses a tail of them; the bytes of a file become durable on their own,
/// so a name may be there with no bytes, some, or the previous ones.
struct UnstoredChanges {
    private(set) var names: [NameChange] = []
    private(set) var written: [MemoryNode] = []
    /// A kernel writes back by itself; so nothing stays unstored for ever.
    private static let limit = 64

    mutating func append(_ change: NameChange, retire: (MemoryNode) -> Void) {
        names.append(change)
        guard names.count > Self.limit else { return }
        for old in names.prefix(Self.limit / 2) { old.removed.map(retire) }
        names.removeFirst(Self.limit / 2)
    }

    mutating func append(written node: MemoryNode) {
        written.append(node)
        guard written.count > Self.limit else { return }
        for old in written.prefix(Self.limit / 2) { old.stored = nil }
        written.removeFirst(Self.limit / 2)
    }

    mutating func clear(retire: (MemoryNode) -> Void) {
        for change in names { change.removed.map(retire) }
        names.removeAll(keepingCapacity: true)
        for node in written { node.stored = nil }
        written.removeAll(keepingCapacity: true)
    }

    mutating func popName() -> NameChange? { names.popLast() }
}

/// One atomic change of names, with what it takes to undo it.
enum NameChange {
    case linked(MemoryNode, name: FileName, folder: MemoryNode)
    case unlinked(MemoryNode, name: FileName, folder: MemoryNode)
    case renamed(
        MemoryNode, oldName: FileName, oldFolder: MemoryNode, newName: FileName, newFolder: MemoryNode,
        replaced: MemoryNode?)
    case exchanged(nameA: FileName, folderA: MemoryNode, nameB: FileName, folderB: MemoryNode)

    var removed: MemoryNode? {
        switch self {
        case .unlinked(let node, _, _): node
        case .renamed(_, _, _, _, _, let replaced): replaced
        case .linked, .exchanged: nil
        }
    }
}

extension MemoryFolder {
    /// The machine loses power: the last changes of names that were not durable may be undone, and the bytes of files
    /// that were not durable may be the previous ones, zeros, or short. The process is dead until `restart()`.
    ///
    /// Returns what damaged files of people hold now; a store that damages its own files has itself to blame.
    @discardableResult
    public func cutPower(_ generator: inout SeededGenerator) -> [[UInt8]] {
        kill()
        var damaged: [[UInt8]] = []
        for _ in 0..<generator.below(unstored.names.count + 1) {
            if let change = unstored.popName() { undo(change) }
        }
        for node in unstored.written where damage(node, &generator) && !node.isStaged { damaged.append(node.bytes) }
        settleStorage()
        return damaged
    }

    /// All that was written and renamed so far would survive a power cut.
    func settleStorage() {
        unstored.clear(retire: retire)
    }

    private func undo(_ change: NameChange) {
        switch change {
        case .linked(let node, let name, let folder):
            detach(name, folder)
            release(node)
        case .unlinked(let node, let name, let folder):
            restore(node)
            attach(node, name, folder)
        case .renamed(let node, let oldName, let oldFolder, let newName, let newFolder, let replaced):
            detach(newName, newFolder)
            attach(node, oldName, oldFolder)
            if let replaced {
                restore(replaced)
                attach(replaced, newName, newFolder)
            }
        case .exchanged(let nameA, let folderA, let nameB, let folderB):
            swapPlaces(nameA, folderA, nameB, folderB)
        }
    }

    private func damage(_ node: MemoryNode, _ generator: inout SeededGenerator) -> Bool {
        guard let stored = node.stored, generator.chance(percent: 50) else { return false }
        let count = node.bytes.count
        let bytes: [UInt8]
        switch generator.below(4) {
        case 0:
            bytes = stored.bytes
            node.modified = stored.modified
            node.changed = stored.changed
            // An inode is stored as a whole: with the older times come the older attributes.
            node.mode = stored.mode
            node.extended = stored.extended
        case 1: bytes = Array(repeating: 0, count: count)
        case 2: bytes = Array(node.bytes.prefix(generator.below(count + 1)))
        default:
            let kept = generator.below(count + 1)
            bytes = node.bytes.prefix(kept) + Array(repeating: 0, count: count - kept)
        }
        if nodes[node.number] === node { used = used - UInt64(count) + UInt64(bytes.count) }
        node.bytes = bytes
        return true
    }
}
