import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean`: what it says of how to take back what it did.
@Suite(.mayBlock)
struct CleaningReportTests {
    private let marker = ".sync-conflict-20260821-140307-ABCDEFG"

    private func pair(_ machine: Machine, _ folder: String) throws {
        try machine.write("one\ntwo\n", to: "\(folder)/Note.txt")
        try machine.write("one\n", to: "\(folder)/Note\(marker).txt")
    }

    /// Whatever else the cleaning was given, and whatever the folder is called.
    @Test(arguments: ["my notes' drafts", "-x", "any/Sub"], [false, true])
    func theUndoThatIsToldWorks(name: String, isElsewhere: Bool) throws {
        let machine = try Machine()
        try pair(machine, name)
        let before = machine.files(name)
        let place = isElsewhere ? ["-C", "home"] : []
        let folder = isElsewhere ? "../\(name)" : "./\(name)"
        let options = ["--superset", "--scheme", "syncthing", "--older-than", "0m", "--yes"]
        let cleaned = try machine.run(place + ["conflicts", "clean", folder] + options)
        #expect(cleaned.code == 0, "\(cleaned.error)")
        let total = try #require(cleaned.output.split(separator: "\n").last)
        let parts = total.split(separator: "`").map(String.init)
        try #require(parts.count == 3, "\(total)")
        #expect(parts[0] == "1 copy in the trash; " && parts[2] == " brings back what it took.")
        #expect(parts[1].hasPrefix("docdrive conflicts clean ") && parts[1].hasSuffix(" --undo"))
        let script = #"docdrive() { "$0" "$@" --yes; }; "# + parts[1]
        let undone = try machine.run(["-c", script, Machine.program], program: "/bin/sh")
        #expect(undone.code == 0 && undone.output == "1 copy is back.\n", "\(parts[1]): \(undone)")
        #expect(machine.files(name) == before)
    }
}
