import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean --undo` where something is in the way: it is named, before and after, and nothing is made elsewhere.
@Suite(.mayBlock)
struct CleaningObstacleTests {
    private let marker = ".sync-conflict-20260821-140307-ABCDEFG"
    private let trash = "home/.local/share/Trash"

    private func pair(_ machine: Machine, _ folder: String) throws {
        try machine.write("same", to: "\(folder)/Note.txt")
        try machine.write("same", to: "\(folder)/Note\(marker).txt")
    }

    private func clean(_ machine: Machine, _ folder: String = "any") throws {
        #expect(try machine.run("conflicts", "clean", folder, "--yes").code == 0)
    }

    private func undo(_ machine: Machine, _ folder: String = "any", _ option: String = "--yes") throws
        -> Machine.Result
    {
        try machine.runBound("conflicts", "clean", folder, "--undo", option)
    }

    @Test(arguments: ["Sub", "Sub/Inner", "Sub/Inner/Most"])
    func nothingIsMadeBehindALink(below: String) throws {
        let machine = try Machine()
        try pair(machine, "any/\(below)")
        try clean(machine)
        try machine.remove("any/Sub")
        mkdir("\(machine.root)/outside", 0o755)
        #expect(symlink("../outside", "\(machine.root)/any/Sub") == 0)
        let refused = try undo(machine)
        #expect(refused.code == 2)
        let folder = below == "Sub" ? "its folder" : "a folder above it"
        #expect(refused.error.hasPrefix("docdrive: \(folder) is a link by now: "), "\(refused.error)")
        #expect(refused.error.contains("/any/Sub away, or take the copy from "), "\(refused.error)")
        #expect(machine.files("outside").isEmpty)
        try machine.remove("any/Sub")
        let undone = try undo(machine)
        #expect(undone.code == 0 && undone.output == "1 copy is back.\n", "\(undone)")
        #expect(machine.read("any/\(below)/Note\(marker).txt") == "same")
    }

    @Test(arguments: ["name", "broken link", "link", "file", "closed", "closed trash", "emptied"])
    func aTrialSaysWhatTheUndoSays(obstacle: String) throws {
        let machine = try Machine()
        try pair(machine, "any/Sub")
        try clean(machine)
        let sub = "\(machine.root)/any/Sub"
        let files = "\(machine.root)/\(trash)/files"
        switch obstacle {
        case "name": try machine.write("new", to: "any/Sub/Note\(marker).txt")
        case "broken link": symlink("nowhere", "\(sub)/Note\(marker).txt")
        case "link":
            try machine.move("any/Sub", to: "outside")
            symlink("../outside", sub)
        case "file":
            try machine.remove("any/Sub")
            try machine.write("in the way", to: "any/Sub")
        case "closed": chmod(sub, 0o500)
        case "closed trash": chmod(files, 0o500)
        default: try machine.remove("\(trash)/files/Note\(marker).txt")
        }
        defer { for place in [sub, files] { chmod(place, 0o700) } }
        let trial = try undo(machine, "any", "--dry-run")
        let undone = try undo(machine)
        #expect(trial.code == 2 && undone.code == 2)
        #expect(trial.error == undone.error && trial.error.hasPrefix("docdrive: "), "\(trial.error)\(undone.error)")
        #expect(trial.output.hasPrefix("0 copies of the cleaning of "), "\(trial.output)")
        #expect(undone.output == "0 copies are back.\n")
        if obstacle == "file" {
            #expect(undone.error.hasPrefix("docdrive: its folder is a file by now: "), "\(undone.error)")
        }
    }

    @Test func aTrialOfWhatComesBackIsDone() throws {
        let machine = try Machine()
        try pair(machine, "any/Sub")
        try clean(machine)
        try machine.remove("any/Sub")
        let trial = try undo(machine, "any", "--dry-run")
        #expect(trial.code == 0 && trial.error.isEmpty, "\(trial.error)")
        #expect(trial.output.hasPrefix("1 copy of the cleaning of "))
        #expect(!machine.files("any").keys.contains("Sub"))
        #expect(try undo(machine).code == 0)
    }

    /// In a drive its trash may have been emptied likewise.
    @Test func aTrialInADriveTellsWhatIsLost() throws {
        let machine = try Machine()
        try pair(machine, "any")
        #expect(try machine.run("init", "any", "--yes").code == 0)
        try clean(machine)
        #expect(try machine.run("-C", "any", "trash", "empty", "--yes").code == 0)
        let trial = try undo(machine, "any", "--dry-run")
        #expect(trial.code == 2 && trial.error.contains("the trash has it no more: "), "\(trial)")
        let undone = try undo(machine)
        #expect(undone.code == 2 && undone.error == trial.error, "\(undone)")
    }

    /// However many folders lie in it: that one alone is to be changed.
    @Test func aFolderThatMayNotBeEnteredIsToldOnce() throws {
        let machine = try Machine()
        for folder in ["m", "n", "n/deep"] { try pair(machine, "any/box/\(folder)") }
        try clean(machine)
        let box = "\(machine.root)/any/box"
        chmod(box, 0)
        defer { chmod(box, 0o700) }
        for option in ["--dry-run", "--yes"] {
            let refused = try undo(machine, "any", option)
            #expect(refused.code == 2)
            let start = "docdrive: cannot bring it back from the trash: permission denied: "
            #expect(refused.error.hasPrefix(start), "\(refused)")
            #expect(refused.error.hasSuffix("/any/box: give yourself access to it\n"), "\(refused)")
            #expect(refused.error.count { $0 == "\n" } == 1, "\(refused)")
        }
        chmod(box, 0o700)
        let undone = try undo(machine)
        #expect(undone.code == 0 && undone.output == "3 copies are back.\n", "\(undone)")
    }

    /// However many cleanings, and copies, wait for it.
    @Test(.enabled(if: FullDiskTests.mayMount, "a tmpfs cannot be mounted here"))
    func aTrashThatIsAwayIsToldOnce() throws {
        let machine = try Machine()
        let stick = "\(machine.root)/stick"
        mkdir(stick, 0o700)
        try #require(mount("none", stick, "tmpfs", 0, "size=1m") == 0)
        for folder in ["stick/docs/A", "stick/docs/B"] {
            try pair(machine, folder)
            try clean(machine, "stick/docs")
        }
        umount2(stick, Int32(MNT_DETACH))
        let away =
            "docdrive: what this trash lies on is not there: \(stick)/.Trash-\(getuid()): mount it, then undo once more\n"
        for option in ["--dry-run", "--yes"] {
            let refused = try machine.run("conflicts", "clean", "stick/docs", "--undo", option)
            #expect(refused.code == 2 && refused.error == away, "\(refused.error)")
        }
    }
}
