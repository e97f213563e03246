import CLinux
public import DriveCore
import Glibc

/// Looks at single items of a drive's folder and changes nothing, on a read-only disk too.
public struct FolderLook: Sendable {
    private let root: Descriptor
    private let volume: Volume

    public init(at path: [UInt8]) throws(DriveError) {
        root = try Descriptor.root(at: path)
        volume = Volume(try root.facts())
    }

    /// Nil where nothing has the path; links are never followed.
    public func facts(of path: DrivePath) throws(DriveError) -> FileFacts? {
        guard let name = path.name else { return try root.facts().facts(on: volume) }
        guard let folder = try folder(path.parent) else { return nil }
        var facts = dd_facts()
        let result = dd_look(folder.number, name.bytes, name.bytes.count, &facts)
        if result < 0, (-result).meansAbsent { return nil }
        _ = try check(result, "look at it", path: Descriptor.path(of: name, in: folder.number))
        return facts.facts(on: volume)
    }

    /// Whether a process has the file open for writing; nil where that cannot be told, as of somebody else's.
    public func isBeingWritten(_ path: DrivePath) throws(DriveError) -> Bool? {
        guard let name = path.name, let folder = try folder(path.parent) else { return nil }
        return Descriptor.isBeingWritten(name, in: folder.number)
    }

    private func folder(_ path: DrivePath) throws(DriveError) -> Descriptor? {
        var folder = root
        for component in path.components {
            guard let next = try folder.folder(component) else { return nil }
            folder = next
        }
        return folder
    }
}
