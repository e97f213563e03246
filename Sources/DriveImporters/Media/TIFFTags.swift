import DriveImporting

/// The tags of a TIFF file, gathered from wherever they lie into a small block as libexif reads it: of a file it looks at the first
/// 64 KiB (`exif_data_load_data`), and photographs have them anywhere.
struct TIFFTags {
    private struct Entry {
        var head: [UInt8]
        /// What does not fit into the head; nil where all does.
        var value: [UInt8]?
    }

    private let file: ImportFile
    private let isLittleEndian: Bool
    /// Begins with "Exif" and two zeros, as that of other pictures; places count from behind them.
    private(set) var block: [UInt8]
    private static let start = 6

    /// Nothing that anybody reads is longer; what one directory and its values take.
    private static let longestValue = 4 << 10
    private static let directoryBytes = 20_000

    /// Directories of their own: how the picture was taken, and where.
    private static let directories = [0x8769, 0x8825]
    /// What a maker notes for itself counts from the beginning of the file.
    private static let makerNote = 0x927C

    init(_ file: ImportFile, directory: Int, isLittleEndian: Bool) throws(ImportFailure) {
        self.file = file
        self.isLittleEndian = isLittleEndian
        block = Array("Exif\0\0".utf8) + Array((isLittleEndian ? "II*\0" : "MM\0*").utf8)
        block += number(8, 4)
        try add(directory, isFirst: true)
    }

    /// Writes the directory that lies there, and behind it what it refers to.
    private mutating func add(_ directory: Int, isFirst: Bool) throws(ImportFailure) {
        var (entries, others) = try entries(of: directory)
        if !isFirst { others = [] }
        var place = block.count - Self.start + 2 + (entries.count + others.count) * 12 + 4
        block += number(entries.count + others.count, 2)
        for entry in entries {
            guard let value = entry.value else {
                block += entry.head
                continue
            }
            block += entry.head.prefix(8) + number(place, 4)
            place += value.count
        }
        let pointers = block.count
        for other in others { block += number(other.tag, 2) + number(4, 2) + number(1, 4) + number(0, 4) }
        block += number(0, 4)
        for entry in entries { block += entry.value ?? [] }
        entries = []
        for (index, other) in others.enumerated() {
            let at = pointers + index * 12 + 8
            block.replaceSubrange(at..<at + 4, with: number(block.count - Self.start, 4))
            try add(other.place, isFirst: false)
        }
    }

    private func entries(
        of directory: Int
    ) throws(ImportFailure) -> (entries: [Entry], others: [(tag: Int, place: Int)]) {
        let count = min(try view(directory, 2).short(0) ?? 0, 4096)
        let table = try view(directory + 2, count * 12)
        var entries: [Entry] = []
        var others: [(tag: Int, place: Int)] = []
        var room = Self.directoryBytes
        for index in 0..<count {
            guard let head = table.view(index * 12, 12), let tag = head.short(0) else { break }
            if Self.directories.contains(tag) {
                if let place = head.long(8), !others.contains(where: { $0.tag == tag }) { others.append((tag, place)) }
                continue
            }
            guard tag != Self.makerNote, let size = Self.size(of: head), size <= Self.longestValue else { continue }
            var entry = Entry(head: Array(head.bytes))
            if size > 4, let place = head.long(8) {
                let value = try file.read(at: place, count: size)
                guard value.count == size else { continue }
                entry.value = value
            }
            room -= 12 + (entry.value?.count ?? 0)
            if room < 0 { break }
            entries.append(entry)
        }
        return (entries, others)
    }

    /// Of the value, in bytes (TIFF 6.0, section 2); nil for a type that is none.
    private static func size(of head: ByteView) -> Int? {
        let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]
        guard let type = head.short(2), let size = sizes[type], let count = head.long(4) else { return nil }
        return size * count
    }

    private func view(_ offset: Int, _ count: Int) throws(ImportFailure) -> ByteView {
        try file.view(at: offset, count: count, isLittleEndian: isLittleEndian)
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }
}
