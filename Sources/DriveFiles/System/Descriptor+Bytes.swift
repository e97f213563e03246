import CLinux
import DriveCore
import Glibc

/// Files and parts of files of this many bytes are worth the calls that a way past the page cache takes.
let largeBytes = 256 << 10

/// Whole files of this many bytes would push out of memory what is in use. What is smaller is opened by a person, or read for
/// searches, as soon as it is there.
let leastDirect = UInt64(64 << 20)

extension Descriptor {
    func write(_ bytes: [UInt8]) throws(DriveError) {
        try bytes.withUnsafeBufferPointer { all throws(DriveError) in try write(UnsafeRawBufferPointer(all)) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DriveError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = dd_write(number, rest.baseAddress, rest.count)
            rest = UnsafeRawBufferPointer(
                rebasing: rest[try check(count, "write", path: Self.path(of: nil, in: number))...])
        }
    }

    /// Fills the buffer from the offset as far as the file goes, and says how far. What is large and not in memory does
    /// not get there: pages for it cost more than copying the bytes once more.
    func read(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer, path: @autoclosure () -> String
    ) throws(DriveError) -> Int {
        var filled = 0
        if buffer.count >= largeBytes, !dd_is_mostly_cached(number, offset, buffer.count),
            dd_set_direct(number, true) == 0
        {
            defer { _ = dd_set_direct(number, false) }
            filled = try readDirectly(at: offset, into: buffer, path: path())
        }
        while filled < buffer.count {
            let count = try check(
                dd_read_at(number, buffer.baseAddress! + filled, buffer.count - filled, offset + UInt64(filled)),
                "read", path: path())
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// As far as it goes in this way; the end of the file, and what the file system cannot do so, is left to other reads.
    private func readDirectly(
        at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer, path: @autoclosure () -> String
    ) throws(DriveError) -> Int {
        let block = AlignedBlock()
        let unit = AlignedBlock.alignment
        var filled = 0
        while filled < buffer.count {
            let place = offset + UInt64(filled)
            let skipped = Int(place % UInt64(unit))
            let missing = skipped + buffer.count - filled
            let wanted = min(AlignedBlock.size, (missing + unit - 1) / unit * unit)
            let result = dd_read_at(number, block.bytes.baseAddress, wanted, place - UInt64(skipped))
            if result < 0, Int32(-result).meansUnsupported { break }
            let count = min(try check(result, "read", path: path()), missing) - skipped
            if count <= 0 { break }
            (buffer.baseAddress! + filled).copyMemory(from: block.bytes.baseAddress! + skipped, byteCount: count)
            filled += count
        }
        return filled
    }
}
