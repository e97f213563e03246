import DriveCore

/// The ignore rules that can decide about one path, read from the folders on the way to it.
struct RuleFinder {
    /// Nil where the folder is not as a drive has it, of which something else is said.
    let files: (any FileStore)?
    /// Conflict copies of ignore files.
    let copies: [DrivePath]
    let state: any DriveState

    fileprivate func files(for path: DrivePath) -> [DrivePath] {
        let own = path.components.indices.map { depth in
            DrivePath(Array(path.components[..<depth])).appending(IgnoreRules.fileName)
        }
        return own + copies.filter { path.isInside($0.parent) }
    }

    fileprivate func rules(in file: DrivePath) -> IgnoreRules? {
        guard let files else { return nil }
        return (try? IgnoreFile.rules(at: file, in: files, state)).flatMap(\.self)
    }

    /// Whether the rule is one of those that every new drive gets.
    func isDefault(_ rule: IgnoreDecision) -> Bool {
        rule.file.parent.isRoot
            && IgnoreRules.defaultFile.split(separator: "\n").contains { Array($0.utf8) == rule.text }
    }
}

/// What it finds, for many paths: each file is read once.
final class KeptRules {
    private let finder: RuleFinder
    private var tree = IgnoreTree()
    private var read: Set<DrivePath> = []

    init(_ finder: RuleFinder) { self.finder = finder }

    /// Nil where no rule matches. Where a folder cannot be entered it has no rules here; the scan names it.
    func rule(for path: DrivePath, isFolder: Bool) -> IgnoreDecision? {
        for file in finder.files(for: path) where read.insert(file).inserted {
            if let rules = finder.rules(in: file) { tree[file: file] = rules }
        }
        return tree.decision(for: path, isFolder: isFolder)
    }
}
