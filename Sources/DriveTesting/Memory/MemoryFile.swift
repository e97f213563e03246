import DriveCore

/// Reads the inode itself, so what a program writes meanwhile shows up in what is read, as it does on disk.
final class MemoryReader: FileReader {
    let facts: FileFacts
    private let node: MemoryNode
    private let store: MemoryFolder
    private let folder: Int
    private let name: FileName
    private var position = 0

    init(_ node: MemoryNode, of store: MemoryFolder, _ name: FileName, folder: Int) {
        self.node = node
        self.store = store
        self.folder = folder
        self.name = name
        facts = store.facts(of: node)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try store.perform(.readBytes, name, in: folder) { () throws(DriveError) in
            let start = min(position, node.bytes.count)
            let count = min(buffer.count, node.bytes.count - start)
            buffer.copyBytes(from: node.bytes[start..<start + count])
            position = start + count
            return count
        }
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int {
        try store.perform(.readBytes, name, in: folder) { () throws(DriveError) in
            let start = Int(min(offset, UInt64(node.bytes.count)))
            let count = min(buffer.count, node.bytes.count - start)
            buffer.copyBytes(from: node.bytes[start..<start + count])
            return count
        }
    }

    func isUnchanged() throws(DriveError) -> Bool {
        try store.perform(.isUnchanged, name, in: folder) { () throws(DriveError) in
            store.facts(of: node) == facts
        }
    }

    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]] {
        try store.perform(.extendedAttributes, name, in: folder) { () throws(DriveError) in
            store.carriedAttributes(of: node)
        }
    }

    func contentDigest() -> any ContentDigest { ContentHasher() }

    /// Of the bytes as they are now.
    func snapshot() -> MemoryReader {
        let copy = MemoryNode(
            number: node.number, inode: node.inode, kind: node.kind, birth: node.birth, bytes: node.bytes,
            mode: node.mode)
        (copy.modified, copy.changed) = (node.modified, node.changed)
        return MemoryReader(copy, of: store, name, folder: folder)
    }
}

/// Two FNV-1a lanes: not XXH3, but nobody compares the fingerprints of two kinds of store.
struct MemoryFingerprint {
    private var first = SeededGenerator.mixed(1)
    private var second = SeededGenerator.mixed(2)
    private var count: UInt64 = 0

    init() {}

    init(of bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

    mutating func add(_ byte: UInt8) {
        first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
        second = (second ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
        count += 1
    }

    var value: Fingerprint {
        Fingerprint(high: SeededGenerator.mixed(first), low: SeededGenerator.mixed(second ^ count))
    }
}

final class MemoryWriter: FileWriter {
    private let node: MemoryNode
    private let store: MemoryFolder

    init(_ node: MemoryNode, of store: MemoryFolder) {
        self.node = node
        self.store = store
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DriveError) {
        try store.perform(.writeBytes, node.name, in: FileArea.incoming.number) { () throws(DriveError) in
            try store.require(UInt64(bytes.count))
            store.willWrite(node)
            node.bytes.append(contentsOf: bytes)
            store.used += UInt64(bytes.count)
            node.modified = store.now()
            node.changed = node.modified
        }
    }

    func finish(_ attributes: Attributes) throws(DriveError) -> FileFacts {
        try store.perform(.finish, node.name, in: FileArea.incoming.number) { () throws(DriveError) in
            try store.set(attributes, on: node)
            return store.facts(of: node)
        }
    }
}
