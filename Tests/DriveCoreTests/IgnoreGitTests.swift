import DriveCore
import DriveTesting
import TestSupport
import Testing

@Suite("Ignore rules against git")
struct IgnoreGitTests {
    static let folders = ["a", "a/b", "a/b/c", "ab", "b", "b/a", "a b", "c"]
    static let names = ["a", "b", "ab", "abc", "a.c", "b.a", "-a", "]", "#a", "!a", "a ", "\\a", "é", "A1"]

    static var paths: [String] {
        ([""] + folders.map { $0 + "/" }).flatMap { folder in
            folder.isEmpty
                ? names.filter { !folders.contains($0) }
                : names.filter { !folders.contains(folder + $0) }
                    .map { folder + $0 }
        }
    }

    @Test(
        "git check-ignore says the same, and names the same rule",
        .mayBlock,
        .enabled(if: IgnoreGit.program != nil, "git is not installed: ignore rules are not compared with it"),
        arguments: 0..<40)
    func gitAgrees(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 1)
        let git = try IgnoreGit()
        defer { git.remove() }
        try git.make(Self.paths + Self.folders.map { $0 + "/" })
        var files: [(folder: String, rules: [UInt8])] = [("", random.rules())]
        for folder in Self.folders where random.chance(percent: 15) { files.append((folder, random.rules())) }
        var tree = IgnoreTree()
        for file in files {
            try git.write(file.rules, in: file.folder)
            tree[DrivePath(file.folder)] = IgnoreRules(file.rules)
        }
        let asked = Self.folders.map { (path: $0, isFolder: true) } + Self.paths.map { (path: $0, isFolder: false) }
        let answers = try git.check(asked.map(\.path))
        try #require(answers.count == asked.count)
        for (question, answer) in zip(asked, answers) {
            let decision = tree.decision(for: DrivePath(question.path), isFolder: question.isFolder)
            let own = decision.map { IgnoreGit.Answer(file: $0.gitFile, line: $0.line, pattern: $0.gitText) }
            #expect(
                own == answer,
                "\(question.path): \(files.map { "\($0.folder): \(String(decoding: $0.rules, as: UTF8.self))" })")
            let isIgnored = answer.map { !$0.pattern.hasPrefix("!") } ?? false
            #expect(tree.ignores(DrivePath(question.path), isFolder: question.isFolder) == isIgnored)
        }
    }
}

extension IgnoreDecision {
    /// Git's file has another name.
    fileprivate var gitFile: String { file.parent.isRoot ? ".gitignore" : "\(file.parent)/.gitignore" }
    fileprivate var gitText: String { String(decoding: text, as: UTF8.self) }
}

extension SeededGenerator {
    fileprivate mutating func rules() -> [UInt8] {
        var lines = (0..<number(in: 1...6)).map { _ in pattern() }
        if chance(percent: 10) { lines[0] = "\u{FEFF}" + lines[0] }
        let end = chance(percent: 10) ? "\r\n" : "\n"
        return Array((lines.joined(separator: end) + (chance(percent: 50) ? end : "")).utf8)
    }

    private mutating func pattern() -> String {
        if chance(percent: 4) {
            return choice(["", "# a", "   ", "!", "/", "//a", "a//b", "a\\", "[a", "[[:no:]]", "\\"])
        }
        let pieces = [
            "a", "a", "b", "b", "c", "/", "/", "/", "*", "*", "?", "**", "**/", "/**", "/**/", "[ab]", "[!a]", "[^b]",
            "[a-c]",
            "[]a]", "[!]a]", "[[:alpha:]]", "[[:punct:]b]", "[a-]", "[\\]]", "[-a]", "[[:a]", ".", "\\a", "\\*", "\\/",
            "é", " ",
            "\\ ", "#", "!", "-", "]", "***", "[/]", "A1", "[b-a]", "[[.]", "[a-\\c]",
        ]
        var text = chance(percent: 20) ? "!" : ""
        if chance(percent: 20) { text += "/" }
        if chance(percent: 8) { text += "\\" + choice(["#a", "!a"]) }
        for _ in 0..<number(in: 1...4) { text += choice(pieces) }
        if chance(percent: 15) { text += "/" }
        if chance(percent: 5) { text += "  " }
        // The one beginning that means something here, and nothing in git.
        return (text.hasPrefix("!") ? text.dropFirst() : text[...]).hasPrefix("./") ? pattern() : text
    }
}
