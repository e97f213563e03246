import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean --undo` forgets a cleaning only for what came back, or is certainly gone.
@Suite(.mayBlock)
struct CleaningUndoTests {
    private let marker = ".sync-conflict-20260821-140307-ABCDEFG"
    private let info = "home/.local/share/Trash/info"
    private let lists = "home/.local/state/docdrive/cleanings"

    private func copies(_ machine: Machine, _ names: [String], in folder: String = "any") throws {
        for name in names {
            try machine.write(name, to: "\(folder)/\(name).txt")
            try machine.write(name, to: "\(folder)/\(name)\(marker).txt")
        }
    }

    private func undo(_ machine: Machine, _ folder: String = "any") throws -> Machine.Result {
        try machine.run("conflicts", "clean", folder, "--undo", "--yes")
    }

    private func unmount(_ place: String) { umount2(place, Int32(MNT_DETACH)) }

    @Test(.enabled(if: FullDiskTests.mayMount, "a tmpfs cannot be mounted here"))
    func aTrashThatIsNotMountedIsNotEmpty() throws {
        let machine = try Machine()
        let (disk, stick) = ("\(machine.root)/disk", "\(machine.root)/stick")
        for place in [disk, stick] { mkdir(place, 0o700) }
        try #require(mount("none", disk, "tmpfs", 0, "size=1m") == 0)
        defer { unmount(disk) }
        try #require(mount(disk, stick, nil, UInt(MS_BIND), nil) == 0)
        defer { unmount(stick) }
        try copies(machine, ["A", "B"], in: "stick/docs")
        let before = machine.files("stick/docs")
        #expect(try machine.run("conflicts", "clean", "stick/docs", "--yes").code == 0)
        #expect(machine.files("stick/docs").keys.sorted() == ["A.txt", "B.txt"])
        unmount(stick)
        let away =
            "docdrive: what this trash lies on is not there: \(stick)/.Trash-\(getuid()): mount it, then undo once more\n"
        let unmounted = try undo(machine, "stick/docs")
        #expect(unmounted.code == 2 && unmounted.error == away, "\(unmounted.error)")
        try #require(mount("none", stick, "tmpfs", 0, "size=1m") == 0)
        let another = try undo(machine, "stick/docs")
        #expect(another.code == 2 && another.error == away, "\(another.error)")
        unmount(stick)
        try #require(mount(disk, stick, nil, UInt(MS_BIND), nil) == 0)
        let mounted = try undo(machine, "stick/docs")
        #expect(mounted.code == 0 && mounted.output == "2 copies are back.\n", "\(mounted.error)")
        #expect(machine.files("stick/docs") == before)
        #expect(try undo(machine, "stick/docs").code == 64)
    }

    /// What is mounted may lie on the file system of its mount point, which nothing else tells from it.
    @Test(.enabled(if: FullDiskTests.mayMount, "nothing can be mounted here"))
    func aTrashOfAFolderThatIsBoundElsewhereIsNotEmpty() throws {
        let machine = try Machine()
        let (real, bound) = ("\(machine.root)/real", "\(machine.root)/bound")
        for place in [real, bound] { mkdir(place, 0o700) }
        try #require(mount(real, bound, nil, UInt(MS_BIND), nil) == 0)
        defer { unmount(bound) }
        try copies(machine, ["A"], in: "bound/docs")
        let before = machine.files("bound/docs")
        #expect(try machine.run("conflicts", "clean", "bound/docs", "--yes").code == 0)
        #expect(machine.files("real/docs").keys.sorted() == ["A.txt"])
        unmount(bound)
        for _ in 0..<2 {
            let unmounted = try undo(machine, "bound/docs")
            #expect(unmounted.code == 2, "\(unmounted.error)")
            #expect(unmounted.error.contains("what this trash lies on is not there: "), "\(unmounted.error)")
        }
        try #require(mount(real, bound, nil, UInt(MS_BIND), nil) == 0)
        let mounted = try undo(machine, "bound/docs")
        #expect(mounted.code == 0 && mounted.output == "1 copy is back.\n", "\(mounted.error)")
        #expect(machine.files("bound/docs") == before)
        // Removed with its folders, while that is mounted.
        #expect(try machine.run("conflicts", "clean", "bound/docs", "--yes").code == 0)
        try machine.remove("bound/.Trash-\(getuid())")
        let emptied = try undo(machine, "bound/docs")
        #expect(emptied.code == 2 && emptied.error.contains("the trash has it no more: "), "\(emptied.error)")
        #expect(try undo(machine, "bound/docs").code == 64)
    }

    @Test func aTrashAtHomeThatIsRemovedIsEmpty() throws {
        let machine = try Machine()
        try copies(machine, ["A"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        try machine.remove("home/.local/share/Trash")
        let undone = try undo(machine)
        #expect(undone.code == 2 && undone.error.contains("the trash has it no more: "), "\(undone.error)")
        #expect(try undo(machine).code == 64)
    }

    @Test func whatADriveCannotBringBackYetComesWithTheNextUndo() throws {
        let machine = try Machine()
        try copies(machine, ["A"], in: "a/docs")
        try copies(machine, ["B"], in: "a")
        let before = machine.files("a")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        #expect(try machine.run("conflicts", "clean", "a", "--yes").code == 0)
        chmod("\(machine.root)/a/docs", 0o500)
        defer { chmod("\(machine.root)/a/docs", 0o700) }
        let partly = try machine.runBound("conflicts", "clean", "a", "--undo", "--yes")
        #expect(partly.code == 2 && partly.output.contains("A\(marker).txt: not restored: "), "\(partly)")
        #expect(machine.files(lists).count == 1)
        // Where nothing else is to come back, that is what has failed.
        let refused = try machine.runBound("conflicts", "clean", "a", "--undo", "--yes")
        #expect(
            refused.code == 11 && refused.error.contains("A\(marker).txt: give yourself access to it"), "\(refused)")
        #expect(machine.files(lists).count == 1)
        #expect(machine.read("a/B\(marker).txt") == "B" && machine.read("a/docs/A\(marker).txt") == nil)
        chmod("\(machine.root)/a/docs", 0o700)
        let rest = try undo(machine, "a")
        #expect(rest.code == 0 && rest.output == "docs/A\(marker).txt: is back\n", "\(rest)")
        #expect(machine.files("a") == before)
        #expect(try undo(machine, "a").code == 64)
        #expect(machine.files(lists).isEmpty)
    }

    /// What cannot be looked at is not gone, in a drive neither.
    @Test func aTrashOfADriveThatIsClosedIsNotEmpty() throws {
        let machine = try Machine()
        try copies(machine, ["A"], in: "a")
        let before = machine.files("a")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes").code == 0)
        #expect(try machine.run("conflicts", "clean", "a", "--yes").code == 0)
        let trash = "\(machine.root)/a/.docdrive/trash"
        chmod(trash, 0)
        defer { chmod(trash, 0o700) }
        let closed = try machine.runBound("conflicts", "clean", "a", "--undo", "--yes")
        #expect(closed.code != 0 && !closed.error.contains("the trash has it no more"), "\(closed)")
        #expect(machine.files(lists).count == 1, "\(closed)")
        chmod(trash, 0o700)
        let opened = try undo(machine, "a")
        #expect(opened.code == 0 && machine.files("a") == before, "\(opened)")
        #expect(machine.files(lists).isEmpty)
    }

    /// Where it cannot tell a copy by its inode, as on FAT after each mount, the note beside it does.
    @Test func aCopyIsKnownByItsNote() throws {
        let machine = try Machine()
        try copies(machine, ["A"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let trashed = "home/.local/share/Trash/files/A\(marker).txt"
        try machine.remove(trashed)
        try machine.write("A", to: trashed)
        let undone = try undo(machine)
        #expect(undone.code == 0, "\(undone.error)")
        #expect(machine.read("any/A\(marker).txt") == "A")
        #expect(machine.files(info).isEmpty)
    }

    @Test func twoUndosAtOnceAreNotInEachOthersWay() throws {
        let machine = try Machine()
        try copies(machine, (0..<300).map { "Note \($0)" })
        let before = machine.files("any")
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let both = try (0..<2).map { _ in try machine.start("conflicts", "clean", "any", "--undo", "--yes") }
        let done = both.map { $0.finish() }
        #expect(done.contains { $0.code == 0 && $0.output == "300 copies are back.\n" })
        for each in done {
            let isLate = each.code == 64 && each.error.contains("no cleaning of this folder is known")
            #expect(isLate || each.code == 0 && each.error.isEmpty, "\(each.error)")
        }
        #expect(machine.files("any") == before)
        #expect(machine.files(info).isEmpty)
    }

    /// As one leaves it that is killed between its note and the move; an empty note where it came a moment earlier.
    @Test(arguments: [false, true], [false, true])
    func whatAKilledCleaningLeftIsRemoved(isEmpty: Bool, byUndo: Bool) throws {
        let machine = try Machine()
        try copies(machine, ["A", "B"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        for name in ["A", "B"] {
            try machine.move("home/.local/share/Trash/files/\(name)\(marker).txt", to: "any/\(name)\(marker).txt")
        }
        if isEmpty { try machine.write("", to: "\(info)/A\(marker).txt.trashinfo") }
        try machine.write("[Trash Info]\nPath=/elsewhere\n", to: "\(info)/B\(marker).txt.trashinfo")
        if byUndo {
            #expect(try undo(machine).error.contains("no cleaning of this folder is known"))
            #expect(machine.files(info).keys.sorted() == ["B\(marker).txt.trashinfo"], "that is another's by now")
        } else {
            #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
            let notes = ["A\(marker).txt.trashinfo", "B\(marker).txt.2.trashinfo", "B\(marker).txt.trashinfo"]
            #expect(machine.files(info).keys.sorted() == notes)
        }
    }

    /// As one leaves it that is killed before it wrote a line; of one that is at work somebody has the lock.
    @Test(arguments: [false, true])
    func anEmptyListIsRemovedOnceNobodyHasIt(byUndo: Bool) throws {
        let machine = try Machine()
        try copies(machine, ["A"])
        for name in ["0-free", "0-held"] { try machine.write("", to: "\(lists)/\(name).jsonl") }
        let held = open("\(machine.root)/\(lists)/0-held.jsonl", O_RDWR | O_CLOEXEC)
        defer { close(held) }
        #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
        if byUndo {
            #expect(try undo(machine).error.contains("no cleaning of this folder is known"))
        } else {
            #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        }
        let left = machine.files(lists).keys
        #expect(left.contains("0-held.jsonl") && !left.contains("0-free.jsonl"), "\(left)")
    }

    /// What is told in the line is in the trash still, and the list is the only thing that tells of it.
    @Test func aLineThatCannotBeReadIsNotPassedOver() throws {
        let machine = try Machine()
        try copies(machine, ["A", "B", "C"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let name = try #require(machine.files(lists).keys.first)
        var lines = try #require(machine.read("\(lists)/\(name)")).components(separatedBy: "\n")
        lines[2] = String(lines[2].dropFirst(9))
        try machine.write(lines.joined(separator: "\n"), to: "\(lists)/\(name)")
        let undone = try undo(machine)
        #expect(undone.code == 2 && undone.output == "2 copies are back.\n", "\(undone)")
        #expect(undone.error.contains("the list of what a cleaning moved is damaged: "), "\(undone.error)")
        #expect(undone.error.contains(name))
        let again = try undo(machine)
        #expect(again.code == 65 && again.error.contains(name), "\(again)")
        #expect(machine.files(lists).count == 1)
        // A cleaning of later has a list of its own, and is undone as any other.
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let later = try undo(machine)
        #expect(later.code == 0 && later.output == "2 copies are back.\n", "\(later)")
    }

    /// As a power cut leaves it. The file had not moved by then.
    @Test func aLineThatWasCutOffIsNone() throws {
        let machine = try Machine()
        try copies(machine, ["A", "B"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let name = try #require(machine.files(lists).keys.first)
        let whole = try #require(machine.read("\(lists)/\(name)"))
        try machine.write(whole + #"{"path":"eHh4"#, to: "\(lists)/\(name)")
        try machine.write("in the way", to: "any/A\(marker).txt")
        #expect(try undo(machine).output == "1 copy is back.\n")
        // What was written behind it is whole.
        try machine.remove("any/A\(marker).txt")
        let undone = try undo(machine)
        #expect(undone.code == 0 && undone.output == "1 copy is back.\n", "\(undone)")
    }

    @Test func aListOfANewerVersionIsLeftAlone() throws {
        let machine = try Machine()
        try copies(machine, ["A"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let name = try #require(machine.files(lists).keys.first)
        let whole = try #require(machine.read("\(lists)/\(name)"))
        try machine.write(whole.replacing("\"v\":1", with: "\"v\":2"), to: "\(lists)/\(name)")
        let refused = try undo(machine)
        #expect(refused.code == 78 && refused.error.contains("update this one"), "\(refused)")
        try machine.write(whole, to: "\(lists)/\(name)")
        #expect(try undo(machine).code == 0)
    }

    @Test func aListThatCannotBeReadIsNamed() throws {
        let machine = try Machine()
        try copies(machine, ["A"])
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        let name = try #require(machine.files(lists).keys.first)
        let whole = try #require(machine.read("\(lists)/\(name)"))
        try machine.write("x" + whole, to: "\(lists)/\(name)")
        let damaged = try undo(machine)
        #expect(damaged.code == 65)
        #expect(damaged.error.contains("the list of what a cleaning moved is damaged: "), "\(damaged.error)")
        #expect(damaged.error.contains(name))
        try machine.write(whole, to: "\(lists)/\(name)")
        // What cannot be read does not hide what can.
        try machine.write("x" + whole, to: "\(lists)/f\(name)")
        let undone = try undo(machine)
        #expect(undone.code == 2 && undone.error.contains("f\(name)"), "\(undone.error)")
        #expect(machine.read("any/A\(marker).txt") == "A")
    }
}
