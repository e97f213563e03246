import DocumentDrive
import DriveCore
import FileCoordination
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// `docdrive coordinate`, and what it keeps from whom, as processes.
@Suite(.serialized, .mayBlock)
struct CoordinateTests {
    /// A drive `a` with a letter; watched or not.
    private func arrange(isWatched: Bool, _ body: (Machine) async throws -> Void) async throws {
        let machine = try Machine()
        try machine.write("dear\n", to: "a/Letter.txt")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        guard isWatched else { return try await body(machine) }
        let watch = try machine.watch("a")
        defer { watch.end() }
        try await body(machine)
    }

    /// Or until the test is over, whatever became of it: nobody else ends a program whose command was killed.
    static let untilLetGo = #"while [ -d "$PWD" ] && [ ! -e ../go ]; do sleep 0.01; done"#

    /// A program that has the item until `machine/go` is there.
    private func holder(_ machine: Machine, _ options: String...) throws -> Running {
        let script = "echo held; \(Self.untilLetGo)"
        let running = try machine.start(["-C", "a", "coordinate"] + options + ["--", "sh", "-c", script])
        #expect(eventually { running.output == "held\n" }, "\(running.error)")
        return running
    }

    private func letGo(_ machine: Machine) throws { try machine.write("", to: "go") }

    @Test(arguments: [false, true])
    func theProgramsExitCodeIsTheCommands(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            for code in [0, 7, 64] as [Int32] {
                let result = try machine.run(
                    "-C", "a", "coordinate", "--read", "Letter.txt", "--", "sh", "-c",
                    "cat \"$DOCDRIVE_ITEM\"; exit \(code)")
                #expect(result.code == code)
                #expect(result.output == "dear\n", "\(result.error)")
            }
            let killed = try machine.run("-C", "a", "coordinate", "--read", "x", "--", "sh", "-c", "kill -TERM $$")
            #expect(killed.code == 128 + SIGTERM)
            let missing = try machine.run("-C", "a", "coordinate", "--read", "x", "--", "no-such-program")
            #expect(missing.code == 64)
            #expect(
                missing.error.hasSuffix(
                    "the program cannot be started: No such file or directory: no-such-program: install it, or name another one\n"
                ), "\(missing.error)")
        }
    }

    @Test(arguments: [false, true])
    func whoComesLaterWaitsOrGivesUp(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            let holder = try holder(machine, "--write", "Letter.txt")
            let late = try machine.run(
                "-C", "a", "coordinate", "--read", "Letter.txt", "--timeout", "0.1s", "--", "echo", "got it")
            #expect(late.code == 3)
            #expect(late.output == "")
            #expect(late.error == "docdrive: the items are still in use after 0.1 s; nothing was run\n")
            // Something else is free.
            #expect(try machine.run("-C", "a", "coordinate", "--write", "Other", "--", "true").code == 0)
            let patient = try machine.start(["-C", "a", "coordinate", "--read", "Letter.txt", "--", "echo", "got it"])
            try letGo(machine)
            #expect(patient.finish().output == "got it\n")
            #expect(holder.finish().code == 0)
        }
    }

    @Test(arguments: [false, true])
    func whoIsKilledHoldsNothing(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            let holder = try holder(machine, "--write", "Letter.txt")
            let next = try machine.start(["-C", "a", "coordinate", "--write", "Letter.txt", "--", "echo", "got it"])
            holder.signal(SIGKILL)
            #expect(next.finish().output == "got it\n")
            try letGo(machine)
        }
    }

    /// Whoever ends the command ends the program, and nobody gets the item before that.
    @Test(arguments: [false, true])
    func theItemIsHeldUntilTheProgramEnds(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            let script =
                "trap '\(Self.untilLetGo); exit 9' TERM; echo held; while [ -d \"$PWD\" ]; do sleep 0.01; done"
            let stubborn = try machine.start([
                "-C", "a", "coordinate", "--write", "Letter.txt", "--", "sh", "-c", script,
            ])
            #expect(eventually { stubborn.output == "held\n" })
            stubborn.signal(SIGTERM)
            let late = try machine.run(
                "-C", "a", "coordinate", "--read", "Letter.txt", "--timeout", "0.1s", "--", "true")
            #expect(late.code == 3)
            try letGo(machine)
            #expect(stubborn.finish().code == 9)
        }
    }

    @Test(arguments: [false, true])
    func programsInOneAnotherBelongTogether(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            let inner = "\(Machine.program) coordinate --write Letter.txt -- echo inner"
            let result = try machine.run("-C", "a", "coordinate", "--write", "Letter.txt", "--", "sh", "-c", inner)
            #expect(result.output == "inner\n" && result.code == 0, "\(result.error)")
            // What is only read outside may be read by others, too.
            let upgrade = try machine.run("-C", "a", "coordinate", "--read", "Letter.txt", "--", "sh", "-c", inner)
            #expect(upgrade.code == (isWatched ? 0 : 75), "\(upgrade.error)")
        }
    }

    @Test func programsThatWaitForEachOtherAreTold() async throws {
        try await arrange(isWatched: true) { machine in
            func nested(_ one: String, _ other: String) throws -> Running {
                let inner =
                    "touch ../\(one); while [ -d \"$PWD\" ] && [ ! -e ../A -o ! -e ../B ]; do sleep 0.01; done; "
                    + "\(Machine.program) coordinate --write \(other) -- true"
                return try machine.start(["-C", "a", "coordinate", "--write", one, "--", "sh", "-c", inner])
            }
            let results = [try nested("A", "B"), try nested("B", "A")].map { $0.finish() }
            #expect(results.map(\.code).sorted() == [0, 75])
            let told = results.map(\.error).joined()
            #expect(told.contains("docdrive: two programs wait for each other's files: "), "\(told)")
        }
    }

    /// Whoever moved it has ended by the time that the next one has it.
    @Test func whoWaitsForWhatMovesGetsItWhereItIs() async throws {
        try await arrange(isWatched: true) { machine in
            let options = ["-C", "a", "coordinate", "--write", "Letter.txt", "--moving", "--to", "Brief.txt", "--"]
            let mover = try machine.start(
                options + ["sh", "-c", "echo held; \(Self.untilLetGo); mv Letter.txt Brief.txt"])
            #expect(eventually { mover.output == "held\n" }, "\(mover.error)")
            let reader = try machine.start([
                "-C", "a", "coordinate", "--read", "Letter.txt", "--", "sh", "-c", "basename \"$DOCDRIVE_ITEM\"",
            ])
            let tagger = try machine.start(["-C", "a", "tag", "Letter.txt", "--add", "old"])
            // Both have asked by the time that these give up.
            for _ in 0..<2 {
                #expect(
                    try machine.run(
                        "-C", "a", "coordinate", "--read", "Letter.txt", "--timeout", "1s", "--", "true"
                    ).code == 3)
            }
            try letGo(machine)
            #expect(mover.finish().code == 0)
            #expect(reader.finish().output == "Brief.txt\n")
            let tagged = tagger.finish()
            #expect(tagged.code == 0, "\(tagged.error)")
            #expect(try machine.run("-C", "a", "tag", "Brief.txt").output == "old\n")
        }
    }

    /// Nobody tells where it is now. What the next one does not need, or makes itself, need not be there.
    @Test(
        arguments: [
            (["--read", "Letter.txt"], false), (["--write", "Letter.txt"], false),
            (["--read", "Letter.txt", "--snapshot"], false), (["--write", "Letter.txt", "--replacing"], true),
            (["--write", "New.txt"], true),
        ] as [([String], Bool)])
    func nothingIsRunWhereTheItemIsGoneAfterTheWait(_ options: [String], _ isRun: Bool) async throws {
        try await arrange(isWatched: false) { machine in
            let mover = try machine.start([
                "-C", "a", "coordinate", "--write", "Letter.txt", "--write", "New.txt", "--moving", "--", "sh", "-c",
                "echo held; \(Self.untilLetGo); mv Letter.txt Brief.txt",
            ])
            #expect(eventually { mover.output == "held\n" }, "\(mover.error)")
            let next = try machine.start(["-C", "a", "coordinate"] + options + ["--", "echo", "run"])
            // It has looked at the item by the time that it has the file of locks.
            #expect(eventually { Self.hasLocks(next) || !next.process.isRunning })
            try letGo(machine)
            #expect(mover.finish().code == 0)
            let result = next.finish()
            #expect(result.code == (isRun ? 0 : 64) && result.output == (isRun ? "run\n" : ""), "\(result)")
            let told = "docdrive: the item was moved or deleted while it was waited for, and nothing was run: "
            #expect(isRun || result.error.hasPrefix(told + "Letter.txt: "), "\(result)")
        }
    }

    /// A watch sees it too late: whoever waits has the item as soon as it is free.
    @Test func aMoveThatNobodyTellsOfIsNotFollowed() async throws {
        try await arrange(isWatched: true) { machine in
            let mover = try machine.start([
                "-C", "a", "coordinate", "--write", "Letter.txt", "--moving", "--", "sh", "-c",
                "echo held; \(Self.untilLetGo); mv Letter.txt Brief.txt",
            ])
            #expect(eventually { mover.output == "held\n" }, "\(mover.error)")
            let next = try machine.start(["-C", "a", "coordinate", "--read", "Letter.txt", "--", "echo", "run"])
            #expect(eventually { Self.hasLocks(next) || !next.process.isRunning })
            try letGo(machine)
            #expect(mover.finish().code == 0)
            let result = next.finish()
            #expect(result.code == 64 && result.output == "", "\(result)")
            let help = try machine.run("coordinate", "--help").output.split(whereSeparator: \.isWhitespace)
            let promise = "moved while it was waited for, or somebody who tells of it, as --moving with --to does."
            #expect(help.joined(separator: " ").contains(promise))
        }
    }

    private static func hasLocks(_ running: Running) -> Bool {
        let folder = "/proc/\(running.process.id)/fd"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.contains { file in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)")
            return target?.hasSuffix("/.docdrive/coordination") == true
        }
    }

    @Test(arguments: [false, true])
    func whoHasItIsNamedToWhoWaits(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            let holder = try holder(machine, "--write", "Letter.txt")
            let refused = try machine.run("-C", "a", "tag", "Letter.txt", "--add", "x", "--timeout", "1s")
            #expect(refused.code == 75)
            #expect(refused.error.contains("docdrive (process \(holder.process.id)) uses it"), "\(refused.error)")
            try letGo(machine)
            #expect(holder.finish().code == 0)
        }
    }

    /// Who will not wait still gets what is free.
    @Test(arguments: [false, true])
    func withoutPatienceWhatIsFreeIsHad(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            let free = try machine.run(
                "-C", "a", "coordinate", "--write", "Letter.txt", "--timeout", "0s", "--", "echo", "got it")
            #expect(free.output == "got it\n", "\(free.error)")
        }
    }

    /// Who had it before the drive was watched is named all the same.
    @Test func whoHadItBeforeTheWatchIsNamed() async throws {
        let machine = try Machine()
        try machine.twoDrives()
        let holder = try holder(machine, "--write", "Letter.txt")
        try machine.write("edited", to: "a/Letter.txt")
        let watch = try machine.watch("a")
        defer { watch.end() }
        let named = "docdrive (process \(holder.process.id)) is using it"
        #expect(eventually { (try? machine.run("-C", "a", "why", "Letter.txt").output.contains(named)) == true })
        try letGo(machine)
        #expect(holder.finish().code == 0)
        #expect(eventually { (try? machine.run("-C", "a", "status").output.contains("in step")) == true })
    }

    /// A folder that others have deleted waits for who uses something in it.
    @Test func whoUsesSomethingInADeletedFolderIsNamedForTheFolder() async throws {
        let machine = try Machine()
        try machine.twoDrives(["Folder/Letter.txt": "dear\n"])
        try machine.remove("b/Folder")
        _ = try machine.run("sync", "b")
        let holder = try holder(machine, "--read", "Folder/Letter.txt")
        _ = try machine.run("sync", "a")
        let why = try machine.run("-C", "a", "why", "Folder")
        #expect(why.output.contains("docdrive (process \(holder.process.id)) is using it"), "\(why.output)")
        try letGo(machine)
        #expect(holder.finish().code == 0)
        #expect(try machine.run("sync", "a").code == 0 && machine.read("a/Folder/Letter.txt") == nil)
    }

    @Test(arguments: [false, true])
    func whoMovesAFolderHasAllOfIt(isWatched: Bool) async throws {
        try await arrange(isWatched: isWatched) { machine in
            try machine.write("1", to: "a/Old/File")
            let holder = try holder(machine, "--read", "Old/File")
            let options = ["-C", "a", "coordinate", "--timeout", "0.1s"]
            #expect(try machine.run(options + ["--write", "Old", "--", "true"]).code == 0)
            #expect(try machine.run(options + ["--write", "Old", "--deleting", "--", "true"]).code == 3)
            #expect(try machine.run(options + ["--write", "Old", "--moving", "--to", "New", "--", "true"]).code == 3)
            try letGo(machine)
            #expect(holder.finish().code == 0)
            let moved = try machine.run(
                "-C", "a", "coordinate", "--write", "Old", "--moving", "--to", "New", "--", "mv", "Old", "New")
            #expect(moved.code == 0, "\(moved.error)")
            #expect(machine.read("a/New/File") == "1")
        }
    }

    /// The process that watches grants the claims of all: what becomes of them when it ends.
    @Test(arguments: [SIGTERM, SIGKILL])
    func whoWaitsGoesOnWaitingWhenTheWatchEnds(_ signal: Int32) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        let holder = try machine.start([
            "-C", "a", "coordinate", "--write", "Letter.txt", "--", "sh", "-c",
            "touch ../held; echo held; \(Self.untilLetGo); rm ../held",
        ])
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        let waiters = try (0..<3).map { _ in
            try machine.start([
                "-C", "a", "coordinate", "--write", "Letter.txt", "--", "sh", "-c",
                "if [ -e ../held ]; then echo both; else echo alone; fi",
            ])
        }
        // They have asked by the time that this gives up.
        #expect(
            try machine.run("-C", "a", "coordinate", "--timeout", "1s", "--write", "Letter.txt", "--", "true").code == 3
        )
        watch.signal(signal)
        _ = watch.finish()
        // Whoever comes now is refused, for as long as it asks. A process that was killed has its locks for a moment longer.
        let late = try machine.run("-C", "a", "coordinate", "--timeout", "2s", "--write", "Letter.txt", "--", "true")
        #expect(signal == SIGKILL || late.code == 3, "\(late.error)")
        try letGo(machine)
        #expect(holder.finish().code == 0)
        for waiter in waiters { #expect(waiter.finish().output == "alone\n") }
    }

    @Test func syncingLeavesWhatOthersUseAndBringsItAfterwards() async throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Other": "1"])
        // Without a process that watches, by the lock file.
        let script = "echo held; \(Self.untilLetGo)"
        let holder = try machine.start(["-C", "b", "coordinate", "--read", "Letter.txt", "--", "sh", "-c", script])
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        try machine.write("edited", to: "a/Letter.txt")
        try machine.write("2", to: "a/Other")
        #expect(try machine.run("sync", "a").code == 0)
        _ = try machine.run("sync", "b")
        #expect(machine.read("b/Letter.txt") == "dear\n")
        #expect(machine.read("b/Other") == "2")
        // With one that begins meanwhile: it heeds the lock, and goes on by itself.
        let watch = try machine.watch("b")
        defer { watch.end() }
        #expect(try machine.run("sync", "b").code == 2 && machine.read("b/Letter.txt") == "dear\n")
        try letGo(machine)
        #expect(eventually { machine.read("b/Letter.txt") == "edited" })
        #expect(holder.finish().code == 0)
    }

    @Test func aWatchedDriveBringsWhatWasInUse() async throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Other": "1"])
        let watch = try machine.watch("b")
        defer { watch.end() }
        let script = "echo held; \(Self.untilLetGo)"
        let holder = try machine.start(["-C", "b", "coordinate", "--write", "Letter.txt", "--", "sh", "-c", script])
        #expect(eventually { holder.output == "held\n" }, "\(holder.error)")
        try machine.write("edited", to: "a/Letter.txt")
        try machine.write("2", to: "a/Other")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(eventually { machine.read("b/Other") == "2" })
        #expect(machine.read("b/Letter.txt") == "dear\n")
        try letGo(machine)
        #expect(eventually { machine.read("b/Letter.txt") == "edited" })
        #expect(holder.finish().code == 0)
    }

    private final class Editor: FilePresenter {
        let presentedItemPath: DrivePath?
        private let record = Mutex<[String]>([])
        init(_ path: DrivePath) { presentedItemPath = path }
        var log: [String] { record.withLock { $0 } }
        private func note(_ text: String) { record.withLock { $0.append(text) } }
        func relinquishPresentedItemToReader() async -> Reacquirer? {
            note("reader")
            return { self.note("reacquire") }
        }
        func relinquishPresentedItemToWriter() async -> Reacquirer? {
            note("writer")
            return { self.note("reacquire") }
        }
        func accommodatePresentedItemDeletion() async throws { note("delete") }
        func presentedItemDidChange() async { note("changed") }
        func presentedItemDidMove(to path: DrivePath) async { note("moved to \(path)") }
    }

    /// This process shows a file that another one's syncing replaces, moves and deletes.
    @Test func syncingAsksPresentersAndTellsThemWhatItDid() async throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Other": "1"])
        let drive = try Drive.open(FolderPath("\(machine.root)/b"))
        let editor = Editor("Letter.txt")
        await drive.coordination.add(editor)
        func bring(_ done: () -> Bool) async throws -> Bool {
            #expect(try machine.run("sync", "a").code == 0)
            return try await soon {
                _ = try await drive.sync()
                return done()
            }
        }
        try machine.write("edited", to: "a/Letter.txt")
        #expect(try await bring { machine.read("b/Letter.txt") == "edited" })
        try machine.move("a/Letter.txt", to: "a/Brief.txt")
        #expect(try await bring { machine.read("b/Brief.txt") == "edited" })
        try machine.remove("a/Brief.txt")
        #expect(try await bring { machine.read("b/Brief.txt") == nil })
        let expected = [
            "writer", "reacquire", "changed", "writer", "reacquire", "moved to Brief.txt", "writer", "delete",
            "reacquire",
        ]
        #expect(eventually { Set(editor.log) == Set(expected) && editor.log.count == expected.count }, "\(editor.log)")
        await drive.coordination.remove(editor)
    }

    @Test func aCopyNeedsATemporaryFolder() throws {
        let machine = try Machine()
        try machine.write("1", to: "a/File")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let line =
            "TMPDIR=\(machine.root)/nowhere exec \(Machine.program) -C a coordinate --read File --snapshot -- true"
        let result = try machine.run(["-c", line], program: "/bin/sh")
        #expect(result.code == 78, "\(result)")
        #expect(
            result.error.contains("no temporary folder can be made") && result.error.contains("TMPDIR"), "\(result)")
    }

    @Test func argumentsThatMakeNoSenseAreRefused() throws {
        let machine = try Machine()
        try machine.write("1", to: "a/File")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let refused: [[String]] = [
            ["--read", "a/File"], ["--", "true"], ["--read", "a/File", "--moving", "--", "true"],
            ["--write", "a/File", "--deleting", "--moving", "--", "true"],
            ["--write", "a/File", "--to", "a/Other", "--", "true"],
            ["--write", "a/File", "--snapshot", "--", "true"], ["--read", "elsewhere", "--", "true"],
            ["--read", "a/File", "--write", "../File", "--", "true"],
        ]
        for arguments in refused {
            let result = try machine.run(["coordinate"] + arguments)
            #expect(result.code == 64 && !result.error.isEmpty, "\(arguments) \(result.error)")
        }
    }

    @Test func aWholePathIsThatItem() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let place = "\(machine.root)/a/Letter.txt"
        for drive in [[], ["-C", "a"]] {
            let told = try machine.run(
                drive + ["coordinate", "--write", place, "--", "sh", "-c", "echo \"$DOCDRIVE_ITEM\""])
            #expect(told.output == place + "\n", "\(told.error)")
        }
        let outside = try machine.run("coordinate", "--read", place, "--write", "\(machine.root)/other", "--", "true")
        #expect(outside.code == 64 && outside.error.contains("the path is not in the drive"), "\(outside.error)")
    }
}
