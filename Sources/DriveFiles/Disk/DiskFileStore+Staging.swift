import CLinux
import DriveCore
import Glibc
import Synchronization

extension DiskFileStore {
    private var incoming: Int32 { areas[.incoming]!.number }

    public func stageFile(_ name: FileName, size: UInt64) throws(DriveError) -> any FileWriter {
        // 0666: the kernel takes the person's umask off. The folder around it lets nobody else in.
        let number = dd_create_file(incoming, name.bytes, name.bytes.count, 0o666)
        let file = Descriptor(try check(number, "make the file", path: Descriptor.path(of: name, in: incoming)))
        do throws(DriveError) {
            return try DiskFileWriter(file, expectedSize: size, volume: volume)
        } catch {
            // What found no room gives back what it got of it.
            _ = dd_remove_file(incoming, name.bytes, name.bytes.count)
            throw error
        }
    }

    public func stageClone(
        of source: FileName, in folder: OpenFolder, as name: FileName
    ) throws(DriveError) -> FileFacts? {
        guard canClone.load(ordering: .relaxed), let (from, _) = try openedFile(source, in: folder) else { return nil }
        let number = dd_create_file(incoming, name.bytes, name.bytes.count, 0o666)
        let to = Descriptor(try check(number, "make the file", path: Descriptor.path(of: name, in: incoming)))
        guard dd_clone(from.number, to.number) == 0 else {
            // Whatever the reason, a copy tells better what is wrong.
            canClone.store(false, ordering: .relaxed)
            _ = dd_remove_file(incoming, name.bytes, name.bytes.count)
            return nil
        }
        return try to.facts().facts(on: volume)
    }

    public func stageLink(_ name: FileName, target: [UInt8], modified: FileTime?) throws(DriveError) -> FileFacts {
        guard !target.isEmpty, target.count < 4096, !target.contains(0) else {
            throw DriveError(.usage, "no possible target of a link", path: "\(name)")
        }
        let result = target.withPathPointer { dd_make_link(incoming, name.bytes, name.bytes.count, $0) }
        let place = { Descriptor.path(of: name, in: self.incoming) }
        _ = try check(result, "make the link", path: place())
        return try staged(name, modified: modified)
    }

    public func stageFolder(_ name: FileName) throws(DriveError) -> FileFacts {
        let result = dd_make_folder(incoming, name.bytes, name.bytes.count, 0o777)
        _ = try check(result, "make the folder", path: Descriptor.path(of: name, in: incoming))
        return try staged(name, modified: nil)
    }

    private func staged(_ name: FileName, modified: FileTime?) throws(DriveError) -> FileFacts {
        guard let item = try Descriptor.pin(name, in: incoming) else {
            throw DriveError(.notFound, "somebody removed what was just made", path: "\(name)")
        }
        if let modified { try item.setModified(modified) }
        return try item.facts().facts(on: volume)
    }
}

/// Writes a new file in the staging folder.
private final class DiskFileWriter: FileWriter {
    private let file: Descriptor
    private let volume: Volume
    private let expectedSize: UInt64
    private var written: UInt64 = 0
    /// Where the file is so large that it would push out of memory what is in use.
    private var direct: DirectWriter?

    init(_ file: Descriptor, expectedSize: UInt64, volume: Volume) throws(DriveError) {
        self.file = file
        self.volume = volume
        self.expectedSize = expectedSize
        try reserve()
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
        if direct == nil { try file.write(bytes) } else { try direct?.write(bytes) }
        written += UInt64(bytes.count)
    }

    func finish(_ attributes: Attributes) throws(DriveError) -> FileFacts {
        try direct?.finish()
        direct = nil
        if written < expectedSize {
            // Gives back what was reserved beyond the end.
            _ = try check(
                dd_truncate(file.number, written), "write the file", path: Descriptor.path(of: nil, in: file.number))
        }
        try file.apply(attributes, to: try file.facts())
        return try file.facts().facts(on: volume)
    }
}
