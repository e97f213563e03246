import Foundation
import Glibc
import TestSupport
import Testing

/// How many files the program may have open at once.
@Suite(.mayBlock)
struct OpenFileLimitTests {
    @Test func itTakesAsManyAsItMay() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.start(
            ["-c", "ulimit -Sn 256; exec \(Machine.program) watch a"], program: "/bin/sh")
        defer { watch.end() }
        let isUp = try eventually { try machine.isWatched("a") }
        #expect(isUp, "\(watch.error)")
        let limits = try String(contentsOfFile: "/proc/\(watch.process.id)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        let words = line.split(separator: " ")
        #expect(words[3] == words[4], "\(line)")
    }

    /// However many folders something comes into.
    @Test func fewAreEnoughForManyFolders() throws {
        let machine = try Machine()
        try machine.twoDrives()
        for number in 0..<200 { try machine.write("\(number)\n", to: "a/d\(number)/f") }
        let sent = try machine.run("sync", "a")
        #expect(sent.code == 0, "\(sent)")
        let brought = try machine.run(["-c", "ulimit -n 96; exec \(Machine.program) sync b"], program: "/bin/sh")
        #expect(brought.code == 0, "\(brought)")
        #expect(machine.files("b") == machine.files("a"))
    }

    /// Programs that use select(2) fail beyond 1,023, and some close as many as there may be.
    @Test func whatItStartsHasTheLimitThatItHad() throws {
        let machine = try Machine()
        try machine.twoDrives()
        func limited(_ words: String) -> [String] { ["-c", "ulimit -Sn 256; exec \(Machine.program) \(words)"] }
        let told = try machine.run(
            limited("-C a coordinate --read Letter.txt -- sh -c 'ulimit -Sn'"), program: "/bin/sh")
        #expect(told.output == "256\n", "\(told.error)")
        let watch = try machine.start(limited("watch a --exec 'ulimit -Sn > ../limit'"), program: "/bin/sh")
        defer { watch.end() }
        #expect(try eventually { try machine.isWatched("a") }, "\(watch.error)")
        try machine.write("news\n", to: "a/News.txt")
        #expect(eventually { machine.read("limit")?.hasSuffix("\n") == true }, "\(watch.error)")
        #expect(machine.read("limit") == "256\n")
    }

    /// Nobody asks for these.
    @Test func whatWorksForItHasTheLimitThatItHad() throws {
        let machine = try Machine()
        try machine.twoDrives()
        mkdir("\(machine.root)/bin", 0o755)
        try ExecutableScript.write(
            "#!/bin/sh\nulimit -Sn > \(machine.root)/limit\n", to: "\(machine.root)/bin/systemctl")
        let line = "ulimit -Sn 256; PATH=\(machine.root)/bin:$PATH exec \(Machine.program) service install a"
        let installed = try machine.run(["-c", line], program: "/bin/sh")
        #expect(machine.read("limit") == "256\n", "\(installed)")
    }

    @Test func sshHasTheLimitThatItHad() throws {
        let machine = try Machine()
        let number = "\(machine.root)/number"
        try ExecutableScript.write(
            "#!/bin/sh\necho $$ > \(number).new && mv \(number).new \(number) && exec sleep 10000\n",
            to: "\(machine.root)/ssh")
        let line = "ulimit -Sn 256; export DOCDRIVE_SSH=\(machine.root)/ssh; exec \(Machine.program)"
        let running = try machine.start(["-c", "\(line) transport test sftp://nas.example/x"], program: "/bin/sh")
        defer { running.end() }
        #expect(eventually { machine.read("number") != nil }, "\(running.error)")
        let process = try #require(machine.read("number")).trimmingCharacters(in: .whitespacesAndNewlines)
        let hasIt = eventually {
            let limits = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let line = limits?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
            return line?.split(separator: " ")[3] == "256"
        }
        #expect(hasIt)
    }
}
