import DriveCore

/// The names of some hundred rows side by side, so that a search reads few pages: folded texts, one after the other, which it
/// goes through; then what makes paths of them, which it reads of what it found.
struct NameBlock {
    /// Rows in a block, and in each of the groups that `NamePieces` tells apart.
    static let capacity = 256
    static let groupSize = 64
    static let groups = capacity / groupSize

    struct Entry {
        var id: Int64
        var parent: Int64
        var name: [UInt8]
        /// Nil where the name is its own folded form.
        var folded: [UInt8]?

        var text: [UInt8] { folded ?? name }
    }

    /// How many there are, then the length of each text.
    let lengths: [UInt8]
    let texts: [UInt8]
    let places: [UInt8]

    init(_ entries: [Entry]) {
        var lengths = ByteWriter(reserving: entries.count + 2)
        var texts: [UInt8] = []
        lengths.count(entries.count)
        for entry in entries {
            lengths.count(entry.text.count)
            texts += entry.text
        }
        self.lengths = lengths.bytes
        self.texts = texts
        places = NamePlaces.encode(entries)
    }
}

/// What is known of the rows of a block beside their folded names.
struct NamePlaces {
    private(set) var ids: [Int64] = []
    private(set) var parents: [Int64] = []
    /// Where the changes of each name begin, and of the last one end.
    private var starts: [Int] = []
    private let bytes: [UInt8]
    /// Not in the block: the row has it.
    private var isElsewhere: [Bool] = []

    fileprivate static func encode(_ entries: [NameBlock.Entry]) -> [UInt8] {
        var writer = ByteWriter()
        var last: Int64 = 0
        for entry in entries {
            writer.signed(entry.id - last - 1)
            last = entry.id
        }
        var place = 0
        var parent: Int64 = 0
        while place < entries.count {
            let run = entries[place...].prefix { $0.parent == entries[place].parent }.count
            writer.count(run)
            writer.signed(entries[place].parent - parent)
            parent = entries[place].parent
            place += run
        }
        let changes = entries.map { entry in
            entry.folded.map { NameChanges.changes(from: $0, to: entry.name) } ?? []
        }
        for change in changes { writer.byte(change.map { UInt8($0.count) } ?? .max) }
        for change in changes { writer.raw(change ?? []) }
        return writer.bytes
    }

    init(_ bytes: [UInt8], count: Int) throws(DriveError) {
        self.bytes = bytes
        guard count <= bytes.count else { throw .damagedBlob }
        var reader = ByteReader(bytes)
        ids.reserveCapacity(count)
        var last: Int64 = 0
        for _ in 0..<count {
            last &+= try reader.signed() &+ 1
            ids.append(last)
        }
        var parent: Int64 = 0
        while parents.count < count {
            let run = try reader.number(Int.self)
            guard (1...count - parents.count).contains(run) else { throw .damagedBlob }
            parent &+= try reader.signed()
            parents += repeatElement(parent, count: run)
        }
        let sizes = try reader.raw(count)
        var start = reader.place
        for size in sizes {
            starts.append(start)
            isElsewhere.append(size == .max)
            if size != .max { start += Int(size) }
        }
        starts.append(start)
        guard start == bytes.count else { throw .damagedBlob }
    }

    /// Nil where only the row has it.
    func name(_ entry: Int, folded: UnsafeRawBufferPointer) throws(DriveError) -> [UInt8]? {
        if isElsewhere[entry] { return nil }
        let (start, end) = (starts[entry], starts[entry + 1])
        return start == end ? Array(folded) : try NameChanges.name(from: folded, by: Array(bytes[start..<end]))
    }
}
