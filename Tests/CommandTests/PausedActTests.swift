import Foundation
import TestSupport
import Testing

/// In a pause, what somebody asks for goes out at once, with all that has changed: also where a watch does it.
@Suite(.mayBlock)
struct PausedActTests {
    @Test(arguments: [true, false]) func whatIsRestoredGoesOut(isWatched: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(["f1": "1", "f2": "2", "f3": "3", "f4": "4", "f5": "5"])
        try machine.remove("a/f2")
        for drive in ["a", "b"] { #expect(try machine.run("sync", drive).code == 0) }
        let watch = try isWatched ? machine.watch("a") : nil
        defer { watch?.end() }
        #expect(try machine.run("-C", "a", "pause").code == 0)
        try machine.write("z", to: "a/z")
        #expect(try machine.run("-C", "a", "restore", "f2").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/f2") == "2" && machine.read("b/z") == "z")
        let status = try machine.run("-C", "a", "status").output
        #expect(status.contains("Paused   nothing is sent"), "\(status)")
    }
}
