import DocumentDrive
import FileCoordination
import Foundation
import Glibc
import TestSupport
import Testing

/// A process that works on a drive and cannot be asked keeps nobody waiting, and all say the same of it.
@Suite(.serialized, .mayBlock)
struct SilentWatchTests {
    private func stopped(_ running: Running) -> Bool {
        running.signal(SIGSTOP)
        return eventually {
            let text = try? String(contentsOfFile: "/proc/\(running.process.id)/stat", encoding: .utf8)
            return text?.components(separatedBy: ") ").last?.hasPrefix("T") == true
        }
    }

    private func stoppedWatch() throws -> (Machine, Running) {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        #expect(stopped(watch))
        return (machine, watch)
    }

    /// As behind a pager, or with Ctrl-S in a terminal.
    @Test func whoDoesNotReadKeepsNobodyWaiting() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let pipe = "\(machine.root)/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let unread = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(unread) }
        let watch = try machine.start(["-c", "exec '\(Machine.program)' watch a > pipe"], program: "/bin/sh")
        #expect(try eventually { try machine.isWatched("a") }, "\(watch.error)")
        let name = String(repeating: "long name ", count: 15)
        for number in 0..<1_200 { try machine.write("\(number)", to: "a/\(name)\(number)") }
        let wait = try machine.run("-C", "a", "wait", "--timeout", "10m")
        #expect(wait.code == 0, "\(wait.error)")
        // More than a pipe and its writer hold.
        #expect(1_200 * name.utf8.count > 160_000)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/\(name)1199") == "1199")
        watch.signal(SIGTERM)
        #expect(watch.finish().code == 143)
    }

    /// Which is asked to sync by whoever says so: what lies in the folder then can be brought back later.
    @Test func askedWhileTheStoreIsAwayItRecordsWhatIsThere() throws {
        let machine = try Machine()
        try machine.twoDrives(["thesis": "one"])
        let watch = try machine.watch("a")
        defer { watch.end() }
        try machine.move("store", to: "away")
        for text in ["two", "three"] {
            try machine.write(text, to: "a/thesis")
            #expect(try machine.run("-C", "a", "sync").code == 69)
        }
        try machine.move("away", to: "store")
        #expect(try machine.run("-C", "a", "wait", "--timeout", "10m").code == 0)
        let versions = try machine.run("-C", "a", "versions", "thesis")
        #expect(versions.output.split(separator: "\n").count { $0.contains("3 bytes") } == 2, "\(versions.output)")
    }

    /// As cron starts them: with next to no variables.
    @Test(arguments: [["XDG_RUNTIME_DIR"], ["XDG_RUNTIME_DIR", "HOME"]])
    func commandsFindAWatchThatHasOtherVariables(_ missing: [String]) throws {
        // The path of a socket has 107 bytes at most, and the machine's own folder is longer.
        let runtime = "/tmp/docdrive-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: runtime) }
        let machine = try Machine(variables: ["XDG_RUNTIME_DIR": runtime])
        try machine.twoDrives()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(runtime)/docdrive").isEmpty)
        func run(_ arguments: String...) throws -> Machine.Result {
            let fewer = missing.flatMap { ["-u", $0] }
            return try machine.run(fewer + [Machine.program] + arguments, program: "/usr/bin/env")
        }
        let sync = try run("sync", "a")
        try #require(sync.code == 0, "\(sync)")
        #expect(try run("status", "a").output.contains("process \(watch.process.id): "))
        #expect(try run("-C", "a", "wait", "--timeout", "10m").code == 0)
        #expect(try run("-C", "a", "pause").code == 0)
        #expect(try run("doctor", "a").output.contains("process \(watch.process.id) watches 1 folder"))
        // Nor does anything take the claims of those who ask the watch.
        let coordinated = try run("-C", "a", "coordinate", "--write", "Letter.txt", "--", "true")
        #expect(coordinated.code == 0, "\(coordinated)")
    }

    @Test func whatReadsSaysThatTheWatchIsStopped() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        defer {
            watch.signal(SIGCONT)
            watch.end()
        }
        #expect(try machine.run("sync", "a").code == 0)
        #expect(stopped(watch))
        let number = watch.process.id
        let sentence = "process \(number) works on the drive and is stopped; `kill -CONT \(number)` lets it go on"
        // More than can wait at its socket.
        for _ in 0..<20 { #expect(try machine.run("-C", "a", "ls").code == 0) }
        let status = try machine.run("-C", "a", "status")
        #expect(status.code == 0 && status.output.contains("Running  \(sentence); last pass"), "\(status.output)")
        let json = try machine.run("-C", "a", "status", "--json").output
        #expect(json.contains("\"isStopped\" : true") && json.contains("\"process\" : \(number)"), "\(json)")
        let why = try machine.run("why", "a/Letter.txt")
        #expect(why.code == 0 && why.output.hasPrefix("S Letter.txt"), "\(why.output)")
        #expect(why.error == "docdrive: \(sentence)\n")
        let find = try machine.run("-C", "a", "find", "Letter")
        #expect(find.code == 0 && find.error.contains(sentence), "\(find.error)")
        let doctor = try machine.run("-C", "a", "doctor").output
        #expect(doctor.contains(sentence), "\(doctor)")
        let second = try machine.run("watch", "a")
        #expect(second.code == 75 && second.error.contains("`kill -CONT \(number)` lets it go on"), "\(second.error)")
    }

    @Test func whatIsNotAskedForDoesNotHappenLater() throws {
        let (machine, watch) = try stoppedWatch()
        defer {
            watch.signal(SIGCONT)
            watch.end()
        }
        for words in [["pause"], ["sync"], ["find", "--barrier", "x"]] {
            let result = try machine.run(["-C", "a"] + words)
            #expect(result.code == 75, "\(words) \(result.output)")
            #expect(result.error.contains("`kill -CONT "), "\(result.error)")
            #expect(result.error.contains("nothing was asked of it"), "\(result.error)")
        }
        let wait = try machine.run("-C", "a", "wait", "--timeout", "1s")
        #expect(wait.code == 3 && wait.error.contains("is stopped; `kill -CONT "), "\(wait.error)")
        watch.signal(SIGCONT)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try !machine.run("-C", "a", "status").output.contains("Paused"))
    }

    /// Whoever says who has what must answer before anything is done.
    @Test func whatIsCoordinatedIsRefusedAtOnce() throws {
        let (machine, watch) = try stoppedWatch()
        defer {
            watch.signal(SIGCONT)
            watch.end()
        }
        for words in [
            ["tag", "a/Letter.txt", "--add", "x"], ["coordinate", "--read", "a/Letter.txt", "--", "touch", "ran"],
            ["coordinate", "--read", "a/Letter.txt", "--timeout", "60s", "--", "touch", "ran"],
        ] {
            let result = try machine.run(words)
            #expect(result.code == 75 && result.error.contains("`kill -CONT "), "\(words) \(result)")
        }
        #expect(machine.read("ran") == nil)
        watch.signal(SIGCONT)
        #expect(try machine.run("tag", "a/Letter.txt").output.isEmpty)
        #expect(try machine.run("coordinate", "--read", "a/Letter.txt", "--", "touch", "ran").code == 0)
        #expect(machine.read("ran") != nil)
    }

    @Test func whoseTimeIsUpIsToldThatWhatWasAskedForMayHappen() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        defer { watch.signal(SIGKILL) }
        #expect(try machine.run("sync", "a").code == 0)
        // It takes long to read, and no room.
        try machine.write("", to: "a/Large")
        #expect(truncate("\(machine.root)/a/Large", 64 << 30) == 0)
        #expect(
            try eventually { try machine.run("-C", "a", "status").output.contains("process \(watch.process.id): scan") }
        )
        let pause = try machine.run("-C", "a", "pause", "--timeout", "1s")
        #expect(pause.code == 3, "\(pause.error)")
        let sentence =
            "the time is up; process \(watch.process.id) that watches the drive was asked, and may still do it"
        #expect(pause.error == "docdrive: \(sentence)\n")
    }

    @Test func aSocketThatIsTakenAwayIsMadeAnew() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        defer { watch.end() }
        try machine.remove("run/docdrive")
        // Whoever comes before the next pass is told of the process, whatever he asks for.
        try machine.write("new", to: "a/New")
        #expect(try eventually { try machine.run("-C", "a", "status").output.contains("; watches ") })
        #expect(try machine.run("sync", "a").code == 0)
    }

    /// As a watch whose socket is gone has it, and a command.
    @Test func whoHoldsTheDriveAndHasNoSocketIsNamedByAll() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let lock = open("\(machine.root)/a/.docdrive/lock", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let sentence = "process \(getpid()) works on the drive and cannot be asked; wait until it is done, or stop it"
        let status = try machine.run("-C", "a", "status")
        #expect(status.output.contains("Running  \(sentence); last pass"), "\(status.output)")
        #expect(try machine.run("why", "a/Letter.txt").error == "docdrive: \(sentence)\n")
        #expect(try machine.run("-C", "a", "find", "Letter").error.contains(sentence))
        let wait = try machine.run("-C", "a", "wait", "--timeout", "1s")
        #expect(wait.code == 3 && wait.error.contains(sentence), "\(wait.error)")
        let pause = try machine.run("-C", "a", "pause")
        #expect(pause.code == 75 && pause.error.contains("is working on this drive"), "\(pause.error)")
    }

    @Test func aWatchWaitsForTheCommandThatHasTheDrive() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let lock = open("\(machine.root)/a/.docdrive/lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let watch = try machine.start("watch", "a")
        defer { watch.end() }
        let place = "\(machine.root)/a"
        let waiting = "docdrive: process \(getpid()) works on the drive: \(place): waiting until it is done\n"
        #expect(eventually { watch.error == waiting }, "\(watch.error)")
        #expect(try machine.run("-C", "a", "sync").code == 75)
        close(lock)
        #expect(try eventually { try machine.isWatched("a") })
        #expect(watch.error == "\(waiting)docdrive: watching \(place)\n", "\(watch.error)")
        // Who watches it keeps it.
        let second = try machine.run("watch", "a")
        #expect(second.code == 75 && !second.error.contains("waiting"), "\(second.error)")
    }

    @Test func whoHangsIsNamedAfterAWhile() async throws {
        let machine = try Machine()
        try machine.twoDrives()
        let folder = FolderPath("\(machine.root)/a")
        let place = SocketPlace(
            replica: try #require(try Drive.replica(of: folder)), folder: folder.bytes,
            environment: ["XDG_RUNTIME_DIR": "\(machine.root)/run"])
        let server = try SocketServer(place) { _, _ in try? await Task.sleep(for: .seconds(86_400)) }
        let run = Task { await server.run() }
        defer { run.cancel() }
        let status = try machine.run("-C", "a", "status")
        let sentence =
            "process \(getpid()) watches the drive and does not answer; wait, or end it with `kill \(getpid())`"
        #expect(status.code == 0 && status.output.contains("Running  \(sentence); last pass"), "\(status.output)")
        // Nothing was asked of it, so nothing is said to be done later.
        let pause = try machine.run("-C", "a", "pause", "--timeout", "1s")
        #expect(pause.code == 3 && pause.error == "docdrive: the time is up; everything is consistent\n")
    }
}
