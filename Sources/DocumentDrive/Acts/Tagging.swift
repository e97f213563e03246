public import DriveCore
import DriveFiles

/// The tags of files, in any folder: they are the file's own, so that desktops show and set the same ones.
public struct Tagging: Sendable {
    private let file: TaggedFile

    /// Throws where there is no such file.
    public init(_ path: FolderPath) throws(DriveError) {
        guard let name = path.name else {
            throw DriveError(.usage, "the root of all folders has no tags; name a file", path: path.description)
        }
        file = try TaggedFile(name, inFolder: path.parent.bytes)
    }

    public func tags() throws(DriveError) -> TagList { TagList(bytes: try file.attribute(.tags) ?? []) }

    /// What is written survives where the disk does; a watcher or the next sync takes it to the other devices.
    public func set(_ tags: TagList) throws(DriveError) { try file.setAttribute(.tags, tags.bytes) }
}
