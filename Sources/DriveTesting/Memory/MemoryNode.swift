import DriveCore

/// An inode of a `MemoryFolder`. A class, because an open file outlives its name.
final class MemoryNode {
    /// Never used twice, unlike the inode number.
    let number: Int
    let inode: UInt64
    let kind: FileFacts.Kind
    let birth: FileTime
    /// The bytes of a file or the target of a link.
    var bytes: [UInt8]
    var entries = MemoryDirectory()
    var modified: FileTime
    var changed: FileTime
    var mode: UInt16
    var extended: [String: [UInt8]] = [:]
    var isForeignMount = false
    /// Made through the seam, not by a person.
    var isStaged = false
    /// Written through a mapping, and the times do not show it yet.
    var hasHiddenBytes = false
    /// The `number` of the folder that it is in; 0 where it is in none.
    var parent = 0
    var name = FileName(bytes: [])
    /// What the disk itself holds, where that is not what is seen.
    var stored: Stored?

    struct Stored {
        var bytes: [UInt8]
        var modified: FileTime
        var changed: FileTime
        var mode: UInt16
        var extended: [String: [UInt8]]
    }

    init(number: Int, inode: UInt64, kind: FileFacts.Kind, birth: FileTime, bytes: [UInt8], mode: UInt16) {
        self.number = number
        self.inode = inode
        self.kind = kind
        self.birth = birth
        self.bytes = bytes
        self.mode = mode
        modified = birth
        changed = birth
    }

    var isExecutable: Bool { kind == .file && mode & 0o100 != 0 }

    func setExecutable(_ flag: Bool) { mode = flag ? mode | 0o111 : mode & ~0o111 }
}

/// The entries of a folder, sorted by name so that the order of a listing is a function of the run.
struct MemoryDirectory {
    private(set) var nodes: [MemoryNode] = []

    var isEmpty: Bool { nodes.isEmpty }

    subscript(name: FileName) -> MemoryNode? {
        let place = position(of: name)
        return place < nodes.count && nodes[place].name == name ? nodes[place] : nil
    }

    /// The name must be free; it is the node's own.
    mutating func insert(_ node: MemoryNode) { nodes.insert(node, at: position(of: node.name)) }

    mutating func remove(_ node: MemoryNode) {
        let place = position(of: node.name)
        precondition(place < nodes.count && nodes[place] === node, "an entry that is not there cannot be removed")
        nodes.remove(at: place)
    }

    /// Where the name is, or would be.
    private func position(of name: FileName) -> Int {
        var low = 0
        var high = nodes.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
