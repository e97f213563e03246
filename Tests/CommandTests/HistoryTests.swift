import Foundation
import TestSupport
import Testing

/// Getting anything back: versions, restore, undo, diff, log.
@Suite(.mayBlock)
struct HistoryTests {
    private func ids(_ machine: Machine, _ path: String) throws -> [String: String] {
        struct Version: Decodable {
            var id: String
            var kind: String
            var place: String
            var size: Int
        }
        let result = try machine.run("versions", path, "--json")
        let found = try JSONDecoder().decode([Version].self, from: Data(result.output.utf8))
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0.size)", $0.id) })
    }

    @Test func everyContentThatWasSentCanComeBack() throws {
        let machine = try Machine()
        try machine.twoDrives(["t.txt": "1\n"])
        for text in ["12\n", "123\n"] {
            try machine.write(text, to: "a/t.txt")
            try machine.settle()
        }
        let ids = try ids(machine, "a/t.txt")
        #expect(Set(ids.keys) == ["2", "3", "4"])
        let first = try #require(ids["2"])
        // Any beginning names a version, if it names no other.
        let digit = first.prefix(1)
        let isAlone = ids.values.count { $0.hasPrefix(digit) } == 1
        let named = try machine.run("diff", "a/t.txt@\(digit)", "--color", "never")
        #expect(isAlone ? named.output.contains("-1\n+123\n") : named.error.contains("several versions begin with"))
        #expect(try machine.run("restore", "a/t.txt@\(first.prefix(8))").code == 0)
        #expect(machine.read("a/t.txt") == "1\n")
        try machine.settle()
        #expect(machine.read("b/t.txt") == "1\n")
        #expect(try machine.run("restore", "a/t.txt").code == 0)
        #expect(machine.read("a/t.txt") == "123\n", "what it was before")
        #expect(try machine.run("restore", "a/t.txt@\(first)", "--to", "a/old.txt").code == 0)
        #expect(machine.read("a/old.txt") == "1\n")
        #expect(try machine.run("restore", "a/t.txt@\(first)", "--to", "a/old.txt").code == 64)
        #expect(try machine.run("restore", "a/t.txt@ffffffff").code == 64)
        #expect(try machine.run("restore", "a/never.txt").code != 0)
        let diff = try machine.run("diff", "a/t.txt@\(first.prefix(6))..@current", "--color", "never")
        #expect(diff.output.contains("-1\n+123\n"), "\(diff.output)\(diff.error)")
    }

    @Test func aNameThatLooksLikeVersionsIsAName() throws {
        let machine = try Machine()
        let path = "a/a@b..@c.txt"
        try machine.twoDrives(["a@b..@c.txt": "1\n"])
        for text in ["12\n", "123\n"] {
            try machine.write(text, to: path)
            try machine.settle()
        }
        let first = try #require(ids(machine, path)["2"]).prefix(8)
        let differences: [(String, String)] = [
            (path, "-12\n+123\n"), ("\(path)@\(first)", "-1\n+123\n"), ("\(path)@\(first)..@current", "-1\n+123\n"),
            ("\(path)@\(first)..current", "-1\n+123\n"),
        ]
        for (named, difference) in differences {
            let diff = try machine.run("diff", named, "--color", "never")
            #expect(diff.output.contains(difference), "\(named): \(diff)")
        }
    }

    /// Its records know the folder's new name only.
    @Test func theOldNameOfAFolderStillLeadsToWhatWasDeletedInIt() throws {
        let machine = try Machine()
        try machine.twoDrives(["old/t.txt": "1\n", "old/stays.txt": "s\n"])
        try machine.write("12\n", to: "a/old/t.txt")
        try machine.settle()
        try machine.remove("a/old/t.txt")
        try machine.settle()
        for (from, to) in [("old", "new"), ("new", "newest")] {
            #expect(rename("\(machine.root)/a/\(from)", "\(machine.root)/a/\(to)") == 0)
            try machine.settle()
        }
        for drive in ["a", "b"] {
            let ids = try ids(machine, "\(drive)/old/t.txt")
            #expect(Set(ids.keys) == ["2", "3"], "\(drive)")
            let first = try #require(ids["2"])
            #expect(try machine.run("restore", "\(drive)/old/t.txt@\(first.prefix(8))").code == 0)
            #expect(machine.read("\(drive)/old/t.txt") == "1\n")
            try machine.remove("\(drive)/old")
        }
    }

    /// A content that was deleted, came back and was replaced was in force last when that happened.
    @Test(arguments: ["a", "b"]) func whatCameBackAndWasReplacedIsNotDeleted(_ editor: String) throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "one\n"])
        try machine.remove("b/f")
        try machine.settle()
        try machine.write("one\n", to: "b/f")
        try machine.settle()
        try machine.write("two\n", to: "\(editor)/f")
        try machine.settle()
        for drive in ["a", "b"] {
            let lines = try machine.run("versions", "\(drive)/f").output.split(separator: "\n")
            #expect(lines.count == 2 && lines[1].contains(/beta +replaced/), "\(drive): \(lines)")
        }
    }

    /// Of two contents of one file another device deletes one: as the copy that it is, or as the file that it knows of.
    @Test(arguments: [true, false]) func whoDeletedACopyIsTold(_ isKnown: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "one\n"])
        for drive in ["a", "b"] {
            try machine.write("by \(drive)\n", to: "\(drive)/f")
            #expect(try machine.run("sync", drive).code == 0)
        }
        let copy = try #require(machine.files("b").keys.first { $0.contains("conflicted") })
        if isKnown { #expect(try machine.run("sync", "a").code == 0) }
        try machine.remove(isKnown ? "a/\(copy)" : "a/f")
        try machine.settle()
        #expect(machine.files("b") == ["f": "by b\n"])
        #expect(try machine.run("log", "b/\(copy)").output.contains("deleted     \(copy)  from alpha\n"))
        let why = try machine.run("-C", "b", "why", copy).output
        #expect(why.contains("alpha") && !why.contains("on this device"), "\(why)")
    }

    @Test func deletedFilesAndFoldersComeBack() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/one.txt": "one\n", "d/e/two.txt": "two\n", "t.txt": "t\n"])
        try machine.remove("a/d")
        try machine.settle()
        #expect(machine.files("b") == ["t.txt": "t\n"])
        let trial = try machine.run("restore", "b/d", "--dry-run")
        #expect(trial.output.hasSuffix("Nothing was changed.\n"), "\(trial.output)\(trial.error)")
        #expect(try machine.run("restore", "b/d/e/two.txt").code == 0)
        #expect(machine.read("b/d/e/two.txt") == "two\n")
        #expect(try machine.run("restore", "a/d").code == 0, "from the store, which still has it")
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(machine.read("\(drive)/d/one.txt") == "one\n")
            #expect(machine.read("\(drive)/d/e/two.txt") == "two\n")
        }
    }

    private func operations(_ machine: Machine, _ drive: String) throws -> [(id: UInt64, kind: String)] {
        struct Operation: Decodable {
            var id: UInt64
            var kind: String
        }
        let result = try machine.run("-C", drive, "undo", "--list", "--jsonl")
        return try result.output.split(separator: "\n").map { line in
            let found = try JSONDecoder().decode(Operation.self, from: Data(line.utf8))
            return (found.id, found.kind)
        }
    }

    @Test func whatSyncingBroughtIsReversedOnAllDevices() throws {
        let machine = try Machine()
        let before = [
            "edited.txt": "1\n", "deleted.txt": "2\n", "moved.txt": "3\n", "d/in.txt": "4\n", "same.txt": "5\n",
        ]
        try machine.twoDrives(before)
        try machine.write("changed\n", to: "a/edited.txt")
        try machine.remove("a/deleted.txt")
        try machine.move("a/moved.txt", to: "a/d/renamed.txt")
        try machine.move("a/d", to: "a/e")
        try machine.write("new\n", to: "a/new/file.txt")
        try machine.settle()
        #expect(machine.read("b/e/renamed.txt") == "3\n")
        let last = try #require(try operations(machine, "b").last)
        #expect(last.kind == "sync")
        let undone = try machine.run("-C", "b", "undo", "\(last.id)", "--yes")
        #expect(undone.code == 0, "\(undone.output)\(undone.error)")
        try machine.settle()
        let expected = before.merging(["d": "/"]) { $1 }
        #expect(machine.files("b") == expected)
        #expect(machine.files("a") == expected)
        let redo = try #require(try operations(machine, "b").last { $0.kind == "undo" })
        #expect(try machine.run("-C", "b", "undo", "\(redo.id)", "--yes").code == 0)
        try machine.settle()
        #expect(machine.read("a/e/renamed.txt") == "3\n")
        #expect(machine.read("a/edited.txt") == "changed\n")
        #expect(machine.read("a/new/file.txt") == "new\n")
        #expect(machine.read("a/deleted.txt") == nil)
    }

    @Test func ownChangesAreReversedFromTheStore() throws {
        let machine = try Machine()
        try machine.twoDrives(["one.txt": "1\n", "two.txt": "2\n", "d/three.txt": "3\n"])
        // As malware would: every file is overwritten, and some are removed.
        try machine.write("scrambled\n", to: "a/one.txt")
        try machine.write("scrambled too\n", to: "a/two.txt")
        try machine.remove("a/d")
        #expect(try machine.run("sync", "a").code == 0)
        let undone = try machine.run("-C", "a", "undo", "--since", "1h", "--dry-run")
        #expect(undone.output.contains("one.txt: as it was before"), "\(undone.output)\(undone.error)")
        let last = try #require(try operations(machine, "a").last)
        #expect(last.kind == "local")
        #expect(try machine.run("-C", "a", "undo", "\(last.id)", "--yes").code == 0)
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(
                machine.files(drive) == ["one.txt": "1\n", "two.txt": "2\n", "d": "/", "d/three.txt": "3\n"])
        }
    }

    @Test func onlyOneDevicesChangesAreReversed() throws {
        let machine = try Machine()
        try machine.twoDrives(["one.txt": "1\n", "two.txt": "2\n"])
        try machine.write("by alpha\n", to: "a/one.txt")
        try machine.settle()
        try machine.write("by beta\n", to: "b/two.txt")
        try machine.settle()
        let undone = try machine.run("-C", "a", "undo", "--since", "1h", "--device", "beta", "--yes")
        #expect(undone.code == 0, "\(undone.output)\(undone.error)")
        #expect(machine.read("a/two.txt") == "2\n")
        #expect(machine.read("a/one.txt") == "by alpha\n")
    }

    @Test func whatHasChangedSinceIsNeverOverwritten() throws {
        let machine = try Machine()
        try machine.twoDrives(["one.txt": "1\n", "two.txt": "2\n"])
        try machine.write("new\n", to: "a/one.txt")
        try machine.write("new\n", to: "a/two.txt")
        try machine.settle()
        try machine.write("newer\n", to: "b/one.txt")
        #expect(try machine.run("sync", "b").code == 0)
        let last = try #require(try operations(machine, "b").last { $0.kind == "sync" })
        let undone = try machine.run("-C", "b", "undo", "\(last.id)", "--yes")
        #expect(undone.code == 2)
        #expect(undone.output.contains("one.txt: stays as it is: it has changed since"), "\(undone.output)")
        #expect(machine.files("b") == ["one.txt": "newer\n", "two.txt": "2\n"])
        #expect(try machine.run("-C", "b", "undo", "999", "--yes").code == 64)
    }

    @Test func theLogTellsCauseAndDeviceOfWhatIsGone() throws {
        let machine = try Machine()
        try machine.twoDrives(["t.txt": "t\n"])
        try machine.remove("a/t.txt")
        try machine.settle()
        let log = try machine.run("log", "b/t.txt")
        #expect(log.code == 0, "\(log.error)")
        #expect(log.output.contains("deleted     t.txt  from alpha"), "\(log.output)")
        #expect(try machine.run("restore", "b/t.txt").code == 0)
        let after = try machine.run("log", "b/t.txt").output
        #expect(after.split(separator: "\n").last?.contains("added       t.txt  by restore") == true, "\(after)")
        struct Event: Decodable { var cause: String? }
        let line = try #require(try machine.run("log", "b/t.txt", "--jsonl").output.split(separator: "\n").last)
        #expect(try JSONDecoder().decode(Event.self, from: Data(line.utf8)).cause == "restore")
    }

    @Test func theLogFollowsAnItemToItsEarlierNames() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/f": "1\n", "x": "x\n"])
        try machine.move("a/d", to: "a/e")
        try machine.move("a/x", to: "a/y")
        try machine.settle()
        try machine.write("another\n", to: "a/x")
        try machine.settle()
        struct Event: Decodable { var event: String, path: String }
        func told(_ path: String) throws -> [String] {
            try machine.run("log", path, "--jsonl").output.split(separator: "\n").map { line in
                let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
                return "\(event.event) \(event.path)"
            }
        }
        for drive in ["a", "b"] {
            #expect(try told("\(drive)/e/f") == ["added d/f", "moved e"])
            #expect(try told("\(drive)/d/f") == ["added d/f", "moved e"])
            #expect(try told("\(drive)/e") == ["added d", "added d/f", "moved e"])
            #expect(try told("\(drive)/y") == ["added x", "moved y"])
            #expect(try told("\(drive)/x") == ["added x", "moved y", "added x"])
        }
        #expect(try machine.run("log", "a/e/f").output.contains("moved       e  (was d)"))
        #expect(try machine.run("log", "a/e/never").code != 0)
    }

    @Test func aRestoreIsOneUndoAway() throws {
        let machine = try Machine()
        try machine.twoDrives(["t.txt": "1\n"])
        try machine.write("2\n", to: "a/t.txt")
        try machine.settle()
        #expect(try machine.run("restore", "a/t.txt").code == 0)
        #expect(machine.read("a/t.txt") == "1\n")
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(machine.read("a/t.txt") == "2\n")
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 64, "nothing that was asked for is left")
        let redo = try #require(try operations(machine, "a").last { $0.kind == "undo" })
        #expect(try machine.run("-C", "a", "undo", "\(redo.id)").code == 64, "nobody can be asked")
        #expect(machine.read("a/t.txt") == "2\n")
    }

    /// People look for a file among many by its name.
    @Test(arguments: [true, false]) func whatCameAtOnceIsToldByPaths(_ hasStore: Bool) throws {
        let machine = try Machine()
        if hasStore {
            try machine.twoDrives()
        } else {
            _ = try machine.run("init", "a", "--yes")
        }
        let names = (0..<40).map { "photo \($0 % 10)\($0 / 10)" }
        for name in names { try machine.write(name, to: "a/\(name)") }
        for name in ["zebra", "ant"] { try machine.write(name, to: "a/album/\(name)") }
        #expect(try machine.run("sync", "a").code == 0)
        let gone = names.filter { $0.hasSuffix("3") }.prefix(5)
        for name in gone { try machine.remove("a/\(name)") }
        #expect(try machine.run("sync", "a").code == 0)
        let told = try machine.run("-C", "a", "log").output.split(separator: "\n").compactMap { line in
            ["added ", "deleted "].compactMap { line.range(of: $0).map { String(line[$0.lowerBound...]) } }.first
        }.map { $0.split(separator: " ", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) } }
        #expect(told.filter { $0[0] == "deleted" }.map { $0[1] } == gone.sorted())
        let added = told.filter { $0[0] == "added" }.map { $0[1] }
        #expect(Array(added.suffix(43)) == ["album"] + names.sorted() + ["album/ant", "album/zebra"], "\(added)")
    }

    @Test func whatIsNotSentYetIsToldAsSuchAndReadFromHere() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "1\n"])
        try machine.move("store", to: "away")
        for text in ["2\n", "3\n"] {
            try machine.write(text, to: "a/f")
            #expect(try machine.run("sync", "a").code == 69)
        }
        let versions = try machine.run("versions", "a/f").output.split(separator: "\n")
        #expect(versions.count == 3)
        #expect(versions[1].hasSuffix(", not sent yet"), "\(versions)")
        #expect(versions[2].hasSuffix(", on the store"), "\(versions)")
        let diff = try machine.run("diff", "a/f@\(versions[1].prefix(8))")
        #expect(diff.code == 0 && diff.output.contains("\n-2\n+3\n"), "\(diff)")
        #expect(try machine.run("diff", "a/f@\(versions[2].prefix(8))").code == 69)
        try machine.move("away", to: "store")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try !machine.run("versions", "a/f").output.contains("not sent yet"))
    }
}
