import DriveCore
import Glibc

/// A zip file of a folder (PKWARE's APPNOTE 6.3), with everything stored as it is: contents of packages are mostly
/// compressed already. Links stay links; times and other attributes are left out.
enum ZipArchive {
    static func isFolder(_ place: [UInt8]) -> Bool { mode(of: place).map { $0 & S_IFMT == S_IFDIR } ?? false }

    /// `name` is what the folder is called in the archive.
    static func write(
        folder: [UInt8], named name: [UInt8], to target: [UInt8], until stop: FileCopy.Stop
    ) throws(DriveError) {
        let number = try FileCopy.open(target, O_RDWR | O_CREAT | O_EXCL)
        defer { close(number) }
        var writer = ZipWriter(number, target, stop)
        try add(folder, name, &writer)
        try writer.finish()
    }

    private static func add(_ place: [UInt8], _ name: [UInt8], _ writer: inout ZipWriter) throws(DriveError) {
        guard let mode = mode(of: place) else {
            // Programs that do not take part remove things meanwhile.
            if errno == ENOENT { return }
            throw FileCopy.failure("look at it", place)
        }
        switch mode & S_IFMT {
        case S_IFDIR:
            try writer.add(name + [0x2F], mode, [])
            for entry in try entries(of: place) where !isOwn(entry, place) {
                try add(place + [0x2F] + entry, name + [0x2F] + entry, &writer)
            }
        case S_IFLNK: try writer.add(name, mode, try target(of: place))
        case S_IFREG: try writer.add(name, mode, file: place)
        default: break
        }
    }

    /// The drive's own folder is no document.
    private static func isOwn(_ entry: [UInt8], _ place: [UInt8]) -> Bool {
        entry == Array(".docdrive".utf8) && mode(of: place + Array("/.docdrive/replica".utf8)) != nil
    }

    private static func mode(of place: [UInt8]) -> mode_t? {
        var facts = stat()
        return lstat(path(place), &facts) == 0 ? facts.st_mode : nil
    }

    /// A folder that cannot be listed is no empty one.
    private static func entries(of place: [UInt8]) throws(DriveError) -> [[UInt8]] {
        guard let stream = opendir(path(place)) else {
            if errno == ENOENT { return [] }
            throw FileCopy.failure("list the folder", place)
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
        guard errno == 0 else { throw FileCopy.failure("list the folder", place) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func target(of place: [UInt8]) throws(DriveError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { buffer in
            readlink(path(place), buffer.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped, buffer.count)
        }
        guard count >= 0 else { throw FileCopy.failure("read the link", place) }
        return Array(bytes.prefix(count))
    }

    private static func path(_ place: [UInt8]) -> [CChar] { place.map { CChar(bitPattern: $0) } + [0] }
}

/// Entries one after the other, and at the end the list of them.
private struct ZipWriter {
    private struct Entry {
        var name: [UInt8]
        var mode: mode_t
        var sum: UInt32
        var size: UInt32
        var start: UInt32
    }

    private let number: Int32
    private let place: [UInt8]
    private let stop: FileCopy.Stop
    private var entries: [Entry] = []
    private var position: UInt64 = 0

    init(_ number: Int32, _ place: [UInt8], _ stop: FileCopy.Stop) {
        self.stop = stop
        self.number = number
        self.place = place
    }

    mutating func add(_ name: [UInt8], _ mode: mode_t, _ bytes: [UInt8]) throws(DriveError) {
        var sum = CRC32()
        sum.add(bytes[...])
        let entry = Entry(name: name, mode: mode, sum: sum.value, size: UInt32(bytes.count), start: try start())
        try put(header(entry) + bytes)
        entries.append(entry)
    }

    /// Sum and size are known at the end; then the header is written again.
    mutating func add(_ name: [UInt8], _ mode: mode_t, file: [UInt8]) throws(DriveError) {
        var entry = Entry(name: name, mode: mode, sum: 0, size: 0, start: try start())
        let source = try FileCopy.openFile(file)
        defer { close(source) }
        try put(header(entry))
        let begin = position
        var sum = CRC32()
        var count = position
        try FileCopy.read(source, file, until: stop) { piece throws(DriveError) in
            sum.add(piece)
            count += UInt64(piece.count)
            try FileCopy.write(piece, to: number, place)
        }
        position = count
        entry.sum = sum.value
        entry.size = try small(position - begin)
        lseek(number, off_t(entry.start), SEEK_SET)
        try FileCopy.write(header(entry)[...], to: number, place)
        lseek(number, 0, SEEK_END)
        entries.append(entry)
    }

    mutating func finish() throws(DriveError) {
        let begin = try start()
        for entry in entries {
            try put(
                bytes(0x0201_4B50, 4) + bytes(0x031E, 2) + facts(entry) + bytes(0, 2) + bytes(0, 2) + bytes(0, 2)
                    + bytes(UInt32(entry.mode) << 16, 4) + bytes(entry.start, 4) + entry.name)
        }
        let size = try small(position - UInt64(begin))
        guard entries.count < 0xFFFF else { throw tooLarge }
        let count = bytes(UInt32(entries.count), 2)
        try put(bytes(0x0605_4B50, 4) + bytes(0, 4) + count + count + bytes(size, 4) + bytes(begin, 4) + bytes(0, 2))
    }

    private func header(_ entry: Entry) -> [UInt8] { bytes(0x0403_4B50, 4) + facts(entry) + entry.name }

    /// Version 2.0, UTF-8 names, stored, 1 January 1980; sums and sizes; length of the name, no extra field.
    private func facts(_ entry: Entry) -> [UInt8] {
        bytes(20, 2) + bytes(0x0800, 2) + bytes(0, 2) + bytes(0, 2) + bytes(0x21, 2) + bytes(entry.sum, 4)
            + bytes(entry.size, 4) + bytes(entry.size, 4) + bytes(UInt32(entry.name.count), 2) + bytes(0, 2)
    }

    private func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private mutating func put(_ bytes: [UInt8]) throws(DriveError) {
        try FileCopy.write(bytes[...], to: number, place)
        position += UInt64(bytes.count)
    }

    private func start() throws(DriveError) -> UInt32 { try small(position) }

    private func small(_ value: UInt64) throws(DriveError) -> UInt32 {
        guard value < UInt64(UInt32.max) else { throw tooLarge }
        return UInt32(value)
    }

    private var tooLarge: DriveError {
        DriveError(
            .usage,
            "a folder of more than 4 GiB or 65,534 items does not become one zip file; upload its files one by one",
            path: String(decoding: place, as: UTF8.self))
    }
}

/// The sum that zip files have (ISO 3309).
private struct CRC32 {
    private var state: UInt32 = 0xFFFF_FFFF
    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    var value: UInt32 { ~state }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ (state >> 8) }
    }
}
