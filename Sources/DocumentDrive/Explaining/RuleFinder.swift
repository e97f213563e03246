import DriveCore

/// The ignore rules that can decide about one path, read from the folders on the way to it.
struct RuleFinder {
    let folder: FolderPath

    /// Nil where no rule matches. What cannot be read has no rules here; the scan names it.
    func rule(for path: DrivePath, isFolder: Bool) throws -> IgnoreDecision? {
        var tree = IgnoreTree()
        for depth in path.components.indices {
            let place = DrivePath(Array(path.components[..<depth]))
            let file = place.appending(IgnoreRules.fileName).components.reduce(folder) { $0.appending($1) }
            guard let bytes = try? SmallFile.read(file) else { continue }
            tree[place] = IgnoreRules(bytes)
        }
        return tree.decision(for: path, isFolder: isFolder)
    }

    /// Whether the rule is one of those that every new drive gets.
    func isDefault(_ rule: IgnoreDecision) -> Bool {
        rule.file.parent.isRoot
            && IgnoreRules.defaultFile.split(separator: "\n").contains { Array($0.utf8) == rule.text }
    }
}
