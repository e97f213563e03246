import Foundation
import Glibc
import TestSupport
import Testing

/// What a terminal shows of a pass.
@Suite(.mayBlock)
struct ProgressTests {
    @Test func aLineOfProgressIsNoLongerThanTheTerminalIsWide() throws {
        let machine = try Machine()
        try machine.twoDrives()
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<1 << 18).map { _ in generator.next() }.withUnsafeBytes { Data($0) }
        try bytes.write(to: URL(fileURLWithPath: "\(machine.root)/a/large"))
        let terminal = try Terminal(columns: 20)
        let sync = try machine.start(["sync", "a", "--bwlimit", "512K"], errors: terminal.person)
        var shown = ""
        #expect(
            eventually {
                shown += terminal.read()
                return shown.contains("…")
            }, "\(shown)")
        #expect(sync.finish().code == 0)
        shown += terminal.read()
        let lines = shown.split(separator: "\r").flatMap { $0.split(separator: "\n") }.map {
            $0.replacingOccurrences(of: "\u{1B}[K", with: "")
        }
        let progress = lines.filter { $0.contains("…") }
        #expect(progress.contains { $0.count == 19 }, "\(progress)")
        #expect(progress.allSatisfy { $0.count < 20 }, "\(progress)")
    }
}
