import Foundation
import Glibc
import TestSupport
import Testing

/// `conflicts clean --undo` where something is in the way: it is named, and nothing is made elsewhere.
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
}
