import Foundation
import Testing

/// `conflicts clean` on real files: what goes, what stays, where it goes, and that it comes back.
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
        #expect(cleaned.output.contains("39 copies in the trash; the same command with --undo"))
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
        for trash in [".local/share/Trash/files", "disk/.Trash-1000/files", "disk/.Trash/1000/files"] {
            try machine.write("same", to: "home/\(trash)/Note.txt")
            try machine.write("same", to: "home/\(trash)/Note\(marker).txt")
        }
        let before = machine.files("home")
        let result = try machine.run("conflicts", "clean", "home", "--dry-run")
        #expect(result.output == "0 copies, 0 bytes. Nothing was changed.\n", "\(result.output)")
        #expect(machine.files("home") == before)
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
}
