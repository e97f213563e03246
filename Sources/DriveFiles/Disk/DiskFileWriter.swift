import CLinux
import DriveCore
import Glibc

/// Writes a new file in the staging folder.
final class DiskFileWriter: FileWriter {
    private let file: Descriptor
    private let volume: Volume
    private let expectedSize: UInt64
    private var written: UInt64 = 0
    /// Where the file is so large that it would push out of memory what is in use.
    private var direct: DirectWriter?
    /// The last of what is written, which another file has too.
    private var run: SharedRun?

    init(_ file: Descriptor, expectedSize: UInt64, isSharing: Bool, volume: Volume) throws(DriveError) {
        self.file = file
        self.volume = volume
        self.expectedSize = expectedSize
        if !isSharing { try reserve() }
        if expectedSize >= leastDirect { direct = DirectWriter(file) }
    }

    /// Small files are not worth the call; a full disk shows soon enough.
    private func reserve() throws(DriveError) {
        guard expectedSize >= 1 << 20 else { return }
        let result = dd_reserve(file.number, min(expectedSize, UInt64(Int64.max)))
        if result < 0, !(-result).meansUnsupported {
            throw .system(-result, "make room for the file", path: Descriptor.path(of: nil, in: file.number))
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DriveError) {
        try endRun()
        if direct == nil { try file.write(bytes) } else { try direct?.write(bytes) }
        written += UInt64(bytes.count)
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, asAt offset: UInt64, of other: any FileReader
    ) throws(DriveError) {
        let other = (other as? DiskFileReader)?.file
        if run == nil || run?.goesOn(at: offset, of: other) == false {
            guard let other, let next = SharedRun(of: other, at: offset, in: file, at: written) else {
                return try write(bytes)
            }
            try endRun()
            try endDirect()
            run = next
        }
        run?.count += UInt64(bytes.count)
        written += UInt64(bytes.count)
    }

    func finish(_ attributes: Attributes) throws(DriveError) -> FileFacts {
        try endRun()
        try endDirect()
        if written < expectedSize {
            // Gives back what was reserved beyond the end.
            _ = try check(
                dd_truncate(file.number, written), "write the file", path: Descriptor.path(of: nil, in: file.number))
        }
        try file.apply(attributes, to: try file.facts())
        return try file.facts().facts(on: volume)
    }

    private func endDirect() throws(DriveError) {
        try direct?.finish()
        direct = nil
    }

    private func endRun() throws(DriveError) {
        guard let run else { return }
        self.run = nil
        try run.write(to: file)
    }
}
