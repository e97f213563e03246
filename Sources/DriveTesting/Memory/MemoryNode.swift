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
    /// Its inode number is free for others.
    var isRetired = false
    /// Made through the seam, not by a person.
    var isStaged = false
    /// Written through a mapping, and the times do not show it yet.
    var hasHiddenBytes = false
    /// How many names it has. A file may have several (hard links).
    var links = 0
    /// The `number` of the folder that it is in, 0 where it is in none, and its name there; of a file that of its names which it
    /// got last.
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
    struct Entry {
        var name: FileName
        var node: MemoryNode
    }

    private(set) var all: [Entry] = []

    var isEmpty: Bool { all.isEmpty }

    subscript(name: FileName) -> MemoryNode? {
        let place = position(of: name)
        return place < all.count && all[place].name == name ? all[place].node : nil
    }

    /// The name must be free.
    mutating func insert(_ node: MemoryNode, as name: FileName) {
        all.insert(Entry(name: name, node: node), at: position(of: name))
    }

    mutating func remove(_ name: FileName) -> MemoryNode {
        let place = position(of: name)
        precondition(place < all.count && all[place].name == name, "an entry that is not there cannot be removed")
        return all.remove(at: place).node
    }

    /// Where the name is, or would be.
    private func position(of name: FileName) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
