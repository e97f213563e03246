import Foundation
import TestSupport
import Testing

/// Commands that change items which programs use through `docdrive coordinate`.
@Suite(.mayBlock) struct ActUseTests {
    /// A drive whose letter has an earlier content; watched or not.
    private func arrange(isWatched: Bool, _ body: (Machine) throws -> Void) throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("dear Ada, and all\n", to: "a/Letter.txt")
        for name in ["a", "b"] { #expect(try machine.run("sync", name).code == 0) }
        guard isWatched else { return try body(machine) }
        let watch = try machine.watch("b")
        defer { watch.end() }
        try body(machine)
    }

    /// A program that has the letter until a file `go` comes.
    private func hold(_ access: String, _ machine: Machine) throws -> Running {
        let script = "echo held; while [ -d \"$PWD\" ] && [ ! -e ../go ]; do sleep 0.01; done"
        let holder = try machine.start("-C", "b", "coordinate", access, "Letter.txt", "--", "sh", "-c", script)
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        return holder
    }

    @Test(arguments: [false, true]) func whoUsesTheItemIsWaitedForOrNamed(isWatched: Bool) throws {
        try arrange(isWatched: isWatched) { machine in
            let holder = try hold("--write", machine)
            let refused = try machine.run("-C", "b", "restore", "Letter.txt")
            #expect(refused.code == 75, "\(refused.output)")
            #expect(
                refused.error
                    == "docdrive: docdrive (process \(holder.process.id)) uses it, so that nothing was changed: Letter.txt: end that, and try again\n"
            )
            #expect(machine.read("b/Letter.txt") == "dear Ada, and all\n")
            let patient = try machine.start("-C", "b", "restore", "Letter.txt", "--timeout", "10m")
            try machine.write("", to: "go")
            let done = patient.finish()
            #expect(done.code == 0, "\(done.error)")
            #expect(machine.read("b/Letter.txt") == "dear\n")
            #expect(holder.finish().code == 0)
        }
    }

    @Test(arguments: [false, true]) func aCommandWithinCoordinateDoesNotWaitForIt(isWatched: Bool) throws {
        try arrange(isWatched: isWatched) { machine in
            let result = try machine.run(
                "-C", "b", "coordinate", "--write", "Letter.txt", "--", Machine.program, "restore", "Letter.txt",
                "--timeout", "10m")
            #expect(result.code == 0, "\(result.error)")
            #expect(machine.read("b/Letter.txt") == "dear\n")
        }
    }

    @Test func itDoesNotWaitForItWhereAnotherProcessWatchesSince() throws {
        try arrange(isWatched: false) { machine in
            let first = try machine.watch("b")
            let script = "echo held; until [ -e ../go ]; do sleep 0.01; done; \"$0\" restore Letter.txt --timeout 60s"
            let holder = try machine.start(
                "-C", "b", "coordinate", "--write", "Letter.txt", "--", "sh", "-c", script, Machine.program)
            #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
            first.end()
            let second = try machine.watch("b")
            defer { second.end() }
            try machine.write("", to: "go")
            let done = holder.finish()
            #expect(done.code == 0, "\(done.error)")
            #expect(machine.read("b/Letter.txt") == "dear\n")
        }
    }

    @Test(arguments: [false, true]) func tagsAreNotSetWhileAnItemIsUsed(isWatched: Bool) throws {
        try arrange(isWatched: isWatched) { machine in
            func tag(_ coordinated: String..., program: String...) throws -> Machine.Result {
                try machine.run(["-C", "b", "coordinate"] + coordinated + ["--"] + program)
            }
            // A shell that is told of no access stands for a program of its own.
            let script = "unset DOCDRIVE_PURPOSE DOCDRIVE_CLAIMS; \"$0\" tag Letter.txt --add work"
            let refused = try tag("--read", "Letter.txt", program: "sh", "-c", script, Machine.program)
            #expect(refused.code == 75 && refused.error.contains(" uses it, so that nothing was changed: Letter.txt"))
            #expect(try machine.run("tag", "b/Letter.txt").output == "")
            #expect(try tag("--read", "Other", program: "sh", "-c", script, Machine.program).code == 0)
            #expect(
                try tag("--write", "Letter.txt", program: Machine.program, "tag", "Letter.txt", "--add", "mine").code
                    == 0)
            #expect(try machine.run("tag", "b/Letter.txt").output == "work\nmine\n")
        }
    }

    @Test(arguments: [false, true]) func whyAndStatusSayWhoUsesWhatSyncingLeaves(isWatched: Bool) throws {
        try arrange(isWatched: isWatched) { machine in
            let holder = try hold("--read", machine)
            try machine.write("dear Ben\n", to: "a/Letter.txt")
            #expect(try machine.run("sync", "a").code == 0)
            func why() throws -> String { try machine.run("-C", "b", "why", "Letter.txt").output }
            #expect(
                try eventually {
                    if !isWatched { _ = try machine.run("sync", "b") }
                    return try why().contains(
                        "docdrive (process \(holder.process.id)) is using it, and syncing leaves it alone meanwhile")
                })
            #expect(try why().contains("waits for  docdrive (process \(holder.process.id)) to let it go"))
            let json = try machine.run("-C", "b", "why", "Letter.txt", "--json").output
                .filter { $0 != " " }
            for part in [
                "\"cause\":\"in-use\"", "\"process\":\(holder.process.id)", "\"program\":\"docdrive\"", "\"since\":",
            ] {
                #expect(json.contains(part), "\(json)")
            }
            let status = try machine.run("-C", "b", "status").output
            #expect(status.contains("(process \(holder.process.id)) is using it"), "\(status)")
            try machine.write("", to: "go")
            #expect(holder.finish().code == 0)
            #expect(
                try eventually {
                    if !isWatched { _ = try machine.run("sync", "b") }
                    return try why().contains("in step: brought from")
                })
        }
    }
}
