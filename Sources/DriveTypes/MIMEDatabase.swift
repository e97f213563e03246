import Glibc

/// The globs and subclasses of shared-mime-info, as `update-mime-database` writes them.
public struct MIMEDatabase: Sendable {
    struct Glob: Sendable {
        let weight: Int
        let mime: String
        let pattern: String
        let isCaseSensitive: Bool
    }

    /// By suffix without "*.", as written; several types may claim one.
    private(set) var suffixes: [String: [Glob]] = [:]
    private(set) var names: [String: [Glob]] = [:]
    private(set) var others: [Glob] = []
    private(set) var parents: [String: [String]] = [:]

    /// What the system has; nil without shared-mime-info.
    public static let installed = MIMEDatabase(folder: "/usr/share/mime")

    public init?(folder: String) {
        guard let globs = Self.contents("\(folder)/globs2") else { return nil }
        self.init(globs: globs, subclasses: Self.contents("\(folder)/subclasses") ?? [])
    }

    public init(globs: [UInt8], subclasses: [UInt8] = []) {
        for line in globs.split(separator: 0x0A) where line.first != UInt8(ascii: "#") { add(glob: line) }
        for line in subclasses.split(separator: 0x0A) {
            let words = line.split(separator: 0x20)
            guard words.count == 2 else { continue }
            parents[String(decoding: words[0], as: UTF8.self), default: []].append(
                String(decoding: words[1], as: UTF8.self))
        }
    }

    /// "50:text/x-c++src:*.C:cs"
    private mutating func add(glob line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3)
        guard fields.count >= 3, let weight = Int(String(decoding: fields[0], as: UTF8.self)) else { return }
        let isCaseSensitive = fields.count > 3 && String(decoding: fields[3], as: UTF8.self).contains("cs")
        let text = String(decoding: fields[2], as: UTF8.self)
        let pattern = isCaseSensitive ? text : text.lowercased()
        let glob = Glob(
            weight: weight, mime: String(decoding: fields[1], as: UTF8.self), pattern: pattern,
            isCaseSensitive: isCaseSensitive)
        let special: (Character) -> Bool = { "*?[\\".contains($0) }
        if pattern.hasPrefix("*."), !pattern.dropFirst(2).contains(where: special) {
            suffixes[String(pattern.dropFirst(2)), default: []].append(glob)
        } else if !pattern.contains(where: special) {
            names[pattern, default: []].append(glob)
        } else {
            others.append(glob)
        }
    }

    /// The types that claim a name: of the largest weight, and among those of the longest pattern.
    public func types(named name: String) -> [String] {
        let lower = name.lowercased()
        var found = (names[name] ?? []) + (lower == name ? [] : names[lower] ?? [])
        for suffix in Self.suffixes(of: name) { found += suffixes[suffix] ?? [] }
        if lower != name {
            for suffix in Self.suffixes(of: lower) {
                found += (suffixes[suffix] ?? []).filter { !$0.isCaseSensitive }
            }
        }
        found += others.filter { fnmatch($0.pattern, $0.isCaseSensitive ? name : lower, 0) == 0 }
        guard let weight = found.map(\.weight).max() else { return [] }
        let heaviest = found.filter { $0.weight == weight }
        let length = heaviest.map(\.pattern.utf8.count).max() ?? 0
        var types: [String] = []
        for glob in heaviest where glob.pattern.utf8.count == length && !types.contains(glob.mime) {
            types.append(glob.mime)
        }
        return types
    }

    /// "a.tar.gz" has "tar.gz" and "gz".
    static func suffixes(of name: String) -> [String] {
        var suffixes: [String] = []
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { suffixes.append(String(rest)) }
            // No type has so many.
            if suffixes.count > 64 { suffixes.removeFirst() }
        }
        return suffixes
    }

    /// Up to 8 MiB of a regular file.
    private static func contents(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = min(Int(facts.st_size), 8 << 20)
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = 0
            while filled < size {
                let count = read(file, buffer.baseAddress! + filled, size - filled)
                if count < 0, errno == EINTR { continue }
                if count <= 0 {
                    isWhole = count == 0
                    break
                }
                filled += count
            }
        }
        return isWhole ? bytes : nil
    }
}
