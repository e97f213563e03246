import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean`: what it says that it did is what it did, beside others and after them.
@Suite(.mayBlock)
struct CleaningOutcomeTests {
    private let marker = ".sync-conflict-20260821-140307-ABCDEFG"

    private func objects(_ output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test(arguments: [false, true])
    func jsonTellsWhatWasDone(inDrive: Bool) throws {
        let machine = try Machine()
        try machine.write("1\n2\n", to: "any/Log.txt")
        try machine.write("1\n", to: "any/Log\(marker).txt")
        try machine.write("same", to: "any/Note.txt")
        try machine.write("same", to: "any/Note\(marker).txt")
        if inDrive { #expect(try machine.run("init", "any", "--yes").code == 0) }
        let dry = try objects(try machine.run("conflicts", "clean", "any", "--dry-run", "--jsonl").output)
        #expect(dry.map { $0["goes"] as? Bool } == [false, true])
        #expect(dry.map { $0["removed"] as? Bool } == [false, false])
        let done = try machine.run("conflicts", "clean", "any", "--jsonl", "--yes")
        #expect(done.code == 0, "\(done.error)")
        let found = try objects(done.output)
        #expect(found.map { $0["removed"] as? Bool } == [false, true])
        #expect(found[0]["reason"] as? String == "a copy whose lines are all in the original (--superset takes them)")
        #expect(found[1]["reason"] == nil)
        #expect(machine.files("any").keys.sorted() == ["Log.txt", "Log\(marker).txt", "Note.txt"].sorted())
        let whole = try machine.run("conflicts", "clean", "any", "--json", "--superset", "--yes")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(whole.output.utf8)) as? [[String: Any]])
        #expect(list.map { $0["removed"] as? Bool } == [true])
    }

    /// Where the trash cannot be made, nothing goes, and each object says so.
    @Test func jsonTellsWhyACopyIsStillThere() throws {
        let machine = try Machine()
        try machine.write("same", to: "any/Note.txt")
        try machine.write("same", to: "any/Note\(marker).txt")
        try machine.write("in the way", to: "home/.local/share/Trash/files")
        let done = try machine.run("conflicts", "clean", "any", "--jsonl", "--yes")
        #expect(done.code == 2)
        let found = try objects(done.output)
        #expect(found.map { $0["goes"] as? Bool } == [true])
        #expect(found.map { $0["removed"] as? Bool } == [false])
        #expect((found[0]["reason"] as? String ?? "").hasPrefix("cannot make the trash"), "\(found)")
        #expect(machine.read("any/Note\(marker).txt") == "same")
    }

    private func pair(_ machine: Machine, _ folder: String) throws {
        try machine.write("same", to: "\(folder)/Note.txt")
        try machine.write("same", to: "\(folder)/Note\(marker).txt")
    }

    @Test func whatIsInTheWayOfTheListsIsNamed() throws {
        let machine = try Machine()
        try pair(machine, "any")
        try machine.write("in the way", to: "home/.local/state")
        let refused = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(refused.code == 64)
        let reason = "cannot keep notes for an undo: a file has the name of the folder: "
        #expect(
            refused.error == "docdrive: \(reason)\(machine.root)/home/.local/state: move it away\n", "\(refused.error)")
        #expect(machine.read("any/Note\(marker).txt") == "same")
    }

    @Test(.enabled(if: FullDiskTests.mayMount, "a tmpfs cannot be mounted here"), arguments: ["file", "link"])
    func whatIsInTheWayOfATrashIsNamed(what: String) throws {
        let machine = try Machine()
        let stick = "\(machine.root)/stick"
        mkdir(stick, 0o700)
        try #require(mount("none", stick, "tmpfs", 0, "size=1m") == 0)
        defer { umount2(stick, Int32(MNT_DETACH)) }
        try pair(machine, "stick/docs")
        let trash = "\(stick)/.Trash-\(getuid())"
        if what == "file" {
            try machine.write("in the way", to: "stick/.Trash-\(getuid())")
        } else {
            try FileManager.default.createSymbolicLink(atPath: trash, withDestinationPath: "docs")
        }
        let done = try machine.run("conflicts", "clean", "stick/docs", "--yes")
        #expect(done.code == 2)
        #expect(
            done.error
                == "docdrive: cannot make the trash: a \(what) has the name of the folder: \(trash): move it away\n",
            "\(done.error)")
        #expect(machine.read("stick/docs/Note\(marker).txt") == "same")
    }

    /// It is on the home trash's file system, and no rename leads there.
    @Test(.enabled(if: FullDiskTests.mayMount, "nothing can be mounted here"))
    func whatLiesInABindMountGoesToATrashOfItsOwn() throws {
        let machine = try Machine()
        let (inner, bound) = ("\(machine.root)/inner", "\(machine.root)/bound")
        for folder in [inner, bound] { mkdir(folder, 0o700) }
        try #require(mount(inner, bound, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(bound, Int32(MNT_DETACH)) }
        try pair(machine, "bound/docs")
        let done = try machine.run("conflicts", "clean", "bound/docs", "--yes")
        #expect(done.code == 0, "\(done.output)\(done.error)")
        #expect(machine.files("bound/docs") == ["Note.txt": "same"])
        #expect(machine.read("bound/.Trash-\(getuid())/files/Note\(marker).txt") == "same")
        let undone = try machine.run("conflicts", "clean", "bound/docs", "--undo", "--yes")
        #expect(undone.code == 0, "\(undone.output)\(undone.error)")
        #expect(machine.read("bound/docs/Note\(marker).txt") == "same")
    }

    @Test func aStateFolderThatMayNotBeWrittenIsNamed() throws {
        let machine = try Machine()
        try pair(machine, "any")
        let state = "\(machine.root)/home/.local"
        mkdir(state, 0o500)
        let refused = try machine.runBound("conflicts", "clean", "any", "--yes")
        #expect(refused.code == 11)
        #expect(
            refused.error.contains("cannot keep notes for an undo: permission denied: \(state)"), "\(refused.error)")
    }

    @Test func aBlockedCopyHidesNoEarlierCleaning() throws {
        let machine = try Machine()
        for name in ["First", "Second"] {
            try machine.write(name, to: "any/\(name).txt")
            try machine.write(name, to: "any/\(name)\(marker).txt")
            #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        }
        try machine.write("new", to: "any/Second\(marker).txt")
        let undone = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        #expect(undone.code == 2, "the later one is not back")
        #expect(undone.output == "1 copy is back.\n")
        #expect(
            undone.error.contains("something else has its name by now: ") && undone.error.contains("Second"),
            "\(undone.error)")
        #expect(machine.read("any/First\(marker).txt") == "First")
        #expect(machine.read("any/Second\(marker).txt") == "new")
        try machine.remove("any/Second\(marker).txt")
        let last = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        #expect(last.code == 0, "\(last.error)")
        #expect(machine.read("any/Second\(marker).txt") == "Second")
        try undoAll(machine)
    }

    /// What can come back of a later cleaning comes first, and alone.
    @Test func anUndoIsOfOneCleaning() throws {
        let machine = try Machine()
        for names in [["First"], ["Second", "Third"]] {
            for name in names {
                try machine.write(name, to: "any/\(name).txt")
                try machine.write(name, to: "any/\(name)\(marker).txt")
            }
            #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        }
        try machine.write("new", to: "any/Second\(marker).txt")
        let undone = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        #expect(undone.code == 2)
        #expect(machine.read("any/Third\(marker).txt") == "Third")
        #expect(machine.read("any/First\(marker).txt") == nil)
    }

    private func copies(_ machine: Machine, _ count: Int) throws {
        for number in 0..<count {
            try machine.write("text \(number)", to: "any/Note \(number).txt")
            try machine.write("text \(number)", to: "any/Note \(number)\(marker).txt")
        }
    }

    /// Until nothing is left to undo, without a complaint.
    private func undoAll(_ machine: Machine) throws {
        var undone = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        while undone.code == 0 {
            #expect(undone.error.isEmpty, "\(undone.error)")
            undone = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        }
        #expect(undone.error.contains("no cleaning of this folder is known"), "\(undone.error)")
    }

    @Test func twoCleaningsAtOnceAreNotInEachOthersWay() throws {
        let machine = try Machine()
        try copies(machine, 300)
        let before = machine.files("any")
        let both = try (0..<2).map { _ in try machine.start("conflicts", "clean", "any", "--jsonl", "--yes") }
        var removed = 0
        for running in both {
            let done = running.finish()
            #expect(done.code == 0, "\(done.error)")
            #expect(done.error.isEmpty, "\(done.error)")
            for object in try objects(done.output) {
                if object["removed"] as? Bool == true {
                    removed += 1
                } else {
                    #expect(object["reason"] as? String == "it is not there any more")
                }
            }
        }
        #expect(removed == 300, "each is removed by one of them")
        #expect(machine.files("any").count == 300)
        try undoAll(machine)
        let after = machine.files("any")
        #expect(after.count == before.count && after == before)
    }

    /// The second may be refused while the first has the drive; then it leaves nothing to undo.
    @Test func twoCleaningsOfADriveAtOnceAreNotInEachOthersWay() throws {
        let machine = try Machine()
        try copies(machine, 50)
        #expect(try machine.run("init", "any", "--yes").code == 0)
        let before = machine.files("any")
        let both = try (0..<2).map { _ in try machine.start("conflicts", "clean", "any", "--yes") }
        let done = both.map { $0.finish() }
        #expect(done.contains { $0.code == 0 })
        for each in done where each.code != 0 {
            #expect(each.code == 75 && each.error.contains("is working on this drive"), "\(each.error)")
        }
        #expect(machine.files("any").count == 50)
        try undoAll(machine)
        #expect(machine.files("any") == before)
    }

    @Test func aNameInAnotherFormIsPaired() throws {
        let machine = try Machine()
        try machine.write("same", to: "any/Caf\u{E9}.txt")
        try machine.write("same", to: "any/Cafe\u{301}\(marker).txt")
        try machine.write("same", to: "any/U\u{308}bung.txt")
        try machine.write("other", to: "any/\u{DC}bung\(marker).txt")
        let before = machine.files("any")
        let found = try objects(try machine.run("conflicts", "clean", "any", "--jsonl", "--yes").output)
        #expect(found.map { $0["finding"] as? String } == ["identical", "different"])
        #expect(machine.files("any").count == 3)
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--yes").code == 0)
        #expect(machine.files("any") == before)
    }
}
