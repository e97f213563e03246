import Foundation
import Glibc
import TestSupport
import Testing

/// What `undo` reverses, what it says of it, and what the log has of it.
@Suite(.mayBlock)
struct UndoTests {
    private struct Operation: Decodable {
        var id: UInt64
        var kind: String
        var undoes: UInt64?
        var reverses: [UInt64]?
        var undoneBy: UInt64?
    }

    private func operations(_ machine: Machine, _ drive: String) throws -> [Operation] {
        let result = try machine.run("-C", drive, "undo", "--list", "--jsonl")
        return try result.output.split(separator: "\n").map { line in
            try JSONDecoder().decode(Operation.self, from: Data(line.utf8))
        }
    }

    private func log(_ machine: Machine, _ drive: String) throws -> [String] {
        try machine.run("-C", drive, "log").output.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
    }

    /// The copy of a conflict in a drive.
    private func conflictCopy(_ machine: Machine, _ drive: String) -> String? {
        machine.files(drive).keys.first { $0.contains("conflicted copy") }
    }

    /// Deeper than the kernel takes a path, as a drive may be.
    @Test func whatLiesBeneathALongPathIsUndoneToo() throws {
        let machine = try Machine()
        try machine.twoDrives()
        var folders = [open("\(machine.root)/a", O_RDONLY | O_DIRECTORY | O_CLOEXEC)]
        let name = String(repeating: "x", count: 190)
        for _ in 0..<25 {
            #expect(mkdirat(folders[folders.count - 1], name, 0o700) == 0)
            folders.append(openat(folders[folders.count - 1], name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        }
        let deepest = folders[folders.count - 1]
        defer {
            for file in ["before", "after"] { unlinkat(deepest, file, 0) }
            for folder in folders.dropLast().reversed() { unlinkat(folder, name, Int32(AT_REMOVEDIR)) }
            for folder in folders { close(folder) }
        }
        close(openat(deepest, "before", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        #expect(try machine.run("sync", "a").code == 0)
        #expect(renameat(deepest, "before", deepest, "after") == 0)
        #expect(try machine.run("sync", "a").code == 0)
        let renaming = try #require(operations(machine, "a").last).id
        let undone = try machine.run("-C", "a", "undo", "\(renaming)", "--yes")
        #expect(undone.code == 0, "\(undone.error)")
        #expect(faccessat(deepest, "before", F_OK, 0) == 0 && faccessat(deepest, "after", F_OK, 0) != 0)
    }

    /// However much it is like what an act did there before.
    @Test(
        arguments: [
            ["tag e --set red", "undo", "tag e --set blue", "sh chmod +x e"],
            ["sh mv e f", "undo", "sh mv e g", "sh mv g e"],
            ["sh rm e; mkdir e", "undo", "sh rm e", "sh echo z > e"],
            ["sh echo y > e", "restore e", "tag e --set blue"],
        ], [false, true])
    func whatFollowsAnActIsInTheLogToo(_ acts: [String], besideSomethingThatCannotBeRead isIncomplete: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(["e": "x\n"])
        if isIncomplete { try #require(mkfifo("\(machine.root)/a/pipe", 0o600) == 0) }
        func last() throws -> Int {
            let log = try machine.run("-C", "a", "log", "--jsonl").output
            return log.split(separator: "\n").compactMap {
                $0.firstMatch(of: /"operation":(\d+)/).flatMap { Int($0.1) }
            }
            .max() ?? 0
        }
        for act in acts {
            let before = try last()
            if act.hasPrefix("sh ") {
                let shell = Process()
                shell.executableURL = URL(fileURLWithPath: "/bin/sh")
                shell.arguments = ["-c", "cd '\(machine.root)/a' && \(act.dropFirst(3))"]
                try shell.run()
                shell.waitUntilExit()
                try #require(shell.terminationStatus == 0)
            } else {
                let words = act.split(separator: " ").map(String.init) + (act == "undo" ? ["\(before)", "--yes"] : [])
                let done = try machine.run(["-C", "a"] + words)
                #expect(isIncomplete || done.code == 0, "\(done.error)")
            }
            #expect(try machine.run("sync", "a").code == (isIncomplete ? 2 : 0))
            let log = try machine.run("-C", "a", "log").output
            #expect(try last() == before + 1, "\(acts): \(act): \(log)")
        }
    }

    @Test func aRenameIntoAnotherFolderIsLoggedAsAMove() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n", "d/in.txt": "2\n"])
        try machine.move("a/f.txt", to: "a/d/g.txt")
        try machine.settle()
        #expect(try log(machine, "a").last == "2 moved d/g.txt (was f.txt)")
        #expect(try machine.run("why", "a/f.txt").output.contains("moved on this device to d/g.txt"))
        #expect(try machine.run("-C", "a", "undo", "2", "--yes").code == 0)
        try machine.settle()
        for drive in ["a", "b"] { #expect(machine.files(drive) == ["f.txt": "1\n", "d": "/", "d/in.txt": "2\n"]) }
    }

    /// The log has it: nobody has to think of a time before the log.
    @Test func whyKnowsWhatAnUndoTookAway() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n"])
        try machine.write("new", to: "a/New")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "undo", "2", "--yes").code == 0)
        try machine.settle()
        for (drive, word) in [("a", "deleted on this device"), ("b", "; it never was here by this name")] {
            let why = try machine.run("why", "\(drive)/New").output
            #expect(why.contains(word), "\(drive): \(why)")
        }
    }

    @Test func aRenamedConflictCopyIsLoggedAsMoved() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n"])
        try machine.write("12\n", to: "a/f.txt")
        try machine.write("123\n", to: "b/f.txt")
        try machine.settle()
        let copy = try #require(conflictCopy(machine, "a"))
        try machine.move("a/\(copy)", to: "a/mine.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try log(machine, "a").last?.hasSuffix(" moved mine.txt (was \(copy))") == true)
        try machine.write("1234\n", to: "a/mine.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try log(machine, "a").last?.hasSuffix(" edited mine.txt") == true)
    }

    @Test func whatWasMovedAndEditedComesBackAsTheSameFile() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n", "d/in.txt": "in\n"])
        try machine.move("a/f.txt", to: "a/d/f.txt")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("12\n", to: "a/d/f.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        try machine.write("123\n", to: "a/d/f.txt")
        #expect(try machine.run("-C", "b", "undo", "2", "--yes").code == 0)
        #expect(try operations(machine, "b").map(\.kind) == ["sync", "sync", "undo"])
        #expect(try machine.run("-C", "b", "versions", "f.txt").output.split(separator: "\n").count == 2)
        try machine.settle()
        // The edit that alpha had not sent is of the same file: a conflict of it, and not a file that somebody deleted.
        #expect(machine.read("a/d/f.txt") == nil)
        #expect(machine.read("a/f.txt") == "123\n")
        let copy = try #require(conflictCopy(machine, "a"))
        #expect(machine.read("a/\(copy)") == "1\n")
        #expect(machine.files("a") == machine.files("b"))
    }

    @Test func aSpanIsOneUndoThatNamesAllItReversed() throws {
        let machine = try Machine()
        let before = ["f.txt": "1\n", "k.txt": "k\n", "d/in.txt": "in\n"]
        try machine.twoDrives(before)
        try machine.write("other\n", to: "b/other.txt")
        try machine.settle()
        for text in ["12\n", "123\n"] {
            try machine.write(text, to: "a/f.txt")
            try machine.settle()
        }
        try machine.move("a/k.txt", to: "a/k2.txt")
        try machine.move("a/d", to: "a/e")
        try machine.settle()
        try machine.write("kk\n", to: "a/k2.txt")
        try machine.write("in it\n", to: "a/e/in.txt")
        try machine.settle()
        try machine.move("a/e", to: "a/d")
        try machine.remove("a/f.txt")
        try machine.settle()
        let brought = try operations(machine, "b").filter { $0.kind == "sync" }.map(\.id)
        // Without the first, which brought what alpha had.
        for id in brought.dropFirst() { #expect(try machine.run("-C", "b", "undo", "\(id)", "--dry-run").code != 64) }
        let undone = try machine.run("-C", "b", "undo", "--device", "alpha", "--yes")
        #expect(undone.code == 0, "\(undone.output)\(undone.error)")
        let all = try operations(machine, "b")
        let undo = try #require(all.last)
        #expect(undo.kind == "undo")
        #expect(undo.reverses == brought)
        #expect(undo.undoes == brought.last)
        #expect(all.filter { brought.contains($0.id) }.allSatisfy { $0.undoneBy == undo.id })
        try machine.settle()
        #expect(machine.files("b") == ["other.txt": "other\n"])
        #expect(machine.files("a") == ["other.txt": "other\n"])
        #expect(try operations(machine, "b").last?.id == undo.id, "nothing that nobody did")
        // The same again finds it done, and the undo is undone as a whole.
        let again = try machine.run("-C", "b", "undo", "--device", "alpha", "--yes")
        #expect(again.output.hasSuffix("Nothing was changed.\n"), "\(again.output)")
        #expect(again.code == 0)
        #expect(try machine.run("-C", "b", "undo", "\(undo.id)", "--yes").code == 0)
        #expect(machine.read("b/k2.txt") == "kk\n")
        #expect(machine.read("b/d/in.txt") == "in it\n")
        #expect(try operations(machine, "b").first { $0.id == brought[0] }?.undoneBy == nil)
    }

    @Test func aRestoredFolderGoesWholeWhenThatIsUndone() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/e/f.txt": "1\n", "t.txt": "t\n"])
        try machine.remove("a/d")
        try machine.settle()
        #expect(try machine.run("restore", "a/d").code == 0)
        #expect(try log(machine, "a").suffix(3).allSatisfy { $0.hasSuffix("by restore") })
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        try machine.settle()
        for drive in ["a", "b"] { #expect(machine.files(drive) == ["t.txt": "t\n"]) }
        #expect(try operations(machine, "a").last?.kind == "undo")
    }

    @Test func whatCannotBeReversedIsPassedOver() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n", "g.txt": "1\n"])
        try machine.write("12\n", to: "a/f.txt")
        try machine.write("12\n", to: "a/g.txt")
        try machine.write("123\n", to: "b/f.txt")
        try machine.settle()
        #expect(try machine.run("restore", "a/g.txt").code == 0)
        let resolved = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", "both")
        #expect(resolved.code == 0)
        #expect(!resolved.output.contains("docdrive undo"), "\(resolved.output)")
        let kept = try #require(try operations(machine, "a").last { $0.kind == "resolve" })
        let alone = try machine.run("-C", "a", "undo", "\(kept.id)", "--yes")
        #expect(alone.code == 2)
        #expect(alone.output.contains("keeping it changed no content"), "\(alone.output)")
        let undone = try machine.run("-C", "a", "undo", "--yes")
        #expect(undone.code == 2)
        #expect(undone.output.contains("keeping it changed no content"), "\(undone.output)")
        let restored = try #require(try operations(machine, "a").last { $0.kind == "restore" })
        #expect(undone.output.contains("`docdrive -C a undo \(restored.id)`"), "\(undone.output)")
        #expect(machine.read("a/g.txt") == "1\n")
        #expect(try machine.run("-C", "a", "undo", "\(restored.id)", "--yes").code == 0)
        #expect(machine.read("a/g.txt") == "12\n")
        let last = try machine.run("-C", "a", "undo", "--yes")
        #expect(last.code == 2)
        #expect(last.output.hasSuffix("Nothing was changed.\n"))
        #expect(machine.files("a").values.sorted() == ["12\n", "12\n", "123\n"])
    }

    @Test func whatStaysMakesTheExitCodeTwo() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("1\n", to: "a/one.txt")
        try machine.write("2\n", to: "a/two.txt")
        try machine.settle()
        try machine.move("b/one.txt", to: "b/uno.txt")
        try machine.write("22\n", to: "b/two.txt")
        #expect(try machine.run("sync", "b").code == 0)
        let undone = try machine.run("-C", "b", "undo", "2", "--yes")
        #expect(undone.code == 2)
        #expect(undone.output.contains("one.txt: stays as it is: it was renamed or moved since, to uno.txt"))
        #expect(undone.output.contains("two.txt: stays as it is: it has changed since"))
        #expect(undone.output.hasSuffix("Nothing was changed.\n"), "\(undone.output)")
        #expect(try machine.run("-C", "b", "undo", "--device", "nobody", "--yes").code == 64)
        #expect(try machine.run("-C", "b", "undo", "--list", "2").code == 64)
    }

    @Test func whatThisDeviceDidIsReversedByItsName() throws {
        let machine = try Machine()
        try machine.twoDrives(["one.txt": "1\n", "two.txt": "2\n"])
        try machine.write("by alpha\n", to: "a/one.txt")
        try machine.settle()
        try machine.write("by beta\n", to: "b/two.txt")
        try machine.settle()
        #expect(try machine.run("-C", "b", "undo", "--device", "beta", "--yes").code == 0)
        #expect(machine.files("b") == ["one.txt": "by alpha\n", "two.txt": "2\n"])
    }

    /// Each device tells of every file that has another name now, also of those that had to wait for their names.
    @Test(arguments: ["a", "b"]) func whatChangedPlacesIsToldAndReversedWhole(_ undoing: String) throws {
        let machine = try Machine()
        let texts = ["1": "one", "2": "two", "3": "three", "x": "x", "y": "y", "p/f": "p", "q/f": "q"]
        try machine.twoDrives(texts)
        let before = machine.files("a")
        for rotated in [["x", "y"], ["1", "2", "3"], ["p", "q"]] {
            try machine.move("a/\(rotated[0])", to: "a/aside")
            for (to, from) in zip(rotated, rotated.dropFirst() + ["aside"]) {
                try machine.move("a/\(from)", to: "a/\(to)")
            }
        }
        // A row of renames.
        for name in ["b4", "b3", "b2", "b1"] { try machine.write(name, to: "a/\(name)") }
        try machine.settle()
        let all = machine.files("a")
        for number in [4, 3, 2, 1] { try machine.move("a/b\(number)", to: "a/b\(number + 1)") }
        try machine.settle()
        let moves = ["1 (was 2)", "2 (was 3)", "3 (was 1)", "p (was q)", "q (was p)", "x (was y)", "y (was x)"]
        let renames = ["b2 (was b1)", "b3 (was b2)", "b4 (was b3)", "b5 (was b4)"]
        for drive in ["a", "b"] {
            let moved = try log(machine, drive).filter { $0.contains(" moved ") }
                .map { $0.split(separator: " ").dropFirst(2).joined(separator: " ").replacing(" from alpha", with: "") }
            #expect(moved.prefix(moves.count).sorted() == moves, "\(drive): \(moved)")
            #expect(moved.dropFirst(moves.count).sorted() == renames, "\(drive): \(moved)")
        }
        #expect(try machine.run("why", "\(undoing)/b1").output.contains("to b2"))
        let last = try operations(machine, undoing).last?.id ?? 0
        #expect(try machine.run("-C", undoing, "undo", "\(last)", "--yes").code == 0)
        #expect(machine.files(undoing) == all)
        #expect(try machine.run("-C", undoing, "undo", "\(last - 1)", "--yes").code == 0)
        try machine.settle()
        for drive in ["a", "b"] { #expect(machine.files(drive) == before, "\(drive)") }
    }

    @Test func aCleaningThatIsUndoneCountsAsUndone() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n", "f.sync-conflict-20260821-140307-ABCDEFG.txt": "1\n", "g.txt": "1\n"])
        let before = machine.files("a")
        try machine.write("12\n", to: "a/g.txt")
        try machine.settle()
        #expect(try machine.run("restore", "a/g.txt").code == 0)
        #expect(try machine.run("conflicts", "clean", "a", "--yes").code == 0)
        let trash = try machine.run("-C", "a", "trash").output
        #expect(trash.contains("  cleaned  ") && trash.contains("  restored  "), "\(trash)")
        #expect(try machine.run("conflicts", "clean", "a", "--undo", "--yes").code == 0)
        #expect(machine.files("a") == before)
        let all = try operations(machine, "a")
        #expect(all.suffix(2).map(\.kind) == ["clean", "undo"])
        #expect(all.last?.undoes == all.dropLast().last?.id)
        // So the next undo is of what was done before the cleaning.
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(machine.read("a/g.txt") == "12\n")
        #expect(machine.files("a").count == before.count)
    }
}
