/// A compiled pattern of gitignore(5), over bytes.
///
/// `*`, `?` and classes never match `/`. `**` between slashes, or at an end of the pattern, matches any number of
/// folders; anywhere else it is a `*`. The time is bounded by the square of the text's length: patterns come from
/// people and from other devices.
struct Glob: Hashable, Sendable {
    private var tokens: [Token]

    private enum Token: Hashable, Sendable {
        case byte(UInt8)
        case any
        case set(ByteSet)
        case star
        /// `**/`: nothing, or any number of whole folders.
        case folders
        /// `**` at the end, and before an escaped slash: everything.
        case all
    }

    /// Why a pattern can never match.
    enum Fault: Error, Hashable {
        case unclosedClass, unknownClass, trailingBackslash

        var text: String {
            switch self {
            case .unclosedClass: "a `[` is not closed by a `]`"
            case .unknownClass: "a character class such as [:alpha:] has an unknown name"
            case .trailingBackslash: "a backslash at the end escapes nothing"
            }
        }
    }

    init(_ pattern: ArraySlice<UInt8>) throws(Fault) {
        var reader = Reader(pattern)
        tokens = try reader.tokens()
    }

    /// Two points to go back to suffice: a later `*` makes an earlier one of the same folder needless, and whatever
    /// `**/` found first leaves the most text to what follows it.
    func matches(_ text: Span<UInt8>) -> Bool {
        var token = 0
        var place = 0
        var star: (token: Int, place: Int)?
        var deep: (token: Int, place: Int)?
        while true {
            if token < tokens.count {
                switch tokens[token] {
                case .star:
                    token += 1
                    star = (token, place)
                    continue
                case .folders, .all:
                    deep = (token, place)
                    star = nil
                    token += 1
                    continue
                case let single:
                    if place < text.count, Self.matches(single, text[place]) {
                        token += 1
                        place += 1
                        continue
                    }
                }
            } else if place == text.count {
                return true
            }
            if let last = star, last.place < text.count, text[last.place] != slash {
                star = (last.token, last.place + 1)
                (token, place) = (last.token, last.place + 1)
            } else if let last = deep, let next = next(of: tokens[last.token], after: last.place, in: text) {
                deep = (last.token, next)
                star = nil
                (token, place) = (last.token + 1, next)
            } else {
                return false
            }
        }
    }

    private func next(of token: Token, after place: Int, in text: Span<UInt8>) -> Int? {
        var place = place
        if token == .all { return place < text.count ? place + 1 : nil }
        while place < text.count, text[place] != slash { place += 1 }
        return place < text.count ? place + 1 : nil
    }

    @inline(__always)
    private static func matches(_ token: Token, _ byte: UInt8) -> Bool {
        switch token {
        case .byte(let own): own == byte
        case .any: byte != slash
        case .set(let set): byte != slash && set.contains(byte)
        case .star, .folders, .all: false
        }
    }
}

private let slash = UInt8(ascii: "/")
private let backslash = UInt8(ascii: "\\")
private let asterisk = UInt8(ascii: "*")

extension Glob {
    private struct Reader {
        private let pattern: ArraySlice<UInt8>
        private var place: Int

        init(_ pattern: ArraySlice<UInt8>) {
            self.pattern = pattern
            place = pattern.startIndex
        }

        private func byte(at place: Int) -> UInt8? { place < pattern.endIndex ? pattern[place] : nil }

        mutating func tokens() throws(Fault) -> [Token] {
            var result: [Token] = []
            while let byte = byte(at: place) {
                place += 1
                switch byte {
                case asterisk: result.append(stars())
                case UInt8(ascii: "?"): result.append(.any)
                case UInt8(ascii: "["):
                    var reader = ByteSet.Reader(pattern, at: place)
                    result.append(.set(try reader.read()))
                    place = reader.place
                case backslash:
                    guard let escaped = self.byte(at: place) else { throw .trailingBackslash }
                    result.append(.byte(escaped))
                    place += 1
                default: result.append(.byte(byte))
                }
            }
            return result
        }

        /// Behind the first asterisk of a run.
        private mutating func stars() -> Token {
            let first = place - 1
            while byte(at: place) == asterisk { place += 1 }
            guard place - first > 1, first == pattern.startIndex || pattern[first - 1] == slash else { return .star }
            switch byte(at: place) {
            case nil: return .all
            case slash:
                place += 1
                return .folders
            case backslash where byte(at: place + 1) == slash: return .all
            default: return .star
            }
        }
    }
}
