import CLinux
import DriveCore
import Glibc

/// Writes a new file from its start, past the page cache where the file system can.
///
/// Of what is large nobody reads all again soon, and pages for it cost more than copying the bytes once more: 1 CPU s a GB
/// against 0.3 on ext4. It is as durable as any other write: not before fsync(2).
struct DirectWriter {
    private let file: Descriptor
    /// Nil where the page cache has to do.
    private var block: AlignedBlock?
    private var filled = 0

    init(_ file: Descriptor) {
        self.file = file
        if dd_set_direct(file.number, true) == 0 { block = AlignedBlock() }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(DriveError) {
        var rest = bytes
        while let block, !rest.isEmpty {
            let count = min(rest.count, AlignedBlock.size - filled)
            block.bytes.baseAddress!.advanced(by: filled).copyMemory(from: rest.baseAddress!, byteCount: count)
            filled += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if filled == AlignedBlock.size { try empty(block, upTo: filled) }
        }
        try file.write(rest)
    }

    /// Nothing may be written after it.
    mutating func finish() throws(DriveError) {
        guard let block else { return }
        try empty(block, upTo: filled - filled % AlignedBlock.alignment)
        if self.block != nil { try leave(block, from: 0) }
    }

    /// Writes out the block up to there, and moves what is behind it to its front.
    private mutating func empty(_ block: AlignedBlock, upTo end: Int) throws(DriveError) {
        var place = 0
        while place < end {
            let count = dd_write(file.number, block.bytes.baseAddress! + place, end - place)
            // Other alignments are wanted than these, or the file system cannot do it after all (open(2)).
            if count < 0, Int32(-count).meansUnsupported { return try leave(block, from: place) }
            place += try check(count, "write", path: Descriptor.path(of: nil, in: file.number))
            if place % AlignedBlock.alignment != 0 { return try leave(block, from: place) }
        }
        filled -= end
        block.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.bytes[end..<end + filled]))
    }

    /// The rest of the block, and all that follows, goes through the page cache.
    private mutating func leave(_ block: AlignedBlock, from place: Int) throws(DriveError) {
        _ = try check(
            dd_set_direct(file.number, false), "write", path: Descriptor.path(of: nil, in: file.number))
        self.block = nil
        try file.write(UnsafeRawBufferPointer(rebasing: block.bytes[place..<filled]))
        filled = 0
    }
}
