import Foundation
import TestSupport
import Testing

/// Numbers, spans of time and dates, as options take them.
@Suite(.mayBlock) struct ArgumentTests {
    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.write("text\n", to: "a/f")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        return machine
    }

    private func refused(_ machine: Machine, _ arguments: [String], _ part: String) throws {
        let result = try machine.run(["-C", "a"] + arguments)
        #expect(result.code == 64 && result.error.contains(part), "\(arguments): \(result.code), \(result.error)")
    }

    @Test func timesOfAnyLengthAreCountedWith() throws {
        let machine = try drive()
        let long = "99999999999999999999"
        for arguments in [
            ["find", "--since", long + "d"], ["find", "--since", long + " years ago"], ["log", "--since", long + "d"],
            ["undo", "--since", long + "s", "--dry-run"], ["trash", "empty", "--older-than", long + "d"],
            ["pause", "--for", long + "d"], ["coordinate", "--read", "f", "--timeout", long + "d", "--", "true"],
        ] {
            let result = try machine.run(["-C", "a"] + arguments)
            #expect(result.code == 0 && !result.error.contains("Fatal"), "\(arguments): \(result.code), \(result.error)")
        }
        #expect(try machine.run("-C", "a", "find", "--kind", "file", "--before", long + "s").output.isEmpty)
        try refused(machine, ["restore", "f@\(long)d"], "no version of it is known from before")
        try refused(machine, ["diff", "f@\(long) days ago"], "no version of it is known from before")
        try refused(machine, ["find", "--since", "nan days ago"], "--since")
        // It goes on until it is told to end, and never updates.
        let live = try machine.start("-C", "a", "find", "-live", "--batch", long + "d", "--kind", "file")
        #expect(eventually { live.output.contains("f\n") })
        live.signal(SIGTERM)
        #expect(live.finish().code == 143)
    }

    @Test func limitsAreNumbersFromZeroOn() throws {
        let machine = try drive()
        for command in [["log"], ["undo", "--list"], ["find"]] {
            try refused(machine, command + ["--limit=-1"], "--limit takes a number from 0 on: -1")
            #expect(try machine.run(["-C", "a"] + command + ["--limit=0"]).code == 0)
        }
    }
}
