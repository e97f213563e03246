/// The rules of one `.driveignore` file: gitignore(5), over bytes; and `./` at the beginning of a line, which matches nothing there, is
/// the folder of the file.
///
/// Reading never fails: a line that cannot match anything is left out and listed in `problems`.
public struct IgnoreRules: Hashable, Sendable {
    /// The file that holds rules for its folder and all below.
    public static let fileName: FileName = ".driveignore"

    /// In the order of the file; of those that match, the last one decides.
    private(set) var rules: [Rule] = []
    /// Lines that were left out, in the order of the file.
    public private(set) var problems: [Problem] = []
    private(set) var needsPaths = false

    struct Rule: Hashable, Sendable {
        var line: Int
        var text: [UInt8]
        var pattern: IgnorePattern
    }

    /// A line that no name can match.
    public struct Problem: Hashable, Sendable {
        /// Counted from 1; 0 where it is said of the whole file.
        public var line: Int
        public var text: [UInt8]
        /// What is wrong with it, for people.
        public var reason: String
    }

    /// Reads the bytes of a file. A mark of byte order at the beginning is skipped, lines end with LF or CR LF. With `isCut` the file
    /// goes on: the last line may be half of one, and is none.
    public init(_ bytes: [UInt8], isCut: Bool = false) {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var lines = bytes[start...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if isCut { lines.removeLast() }
        for (place, line) in lines.enumerated() { read(line, number: place + 1) }
        if isCut {
            problems.append(
                Problem(line: lines.count + 1, text: [], reason: "the file is too long to be read from here on"))
        }
    }

    public init(_ text: String) { self.init(Array(text.utf8)) }

    /// Of a file that cannot be read. Nobody knows what it is to hide, so all that is in its folder is hidden.
    public static func unread(_ reason: String) -> IgnoreRules {
        var result = empty("\(reason), so all that is in its folder is ignored")
        result.rules = [Rule(line: wholeFile, text: [], pattern: .everything)]
        return result
    }

    /// Of a symbolic link, which leads out of what devices share and is not followed: what a file had said there last counts on.
    public static func linked(last: IgnoreRules?) -> IgnoreRules {
        var result = last ?? IgnoreRules([])
        let outcome = last?.isEmpty == false ? "the rules that a file had there last count" : "it holds no rules"
        result.problems.removeAll { $0.line == wholeFile }
        let reason = "it is a symbolic link, which is not followed: \(outcome)"
        result.problems.insert(Problem(line: wholeFile, text: [], reason: reason), at: 0)
        return result
    }

    /// Of something that can hold none.
    public static func empty(_ reason: String) -> IgnoreRules {
        var result = IgnoreRules([])
        result.problems = [Problem(line: wholeFile, text: [], reason: reason)]
        return result
    }

    /// The line of what is said of a file and of none of its lines.
    static let wholeFile = 0

    /// They stand for those of a file that cannot be read.
    public var isUnread: Bool { rules.contains { $0.line == Self.wholeFile } }

    public var isEmpty: Bool { rules.isEmpty }

    /// What they say, as the rules of a file: equal for equal rules of one file, in every process.
    public func source(of file: DrivePath) -> [UInt8] {
        var writer = ByteWriter()
        // Counts up whenever the same rules come to mean something else, or a walk is to note more of what they hide.
        writer.byte(3)
        writer.count(file.components.count)
        for name in file.components { writer.blob(name.bytes) }
        writer.count(rules.count)
        for rule in rules { writer.blob(rule.text) }
        return writer.bytes
    }

    private mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
        guard !line.isEmpty, line.first != UInt8(ascii: "#") else { return }
        let text = Self.trimmed(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        guard !text.isEmpty else { return }
        do throws(Glob.Fault) {
            let pattern = try IgnorePattern(text)
            if let reason = Self.reasonNotToMatch(text) { return note(reason) }
            rules.append(Rule(line: number, text: Array(text), pattern: pattern))
            if pattern.matcher.needsPath { needsPaths = true }
        } catch {
            note(error.text)
        }
        func note(_ reason: String) { problems.append(Problem(line: number, text: Array(text), reason: reason)) }
    }

    /// Spaces at the end do not count unless escaped.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = line.startIndex
        var place = line.startIndex
        while place < line.endIndex {
            if line[place] == UInt8(ascii: "\\") {
                place = min(place + 2, line.endIndex)
                end = place
            } else {
                if line[place] != UInt8(ascii: " ") { end = place + 1 }
                place += 1
            }
        }
        return line[..<end]
    }

    private static func reasonNotToMatch(_ text: ArraySlice<UInt8>) -> String? {
        if text.contains(0) { return "no name holds a zero byte" }
        var body = text.first == UInt8(ascii: "!") ? text.dropFirst() : text
        if body.last == UInt8(ascii: "/") { body = body.dropLast() }
        body = IgnorePattern.fromHere(body)
        if body.isEmpty { return "there is no name in it" }
        if body.first == UInt8(ascii: "/") { body = body.dropFirst() }
        let components = body.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if components.contains([]) { return "between two slashes there is no name" }
        if components.contains([UInt8(ascii: ".")]) || components.contains(Array("..".utf8)[...]) {
            return "paths beneath a folder hold no `.` or `..`"
        }
        return nil
    }

    /// The last rule that matches. `path` counts from the folder of the file and is empty unless `needsPaths`.
    @inline(__always)
    func lastMatch(name: Span<UInt8>, path: Span<UInt8>, isFolder: Bool) -> Rule? {
        var place = rules.count
        while place > 0 {
            place -= 1
            if rules[place].pattern.isFolderOnly, !isFolder { continue }
            if rules[place].pattern.matches(name: name, path: path) { return rules[place] }
        }
        return nil
    }
}
