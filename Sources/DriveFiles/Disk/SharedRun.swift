import CLinux
import DriveCore
import Glibc

/// A part of a new file that another file has too, of which the two share the whole blocks (ioctl_ficlonerange(2)).
struct SharedRun {
    let source: Descriptor
    let offset: UInt64
    /// In the new file.
    let start: UInt64
    private let block: UInt64
    var count: UInt64 = 0

    /// Nil where the two have no block in common: it lies otherwise in its blocks in one than in the other.
    init?(of source: Descriptor, at offset: UInt64, in file: Descriptor, at start: UInt64) {
        let block = dd_block_size(file.number)
        guard block > 0, offset % block == start % block else { return nil }
        (self.source, self.offset, self.start, self.block) = (source, offset, start, block)
    }

    func goesOn(at next: UInt64, of other: Descriptor?) -> Bool { source === other && next == offset + count }

    /// Leaves the file at its end.
    func write(to file: Descriptor) throws(DriveError) {
        let end = start + count
        let first = min(end, (start + block - 1) / block * block)
        let last = max(first, end / block * block)
        try copy(start..<first, to: file)
        if last > first {
            let result = dd_clone_range(source.number, offset + first - start, last - first, file.number, first)
            // Whatever the reason, a copy tells better what is wrong.
            if result < 0 { try copy(first..<last, to: file) }
        }
        try copy(last..<end, to: file)
    }

    private func copy(_ range: Range<UInt64>, to file: Descriptor) throws(DriveError) {
        let path = { Descriptor.path(of: nil, in: file.number) }
        _ = try check(dd_seek(file.number, range.lowerBound), "write the file", path: path())
        guard !range.isEmpty else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var place = range.lowerBound
        while place < range.upperBound {
            let wanted = Int(min(UInt64(buffer.count), range.upperBound - place))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let filled = try source.read(at: offset + place - start, into: part, path: path())
            guard filled == wanted else {
                throw DriveError(.temporary, "a file on this disk became shorter; it is tried again", path: path())
            }
            try file.write(UnsafeRawBufferPointer(part))
            place += UInt64(wanted)
        }
    }
}
