import Foundation
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
}
