import Foundation
import TestSupport
import Testing

/// A drive of which only the file that says so is lost.
@Suite(.mayBlock)
struct LostMarkerTests {
    @Test(arguments: [["init", "b"], ["sync", "b", "--to", "store", "--yes"]])
    func isWrittenAnewAndTheDriveKeepsWhatItKnows(_ command: [String]) throws {
        let machine = try Machine()
        try machine.write("one", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a", "--to", "store", "--yes", "--name", "alpha").code == 0)
        #expect(try machine.run("sync", "b", "--to", "store", "--yes", "--name", "beta").code == 0)
        try machine.write("two", to: "b/Letter.txt")
        #expect(try machine.run("sync", "b").code == 0)
        let devices = try machine.run("-C", "b", "device", "ls").output
        let log = try machine.run("-C", "b", "log").output
        try FileManager.default.removeItem(atPath: "\(machine.root)/b/.docdrive/replica")

        let refused = try machine.run("sync", "b")
        #expect(refused.code == 78)
        #expect(refused.error.contains("has lost .docdrive/replica"), "\(refused.error)")
        let doctor = try machine.run("doctor", "b").output
        #expect(doctor.contains("docdrive init") && !doctor.contains("is no drive"), "\(doctor)")
        let dry = try machine.run("sync", "b", "--to", "store", "--dry-run")
        #expect(dry.code == 78, "\(dry.output) \(dry.error)")

        let mended = try machine.run(command)
        #expect(mended.code == 0 && mended.error.contains("it is written anew"), "\(mended.error)")
        #expect(try machine.run("-C", "b", "device", "ls").output == devices)
        #expect(try machine.run("-C", "b", "log").output == log)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/Letter.txt") == "two")
        #expect(try machine.run("init", "b").error.contains("this folder is a drive already"))
    }
}
