public import DriveCore
import DriveFiles
import FileCoordination

/// What the rules in a drive's folders hide now.
public struct IgnoredItems {
    /// The topmost of each ignored tree, by path, with the rule that decided.
    public private(set) var items: [IgnoreDecision] = []
    /// Rules that hide nothing, by file and line.
    public private(set) var idle: [IdleRule] = []

    public init(_ reader: DriveReader) throws {
        let folder = reader.folder
        let copies = Set(try reader.index.ignoreCopies())
        guard let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark) else { return }
        // A census has no pipes.
        let paths = Set(census.items.keys.filter { $0.name == IgnoreRules.fileName || copies.contains($0) })
            .union([DrivePath([IgnoreRules.fileName])])
        let files = try reader.lookingFiles()
        let tree = try IgnoreTree(paths, in: files, reader.index)
        idle = try reader.idleRules(in: paths, files)
        items = census.items.compactMap { path, item in
            guard let decision = tree.decision(for: path, isFolder: item.kind == .folder), decision.isIgnored,
                decision.path == path
            else { return nil }
            return decision
        }.sorted { $0.path < $1.path }
    }
}

extension IgnoreTree {
    /// Of these files of a drive, as far as they are there.
    init(_ paths: some Sequence<DrivePath>, in files: any FileStore, _ state: any DriveState) throws {
        self.init()
        for path in paths { self[file: path] = try IgnoreFile.rules(at: path, in: files, state) }
    }
}
