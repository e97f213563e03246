import Glibc
import TestSupport
import Testing

/// Where nothing watches the drive, `status` looks at the folder before it says that all is in step.
@Suite(.mayBlock)
struct StatusLookTests {
    private func changed() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Dir/old": "x", "Dir/kept": "x"])
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
        try machine.write("edited\n", to: "a/Letter.txt")
        try machine.write("new", to: "a/Dir/new")
        try machine.remove("a/Dir/old")
        return machine
    }

    @Test func whatNoPassHasSeenIsNotInStep() throws {
        let machine = try changed()
        let status = try machine.run("-C", "a", "status", "--check")
        #expect(status.code == 1 && !status.output.contains("Everything is in step"), "\(status.output)")
        #expect(status.output.contains("Waiting  3 items"), "\(status.output)")
        #expect(
            try machine.run("-C", "a", "status", "--short").output == "W Dir/new\nW Dir/old\nW Letter.txt\n")
        // A look changes nothing, and a pass mends it.
        #expect(try machine.run("-C", "a", "status", "--check").code == 1)
        try machine.settle()
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
    }

    @Test func ofAFolderWhatIsInItIsTold() throws {
        let machine = try changed()
        #expect(try machine.run("-C", "a", "status", "--check", "Dir/kept").code == 0)
        #expect(try machine.run("-C", "a", "status", "--check", "Dir").output.contains("Waiting  2 items"))
        let why = try machine.run("-C", "a", "why", "Dir").output
        #expect(why.contains("W Dir/new  waiting") && why.contains("W Dir/old  waiting"), "\(why)")
        #expect(!why.contains("Letter.txt") && !why.contains("1970"), "\(why)")
    }

    @Test func itIsToldSinceWhen() throws {
        let machine = try changed()
        let status = try machine.run("-C", "a", "status", "--json").output
        let why = try machine.run("-C", "a", "why", "Letter.txt", "Dir/new", "--json").output
        let times = { (text: String) in
            text.split(separator: "\n").filter { $0.contains("\"since\" : ") }.map { $0.suffix(15) }
        }
        #expect(times(status).count == 2 && Set(times(status)) == Set(times(why)), "\(status)\(why)")
    }

    /// Nobody who watches hears of a write before the file is closed.
    @Test func whatAProgramHasJustWrittenIntoAnOpenFileIsNotInStepUnderAWatch() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "one\n"])
        let running = try machine.watch("a")
        defer { running.end() }
        #expect(try machine.run("-C", "a", "wait").code == 0)
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
        let file = open("\(machine.root)/a/f", O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(file) }
        #expect(write(file, "more\n", 5) == 5)
        let status = try machine.run("-C", "a", "status", "--check")
        #expect(status.code == 1 && status.output.contains("1: a program has it open for writing"), "\(status.output)")
    }

    @Test func ignoredFilesDoNotCount() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("*.log\n", to: "a/Dir/.driveignore")
        try machine.settle()
        try machine.write("x", to: "a/Dir/run.log")
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
    }

    @Test func conflictsAreInStep() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "1"])
        try machine.write("a", to: "a/f")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("b", to: "b/f")
        try machine.settle()
        for drive in ["a", "b"] {
            let status = try machine.run("-C", drive, "status", "--check")
            #expect(
                status.code == 0 && status.output.contains("1 conflict: `docdrive -C \(drive) conflicts`"), "\(status)")
            #expect(status.output.hasSuffix("Everything is in step.\n"), "\(status)")
            #expect(try machine.run("-C", drive, "conflicts", "--check").code == 1)
        }
    }
}
