/// One pattern of an ignore file, compiled.
struct IgnorePattern: Hashable, Sendable {
    /// `!`: what it matches is not ignored.
    private(set) var isNegated = false
    /// A `/` at the end: only folders.
    private(set) var isFolderOnly = false
    private(set) var matcher: Matcher

    enum Matcher: Hashable, Sendable {
        /// No slash: the last component, at any depth beneath the ignore file.
        case name([UInt8])
        case nameEnding([UInt8])
        case nameStarting([UInt8])
        case nameGlob(start: [UInt8], Glob)
        /// A slash at the beginning or within: the path from the ignore file's folder.
        case path([UInt8])
        case pathGlob(start: [UInt8], Glob)

        var needsPath: Bool {
            switch self {
            case .path, .pathGlob: true
            default: false
            }
        }
    }

    /// Matches every name.
    static let everything = IgnorePattern(matcher: .nameStarting([]))

    private init(matcher: Matcher) { self.matcher = matcher }

    /// Takes a line without its end and trailing spaces.
    init(_ line: ArraySlice<UInt8>) throws(Glob.Fault) {
        var text = line
        if text.first == UInt8(ascii: "!") {
            isNegated = true
            text = text.dropFirst()
        }
        if text.last == UInt8(ascii: "/") {
            isFolderOnly = true
            text = text.dropLast()
        }
        let isPath = text.contains(UInt8(ascii: "/"))
        text = Self.fromHere(text)
        if isPath, text.first == UInt8(ascii: "/") { text = text.dropFirst() }
        let start = text.prefix { !Self.special.contains($0) }
        // As git does, what follows the plain beginning is compiled by itself, so a `**` there counts as leading.
        let rest = text[start.endIndex...]
        let plain = Array(start)
        if rest.isEmpty {
            matcher = isPath ? .path(plain) : .name(plain)
        } else if isPath {
            matcher = .pathGlob(start: plain, try Glob(rest))
        } else if rest == [UInt8(ascii: "*")] {
            matcher = .nameStarting(plain)
        } else if plain.isEmpty, rest.first == UInt8(ascii: "*"),
            !rest.dropFirst().contains(where: Self.special.contains)
        {
            matcher = .nameEnding(Array(rest.dropFirst()))
        } else {
            matcher = .nameGlob(start: plain, try Glob(rest))
        }
    }

    /// Without a `./` at the beginning. In git a line that has it matches nothing; nothing but the file's own folder can be meant by
    /// it, and what somebody wanted to keep back would be sent.
    static func fromHere(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while text.starts(with: Array("./".utf8)) { text = text.dropFirst(2) }
        return text
    }

    private static let special = Array("*?[\\".utf8)

    @inline(__always)
    func matches(name: Span<UInt8>, path: Span<UInt8>) -> Bool {
        switch matcher {
        case .name(let own): own.count == name.count && name.starts(with: own)
        case .nameStarting(let start): name.starts(with: start)
        case .nameEnding(let end): name.ends(with: end)
        case .nameGlob(let start, let glob): name.starts(with: start) && glob.matches(name.extracting(start.count...))
        case .path(let own): own.count == path.count && path.starts(with: own)
        case .pathGlob(let start, let glob): path.starts(with: start) && glob.matches(path.extracting(start.count...))
        }
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func starts(with other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        for place in other.indices where self[place] != other[place] { return false }
        return true
    }

    @inline(__always)
    fileprivate func ends(with other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        let start = count - other.count
        for place in other.indices where self[start + place] != other[place] { return false }
        return true
    }
}
