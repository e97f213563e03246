import Foundation
import Glibc
import TestSupport
import Testing

/// Conflicts of every class, made by two real drives, and how they end.
@Suite(.mayBlock)
struct ConflictResolvingTests {
    private static let poem = (1...9).map { "line \($0)\n" }.joined()

    private func replacing(_ line: Int, _ text: String) -> String {
        Self.poem.replacingOccurrences(of: "line \(line)\n", with: text)
    }

    /// What both sides make of files that both had.
    private func conflicting(_ sides: [String: (a: String, b: String)]) throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(sides.mapValues { _ in Self.poem })
        for (path, side) in sides {
            try machine.write(side.a, to: "a/\(path)")
            try machine.write(side.b, to: "b/\(path)")
        }
        try machine.settle()
        return machine
    }

    /// What one keeps to oneself stays so, whichever content has which name.
    @Test func aCopyMayBeReadByWhoMayReadItsFile() throws {
        let machine = try Machine()
        try machine.twoDrives(["secret": "old\n"])
        func modes(_ drive: String) throws -> Set<Int> {
            try Set(
                machine.files(drive).keys.map { path in
                    let facts = try FileManager.default.attributesOfItem(atPath: "\(machine.root)/\(drive)/\(path)")
                    return try #require(facts[.posixPermissions] as? Int)
                })
        }
        for drive in ["a", "b"] { #expect(chmod("\(machine.root)/\(drive)/secret", 0o600) == 0) }
        try machine.write("by a\n", to: "a/secret")
        try machine.write("by b\n", to: "b/secret")
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(machine.files(drive).count == 2)
            #expect(try modes(drive) == [0o600])
        }
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "secret", "--keep", "copy").code == 0)
        try machine.settle()
        for drive in ["a", "b"] { #expect(try modes(drive) == [0o600]) }
    }

    private struct Listed: Decodable {
        var path: String
        var copy: String?
        var `class`: String?
        var suggestion: String?
        var ancestorHash: String?
        var device: String?
        var currentDevice: String?
        var modified: Int64?
        var currentModified: Int64?
        var recorded: Int64?
        var currentRecorded: Int64?
    }

    private func listed(_ machine: Machine, _ drive: String = "a") throws -> [String: Listed] {
        let result = try machine.run("-C", drive, "conflicts", "ls", "--json")
        let all = try JSONDecoder().decode([Listed].self, from: Data(result.output.utf8))
        return Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
    }

    private func everyClass() throws -> Machine {
        let machine = try conflicting([
            "superset.txt": (Self.poem + "more\n", Self.poem + "more\nand more\n"),
            "mergeable.txt": (replacing(2, "two by a\n"), replacing(8, "eight by b\n")),
            "divergent.txt": (replacing(5, "five by a\n"), replacing(5, "five by b\n")),
            "binary.dat": ("a\u{0}a", "b\u{0}b\u{0}"),
        ])
        try machine.write("kept\n", to: "a/deleted.txt")
        try machine.settle()
        try machine.remove("a/deleted.txt")
        try machine.write("edited\n", to: "b/deleted.txt")
        try machine.settle()
        return machine
    }

    @Test func eachHasItsClassOnBothDevices() throws {
        let machine = try everyClass()
        for drive in ["a", "b"] {
            let found = try listed(machine, drive)
            #expect(
                found.mapValues { $0.class ?? "none" } == [
                    "superset.txt": "superset", "mergeable.txt": "mergeable", "divergent.txt": "divergent",
                    "binary.dat": "binary", "deleted.txt": "delete-vs-edit",
                ])
            #expect(found["mergeable.txt"]?.suggestion == "merge")
            #expect(found["mergeable.txt"]?.ancestorHash != nil)
            #expect(found["deleted.txt"]?.device == "alpha")
            #expect(found["deleted.txt"]?.copy == nil)
            #expect(Set([found["binary.dat"]?.device, found["binary.dat"]?.currentDevice]) == ["alpha", "beta"])
        }
        #expect(machine.read("a/deleted.txt") == "edited\n")
        let merged = try machine.run("-C", "a", "find", "conflict:mergeable").output
        #expect(merged.split(separator: "\n").count == 2, "\(merged)")
        #expect(try machine.run("-C", "a", "find", "conflict:delete-vs-edit").output == "deleted.txt\n")
        #expect(try machine.run("-C", "a", "find", "conflict:yes", "--count").output == "9\n")
        #expect(try machine.run("-C", "a", "find", "conflict:soso").code == 64)
        let one = try machine.run("-C", "a", "conflicts", "ls", "--class", "binary,divergent", "--jsonl").output
        #expect(one.split(separator: "\n").count == 2)
    }

    @Test func suggestedLosesNoLine() throws {
        let machine = try everyClass()
        let trial = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--suggested", "--dry-run")
        #expect(trial.output.contains("mergeable.txt: would be merged"), "\(trial.output)")
        #expect(try listed(machine).count == 5)
        let result = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--suggested")
        #expect(result.code == 2, "\(result.output)\(result.error)")
        #expect(result.output.hasSuffix("3 conflicts left.\n"), "\(result.output)")
        try machine.settle()
        let merged = replacing(2, "two by a\n").replacingOccurrences(of: "line 8\n", with: "eight by b\n")
        for drive in ["a", "b"] {
            #expect(machine.read("\(drive)/mergeable.txt") == merged)
            #expect(machine.read("\(drive)/superset.txt") == Self.poem + "more\nand more\n")
            #expect(Set(try listed(machine, drive).keys) == ["divergent.txt", "binary.dat", "deleted.txt"])
        }
    }

    @Test func oneUndoReversesTheWholeOnBothDevices() throws {
        let machine = try everyClass()
        let before = machine.files("a")
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "copy").code == 0)
        try machine.settle()
        #expect(try machine.run("-C", "a", "conflicts", "--check").code == 0)
        #expect(machine.files("b")["deleted.txt"] == nil)
        let undone = try machine.run("-C", "a", "undo", "--yes")
        #expect(undone.code == 0, "\(undone.output)\(undone.error)")
        #expect(machine.files("a") == before)
        try machine.settle()
        #expect(machine.files("a") == before)
        #expect(machine.files("b") == before)
    }

    /// Which side a program takes for the newer one is the one that the list shows as that, whichever was found first.
    @Test func theDatesInJSONAreThoseThatNewestGoesBy() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "old\n"])
        // Monday on one, Wednesday on the other, which is recorded first.
        let dates = ["a": Date(timeIntervalSince1970: 1_600_200_000), "b": Date(timeIntervalSince1970: 1_600_000_000)]
        for (drive, date) in dates {
            try machine.write("by \(drive)\n", to: "\(drive)/f")
            try FileManager.default.setAttributes(
                [.modificationDate: date], ofItemAtPath: "\(machine.root)/\(drive)/f")
        }
        try machine.settle()
        let found = try #require(listed(machine)["f"])
        #expect([found.device, found.currentDevice] == ["alpha", "beta"])
        #expect([found.modified, found.currentModified] == [1_600_200_000_000, 1_600_000_000_000])
        let (recorded, current) = (try #require(found.recorded), try #require(found.currentRecorded))
        #expect(recorded < current)
        let lines = try machine.run("-C", "a", "conflicts", "show", "f", "--jsonl").output
        #expect(lines.contains("\"modified\":1600200000000"), "\(lines)")
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "f", "--keep", "newest").code == 0)
        #expect(machine.read("a/f") == "by a\n")
    }

    /// What no pass has seen yet: the copy may be all there is.
    @Test(arguments: [["--suggested"], ["--keep", "newest"], ["--keep", "largest"], ["--keep", "current"]])
    func aCopyStaysWhereWhatWouldBeKeptIsGone(_ how: [String]) throws {
        let machine = try conflicting(["f.txt": (Self.poem + "more\n", Self.poem + "more\nand more\n")])
        let copy = try #require(try listed(machine)["f.txt"]?.copy)
        let content = machine.read("a/\(copy)")
        try machine.remove("a/f.txt")
        let dry = try machine.run(["-C", "a", "conflicts", "resolve", "--all", "--dry-run"] + how)
        let result = try machine.run(["-C", "a", "conflicts", "resolve", "--all"] + how)
        for output in [result.output, dry.output] {
            #expect(output.contains("f.txt: it is not there any more"), "\(output)")
        }
        try machine.settle()
        // Who deleted the one took the other.
        for drive in ["a", "b"] { #expect(machine.read("\(drive)/f.txt") == content) }
    }

    @Test(arguments: [["--suggested"], ["--keep", "newest"], ["--keep", "largest"]])
    func whatDecidedIsLookedAtAgain(_ how: [String]) throws {
        let machine = try conflicting(["f.txt": (Self.poem + "more\n", Self.poem + "more\nand more\n")])
        let copy = try #require(try listed(machine)["f.txt"]?.copy)
        let content = machine.read("a/\(copy)")
        try machine.write("all else\n", to: "a/f.txt")
        let dry = try machine.run(["-C", "a", "conflicts", "resolve", "--all", "--dry-run"] + how)
        let result = try machine.run(["-C", "a", "conflicts", "resolve", "--all"] + how)
        for run in [dry, result] {
            #expect(run.output.contains("f.txt: it has changed meanwhile, and stays as it is"), "\(run.output)")
            #expect(run.code == 2)
        }
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(machine.read("\(drive)/\(copy)") == content)
            #expect(machine.read("\(drive)/f.txt") == "all else\n")
        }
    }

    @Test func whatIsEndedWithoutTheStoreIsOver() throws {
        let machine = try everyClass()
        try machine.move("store", to: "elsewhere")
        let result = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "current")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        #expect(try machine.run("-C", "a", "conflicts", "--check").code == 0)
        try machine.move("elsewhere", to: "store")
        try machine.settle()
        #expect(try machine.run("-C", "b", "conflicts", "--check").code == 0)
    }

    /// A merged text has to be read, and its bytes belong in the store, before the list of conflicts can be shorter; what was
    /// asked for is done all the same.
    @Test func whatIsMergedWithoutTheStoreIsDone() throws {
        let machine = try everyClass()
        try machine.move("store", to: "elsewhere")
        let result = try machine.run("-C", "a", "conflicts", "resolve", "mergeable.txt", "--merge")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        #expect(!result.output.contains("left"), "\(result.output)")
        #expect(result.output.contains("undo` brings back what was"), "\(result.output)")
        try machine.move("elsewhere", to: "store")
        try machine.settle()
        for drive in ["a", "b"] { #expect(try listed(machine, drive)["mergeable.txt"] == nil) }
    }

    /// The edit makes the copy a file of its own, so that the conflict is over; but not as it was asked for.
    @Test func whatEndsOtherwiseIsNotDone() throws {
        let machine = try conflicting(["f.txt": (replacing(5, "a\n"), replacing(5, "b\n"))])
        let copy = try #require(try listed(machine)["f.txt"]?.copy)
        try machine.write("all of it\n", to: "a/\(copy)")
        let words = ["-C", "a", "conflicts", "resolve", "f.txt", "--keep", "copy"]
        let dry = try machine.run(words + ["--dry-run"])
        let result = try machine.run(words)
        for run in [dry, result] {
            #expect(run.code == 2, "\(run.output)")
            #expect(run.output.hasPrefix("f.txt: it has changed meanwhile, and stays as it is\n"), "\(run.output)")
        }
        #expect(result.output.contains("1 conflict ended otherwise meanwhile"), "\(result.output)")
        #expect(machine.read("a/\(copy)") == "all of it\n")
    }

    @Test(arguments: [[], ["--dry-run"]])
    func whereNoneIsOfTheClassThatIsSaid(_ options: [String]) throws {
        let machine = try conflicting(["f.txt": (replacing(5, "a\n"), replacing(5, "b\n"))])
        for command in [["resolve", "--all", "--keep", "current"], ["resolve", "f.txt", "--keep", "current"]] {
            let result = try machine.run(["-C", "a", "conflicts"] + command + ["--class", "binary"] + options)
            #expect(result.code == 0 && result.output == "None of 1 conflict is of such a class.\n", "\(result.output)")
        }
        let list = try machine.run("-C", "a", "conflicts", "ls", "--class", "binary")
        #expect(list.output == "None of 1 conflict is of such a class.\n")
    }

    /// Whatever was asked for.
    @Test func thoseThatAreLeftAreAllOfTheDrive() throws {
        let names = (1...4).map { "f\($0).txt" }
        let machine = try conflicting(
            Dictionary(uniqueKeysWithValues: names.map { ($0, (replacing(5, "a\n"), replacing(5, "b\n"))) }))
        let result = try machine.run("-C", "a", "conflicts", "resolve", "f1.txt", "--suggested")
        #expect(result.code == 2 && result.output.hasSuffix("\n4 conflicts left.\n"), "\(result.output)")
    }

    /// As `resolve *.txt` does: the pattern fits the file and its copy.
    @Test func aConflictThatIsNamedTwiceCountsOnce() throws {
        let machine = try conflicting(["f.txt": (replacing(5, "a\n"), replacing(5, "b\n"))])
        let copy = try #require(try listed(machine)["f.txt"]?.copy)
        let words = ["-C", "a", "conflicts", "resolve", copy, "f.txt", copy, "--keep", "current"]
        let none = try machine.run(words + ["--class", "binary"])
        #expect(none.output == "None of 1 conflict is of such a class.\n")
        let dry = try machine.run(words + ["--dry-run"])
        #expect(dry.code == 0 && dry.output == "f.txt: would be kept, without its copy\nNothing was changed.\n")
        let result = try machine.run(words)
        #expect(result.code == 0 && !result.output.contains("otherwise"), "\(result.output)")
        #expect(result.output.split(separator: "\n").count == 2, "\(result.output)")
    }

    /// With an empty command the shell would run the first of the two files.
    @Test(arguments: ["", " "])
    func anEmptyToolRunsNothing(_ tool: String) throws {
        let machine = try conflicting(["f.txt": (replacing(5, "a\n"), replacing(5, "b\n"))])
        for command in [["conflicts", "diff", "f.txt"], ["diff", "f.txt"]] {
            let result = try machine.run(["-C", "a"] + command + ["--tool", tool])
            #expect(result.code == 64)
            #expect(result.error.contains("--tool is empty"), "\(result.error)")
        }
    }

    /// A pass would change nothing of it: somebody has to say whether the delete is meant.
    @Test func whatWasDeletedHereIsDecidedAboutFirst() throws {
        let machine = try conflicting(["f.txt": (replacing(5, "a\n"), replacing(5, "b\n"))])
        for number in 0..<20 { try machine.write("\(number)", to: "a/\(number)") }
        try machine.settle()
        for name in machine.files("a").keys where !name.contains("conflicted copy") { try machine.remove("a/\(name)") }
        #expect(try machine.run("sync", "a").code == 12)
        let show = try machine.run("-C", "a", "conflicts", "show", "f.txt").output
        #expect(show.contains("`docdrive -C a deletes ls`") && show.contains("deleted here, and held"), "\(show)")
        let diff = try machine.run("-C", "a", "conflicts", "diff", "f.txt")
        #expect(diff.code != 0 && diff.error.contains("`docdrive -C a deletes ls`"), "\(diff.error)")
        for how in [["--suggested"], ["--merge"], ["--keep", "copy"], ["--keep", "current"], ["--keep", "newest"]] {
            let result = try machine.run(["-C", "a", "conflicts", "resolve", "f.txt"] + how)
            #expect(
                result.code == 2 && result.output.contains("`docdrive -C a deletes ls`"), "\(how): \(result.output)")
        }
        #expect(try machine.run("-C", "a", "deletes", "restore").code == 0)
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "f.txt", "--keep", "copy").code == 0)
        #expect(try listed(machine).isEmpty)
    }

    /// Whichever of the two is set aside, both devices tell of a conflict.
    @Test func theDeviceWhoseFileIsSetAsideTellsOfAConflict() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for drive in ["a", "b"] { try machine.write("by \(drive)", to: "\(drive)/New.txt") }
        try machine.settle()
        for drive in ["a", "b"] {
            let told = try machine.run("-C", drive, "log", "--jsonl").output.split(separator: "\n")
                .filter { $0.contains("\"event\":\"conflict\"") }
            #expect(told.count == 1 && told.first?.contains("both contents are kept") == true, "\(drive): \(told)")
            let status = try machine.run("-C", drive, "status").output
            #expect(status.contains("both contents are kept"), "\(drive): \(status)")
        }
    }

    @Test func showSaysWhatEndsEach() throws {
        let machine = try everyClass()
        for (path, word) in [("deleted.txt", "--keep copy` deletes it"), ("mergeable.txt", "--merge`")] {
            let shown = try machine.run("-C", "b", "conflicts", "show", path)
            #expect(shown.output.contains(word), "\(shown.output)")
        }
    }

    @Test func aDeleteAgainstAnEditEndsEitherWayOnBothDevices() throws {
        for keep in ["current", "copy"] {
            let machine = try everyClass()
            let result = try machine.run("-C", "a", "conflicts", "resolve", "deleted.txt", "--keep", keep)
            #expect(result.code == 0, "\(result.error)")
            try machine.settle()
            for drive in ["a", "b"] {
                #expect(machine.read("\(drive)/deleted.txt") == (keep == "current" ? "edited\n" : nil))
                #expect(try listed(machine, drive)["deleted.txt"] == nil)
            }
        }
    }

    @Test func whoResolvesDifferentlyEndsInOneState() throws {
        for (one, other) in [("current", "copy"), ("copy", "both"), ("both", "current")] {
            let machine = try conflicting(["f.txt": (replacing(5, "a\n"), replacing(5, "b\n"))])
            #expect(try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", one).code == 0)
            #expect(try machine.run("-C", "b", "conflicts", "resolve", "--all", "--keep", other).code == 0)
            try machine.settle()
            #expect(machine.files("a") == machine.files("b"))
            let texts = machine.files("a").values.joined()
            #expect(texts.contains("a\n") || texts.contains("b\n"))
            _ = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "current")
            try machine.settle()
            #expect(try machine.run("-C", "b", "conflicts", "--check").code == 0)
        }
    }

    /// The brake is for deletes that nobody meant.
    @Test func manyResolvedAtOnceAreNotHeldElsewhere() throws {
        let names = (1...40).map { "f\($0).txt" }
        let machine = try conflicting(
            Dictionary(uniqueKeysWithValues: names.map { ($0, ("a of \($0)\n", "b of \($0)\n")) }))
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "newest").code == 0)
        let result = try machine.run("sync", "b")
        #expect(result.code == 0, "\(result.output)\(result.error)")
        #expect(machine.files("b") == machine.files("a"))
        #expect(machine.files("b").count == 40)
    }

    @Test func threeWayShowsWhatOverlapsAndWhatDoesNot() throws {
        let machine = try conflicting(["f.txt": (replacing(2, "mine\n"), replacing(2, "theirs\n"))])
        let shown = try machine.run("-C", "a", "conflicts", "diff", "f.txt", "--three-way")
        #expect(shown.output.contains("<<<<<<< f.txt\n"), "\(shown.output)\(shown.error)")
        #expect(shown.output.contains("||||||| before\nline 2\n=======\n"))
        let colored = try machine.run("-C", "a", "conflicts", "diff", "f.txt", "--three-way", "--color", "always")
        #expect(colored.output.contains("\u{1B}[32m"))
        let merge = try machine.run("-C", "a", "conflicts", "resolve", "f.txt", "--merge")
        #expect(merge.code == 2)
        #expect(merge.output.contains("left as it is: both changed the same lines"), "\(merge.output)")
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "f.txt").code == 64)
    }

    @Test func severalEditsOfOneSideHaveTheAncestorOfBoth() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": Self.poem])
        for text in ["first\n", "second\n", "third\n"] {
            try machine.write(replacing(1, text), to: "a/f.txt")
            // Each is recorded by itself.
            #expect(try machine.run("sync", "a").code == 0)
        }
        try machine.write(replacing(9, "last\n"), to: "b/f.txt")
        try machine.settle()
        #expect(try listed(machine, "a")["f.txt"]?.class == "mergeable")
        #expect(try listed(machine, "b")["f.txt"]?.class == "mergeable")
        #expect(try machine.run("-C", "b", "conflicts", "resolve", "--all", "--merge").code == 0)
        try machine.settle()
        #expect(machine.read("a/f.txt") == replacing(1, "third\n").replacingOccurrences(of: "line 9\n", with: "last\n"))
    }

    /// What was said of a conflict when it came is not said any more once it is over.
    @Test func statusTellsOfConflictsAsLongAsTheyAre() throws {
        let machine = try conflicting(["poem.txt": (replacing(1, "a\n"), replacing(1, "b\n"))])
        func tells() throws -> [Bool] {
            try ["a", "b"].map { try machine.run("-C", $0, "status").output.contains("Two devices wrote this file") }
        }
        #expect(try tells().contains(true))
        let resolved = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "current")
        #expect(resolved.code == 0, "\(resolved.error)")
        try machine.settle()
        #expect(try tells() == [false, false])
    }

    /// Nothing but a name joins the two.
    @Test(arguments: ["both", "tag"])
    func aCopyOfAnotherFileThatIsTouchedIsAFileOfItsOwn(_ how: String) throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("one\n", to: "a/new.txt")
        try machine.write("another\n", to: "b/new.txt")
        try machine.settle()
        let copy = try #require(try listed(machine)["new.txt"]?.copy)
        if how == "both" {
            let date = try machine.date("a/\(copy)")
            let result = try machine.run("-C", "a", "conflicts", "resolve", "new.txt", "--keep", "both")
            #expect(result.code == 0, "\(result.output)\(result.error)")
            #expect(abs(try machine.date("a/\(copy)").timeIntervalSince(date)) < 0.001)
        } else {
            #expect(try machine.run("-C", "a", "tag", copy, "--add", "mine").code == 0)
        }
        let before = machine.files("a")
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(try machine.run("-C", drive, "conflicts", "--check").code == 0)
            #expect(machine.files(drive) == before)
        }
    }

    /// On one device a folder took the place of a file that the other edited.
    private func fileAgainstFolder() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["pad": Self.poem])
        try machine.remove("a/pad")
        try machine.write("inside\n", to: "a/pad/q")
        try machine.write("edited\n", to: "b/pad")
        try machine.settle()
        return machine
    }

    @Test func aFileAgainstAFolderIsToldAsWhatItIs() throws {
        let machine = try fileAgainstFolder()
        let shown = try machine.run("-C", "a", "conflicts", "show", "pad").output
        #expect(shown.contains("current  a folder") && shown.contains("A folder has the name"), "\(shown)")
        let diff = try machine.run("-C", "a", "conflicts", "diff", "pad")
        #expect(diff.code == 64 && diff.error.contains("a folder has the file's name"), "\(diff.error)")
        #expect(try machine.run("-C", "a", "conflicts").output.contains("--keep current|both"))
    }

    @Test func whatComparesContentsLeavesAFileAgainstAFolder() throws {
        let machine = try fileAgainstFolder()
        let before = machine.files("a")
        for how in [["--keep", "newest"], ["--keep", "largest"], ["--keep", "copy"], ["--merge"], ["--suggested"]] {
            let resolve = ["-C", "a", "conflicts", "resolve", "--all"] + how
            let trial = try machine.run(resolve + ["--dry-run"])
            let result = try machine.run(resolve)
            #expect(result.code == 2 && machine.files("a") == before, "\(how): \(result.output)")
            for text in [trial.output, result.output] {
                #expect(text.hasPrefix("pad: left as it is: a folder has its name"), "\(how): \(text)")
            }
        }
    }

    @Test(arguments: ["current", "both"])
    func aFileAgainstAFolderEnds(_ keep: String) throws {
        let machine = try fileAgainstFolder()
        let result = try machine.run("-C", "a", "conflicts", "resolve", "pad", "--keep", keep)
        #expect(result.code == 0, "\(result.output)\(result.error)")
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(try machine.run("-C", drive, "conflicts", "--check").code == 0)
            #expect(machine.read("\(drive)/pad/q") == "inside\n")
            #expect(machine.files(drive).values.contains("edited\n") == (keep == "both"))
        }
    }
}
