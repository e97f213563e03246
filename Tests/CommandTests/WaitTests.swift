import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.serialized, .mayBlock)
struct WaitTests {
    @Test func withNothingWatchingItSyncsAndSaysSo() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("new", to: "a/New")
        let done = try machine.run("-C", "a", "wait")
        #expect(done.code == 0 && done.error.contains("nothing watches the drive"), "\(done.error)")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/New") == "new")
    }

    @Test func withAWatcherWhatWasChangedBeforeIsInTheStoreAfterwards() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        for number in 0..<20 { try machine.write("\(number)", to: "a/New-\(number)") }
        let done = try machine.run("-C", "a", "wait")
        #expect(done.code == 0 && done.error.isEmpty, "\(done.error)")
        #expect(try machine.run("sync", "b").code == 0)
        #expect((0..<20).allSatisfy { machine.read("b/New-\($0)") == "\($0)" })
    }

    @Test(arguments: [true, false])
    func aTimeoutNamesWhatIsWaitedFor(_ isWatched: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = isWatched ? try machine.watch("a") : nil
        defer { if let running { running.end() } }
        try machine.move("store", to: "away")
        try machine.write("new", to: "a/New")
        if isWatched {
            #expect(try eventually { try machine.run("-C", "a", "status").output.contains("Waiting  ") })
        } else {
            #expect(try machine.run("sync", "a").code == 69)
        }
        let why = { try machine.run("why", "a/New").output }
        let text = try why()
        #expect(text.contains("why        the store cannot be reached\n"), "\(text)")
        // When it is tried again, only the watcher knows.
        if isWatched {
            #expect(try eventually { try why().contains("next try") })
        } else {
            #expect(try !why().contains("next try"))
        }
        let late = try machine.run("-C", "a", "wait", "--timeout", "3s")
        #expect(late.code == 3, "\(late.error)")
        let store = "the store cannot be reached: the store's folder is not there"
        #expect(late.error.contains("docdrive: waiting: \(store)"), "\(late.error)")
        #expect(late.error.contains("still waiting: \(store)"), "\(late.error)")
        let waiting = try machine.start("-C", "a", "wait", "--timeout", "60s")
        try machine.move("away", to: "store")
        #expect(waiting.finish().code == 0, "\(waiting.error)")
    }

    @Test(arguments: [true, false])
    func whereWaitingDoesNotHelpItEndsAtOnce(_ isWatched: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        let running = isWatched ? try machine.watch("a") : nil
        defer { if let running { running.end() } }
        try machine.remove("a/Folder")
        let held = try machine.run("-C", "a", "wait")
        #expect(held.code == 12 && held.error.contains("waiting does not help"), "\(held.error)")
        #expect(try machine.run("-C", "a", "wait", ".driveignore").code == 0)
        #expect(try machine.run("-C", "a", "wait", "Never").code == 64)
    }

    @Test func aPausedWatcherNoticesSendsNothingAndGoesOnAfterwards() throws {
        let machine = try Machine()
        try machine.twoDrives()
        var running = try machine.watch("a")
        defer { running.end() }
        #expect(try machine.run("-C", "a", "pause").code == 0)
        #expect(try eventually { try machine.run("-C", "a", "status", "--json").output.contains("\"pause\"") })
        try machine.write("new", to: "a/New")
        try machine.write("from b", to: "b/Other")
        #expect(try machine.run("sync", "b").code == 0)
        // Searches find it, nobody else does.
        #expect(try machine.run("-C", "a", "find", "--barrier", "New").output == "New\n")
        let status = try machine.run("-C", "a", "status")
        #expect(
            status.output.contains("Paused   nothing is sent or brought until `docdrive -C a resume`"),
            "\(status.output)")
        #expect(
            try machine.run("doctor", "a").output.contains(
                "paused: nothing is sent or brought; go on with `docdrive -C a resume`"))
        #expect(status.output.contains("1: paused: nothing is sent or brought"), "\(status.output)")
        let endless = try machine.run("-C", "a", "wait")
        #expect(endless.error.contains("nothing is sent or brought: `docdrive -C a resume`\n"), "\(endless.error)")
        #expect(try machine.run("why", "a/New").output.contains("do         docdrive -C a resume"))
        try machine.remove("a/Letter.txt")
        #expect(try eventually { try machine.run("why", "a/Letter.txt").output.hasPrefix("W Letter.txt  waiting") })
        #expect(try machine.run("-C", "a", "wait").code == 75)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/New") == nil && machine.read("a/Other") == nil)
        // It outlasts the watcher.
        running.end()
        running = try machine.watch("a")
        #expect(try machine.run("-C", "a", "wait").code == 75)
        #expect(machine.read("a/Other") == nil)
        #expect(try machine.run("-C", "a", "resume").output == "resumed\n")
        #expect(try machine.run("-C", "a", "wait").code == 0)
        #expect(machine.read("a/Other") == "from b")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.files("b") == ["New": "new", "Other": "from b"])
        let own = try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive")
        #expect(!own.contains { $0.hasPrefix("unsent") }, "\(own)")
    }

    @Test func aPauseBreaksOffWhatIsBeingSent() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "config", "set", "bwlimit", "16K").code == 0)
        let running = try machine.watch("a")
        defer { running.end() }
        #expect(try machine.run("-C", "a", "wait").code == 0)
        // Nothing that a compression makes small; minutes at this rate.
        let bytes = Data((0..<4_000_000).map { _ in UInt8.random(in: 0...255) })
        try bytes.write(to: URL(fileURLWithPath: "\(machine.root)/a/large"))
        #expect(
            try eventually { try machine.run("-C", "a", "status", "--json").output.contains("\"phase\" : \"scan\"") })
        #expect(try machine.run("-C", "a", "pause").code == 0)
        let store = FileManager.default.enumerator(atPath: "\(machine.root)/store")
        while store?.nextObject() != nil { #expect((store?.fileAttributes?[.size] as? Int ?? 0) < 100_000) }
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.files("b") == ["Letter.txt": "dear\n"])
        #expect(try eventually { try machine.run("why", "a/large").output.contains("docdrive -C a resume") })
        running.end()
        #expect(try machine.run("-C", "a", "resume").code == 0)
        #expect(try machine.run("-C", "a", "config", "set", "bwlimit", "off").code == 0)
        try machine.settle()
        #expect(FileManager.default.contents(atPath: "\(machine.root)/b/large") == bytes)
    }

    @Test func aWatchIsNoOtherProcessThatIsInTheWay() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        let wait = try machine.run("-C", "a", "wait", "--timeout", "0s")
        #expect(wait.code == 3 && !wait.error.contains("another process"), "\(wait.error)")
    }

    @Test func aPauseForAWhileEndsByItself() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        let pause = try machine.run("-C", "a", "pause", "--for", "4s")
        #expect(pause.code == 0 && pause.output.contains(" brought, until "), "\(pause.output)")
        try machine.write("new", to: "a/New")
        #expect(try machine.run("-C", "a", "wait").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/New") == "new")
        #expect(try !machine.run("-C", "a", "status").output.contains("Paused"))
    }

    @Test func aSyncByHandWorksWhilePaused() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        #expect(try machine.run("-C", "a", "pause").code == 0)
        try machine.write("new", to: "a/New")
        #expect(try machine.run("-C", "a", "find", "--barrier", "New").output == "New\n")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/New") == "new")
        let done = try machine.run("-C", "a", "wait")
        #expect(done.code == 0 && done.error.contains("the drive is paused"), "\(done.error)")
        #expect(try machine.run("-C", "a", "resume").code == 0)
        #expect(try machine.run("-C", "a", "resume").output == "the drive was not paused\n")
    }
}
