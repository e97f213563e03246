import Foundation
import TestSupport
import Testing

/// Numbers, spans of time and dates, as options take them.
@Suite(.mayBlock) struct ArgumentTests {
    /// Another terminal, or a script that cleans up, has removed it.
    @Test(arguments: [
        ["status"], ["status", "x"], ["status", "../a"], ["init", "--yes"], ["init", "x", "--yes"],
        ["sync", "x", "--to", "y", "--yes"], ["watch"], ["why", "../../a/Letter.txt"],
        ["conflicts", "clean", ".", "--dry-run"], ["conflicts", "clean", "..", "--dry-run"], ["doctor"],
    ]) func nothingIsMeantByAPathFromAFolderThatIsGone(_ command: [String]) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let line = "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" \"$@\""
        func run(_ command: [String]) throws -> Machine.Result {
            try machine.run(["-c", line, Machine.program] + command, program: "/bin/sh")
        }
        let refused = try run(command)
        #expect(refused.code == 64, "\(refused)")
        #expect(refused.error.contains("the current folder is not there any more"), "\(refused.error)")
        for whole in [["status", "\(machine.root)/a"], ["-C", "\(machine.root)/a", "status"]] {
            #expect(try run(whole).code == 0)
        }
    }

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

    /// What is said of another drive is never done to the one around.
    @Test func theFolderMayStandBehindAnEqualsSign() throws {
        let machine = try drive()
        try machine.write("other\n", to: "b/g")
        #expect(try machine.run("init", "b", "--yes").code == 0)
        for folder in [["-C=b"], ["-C", "a", "-C", "../b"], ["-C=a", "-C=../b"]] {
            let result = try machine.run(folder + ["find", "--kind", "file"])
            #expect(result.code == 0 && result.output.contains("g\n") && !result.output.contains("f\n"), "\(result)")
        }
        for folder in [["-C=none"], ["-C="], ["-C=a", "-C=b"]] {
            let result = try machine.run(folder + ["find", "--kind", "file"])
            #expect(result.code == 64 && result.output.isEmpty, "\(result)")
        }
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
            #expect(
                result.code == 0 && !result.error.contains("Fatal"), "\(arguments): \(result.code), \(result.error)")
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

    /// 30 would be seconds to one command and days to another, and the trash is emptied for good.
    @Test func timesHaveUnits() throws {
        let machine = try drive()
        for command in [
            ["trash", "empty", "--yes", "--older-than"], ["conflicts", "clean", ".", "--older-than"],
            ["pause", "--for"], ["wait", "--timeout"], ["sync", "--timeout"], ["find", "-live", "--batch"],
            ["coordinate", "--read", "f", "--timeout"],
        ] {
            let rest = command[0] == "coordinate" ? ["--", "true"] : []
            try refused(machine, command + ["30"] + rest, "a time needs its unit: 30s, 30m (minutes), 30h or 30d")
            for other in ["0x10", "1e3s", "-5d", "inf", "d", "", "30x"] {
                #expect(try machine.run(["-C", "a"] + command + [other] + rest).code == 64, "\(command) \(other)")
            }
        }
        try refused(machine, ["find", "--since", "30"], "--since")
        #expect(try machine.run("-C", "a", "trash", "empty", "--older-than", "0", "--yes").code == 0)
        #expect(try machine.run("-C", "a", "trash", "empty", "--older-than", "1.5min", "--yes").code == 0)
        // The units that the words of a query have, too, but for `m`, which the help says.
        for span in ["2w", "6mo", "1y", "5min"] {
            #expect(try machine.run("-C", "a", "trash", "empty", "--older-than", span, "--yes").code == 0)
            #expect(try machine.run("-C", "a", "find", "--since", span, "modified:<\(span)").code == 0)
        }
        for command in [["log"], ["undo"], ["find"], ["trash", "empty"], ["conflicts", "clean"], ["store", "gc"]] {
            let help = try machine.run(command + ["--help"]).output.split(whereSeparator: \.isWhitespace)
            let text = help.joined(separator: " ")
            #expect(text.contains("m is minutes") || text.contains("5m (minutes)"), "\(command)")
        }
        // Of the store's collection the help says that it counts days.
        for age in ["30", "30d", "12h"] {
            #expect(try machine.run("-C", "a", "store", "gc", "--older-than", age).error.contains("store"))
        }
        try refused(machine, ["store", "gc", "--older-than", "3651"], "0 to 3650 days")
        try refused(machine, ["store", "gc", "--older-than", "soon"], "an age is a number of days")
    }

    @Test func daysAreThoseOfTheCalendar() throws {
        let machine = try drive()
        let none = [
            "2026-11-31", "2026-02-30", "2027-02-29", "2026-13-01", "2026-00-10", "2026-11-00", "2026-11-30T25:00",
            "2026-11-30T12:60", "2026-11-30T12:30:60", "2026-11-30T12", "2026-11-30T", "26-11-01", "2026", "2026-11",
            "2026-11-30T12:30:10:10", "1795700000", "0x10", "2026-+1-10", "",
        ]
        for date in none {
            try refused(machine, ["find", "--since", date], "a time is a day that there is")
            try refused(machine, ["log", "--since", date], "a time is a day that there is")
            try refused(machine, ["undo", "--dry-run", "--since", date], "a time is a day that there is")
            try refused(machine, ["restore", "f@" + date], "no version \(date)")
        }
        func explained(_ date: String) throws -> String? {
            let lines = try machine.run("-C", "a", "find", "--since", date, "--explain").output.split(separator: "\n")
            return lines.first { $0.hasPrefix("filter") }.map(String.init)
        }
        for (date, time) in [
            ("2028-02-29", "2028-02-29 00:00:00"), ("1969-12-31", "1969-12-31 00:00:00"),
            ("1970-01-01", "1970-01-01 00:00:00"), ("2026-8-1", "2026-08-01 00:00:00"),
            ("2026-11-30 23:59:59", "2026-11-30 23:59:59"), ("2026-11-30T12:05", "2026-11-30 12:05:00"),
        ] {
            #expect(try explained(date) == "filter      it was modified at \(time) +0000 or later")
        }
        // 5m is minutes for options, as 5min is.
        for span in ["5m", "5min", "300s", "'5 minutes ago'"] {
            let span = span.trimmingCharacters(in: ["'"])
            #expect(try machine.run("-C", "a", "find", "--kind", "file", "--since", span).output.contains("f\n"))
        }
    }
}
