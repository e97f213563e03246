import DriveCore

/// The ignore rules that can decide about one path, read from the folders on the way to it.
struct RuleFinder {
    let folder: FolderPath
    /// Conflict copies of ignore files.
    let copies: [DrivePath]

    /// Nil where no rule matches. What cannot be read has no rules here; the scan names it.
    func rule(for path: DrivePath, isFolder: Bool) throws -> IgnoreDecision? {
        var tree = IgnoreTree()
        let own = path.components.indices.map { depth in
            DrivePath(Array(path.components[..<depth])).appending(IgnoreRules.fileName)
        }
        for file in own + copies.filter({ path.isInside($0.parent) }) {
            let place = folder.appending(path: file)
            if let bytes = try? SmallFile.read(place) { tree[file: file] = IgnoreRules(bytes) }
        }
        return tree.decision(for: path, isFolder: isFolder)
    }

    /// Whether the rule is one of those that every new drive gets.
    func isDefault(_ rule: IgnoreDecision) -> Bool {
        rule.file.parent.isRoot
            && IgnoreRules.defaultFile.split(separator: "\n").contains { Array($0.utf8) == rule.text }
    }
}
