import CLinux
import DriveCore
import Glibc
import Synchronization

extension DiskFileStore {
    private var incoming: Int32 { areas[.incoming]!.number }

    public func stageFile(
        _ name: FileName, size: UInt64, isSharing: Bool
    ) throws(DriveError) -> any FileWriter {
        // 0666: the kernel takes the person's umask off. The folder around it lets nobody else in.
        let number = dd_create_file(incoming, name.bytes, name.bytes.count, 0o666)
        let file = Descriptor(try check(number, "make the file", path: Descriptor.path(of: name, in: incoming)))
        do throws(DriveError) {
            return try DiskFileWriter(file, expectedSize: size, isSharing: isSharing, volume: volume)
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

    public func snapshot(of file: any FileReader) throws(DriveError) -> (any FileReader)? {
        guard canClone.load(ordering: .relaxed), let reader = file as? DiskFileReader else { return nil }
        let number = dd_open_unnamed(incoming)
        if number < 0, (-number).meansUnsupported { return nil }
        let copy = Descriptor(try check(number, "make a file", path: Descriptor.path(of: nil, in: incoming)))
        guard dd_clone(reader.file.number, copy.number) == 0 else {
            canClone.store(false, ordering: .relaxed)
            return nil
        }
        return DiskFileReader(
            copy, facts: try copy.facts().facts(on: volume), isDated: true, volume: volume, fingerprints: fingerprints)
    }

    public func stageLink(_ name: FileName, target: [UInt8], modified: FileTime?) throws(DriveError) -> FileFacts {
        guard !target.isEmpty, target.count < 4096, !target.contains(0) else {
            throw DriveError(.usage, "no possible target of a link", path: "\(name)")
        }
        let result = target.withPathPointer { dd_make_link(incoming, name.bytes, name.bytes.count, $0) }
        let place = { Descriptor.path(of: name, in: self.incoming) }
        // The folder is the drive's own: this says that the file system has no links (symlink(2)).
        if result == -EPERM { throw .system(EOPNOTSUPP, "make the link", path: place()) }
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
