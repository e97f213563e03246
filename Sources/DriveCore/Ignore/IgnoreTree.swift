/// What decided about a path.
public struct IgnoreDecision: Hashable, Sendable {
    public var isIgnored: Bool
    /// The path that the rule matched: the one asked for, or a folder above it.
    public var path: DrivePath
    /// The rule: the ignore file, its line counted from 1, and the line's text.
    public var file: DrivePath
    public var line: Int
    public var text: [UInt8]
}

/// The rules of a drive: those of the root's `.driveignore` and of the ones further down.
///
/// As in git: a deeper file decides before one above it, within a file the last matching line decides, and a folder
/// that is ignored hides all below, whatever rules say there. Other than in git no rule hides an ignore file: all devices
/// go by the same rules, also where one says `.*`.
public struct IgnoreTree: Hashable, Sendable {
    /// The root first; a folder is here if it, or one below it, has rules.
    private var folders: [Folder] = [Folder()]

    private struct Folder: Hashable, Sendable {
        var rules: IgnoreRules?
        var children: [FileName: Int] = [:]
    }

    public init() {}

    /// The rules of the ignore file in a folder; nil where it has none.
    public subscript(folder: DrivePath) -> IgnoreRules? {
        get {
            var place = 0
            for name in folder.components {
                guard let next = folders[place].children[name] else { return nil }
                place = next
            }
            return folders[place].rules
        }
        set {
            var place = 0
            for name in folder.components {
                if let next = folders[place].children[name] {
                    place = next
                } else {
                    if newValue == nil { return }
                    folders.append(Folder())
                    folders[place].children[name] = folders.count - 1
                    place = folders.count - 1
                }
            }
            folders[place].rules = newValue
        }
    }

    /// Whether what is ignored in a folder depends on where the folder is.
    public var needsPlaces: Bool { folders.count > 1 || folders[0].rules?.needsPaths ?? false }

    /// The root is never ignored.
    public func ignores(_ path: DrivePath, isFolder: Bool) -> Bool {
        match(path, isFolder: isFolder).map { !$0.rule.pattern.isNegated } ?? false
    }

    /// Nil where no rule matches, so that the path is not ignored.
    public func decision(for path: DrivePath, isFolder: Bool) -> IgnoreDecision? {
        guard let match = match(path, isFolder: isFolder) else { return nil }
        let folder = DrivePath(Array(path.components[..<match.depth]))
        return IgnoreDecision(
            isIgnored: !match.rule.pattern.isNegated, path: DrivePath(Array(path.components[..<match.count])),
            file: folder.appending(IgnoreRules.fileName), line: match.rule.line, text: match.rule.text)
    }

    private struct Match {
        var rule: IgnoreRules.Rule
        /// How deep its file lies, and how many components it matched.
        var depth: Int
        var count: Int
    }

    private func match(_ path: DrivePath, isFolder: Bool) -> Match? {
        var active: [(rules: IgnoreRules, depth: Int)] = []
        var place: Int? = 0
        let components = path.components
        var joined = JoinedPath()
        for count in components.indices {
            if let here = place {
                if let rules = folders[here].rules, !rules.isEmpty { active.append((rules, count)) }
                place = folders[here].children.isEmpty ? nil : folders[here].children[components[count]]
            }
            if active.isEmpty {
                if place == nil { return nil }
                continue
            }
            let isLast = count == components.count - 1
            if isLast, !isFolder, components[count] == IgnoreRules.fileName { return nil }
            let found = Self.match(components, count, active, &joined, isFolder: !isLast || isFolder)
            if let found, isLast || !found.rule.pattern.isNegated { return found }
        }
        return nil
    }

    private static func match(
        _ components: [FileName], _ place: Int, _ active: [(rules: IgnoreRules, depth: Int)],
        _ joined: inout JoinedPath, isFolder: Bool
    ) -> Match? {
        let name = components[place].bytes
        for level in active.reversed() {
            let rule: IgnoreRules.Rule?
            if level.rules.needsPaths {
                joined.extend(components, through: place)
                let path = joined.bytes
                rule = level.rules.lastMatch(
                    name: name.span, path: path.span.extracting(joined.starts[level.depth]...), isFolder: isFolder)
            } else {
                rule = level.rules.lastMatch(name: name.span, path: Span(), isFolder: isFolder)
            }
            if let rule { return Match(rule: rule, depth: level.depth, count: place + 1) }
        }
        return nil
    }
}

/// The bytes of a path, joined as far as they were needed.
private struct JoinedPath {
    private(set) var bytes: [UInt8] = []
    /// Where each component begins.
    private(set) var starts: [Int] = []

    mutating func extend(_ components: [FileName], through last: Int) {
        while starts.count <= last {
            if !starts.isEmpty { bytes.append(UInt8(ascii: "/")) }
            starts.append(bytes.count)
            bytes += components[starts.count - 1].bytes
        }
    }
}
