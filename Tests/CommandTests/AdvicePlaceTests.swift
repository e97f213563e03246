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
}
