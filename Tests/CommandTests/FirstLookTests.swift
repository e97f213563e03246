import TestSupport
import Testing

/// Before the first pass has come through nothing is known of the folder, and nobody answers as if it were.
@Suite(.mayBlock)
struct FirstLookTests {
    private static let nothing = "no pass has come through yet"

    private func drive() throws -> Machine {
        let machine = try Machine()
        try machine.write("dear\n", to: "a/Letter.txt")
        #expect(try machine.run("init", "a", "--to", "store", "--yes").code == 0)
        return machine
    }

    /// Searches say so, and `status`.
    private func checkUnseen(_ machine: Machine) throws {
        let note =
            "docdrive: nothing watches the drive; \(Self.nothing), so that nothing is known of the folder; "
            + "`docdrive -C a sync` looks at it\n"
        for (command, output) in [
            (["find", "Letter"], ""), (["find", "--count"], "0\n"), (["ls"], ""), (["dupes"], ""),
        ] {
            let answer = try machine.run(["-C", "a"] + command)
            #expect(answer.code == 0 && answer.output == output && answer.error == note, "\(command): \(answer)")
        }
        let status = try machine.run("-C", "a", "status")
        #expect(status.output.contains("nothing watches the drive; \(Self.nothing), looked at now"), "\(status)")
        #expect(!status.output.contains("last pass") && !status.output.contains("in step"), "\(status)")
        let json = try machine.run("-C", "a", "status", "--json").output
        #expect(!json.contains("asOf"), "\(json)")
        #expect(try machine.run("-C", "a", "status", "--check").code == 1)
    }

    /// As it is from then on.
    private func checkSeen(_ machine: Machine, _ folder: String) throws {
        let search = try machine.run("-C", folder, "find", "Letter")
        #expect(search.error.hasPrefix("docdrive: nothing watches the drive; as of 20"), "\(search)")
        let status = try machine.run("-C", folder, "status").output
        #expect(status.contains("nothing watches the drive; last pass 20"), "\(status)")
    }

    @Test func beforeTheFirstPassNoAnswerIsOfAnyTime() throws {
        let machine = try drive()
        try checkUnseen(machine)
        try machine.move("store", to: "store away")
        #expect(try machine.run("sync", "a").code == 69)
        try checkUnseen(machine)
        try machine.move("store away", to: "store")
        #expect(try machine.run("sync", "a").code == 0)
        try checkSeen(machine, "a")
        #expect(try machine.run("-C", "a", "find", "Letter").output == "Letter.txt\n")
    }

    @Test func whoeverWatchesMayNotHaveLookedEither() throws {
        let machine = try drive()
        try machine.move("store", to: "store away")
        let running = try machine.start("watch", "a")
        defer { running.end() }
        let note = "docdrive: \(Self.nothing), so that nothing is known of the folder; `docdrive -C a status` says how"
        let isTold = try eventually { try machine.run("-C", "a", "find", "Letter").error.hasPrefix(note) }
        #expect(isTold)
    }

    /// A pass that found nothing has come through.
    @Test func whatIsEmptyWasLookedAtAllTheSame() throws {
        let machine = try drive()
        #expect(try machine.run("sync", "a").code == 0)
        for file in ["a/Letter.txt", "a/.driveignore"] { try machine.remove(file) }
        #expect(try machine.run("sync", "a").code == 0)
        try checkSeen(machine, "a")
        #expect(try machine.run("-C", "a", "dupes").output == "No two files are equal\n")
        // Nothing is in the store by now.
        #expect(try machine.run("sync", "b", "--to", "store", "--yes").code == 0)
        #expect(machine.files("b").isEmpty)
        try checkSeen(machine, "b")
        #expect(try machine.run("init", "c", "--to", "store", "--yes").code == 0)
        let pipe = try machine.run(["\(machine.root)/c/pipe"], program: "/usr/bin/mkfifo")
        #expect(pipe.code == 0, "\(pipe)")
        _ = try machine.run("sync", "c")
        try checkSeen(machine, "c")
    }
}
