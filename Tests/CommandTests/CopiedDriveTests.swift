import Foundation
import TestSupport
import Testing

/// A drive that was copied with its state, as a cloned machine is: both go on as one device until they meet.
@Suite(.mayBlock)
struct CopiedDriveTests {
    /// Two drives, and `c`, which is a copy of `a`.
    private func machine() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Plan.txt": "plan\n", "Old.txt": "old\n"])
        #expect(try machine.run(["-a", "a", "c"], program: "/bin/cp").code == 0)
        return machine
    }

    private func settle(_ machine: Machine) throws {
        for _ in 0..<3 {
            for folder in ["a", "c", "b"] { _ = try machine.run("sync", folder) }
        }
    }

    private func check(_ machine: Machine, has texts: [String]) throws {
        let files = machine.files("a")
        #expect(machine.files("b") == files && machine.files("c") == files, "\(machine.files("b"))")
        for text in texts { #expect(files.values.contains(text), "\(text) is not in \(files)") }
        for folder in ["a", "b", "c"] {
            let found = try machine.run("-C", folder, "verify")
            #expect(found.code == 0, "\(found.output)\(found.error)")
            #expect(try machine.run("-C", folder, "status", "--check").code <= 1)
        }
        let store = try machine.run("-C", "b", "store", "check")
        #expect(store.code == 0, "\(store.output)\(store.error)")
    }

    @Test(arguments: 1...4)
    func twoCopiesMayPublishAtOneMoment(_ round: Int) throws {
        let machine = try machine()
        for folder in ["a", "c"] {
            try machine.write("new in \(folder)\n", to: "\(folder)/New in \(folder).txt")
            try machine.write("plan, by \(folder)\n", to: "\(folder)/Plan.txt")
        }
        try machine.remove("a/Old.txt")
        try machine.write("old, by c\n", to: "c/Old.txt")
        let running = try ["a", "c"].map { try machine.start("sync", $0) }
        for process in running { _ = process.finish() }
        try settle(machine)
        try check(
            machine, has: ["new in a\n", "new in c\n", "plan, by a\n", "plan, by c\n", "old, by c\n", "dear\n"])
        let told = try ["a", "c"].map { try machine.run("-C", $0, "log").output }.joined()
        #expect(told.contains("goes on under a new id"), "\(told)")
    }

    /// What stands under this device's id and says nothing that can be read stops nobody.
    @Test(arguments: ["head", "log"])
    func whatIsDamagedUnderTheOwnIdIsPassedOver(_ part: String) throws {
        let machine = try machine()
        try machine.write("plan, by c\n", to: "c/Plan.txt")
        #expect(try machine.run("sync", "c").code == 0)
        let store = "\(machine.root)/store/dd1"
        let names = try FileManager.default.subpathsOfDirectory(atPath: store).filter { $0.contains("/\(part)/") }
        for name in names where name.split(separator: "/").last?.contains("-") == true {
            let file = try #require(FileHandle(forUpdatingAtPath: "\(store)/\(name)"))
            try file.seek(toOffset: 40)
            try file.write(contentsOf: Data("damaged".utf8))
            try file.close()
        }
        try machine.write("plan, by a\n", to: "a/Plan.txt")
        for _ in 0..<2 {
            let result = try machine.run("sync", "a")
            #expect([0, 2].contains(result.code) && !result.error.contains("inside"), "\(result)")
        }
        #expect(machine.read("a/Plan.txt") == "plan, by a\n")
    }

    /// What the copy has published, and the watch has not seen, is not taken for something that it has.
    @Test func aCopyIsSyncedBesideAWatch() throws {
        let machine = try machine()
        let watch = try machine.watch("a")
        try machine.write("plan, by c\n", to: "c/Plan.txt")
        try machine.write("dear c\n", to: "c/Letter.txt")
        #expect(try machine.run("sync", "c").code == 0)
        try machine.write("plan, by a\n", to: "a/Plan.txt")
        #expect(try machine.run("-C", "a", "wait").code <= 12)
        // It may have come by now, and is deleted with reason then.
        let kept = machine.read("a/Letter.txt") == "dear c\n" ? [] : ["dear c\n"]
        try machine.remove("a/Letter.txt")
        try machine.write("plan, by a, again\n", to: "a/Plan.txt")
        #expect(try machine.run("-C", "a", "wait").code <= 12)
        try settle(machine)
        // The process that watches has found it out by itself.
        #expect(machine.files("a").values.contains("plan, by c\n"), "\(machine.files("a"))")
        watch.end()
        try settle(machine)
        try check(machine, has: ["plan, by c\n", "plan, by a, again\n"] + kept)
    }
}
