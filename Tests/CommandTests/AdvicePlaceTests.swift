import Foundation
import TestSupport
import Testing

/// What is advised is right where it is read: from outside of the drive too.
@Suite(.mayBlock)
struct AdvicePlaceTests {
    @Test func itNamesTheDrive() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "text"])
        let service = try machine.run("-C", "a", "service", "status")
        #expect(service.output == "no service for this drive; `docdrive -C a service install` makes one\n")
        let packs = "find '\(machine.root)/store' -path '*pack*' -type f -delete"
        #expect(try machine.run(["-c", packs], program: "/bin/sh").code == 0)
        let check = try machine.run("-C", "a", "store", "check")
        #expect(check.output.contains("\n`docdrive -C a store check --repair` stores again"), "\(check.output)")
    }

    @Test func soDoNotesOnStandardError() throws {
        let machine = try Machine()
        for name in ["f", "g"] { try machine.write("same\n", to: "a/sub/\(name)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let find = try machine.run("-C", "a", "find", "same")
        #expect(find.error.contains("not read yet; `docdrive -C a find --refresh` reads them"), "\(find.error)")
        try machine.write("other\n", to: "a/sub/f")
        let dupes = try machine.run("-C", "a", "dupes")
        #expect(dupes.error.contains("; `docdrive -C a sync` looks again"), "\(dupes.error)")
        let live = try machine.start("-C", "a", "find", "-live", "f")
        #expect(eventually { live.error.contains("changes come after each `docdrive -C a sync`") })
        live.end()
    }

    @Test func aPathInItBeginsAtTheDrive() throws {
        let machine = try Machine()
        try machine.write("text\n", to: "a/sub/f")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let script = "cd a/sub && '\(Machine.program)' diff f"
        let diff = try machine.run(["-c", script], program: "/bin/sh")
        #expect(diff.error.hasSuffix("`docdrive -C .. versions sub/f` lists what is\n"), "\(diff.error)")
    }
}
