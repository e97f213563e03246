/// What decided about a path.
public struct IgnoreDecision: Hashable, Sendable {
    public var isIgnored: Bool
    /// The path that the rule matched: the one asked for, or a folder above it.
    public var path: DrivePath
    /// The rule: the ignore file, its line counted from 1, and the line's text.
    public var file: DrivePath
    public var line: Int
    public var text: [UInt8]

    /// There is no such line: the file cannot be read, so that all in its folder is ignored.
    public var isUnread: Bool { line == IgnoreRules.wholeFile }
}

/// The rules of a drive: those of the root's `.driveignore` and of the ones further down.
///
/// As in git: a deeper file decides before one above it, within a file the last matching line decides, and a folder
/// that is ignored hides all below, whatever rules say there. Other than in git no rule hides an ignore file: all devices
/// go by the same rules, also where one says `.*`.
///
/// Where two devices have written an ignore file at once, what either of them hides is hidden until somebody has decided: what
/// one of them protects is not sent meanwhile.
public struct IgnoreTree: Hashable, Sendable {
    /// The root first; a folder is here if it, or one below it, has rules.
    private var folders: [Folder] = [Folder()]

    private struct Folder: Hashable, Sendable {
        /// By the name of their file, the folder's own before those of conflict copies.
        var rules: [File] = []
        var children: [FileName: Int] = [:]
    }

    private struct File: Hashable, Sendable {
        var name: FileName
        var rules: IgnoreRules
    }

    public init() {}

    /// The rules of the ignore file in a folder; nil where it has none.
    public subscript(folder: DrivePath) -> IgnoreRules? {
        get { self[file: folder.appending(IgnoreRules.fileName)] }
        set { self[file: folder.appending(IgnoreRules.fileName)] = newValue }
    }

    /// The rules of one file: the folder's own, or a conflict copy of it.
    public subscript(file file: DrivePath) -> IgnoreRules? {
        get { place(of: file.parent).flatMap { folders[$0].rules.first { $0.name == file.name }?.rules } }
        set {
            guard let name = file.name, let place = newValue == nil ? place(of: file.parent) : made(file.parent) else {
                return
            }
            folders[place].rules.removeAll { $0.name == name }
            if let newValue { folders[place].rules.append(File(name: name, rules: newValue)) }
            folders[place].rules.sort { $0.name < $1.name }
        }
    }

    private func place(of folder: DrivePath) -> Int? {
        folder.components.reduce(0 as Int?) { place, name in place.flatMap { folders[$0].children[name] } }
    }

    private mutating func made(_ folder: DrivePath) -> Int {
        var place = 0
        for name in folder.components {
            if let next = folders[place].children[name] {
                place = next
            } else {
                folders.append(Folder())
                folders[place].children[name] = folders.count - 1
                place = folders.count - 1
            }
        }
        return place
    }

    /// Whether what is ignored in a folder depends on where the folder is.
    public var needsPlaces: Bool { folders.count > 1 || folders[0].rules.contains(where: \.rules.needsPaths) }

    /// The root is never ignored, and what a drive or its file system keeps for itself always is, whatever rules say.
    public func ignores(_ path: DrivePath, isFolder: Bool) -> Bool {
        path.isDrivesOwn(isFolder: isFolder)
            || match(path, isFolder: isFolder).map { !$0.rule.pattern.isNegated } ?? false
    }

    /// Nil where no rule matches, so that the path is not ignored.
    public func decision(for path: DrivePath, isFolder: Bool) -> IgnoreDecision? {
        guard let match = match(path, isFolder: isFolder) else { return nil }
        let folder = DrivePath(Array(path.components[..<match.depth]))
        return IgnoreDecision(
            isIgnored: !match.rule.pattern.isNegated, path: DrivePath(Array(path.components[..<match.count])),
            file: folder.appending(match.file), line: match.rule.line, text: match.rule.text)
    }

    private struct Match {
        var rule: IgnoreRules.Rule
        var file: FileName
        /// How deep its file lies, and how many components it matched.
        var depth: Int
        var count: Int
    }

    private func match(_ path: DrivePath, isFolder: Bool) -> Match? {
        var active: [(files: [File], depth: Int)] = []
        var place: Int? = 0
        let components = path.components
        var joined = JoinedPath()
        for count in components.indices {
            if let here = place {
                if folders[here].rules.contains(where: { !$0.rules.isEmpty }) {
                    active.append((folders[here].rules, count))
                }
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
        _ components: [FileName], _ place: Int, _ active: [(files: [File], depth: Int)],
        _ joined: inout JoinedPath, isFolder: Bool
    ) -> Match? {
        for level in active.reversed() {
            var found: Match?
            for file in level.files {
                let rule = lastMatch(file.rules, components, place, level.depth, &joined, isFolder: isFolder)
                guard let rule, found == nil || !rule.pattern.isNegated else { continue }
                found = Match(rule: rule, file: file.name, depth: level.depth, count: place + 1)
                if !rule.pattern.isNegated { break }
            }
            if let found { return found }
        }
        return nil
    }

    private static func lastMatch(
        _ rules: IgnoreRules, _ components: [FileName], _ place: Int, _ depth: Int, _ joined: inout JoinedPath,
        isFolder: Bool
    ) -> IgnoreRules.Rule? {
        let name = components[place].bytes
        guard rules.needsPaths else { return rules.lastMatch(name: name.span, path: Span(), isFolder: isFolder) }
        joined.extend(components, through: place)
        let path = joined.bytes
        return rules.lastMatch(
            name: name.span, path: path.span.extracting(joined.starts[depth]...), isFolder: isFolder)
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
