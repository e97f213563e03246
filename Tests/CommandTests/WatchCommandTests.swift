import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.serialized, .mayBlock)
struct WatchCommandTests {
    /// `nohup` ignores one, and a shell the other for what it runs in the background.
    @Test func whatIsIgnoredByWhoeverStartsItIsIgnored() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let line =
            "trap '' HUP INT; exec '\(Machine.program)' watch a --exec 'grep SigIgn /proc/self/status > ../ignored'"
        let watch = try machine.start(["-c", line], program: "/bin/sh")
        defer { watch.end() }
        #expect(try eventually { try machine.isWatched("a") }, "\(watch.error)")
        watch.signal(SIGINT)
        watch.signal(SIGHUP)
        try machine.write("news\n", to: "a/News.txt")
        let hasRun = eventually { !watch.process.isRunning || machine.read("ignored")?.hasSuffix("\n") == true }
        try #require(hasRun && watch.process.isRunning, "\(watch.error)")
        let mask = machine.read("ignored").flatMap {
            UInt64($0.split(separator: "\t").last?.dropLast() ?? "", radix: 16)
        }
        #expect(mask.map { $0 & 0b11 } == 0b11, "what it starts ignores them too: \(machine.read("ignored") ?? "")")
        #expect(try machine.isWatched("a"))
        #expect(!watch.error.contains("stopped"), "\(watch.error)")
        watch.signal(SIGTERM)
        #expect(watch.finish().code == 143)
    }

    @Test func changesArriveWhileBothWatch() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let (a, b) = (try machine.watch("a"), try machine.watch("b"))
        defer {
            a.end()
            b.end()
        }
        try machine.write("new", to: "a/New")
        #expect(eventually { machine.read("b/New") == "new" })
        try machine.write("edited", to: "b/New")
        #expect(eventually { machine.read("a/New") == "edited" })
        try machine.move("a/New", to: "a/Moved")
        #expect(eventually { machine.files("b") == ["Letter.txt": "dear\n", "Moved": "edited"] })
        try machine.remove("b/Moved")
        #expect(eventually { machine.files("a") == ["Letter.txt": "dear\n"] })
        #expect(a.output.contains("edited      New  from beta"), "\(a.output)")
    }

    @Test func syncAsksTheProcessThatWatches() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        try machine.write("new", to: "a/New")
        let result = try machine.run("sync", "a")
        #expect(result.code == 0, "\(result.error)")
        #expect(result.output.hasPrefix("in step: "))
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/New") == "new")
        #expect(try machine.run("watch", "a").code == 75)
    }

    @Test func decisionsGoThroughTheProcessThatWatches() throws {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        let all = machine.files("a")
        let running = try machine.watch("a")
        defer { running.end() }
        // All at once: of a removal that is seen in pieces, the first few go through.
        try machine.move("a/Folder", to: "Away")
        #expect(try eventually { try machine.run("-C", "a", "deletes").code == 12 })
        #expect(eventually { running.error.contains("31 deletes held until you decide: `docdrive -C a deletes ls`") })
        #expect(try machine.run("-C", "a", "deletes", "restore").code == 0)
        #expect(eventually { machine.files("a") == all })
        #expect(try machine.run("-C", "a", "device", "rename", "delta").code == 0)
    }

    /// What a watch took up while the store was away is still to be sent.
    @Test func aPlanHasWhatWasRecordedAndNotSent() throws {
        let machine = try Machine()
        try machine.twoDrives(["Old.txt": "old"])
        let running = try machine.watch("a")
        defer { running.end() }
        try machine.move("store", to: "away")
        try machine.write("new", to: "a/New.txt")
        try machine.remove("a/Old.txt")
        #expect(eventually { running.output.contains("New.txt") && running.output.contains("Old.txt") })
        running.end()
        try machine.move("away", to: "store")
        let plan = try machine.run("-C", "a", "plan", "--check")
        #expect(plan.code == 1, "\(plan.output)")
        #expect(plan.output.contains("New.txt") && plan.output.contains("Old.txt"), "\(plan.output)")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "plan", "--check").code == 0)
    }

    /// `docdrive status --check && poweroff`, right after a save.
    @Test func whatWasJustSavedIsNotInStepUnsent() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        for number in 0..<5 {
            try machine.write("new \(number)", to: "a/New")
            if try machine.run("-C", "a", "status", "--check").code == 0 {
                #expect(try machine.run("sync", "b").code == 0)
                #expect(machine.read("b/New") == "new \(number)")
            }
        }
    }

    /// Nothing lies in it whose removal would be noticed.
    @Test func anEmptyDriveThatIsRemovedIsMissed() throws {
        let machine = try Machine()
        try machine.twoDrives([:])
        let running = try machine.watch("a")
        try machine.remove("a/.driveignore")
        #expect(eventually { running.output.contains(".driveignore") })
        try machine.remove("a")
        let result = running.finish()
        #expect(result.code == 78 && result.error.contains("the drive's folder is not there"), "\(result.error)")
    }

    @Test func aStoreThatGoesIsWaitedFor() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        try machine.move("store", to: "away")
        try machine.write("new", to: "a/New")
        #expect(try eventually { try machine.run("-C", "a", "status").output.contains("Waiting  ") })
        try machine.move("away", to: "store")
        #expect(try eventually { try machine.run("sync", "b").code == 0 && machine.read("b/New") == "new" })
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func signalsEndIt(_ signal: Int32, _ code: Int32) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        running.signal(signal)
        #expect(running.finish().code == code)
        #expect(running.error.hasSuffix("docdrive: stopped; everything is consistent\n"), "\(running.error)")
        try machine.write("later", to: "a/Later")
        try machine.settle()
        #expect(machine.read("b/Later") == "later")
    }

    @Test func programsAreToldThatTheStoreIsLostAndFoundAgain() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a", "--jsonl")
        defer { running.end() }
        try machine.move("store", to: "away")
        try machine.write("new", to: "a/New")
        #expect(
            eventually {
                running.output.contains("\"kind\":\"unreachable\"") && running.output.contains("\"type\":\"trouble\"")
            })
        #expect(!running.output.contains("goes-on"))
        try machine.move("away", to: "store")
        #expect(eventually { running.output.contains("\"type\":\"goes-on\"") }, "\(running.output)")
        #expect(
            running.output.split(separator: "\n").allSatisfy {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil
            })
    }

    @Test func aCommandRunsAfterChanges() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.start("watch", "a", "--jsonl", "--exec", "cat >> ../changes")
        defer { running.end() }
        try machine.write("new", to: "a/New")
        #expect(eventually { machine.read("changes")?.contains("\"path\":\"New\"") == true }, "\(running.error)")
        #expect(eventually { running.output.contains("\"event\":\"added\"") })
    }

    @Test func howManyFoldersAreWatchedIsToldAsItIsNow() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.watch("a")
        defer { running.end() }
        func isWatched(_ text: String) -> Bool {
            (try? eventually { try machine.run("-C", "a", "status").output.contains("; watches \(text)\n") }) ?? false
        }
        #expect(isWatched("1 folder"))
        try machine.write("new", to: "a/One/Two/New")
        #expect(isWatched("3 folders"))
        try machine.remove("a/One")
        #expect(isWatched("1 folder"))
        #expect(try machine.run("doctor", "a").output.contains("watches 1 folder: "))
    }

    /// As what is told of changes does.
    @Test func itsCommandEndsWithIt() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let running = try machine.start("watch", "a", "--exec", "echo $$ > ../command; exec sleep 86400")
        try machine.write("new", to: "a/New")
        #expect(eventually { machine.read("command")?.hasSuffix("\n") == true }, "\(running.error)")
        let command = try #require((machine.read("command") ?? "").split(separator: "\n").first.flatMap { pid_t($0) })
        running.end()
        #expect(eventually { kill(command, 0) != 0 && errno == ESRCH })
        #expect(!running.error.contains("ended with status"), "\(running.error)")
    }

    @Test func whatACommandLeavesRunningKeepsNoOtherFromStarting() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let script = "cat >> ../changes; sleep 86400 & echo $! >> ../left"
        let running = try machine.start("watch", "a", "--exec", script)
        defer {
            running.end()
            let left = (machine.read("left") ?? "").split(separator: "\n").compactMap { pid_t($0) }
            for number in left { kill(number, SIGKILL) }
        }
        for name in ["One", "Two"] {
            try machine.write("new", to: "a/\(name)")
            #expect(
                eventually { machine.read("changes")?.contains("\"path\":\"\(name)\"") == true }, "\(running.error)")
        }
    }

    /// Which would else go on with nobody to see what it does.
    @Test(arguments: ["watch a --jsonl", "-C a find -live New"])
    func withTheReaderOfItsPipeItEnds(_ command: String) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = command.hasPrefix("watch") ? nil : try machine.watch("a")
        defer { watch?.end() }
        let line = "\(Machine.program) \(command) | head -n 1"
        let running = try machine.start(["-c", line], program: "/bin/sh")
        var number = 0
        let hasEnded = try eventually {
            number += 1
            try machine.write("\(number)", to: "a/New \(number)")
            return !running.process.isRunning
        }
        #expect(hasEnded)
        let result = running.finish()
        #expect(result.output.split(separator: "\n").count == 1, "\(result.output)")
        #expect(!result.error.contains("cannot write"), "\(result.error)")
    }

    @Test func whereItsOutputCannotBeWrittenItSaysSoOnceAndGoesOn() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let line = "exec \(Machine.program) watch a > /dev/full"
        let running = try machine.start(["-c", line], program: "/bin/sh")
        #expect(try eventually { try machine.run("-C", "a", "status").output.contains("; watches ") })
        for name in ["One", "Two"] {
            try machine.write("new", to: "a/\(name)")
            #expect(try eventually { try machine.run("sync", "b").code == 0 && machine.read("b/\(name)") == "new" })
        }
        running.end()
        let parts = running.error.components(separatedBy: "the disk is full")
        #expect(parts.count == 2 && parts[1].contains("the drive is kept in step"), "\(running.error)")
    }
}
