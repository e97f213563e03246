public import DriveCore
import DriveFiles

/// What the rules in a drive's folders hide now.
public enum IgnoredItems {
    /// The topmost of each ignored tree, by path, with the rule that decided.
    public static func find(_ reader: DriveReader) throws -> [IgnoreDecision] {
        let folder = reader.folder
        let copies = Set(try reader.index.ignoreCopies())
        guard let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark) else { return [] }
        let files = census.items.keys.filter { $0.name == IgnoreRules.fileName || copies.contains($0) }
        let tree = try IgnoreTree(files, in: folder)
        return census.items.compactMap { path, item in
            guard let decision = tree.decision(for: path, isFolder: item.kind == .folder), decision.isIgnored,
                decision.path == path
            else { return nil }
            return decision
        }.sorted { $0.path < $1.path }
    }
}

extension IgnoreTree {
    /// Of these files of a drive, as far as they are there.
    init(_ files: some Sequence<DrivePath>, in drive: FolderPath) throws {
        self.init()
        for path in files {
            guard let bytes = try SmallFile.read(drive.appending(path: path)) else { continue }
            self[file: path] = IgnoreRules(bytes)
        }
    }
}
