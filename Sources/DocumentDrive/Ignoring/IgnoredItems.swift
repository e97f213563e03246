public import DriveCore
import DriveFiles

/// What the rules in a drive's folders hide now.
public enum IgnoredItems {
    /// The topmost of each ignored tree, by path, with the rule that decided.
    public static func find(_ reader: DriveReader) throws -> [IgnoreDecision] {
        let folder = reader.folder
        let copies = Set(try reader.index.ignoreCopies())
        guard let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark) else { return [] }
        var tree = IgnoreTree()
        for path in census.items.keys where path.name == IgnoreRules.fileName || copies.contains(path) {
            let place = folder.appending(path: path)
            guard let bytes = try SmallFile.read(place) else { continue }
            tree[file: path] = IgnoreRules(bytes)
        }
        return census.items.compactMap { path, item in
            guard let decision = tree.decision(for: path, isFolder: item.kind == .folder), decision.isIgnored,
                decision.path == path
            else { return nil }
            return decision
        }.sorted { $0.path < $1.path }
    }
}
