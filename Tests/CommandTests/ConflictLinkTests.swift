import Foundation
import TestSupport
import Testing

/// Two devices that let one symbolic link lead elsewhere.
@Suite(.mayBlock)
struct ConflictLinkTests {
    @Test func linksAreComparedByWhereTheyLead() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for (drive, target) in [("a", "Letter.txt"), ("b", "nowhere")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(machine.root)/\(drive)/link", withDestinationPath: target)
        }
        try machine.settle()
        let result = try machine.run("-C", "a", "conflicts", "diff", "link")
        #expect(result.code == 0, "\(result.error)")
        #expect(result.output.contains("-Letter.txt\n") && result.output.contains("+nowhere\n"), "\(result.output)")
        #expect(!result.output.contains("dear"))
    }
}
