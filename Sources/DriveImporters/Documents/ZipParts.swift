import DriveImporting
import CArchive
import Glibc

/// The parts of a document that is a zip archive, read once from the first to the last, with libarchive.
struct ZipParts {
    private let archive: OpaquePointer
    private let limits: ImportLimits
    private var unpacked = 0
    private var entries = 0

    /// One part; it can be read until the next is asked for.
    struct Part {
        let name: String
        fileprivate let isEncrypted: Bool
    }

    /// Calls with an archive that is closed afterwards.
    static func read(
        _ file: ImportFile, limits: ImportLimits, _ body: (inout ZipParts) throws(ImportFailure) -> Void
    ) throws(ImportFailure) {
        guard let archive = archive_read_new() else { throw noMemory }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip_seekable(archive)
        lseek(file.descriptor, 0, SEEK_SET)
        guard archive_read_open_fd(archive, file.descriptor, 64 << 10) == ARCHIVE_OK else {
            throw failure(archive)
        }
        var parts = ZipParts(archive: archive, limits: limits)
        try body(&parts)
    }

    private init(archive: OpaquePointer, limits: ImportLimits) {
        self.archive = archive
        self.limits = limits
    }

    mutating func next() throws(ImportFailure) -> Part? {
        while true {
            var entry: OpaquePointer?
            let result = archive_read_next_header(archive, &entry)
            if result == ARCHIVE_EOF { return nil }
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw Self.failure(archive) }
            entries += 1
            guard entries <= limits.entries else {
                throw ImportFailure(.tooLarge, "it is an archive of more than \(limits.entries) entries")
            }
            // No part that documents need has a name beyond ASCII.
            guard let name = archive_entry_pathname(entry) else { continue }
            return Part(name: String(cString: name), isEncrypted: archive_entry_is_data_encrypted(entry) != 0)
        }
    }

    /// Gives the bytes of the part that `next` gave last, until the body answers false.
    mutating func contents(
        of part: Part, _ body: (UnsafeBufferPointer<UInt8>) throws(ImportFailure) -> Bool
    ) throws(ImportFailure) {
        guard !part.isEncrypted else { throw ImportFailure(.encrypted, "it is encrypted") }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = archive_read_data(archive, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else { throw Self.failure(archive) }
            unpacked += count
            guard unpacked <= limits.unpackedBytes else {
                throw ImportFailure(.tooLarge, "it unpacks to more than \(limits.unpackedBytes >> 20) MiB")
            }
            if try !Self.give(buffer, count, to: body) { return }
        }
    }

    private static func give(
        _ buffer: [UInt8], _ count: Int, to body: (UnsafeBufferPointer<UInt8>) throws(ImportFailure) -> Bool
    ) throws(ImportFailure) -> Bool {
        let result: Result<Bool, ImportFailure> = buffer.withUnsafeBufferPointer { bytes in
            do throws(ImportFailure) {
                return .success(try body(UnsafeBufferPointer(rebasing: bytes[..<count])))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private static let noMemory = ImportFailure(.memory, "its archive needs more memory than a file may use")

    private static func failure(_ archive: OpaquePointer) -> ImportFailure {
        if archive_errno(archive) == ENOMEM { return noMemory }
        // Some end with an empty line.
        let reason =
            archive_error_string(archive).flatMap { String(cString: $0).split(whereSeparator: \.isNewline).first }
            ?? "no reason is known"
        return ImportFailure(.malformed, "it is no whole zip archive: \(reason)")
    }
}
