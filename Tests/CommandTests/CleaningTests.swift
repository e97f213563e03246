import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean` on real files: what goes, what stays, where it goes, and that it comes back.
@Suite(.mayBlock)
struct CleaningTests {
    private let marker = ".sync-conflict-20260821-140307-ABCDEFG"

    private func trashed(_ machine: Machine) -> [String] {
        machine.files("home/.local/share/Trash/files").keys.sorted()
    }

    @Test func cleaningIsUndoneByteForByte() throws {
        let machine = try Machine()
        for number in 0..<40 {
            try machine.write("text \(number)", to: "any/Sub/Note \(number).txt")
            try machine.write("text \(number)", to: "any/Sub/Note \(number)\(marker).txt")
        }
        try machine.write("other", to: "any/Sub/Note 7\(marker).txt")
        let before = machine.files("any")
        let dry = try machine.run("conflicts", "clean", "any", "--dry-run")
        #expect(dry.output.hasSuffix("39 copies, 264 bytes. Nothing was changed.\n"), "\(dry.output)")
        #expect(dry.output.contains("1 copy with other lines than the original:\n  Sub/Note 7\(marker).txt\n"))
        #expect(machine.files("any") == before)
        let cleaned = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(cleaned.code == 0, "\(cleaned.error)")
        let total = "39 copies in the trash; `docdrive conflicts clean any --undo` brings back what it took.\n"
        #expect(cleaned.output.hasSuffix(total), "\(cleaned.output)")
        #expect(machine.files("any").count == before.count - 39)
        #expect(trashed(machine).count == 39)
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--dry-run").output.hasPrefix("39 copies"))
        #expect(try machine.run("conflicts", "clean", "any", "--undo").code == 64, "nobody can be asked")
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--yes").code == 0)
        #expect(machine.files("any") == before)
        #expect(trashed(machine).isEmpty)
        #expect(machine.files("home/.local/share/Trash/info").isEmpty)
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--yes").code != 0, "nothing is left to undo")
    }

    @Test func whoStopsItIsToldHowToBringBackWhatItMoved() throws {
        let machine = try Machine()
        for number in 0..<3_000 {
            try machine.write("\(number)", to: "any/\(number).txt")
            try machine.write("\(number)", to: "any/\(number)\(marker).txt")
        }
        let before = machine.files("any")
        let cleaning = try machine.start("conflicts", "clean", "any", "--yes")
        #expect(eventually { !trashed(machine).isEmpty })
        cleaning.signal(SIGINT)
        let stopped = cleaning.finish()
        #expect(stopped.code == 130 && stopped.error.contains("`conflicts clean --undo` of this folder"), "\(stopped)")
        #expect(machine.files("any").count < before.count)
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--yes").code == 0)
        #expect(machine.files("any") == before)
    }

    /// It is not called a store, nor a file.
    @Test func aFolderThatMayNotBeEnteredIsNamed() throws {
        let machine = try Machine()
        try machine.write("x", to: "closed/inner/x")
        chmod("\(machine.root)/closed", 0)
        defer { chmod("\(machine.root)/closed", 0o700) }
        for folder in ["closed", "closed/inner"] {
            let result = try machine.runBound("conflicts", "clean", folder, "--dry-run")
            #expect(result.code == 11 && result.error.contains("permission denied"), "\(result)")
        }
    }

    /// What took a copy's place stays, and the copy stays in the trash until it can come back.
    @Test func anUndoReplacesNothing() throws {
        let machine = try Machine()
        try machine.write("same", to: "any/Note.txt")
        try machine.write("same", to: "any/Note\(marker).txt")
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        try machine.write("new", to: "any/Note\(marker).txt")
        let refused = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        #expect(refused.code == 2)
        #expect(refused.error.contains("something else has its name by now"), "\(refused.error)")
        #expect(machine.read("any/Note\(marker).txt") == "new")
        try machine.remove("any/Note\(marker).txt")
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--yes").code == 0)
        #expect(machine.read("any/Note\(marker).txt") == "same")
    }

    @Test func whatTheTrashHasNoMoreIsNamed() throws {
        let machine = try Machine()
        for name in ["A", "B"] {
            try machine.write(name, to: "any/\(name).txt")
            try machine.write(name, to: "any/\(name)\(marker).txt")
        }
        #expect(try machine.run("conflicts", "clean", "any", "--yes").code == 0)
        try machine.remove("home/.local/share/Trash/files/A\(marker).txt")
        let undone = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        #expect(undone.code == 2)
        #expect(undone.output == "1 copy is back.\n")
        #expect(undone.error.contains("the trash has it no more"), "\(undone.error)")
        #expect(machine.files("any").keys.sorted() == ["A.txt", "B.txt", "B\(marker).txt"].sorted())
    }

    @Test func textsThatAreContainedGoIfThatIsAskedFor() throws {
        let machine = try Machine()
        try machine.write("one\ntwo\nthree\n", to: "any/Note.txt")
        try machine.write("one\nthree\n", to: "any/Note\(marker).txt")
        try machine.write("one\ntwo\nthree\nfour\n", to: "any/Note (conflicted copy 2018-04-10 093612).txt")
        let plain = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(plain.output.contains("whose lines are all in the original (--superset takes them)"))
        #expect(plain.output.contains("1 copy with all lines of the original, and more:"))
        #expect(machine.files("any").count == 3)
        #expect(try machine.run("conflicts", "clean", "any", "--superset", "--yes").code == 0)
        #expect(machine.files("any").keys.sorted() == ["Note (conflicted copy 2018-04-10 093612).txt", "Note.txt"])
        #expect(try machine.run("conflicts", "clean", "any", "--superset", "--identical-only").code == 64)
    }

    @Test func lookAlikesStay() throws {
        let machine = try Machine()
        // No original; an original of that name; the last byte differs; a second name of the original; a link to it.
        try machine.write("a", to: "any/Lone\(marker).txt")
        try machine.write("a", to: "any/Lone\(marker.replacingOccurrences(of: "14", with: "15")).txt")
        let long = String(repeating: "x", count: 300_000)
        try machine.write(long + "1", to: "any/Long.bin")
        try machine.write(long + "2", to: "any/Long\(marker).bin")
        try machine.write("b", to: "any/Linked.txt")
        let any = machine.root + "/any"
        try FileManager.default.linkItem(atPath: any + "/Linked.txt", toPath: any + "/Linked\(marker).txt")
        try machine.write("c", to: "any/Target.txt")
        try FileManager.default.createSymbolicLink(
            atPath: any + "/Target\(marker).txt", withDestinationPath: "Target.txt")
        let before = machine.files("any")
        let result = try machine.run("conflicts", "clean", "any", "--superset", "--yes")
        #expect(result.output.hasSuffix("0 copies, 0 bytes. Nothing was changed.\n"), "\(result.output)")
        #expect(machine.files("any") == before)
        let lines = try machine.run("conflicts", "clean", "any", "--dry-run", "--jsonl").output.split(separator: "\n")
        let findings = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["finding"]
                as? String
        }
        #expect(findings == ["same-file", "original-missing", "original-missing", "different"])
    }

    /// What was thrown away is not cleaned, wherever the trash is.
    @Test func trashesAreLeftAlone() throws {
        let machine = try Machine()
        try machine.write("[Trash Info]\n", to: "home/bob/.local/share/Trash/info/Note.txt.trashinfo")
        let trashes = [
            ".local/share/Trash/files", "bob/.local/share/Trash/files", "disk/.Trash-1000/files",
            "disk/.Trash/1000/files",
            "disk/$RECYCLE.BIN/S-1", "disk/$Recycle.Bin/S-1", "nas/#recycle", "sync/.stversions",
            "sync/.sync/Archive/Sub",
            "vault/.trash", "box/.dropbox.cache/2026-08-21",
        ]
        for trash in trashes {
            try machine.write("same", to: "home/\(trash)/Note.txt")
            try machine.write("same", to: "home/\(trash)/Note\(marker).txt")
        }
        let before = machine.files("home")
        let result = try machine.run("conflicts", "clean", "home", "--dry-run")
        #expect(result.output == "0 copies, 0 bytes. Nothing was changed.\n", "\(result.output)")
        #expect(machine.files("home") == before)
        for trash in trashes {
            let refused = try machine.run("conflicts", "clean", "home/\(trash)", "--yes")
            #expect(refused.code == 64, "\(trash): \(refused.output)")
        }
        #expect(machine.files("home") == before)
    }

    @Test func versionControlIsLeftAlone() throws {
        let machine = try Machine()
        for folder in [".git", ".hg", ".svn", ".jj", ".github"] {
            try machine.write("same", to: "any/project/\(folder)/refs/heads/main")
            try machine.write("same", to: "any/project/\(folder)/refs/heads/main\(marker)")
        }
        let before = machine.files("any")
        let refused = try machine.run("conflicts", "clean", "any/project/.git/refs", "--yes")
        #expect(refused.code == 64 && refused.error.contains("this is what version control keeps for itself"))
        let cleaned = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(cleaned.code == 0, "\(cleaned.error)")
        var after = before
        after["project/.github/refs/heads/main\(marker)"] = nil
        #expect(machine.files("any") == after)
    }

    /// A trash may be emptied, and its names used anew.
    @Test func anUndoTakesNothingOfOthers() throws {
        let machine = try Machine()
        for folder in ["A", "B"] {
            try machine.write(folder, to: "\(folder)/Note.txt")
            try machine.write(folder, to: "\(folder)/Note\(marker).txt")
        }
        #expect(try machine.run("conflicts", "clean", "A", "--yes").code == 0)
        try machine.remove("home/.local/share/Trash")
        #expect(try machine.run("conflicts", "clean", "B", "--yes").code == 0)
        let undone = try machine.run("conflicts", "clean", "A", "--undo", "--yes")
        #expect(undone.code == 2)
        #expect(undone.error.contains("the trash has it no more"), "\(undone.error)")
        #expect(machine.files("A") == ["Note.txt": "A"])
        #expect(try machine.run("conflicts", "clean", "B", "--undo", "--yes").code == 0)
        #expect(machine.read("B/Note\(marker).txt") == "B")
    }

    @Test func longNamesFitIntoTheTrash() throws {
        let machine = try Machine()
        let stem = String(repeating: "x", count: 255 - marker.count - 4)
        try machine.write("same", to: "any/\(stem).txt")
        try machine.write("same", to: "any/\(stem)\(marker).txt")
        let before = machine.files("any")
        let result = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(result.code == 0, "\(result.error)")
        #expect(machine.files("any").count == 1)
        #expect(try machine.run("conflicts", "clean", "any", "--undo", "--yes").code == 0)
        #expect(machine.files("any") == before)
    }

    @Test func aDriveBelowIsLeftAlone() throws {
        let machine = try Machine()
        try machine.write("same", to: "top/drive/Note.txt")
        try machine.write("same", to: "top/drive/Note\(marker).txt")
        try machine.write("same", to: "top/Note.txt")
        try machine.write("same", to: "top/Note\(marker).txt")
        #expect(try machine.run("init", "top/drive", "--yes").code == 0)
        let result = try machine.run("conflicts", "clean", "top", "--yes")
        #expect(result.code == 0)
        #expect(result.error.contains("this is a drive with a trash of its own"), "\(result.error)")
        #expect(machine.read("top/drive/Note\(marker).txt") == "same")
        #expect(machine.read("top/Note\(marker).txt") == nil)
        #expect(try machine.run("conflicts", "clean", "top/drive/.docdrive", "--yes").code == 64)
    }

    @Test func aStoreBelowIsNamedAndLeftAlone() throws {
        let machine = try Machine()
        for folder in ["a", "top"] { try machine.write("mine", to: "\(folder)/File") }
        #expect(try machine.run("sync", "a", "--to", "top/store", "--yes").code == 0)
        for folder in ["top/store", "top/other", "top/other/dd1"] {
            try machine.write("same", to: "\(folder)/Note.txt")
            try machine.write("same", to: "\(folder)/Note\(marker).txt")
        }
        let result = try machine.run("conflicts", "clean", "top", "--yes")
        #expect(result.code == 0)
        #expect(result.error == "docdrive: this is a store, and was left alone: store\n")
        #expect(machine.read("top/store/Note\(marker).txt") == "same")
        #expect(machine.read("top/other/Note\(marker).txt") == nil, "a name alone makes no store")
        #expect(machine.read("top/other/dd1/Note\(marker).txt") == nil)
        #expect(try machine.run("conflicts", "clean", "top/store", "--yes").error.contains("this is a store"))
    }

    /// Two names of one file: one stays, and all bytes with it.
    @Test(arguments: [false, true])
    func aSecondNameOfAnotherCopyGoes(inDrive: Bool) throws {
        let machine = try Machine()
        let copies = ["Note\(marker).txt", "Note (conflicted copy from pc 2026-08-21 140307).txt"]
        try machine.write("original", to: "any/Note.txt")
        try machine.write("copy", to: "any/\(copies[0])")
        let any = machine.root + "/any/"
        try FileManager.default.linkItem(atPath: any + copies[0], toPath: any + copies[1])
        if inDrive { #expect(try machine.run("init", "any", "--yes").code == 0) }
        let before = machine.files("any")
        let dry = try machine.run("conflicts", "clean", "any", "--dry-run")
        #expect(dry.output.hasSuffix("1 copy, 4 bytes. Nothing was changed.\n"), "\(dry.output)")
        let cleaned = try machine.run("conflicts", "clean", "any", "--yes")
        #expect(cleaned.code == 0, "\(cleaned.error)")
        #expect(machine.files("any") == ["Note.txt": "original", copies[0]: "copy"])
        let undone = try machine.run("conflicts", "clean", "any", "--undo", "--yes")
        #expect(undone.code == 0, "\(undone.error)")
        #expect(machine.files("any") == before)
    }

    @Test func anEmptyArgumentIsNoFolder() throws {
        let machine = try Machine()
        #expect(try machine.run("conflicts", "clean", "", "--yes").code == 64)
        #expect(try machine.run("sync", "").code == 64)
        let far = try machine.run("conflicts", "clean", ".", "--older-than", "99999999999999999999d", "--dry-run")
        #expect(far.code == 0, "\(far.error)")
    }

    /// Whoever cleans means it: nobody is asked once more whether so many deletes are meant.
    @Test func manyCopiesOfADriveGoAtOnce() throws {
        let machine = try Machine()
        var files: [String: String] = [:]
        for number in 0..<60 {
            files["Note \(number).txt"] = "text \(number)"
            files["Note \(number)\(marker).txt"] = "text \(number)"
        }
        try machine.twoDrives(files)
        let cleaned = try machine.run("conflicts", "clean", "a", "--yes")
        #expect(cleaned.code == 0, "\(cleaned.error)")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.files("a").count == 60)
    }

    @Test func aLinkIntoADriveLeadsToItsTrash() throws {
        let machine = try Machine()
        try machine.write("one\n", to: "a/sub/one.txt")
        try machine.write("one\n", to: "a/sub/one.sync-conflict-20260821-140307-ABCDEFG.txt")
        try machine.twoDrives([:])
        let whole = machine.files("a")
        #expect(symlink("a/sub", "\(machine.root)/link") == 0)
        try machine.move("store", to: "store.away")
        let cleaned = try machine.run("conflicts", "clean", "link", "--yes")
        #expect(cleaned.code == 0, "\(cleaned.output)\(cleaned.error)")
        #expect(cleaned.error.contains("the next `docdrive -C "), "\(cleaned.error)")
        #expect(try machine.run("-C", "a", "trash").output.contains("sync-conflict"))
        try machine.move("store.away", to: "store")
        #expect(try machine.run("conflicts", "clean", "link", "--undo", "--yes").code == 0)
        #expect(machine.files("a") == whole)
        // By the other way: the cleaning is an operation of the drive.
        #expect(try machine.run("conflicts", "clean", "link", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(machine.files("a") == whole)
        let again = try machine.run("conflicts", "clean", "link", "--undo", "--yes")
        #expect(again.code == 0 && again.output.contains("is back already"), "\(again.output)\(again.error)")
    }

    /// Not even if the rule is as new as the copy.
    @Test func whatOtherDevicesHaveOnlyAsACopyStays() throws {
        let machine = try Machine()
        try machine.twoDrives(["sub/local\(marker).cfg": "text\n", "Note.txt": "same", "Note\(marker).txt": "same"])
        try machine.write("/local.cfg\n", to: "a/sub/.driveignore")
        try machine.write("text\n", to: "a/sub/local.cfg")
        let before = machine.files("b")
        for folder in ["a", "a/sub"] {
            let cleaned = try machine.run("conflicts", "clean", folder, "--yes")
            #expect(cleaned.code == 0, "\(cleaned.error)")
            #expect(cleaned.output.contains("1 copy whose original is ignored, so that other"), "\(cleaned.output)")
            try machine.settle()
        }
        #expect(machine.read("b/sub/local\(marker).cfg") == "text\n")
        #expect(machine.files("b").count == before.count, "the rules came, and the copy of the note went")
        let list = try machine.run("conflicts", "clean", "a", "--jsonl", "--yes").output
        #expect(list.contains("\"original-ignored\""), "\(list)")
    }

    @Test func inADriveItGoesToItsTrashAndComesBack() throws {
        let machine = try Machine()
        try machine.twoDrives([
            "In/Note.txt": "same", "In/Note\(marker).txt": "same", "In/Log.txt": "1\n2\n", "In/Log\(marker).txt": "1\n",
        ])
        let before = machine.files("a")
        let cleaned = try machine.run("conflicts", "clean", "a/In", "--superset", "--yes")
        #expect(cleaned.code == 0, "\(cleaned.error)")
        #expect(machine.files("a").keys.sorted() == ["In", "In/Log.txt", "In/Note.txt"])
        try machine.settle()
        #expect(machine.files("b") == machine.files("a"))
        #expect(try machine.run("-C", "a", "trash", "ls").output.contains("Note\(marker).txt"))
        let undone = try machine.run("conflicts", "clean", "a/In", "--undo", "--yes")
        #expect(undone.code == 0, "\(undone.error)")
        #expect(machine.files("a") == before)
        try machine.settle()
        #expect(machine.files("b") == before)
    }

    /// A drive's trash gives back under a free name.
    @Test func inADriveWhatHasItsPlaceTakenComesBackBesideThat() throws {
        let machine = try Machine()
        try machine.twoDrives(["Note.txt": "same", "Note\(marker).txt": "same"])
        #expect(try machine.run("conflicts", "clean", "a", "--yes").code == 0)
        try machine.write("another", to: "a/Note\(marker).txt")
        let undone = try machine.run("conflicts", "clean", "a", "--undo", "--yes")
        #expect(undone.code == 0, "\(undone.error)")
        #expect(undone.output.contains("Note\(marker) (restored).txt: is back"), "\(undone.output)")
        #expect(machine.read("a/Note\(marker).txt") == "another")
        #expect(machine.read("a/Note\(marker) (restored).txt") == "same")
    }
}
