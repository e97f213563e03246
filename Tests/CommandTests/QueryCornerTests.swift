import Foundation
import TestSupport
import Testing

/// Queries at the edge of what people write.
@Suite(.mayBlock)
struct QueryCornerTests {
    private func drive(_ files: [String: String]) throws -> Machine {
        let machine = try Machine()
        for (name, text) in files { try machine.write(text, to: "a/\(name)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "find", "--refresh", "x").code <= 1)
        return machine
    }

    /// As deep as the language allows; the parser of SQLite allows less.
    @Test(arguments: [(["(a|", ")"], 59), (["(size:7|(name:b ", "))"], 29)] as [([String], Int)])
    func bracketsMayBeAsDeepAsTheLimitSays(_ brackets: [String], _ depth: Int) throws {
        let machine = try drive(["b c.txt": "text\n"])
        let query = String(repeating: brackets[0], count: depth) + "b" + String(repeating: brackets[1], count: depth)
        let found = try machine.run("-C", "a", "find", query)
        #expect(found.code == 0 && found.output.contains("b c.txt\n"), "\(found.output) \(found.error)")
    }

    /// Texts have one space where a document has several.
    @Test(arguments: [
        "\"annual  budget\"", "\"annual\tbudget\"", "\"budget\nof\"", "kMDItemTextContent == \"*annual  budget*\"",
    ])
    func aPhraseMayHaveAnyWhiteSpace(_ phrase: String) throws {
        let machine = try drive(["a.txt": "the annual  budget\nof 2026", "b.txt": "annualbudgetof"])
        let found = try machine.run("-C", "a", "find", phrase)
        #expect(found.output == "a.txt\n", "\(found.output) \(found.error)")
    }

    /// Marks that join what stands before or after them.
    @Test(arguments: ["text:\u{1F3FD}", "text:\u{947}", "kMDItemTextContent == \"*\u{947}\"", "text:\u{600}"])
    func aMarkAloneIsLookedFor(_ query: String) throws {
        let machine = try drive(["a.txt": "annual budget"])
        let found = try machine.run("-C", "a", "find", query)
        #expect(found.code <= 1 && found.output.isEmpty, "\(found.output) \(found.error)")
    }

    /// Not help, which such a word has the letter of.
    @Test(arguments: [["find", "budget", "-theory"], ["find", "-holiday kind:image"], ["find", "budget", "-draft"]])
    func aWordWithADashNeedsTwoMore(_ command: [String]) throws {
        let machine = try drive(["budget.txt": "x"])
        let refused = try machine.run(["-C", "a"] + command)
        #expect(refused.code == 64 && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.error.contains("put `--` before"), "\(refused.error)")
        let taken = try machine.run(["-C", "a", "find", "--"] + command.dropFirst())
        #expect(taken.code <= 1, "\(taken.error)")
        #expect(try machine.run("find", "-h").output.contains("USAGE"))
    }

    @Test func aFileIsAFileWhateverItsKind() throws {
        let machine = try drive(["sub/a.txt": "x", "b.bin": "y"])
        let option = try machine.run("-C", "a", "find", "--kind", "file").output
        #expect(option.contains("sub/a.txt") && option.contains("b.bin"))
        #expect(try machine.run("-C", "a", "find", "kind:file").output == option)
        #expect(try machine.run("-C", "a", "find", "--", "-kind:file").output == "sub\n")
        #expect(try machine.run("-C", "a", "find", "-l", "--kind", "file", "--group-by", "ext").code == 64)
    }

    @Test func aDamagedSavedSearchLeavesTheOthersAlone() throws {
        let machine = try drive(["a.txt": "text"])
        let saved = try machine.run("-C", "a", "find", "--save", "my texts", "text")
        #expect(saved.error.contains("`docdrive -C a find '@my texts'`"), "\(saved.error)")
        try machine.write("", to: "a/.docdrive/searches/broken.json")
        let list = try machine.run("-C", "a", "search", "ls")
        #expect(list.code == 2 && list.output.hasPrefix("@my texts"), "\(list.output)")
        #expect(list.error.contains("broken.json"), "\(list.error)")
        #expect(try machine.run("-C", "a", "search", "rm", "broken", "none").code == 64)
        #expect(try machine.run("-C", "a", "search", "rm", "broken").code == 0)
        #expect(try machine.run("-C", "a", "search", "ls").code == 0)
        #expect(try machine.run("-C", "a", "find", "@my texts").output == "a.txt\n")
    }
}
