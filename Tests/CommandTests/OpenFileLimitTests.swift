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
}
