import Foundation
import Glibc
import TestSupport
import Testing

/// Searches that would answer something else than was asked.
@Suite(.mayBlock)
struct SearchMistakeTests {
    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.write("red fruit\n", to: "a/apple.txt")
        try machine.write("green fruit\n", to: "a/in/pear.md")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "find", "--refresh", "fruit").code == 0)
        return machine
    }

    private func find(_ machine: borrowing Machine, _ arguments: String...) throws -> Machine.Result {
        try find(machine, arguments)
    }

    private func find(_ machine: borrowing Machine, _ arguments: [String]) throws -> Machine.Result {
        try machine.run(["-C", "a", "find"] + arguments)
    }

    @Test func aSavedSearchIsOneWhereverItStands() throws {
        let machine = try drive()
        #expect(try find(machine, "--save", "fruit", "fruit").error.hasPrefix("docdrive: kept; "))
        let again = try find(machine, "--save", "fruit", "fruit")
        #expect(again.error.hasPrefix("docdrive: kept in place of the one that had this name; "), "\(again)")
        for words in [["@fruit", "ext:txt"], ["ext:txt", "@fruit"]] {
            #expect(try machine.run(["-C", "a", "find"] + words).output == "apple.txt\n")
        }
        let refined = try find(machine, "@fruit", "--predicate", "kMDItemFSName LIKE 'p*'")
        #expect(refined.output == "in/pear.md\n", "\(refined)")
        #expect(try find(machine, "fruit", "--predicate", "kMDItemFSName LIKE 'p*'").code == 64)
        #expect(try find(machine, "@fruit", "x", "--predicate", "kMDItemFSName LIKE 'p*'").code == 64)
        #expect(try find(machine, "@fruit", "@fruit").code == 64)
        #expect(try find(machine, "@none").code != 0)
        // Later it is a word like any other.
        #expect(try find(machine, "fruit", "@none").code == 0)
    }

    /// Words and a raw query are no text that either reader could take: nothing is kept, and what was kept stays.
    @Test func whatCanNeverRunIsNotKept() throws {
        let machine = try drive()
        for (name, query) in [("raw", "kMDItemFSSize > 3"), ("range", "InRange(size, 1, 99)"), ("words", "fruit")] {
            #expect(try find(machine, "--save", name, query).code == 0)
        }
        #expect(try find(machine, "--save", "kept", "pear").code == 0)
        let mixed = [
            ["@raw", "fruit"], ["@range", "fruit"], ["@words", "size > 3"], ["@words", "InRange(size, 1, 99)"],
        ]
        for words in mixed {
            let refused = try find(machine, ["--save", "kept"] + words)
            #expect(refused.code == 64 && refused.output.isEmpty, "\(words): \(refused)")
            #expect(refused.error.contains("words and a raw query cannot be kept: write it out"), "\(refused)")
            #expect(try find(machine, words).code == 0, "\(words)")
        }
        #expect(try find(machine, "@kept").output == "in/pear.md\n")
    }

    @Test func whatIsKeptOfTwoSearchesFindsWhatBothFind() throws {
        let machine = try drive()
        #expect(try find(machine, "--save", "raw", "size > 3 || size < 1").code == 0)
        let both = try find(machine, "--save", "both", "@raw", "kMDItemFSName == '*.md' || size == 0")
        #expect(both.code == 0 && both.output == "in/pear.md\n", "\(both)")
        #expect(try find(machine, "@both").output == both.output)
        #expect(try find(machine, "--save", "words", "red | green").code == 0)
        #expect(try find(machine, "--save", "more", "@words", "pear").output == "in/pear.md\n")
        #expect(try find(machine, "@more").output == "in/pear.md\n")
        // Options alone are added to either.
        #expect(try find(machine, "--save", "texts", "@raw", "--ext", "txt").output == "apple.txt\n")
        #expect(try find(machine, "@texts").output == "apple.txt\n")
    }

    /// Nothing would be found in a folder that has another name by now.
    @Test func aSavedSearchWhoseFolderIsGoneSaysSo() throws {
        let machine = try drive()
        #expect(try find(machine, "--save", "in", "-onlyin", "\(machine.root)/a/in", "fruit").code == 0)
        #expect(try find(machine, "@in").output == "in/pear.md\n")
        try machine.move("a/in", to: "a/other")
        #expect(try machine.run("-C", "a", "sync").code == 0)
        for extra in [[], ["-count"], ["-live"]] {
            let refused = try machine.run(["-C", "a", "find", "@in"] + extra)
            #expect(refused.code == 64 && refused.error.contains("is not there any more"), "\(refused)")
        }
        #expect(try find(machine, "@in", "-onlyin", "\(machine.root)/a/other").output == "other/pear.md\n")
    }

    @Test func aSavedSearchIsShownAsItIsTyped() throws {
        let machine = try drive()
        #expect(try find(machine, "--save", "not", "--kind", "file", "--", "-pear", "fruit").code == 0)
        let shown = try machine.run("-C", "a", "search", "show", "not").output
        #expect(shown == "docdrive -C a find --kind file -- -pear fruit\n", "\(shown)")
        #expect(try machine.run("-C", "a", "search", "ls").output.contains("--kind file -- -pear fruit\n"))
        #expect(try find(machine, "--kind", "file", "--", "-pear", "fruit").output == find(machine, "@not").output)
    }

    /// What is shown finds the same where it is read, whatever the values begin with.
    @Test func aSavedSearchThatIsShownCanBePasted() throws {
        let machine = try drive()
        for name in ["-dash.txt", "-in/x.txt", "in/-x.txt"] { try machine.write("fruit\n", to: "a/\(name)") }
        #expect(try machine.run("sync", "a").code == 0)
        let searches = [
            ["--name=-dash"], ["--name=-x", "-onlyin", "\(machine.root)/a/in"], ["-onlyin", "\(machine.root)/a/-in"],
            ["--predicate=-1 < kMDItemFSSize", "--name=-", "--sort=-name", "--ext=-,txt"],
            ["--kind", "file", "--", "-pear", "-name"],
        ]
        for (number, search) in searches.enumerated() {
            let saved = try find(machine, ["--save", "s\(number)"] + search)
            #expect(saved.code == 0 && !saved.output.isEmpty, "\(saved)")
            let found = Set(saved.output.split(separator: "\n").map { URL(filePath: String($0)).lastPathComponent })
            for place in [".", "a", "a/in"] {
                let script =
                    "cd \(place) || exit 1; docdrive() { '\(Machine.program)' \"$@\"; }; "
                    + "eval \"$('\(Machine.program)' -C '\(machine.root)/a' search show s\(number))\""
                let pasted = try machine.run(["-c", script], program: "/bin/sh")
                let again = pasted.output.split(separator: "\n").map { URL(filePath: String($0)).lastPathComponent }
                #expect(pasted.code == 0 && Set(again) == found, "\(search) in \(place): \(pasted)")
            }
        }
    }

    /// A search may get the name that a word of an earlier one begins with.
    @Test func aWordIsNotShownAsTheNameOfASearch() throws {
        let machine = try drive()
        for name in ["apple @at.txt", "see @at.md"] { try machine.write("x", to: "a/\(name)") }
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try find(machine, "--save", "files", "--kind", "file").code == 0)
        #expect(try find(machine, "--save", "two", "apple", "@at").output == "apple @at.txt\n")
        #expect(try find(machine, "--save", "one", "@files", "@at").output == "apple @at.txt\nsee @at.md\n")
        #expect(try find(machine, "--save", "at", "nothing-like-it").code == 0)
        for (name, shown) in [("two", "'apple @at'"), ("one", "' @at' --kind file")] {
            let command = try machine.run("-C", "a", "search", "show", name).output
            #expect(command == "docdrive -C a find \(shown)\n")
            #expect(try machine.run("-C", "a", "search", "ls").output.contains("  \(shown)\n"))
            let script = "docdrive() { '\(Machine.program)' \"$@\"; }; \(command)"
            let pasted = try machine.run(["-c", script], program: "/bin/sh")
            let kept = try find(machine, "@\(name)").output
            #expect(pasted.output == kept && !kept.isEmpty, "\(pasted)")
        }
    }

    @Test(arguments: [
        ("sync:syncd", "sync:synced"), ("status:curent", "status:current"),
        ("status:downloading", "status: is current, downloaded, notdownloaded, and not downloading"),
        ("conflictclass:mergable", "conflictclass:mergeable"), ("sync:", "a value is missing"),
    ])
    func whatNoItemCanHaveIsAMistake(_ query: String, _ hint: String) throws {
        let machine = try drive()
        let refused = try find(machine, query)
        #expect(refused.code == 64 && refused.error.contains(hint), "\(refused)")
    }

    @Test func whatItemsCanHaveIsNone() throws {
        let machine = try drive()
        for query in [
            "sync:synced,held", "sync:s*", "status:downloaded", "status:Current", "conflictclass:Binary", "sync:*",
        ] {
            #expect(try find(machine, query).code == 0, "\(query)")
        }
        let attribute = try machine.run("-C", "a", "attrs", "-name", "kMDItemLastUsedDate", "apple.txt")
        #expect(attribute.code == 64 && attribute.error.contains("nothing on this system tells it"), "\(attribute)")
        #expect(try machine.run("-C", "a", "attrs", ".").code == 64)
    }

    @Test func aLinkIntoTheDriveLeadsThere() throws {
        let machine = try drive()
        try FileManager.default.createSymbolicLink(
            atPath: "\(machine.root)/link", withDestinationPath: "\(machine.root)/a/in")
        for arguments in [
            ["-C", ".", "find", "-onlyin", "link", "fruit"], ["ls", "link"],
            ["attrs", "link/pear.md", "-name", "name"],
        ] {
            let result = try machine.run(arguments)
            #expect(result.code == 0 && result.output.contains("pear.md"), "\(result)")
        }
        #expect(try machine.run("dupes", "link").code == 0)
    }

    @Test func namesThatAreNoTextAreWhole() throws {
        let machine = try drive()
        let name: [UInt8] = [0x62, 0xFC, 0x64]
        let path = Array("\(machine.root)/a/".utf8) + name
        let file = path.withUnsafeBytes {
            open(Array($0).map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o644)
        }
        close(file)
        #expect(try machine.run("-C", "a", "find", "--refresh", "fruit").code == 0)
        let groups = try find(machine, "--group-by", "ext", "--json").output
        #expect(groups.contains(Data(name).base64EncodedString()), "\(groups)")
    }

    /// More than SQLite is asked.
    @Test func alternativesMayBeMany() throws {
        let machine = try drive()
        let words = String(repeating: "zz | ", count: 2_001)
        #expect(try find(machine, "--count", words + "pear").output == "1\n")
        #expect(try find(machine, "--count", words + "fruit").output == "2\n")
    }

    @Test func noOtherDriveIsMeant() throws {
        let machine = try drive()
        for arguments in [
            ["-C", "a", "doctor", "nowhere"], ["doctor", "a/nowhere"], ["-C", "a", "pause", "--for", "0"],
        ] {
            #expect(try machine.run(arguments).code == 64, "\(arguments)")
        }
    }

    @Test func aMisspelledPathHasNoLog() throws {
        let machine = try drive()
        let refused = try machine.run("-C", "a", "log", "nosuch")
        #expect(refused.code == 64 && refused.error.contains("check the spelling"), "\(refused)")
        #expect(try machine.run("-C", "a", "log", "apple.txt").code == 0)
        try machine.remove("a/apple.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "log", "apple.txt").output.contains("deleted"))
    }
}
