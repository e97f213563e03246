import Foundation
import Glibc
import TestSupport
import Testing

/// `service` with a systemctl that only writes down how it was called: what systemd does with it is systemd's.
@Suite(.mayBlock)
struct ServiceTests {
    private let machine: Machine

    init() throws {
        machine = try Machine()
        try machine.write("dear\n", to: "My $HOME 100%/Letter.txt")
        #expect(try machine.run("sync", "My $HOME 100%", "--to", "store", "--yes", "--name", "alpha").code == 0)
    }

    private func systemctl(_ script: String) throws {
        mkdir("\(machine.root)/bin", 0o755)
        try ExecutableScript.write(
            "#!/bin/sh\necho \"$@\" >> \(machine.root)/calls\n\(script)\n", to: "\(machine.root)/bin/systemctl")
    }

    private func service(
        _ verb: String, _ options: String..., of drive: String = "My $HOME 100%"
    ) throws -> Machine.Result {
        let command = [Machine.program, "service", verb, drive] + options
        return try machine.run(["PATH=\(machine.root)/bin:/usr/bin:/bin"] + command, program: "/usr/bin/env")
    }

    private var units: [String] {
        let folder = "\(machine.root)/home/.config/systemd/user"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    @Test func theUnitWatchesTheVeryFolder() throws {
        try systemctl("if [ \"$2\" = is-active ]; then echo active; fi")
        #expect(try service("status").code == 1)
        let installed = try service("install")
        #expect(installed.code == 0, "\(installed.error)")
        let unit = try #require(units.first)
        let text = try #require(machine.read("home/.config/systemd/user/\(unit)"))
        #expect(text.contains("watch --wait-for-drive \"\(machine.root)/My $$HOME 100%%\"\n"), "\(text)")
        #expect(text.contains("Description=DocumentDrive: \(machine.root)/My $HOME 100%%\n"))
        #expect(text.contains("Type=notify\n"))
        let calls = try #require(machine.read("calls"))
        for call in ["daemon-reload", "enable \(unit)", "restart \(unit)"] {
            #expect(calls.contains("--user \(call)\n"))
        }
        let status = try service("status")
        #expect(status.code == 0 && status.output == "\(unit) runs\n")
        #expect(try service("remove").output == "\(unit) is gone\n")
        #expect(units.isEmpty)
        #expect(try service("remove").output == "no service for this drive\n")
    }

    /// systemd.service(5), "SuccessExitStatus=": else each stop counted as a failure.
    @Test(arguments: [SIGTERM, SIGINT]) func aStopIsNoFailure(signal: Int32) throws {
        let unit = try service("install", "--dry-run").output
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("SuccessExitStatus=") })
        let watch = try machine.start("watch", "--wait-for-drive", "My $HOME 100%")
        #expect(eventually { watch.error.contains("watching") })
        watch.signal(signal)
        let code = watch.finish().code
        #expect(
            line.dropFirst("SuccessExitStatus=".count).split(separator: " ").contains("\(code)"), "\(code): \(line)")
    }

    /// systemd.service(5), "RestartPreventExitStatus=": a store that is away may come back, and settings are corrected by somebody.
    @Test(arguments: [
        ("ca=/nonexistent/ca.pem", 69, "the file of `ca=` cannot be read (no such file or directory)"),
        ("cafile=/nonexistent/ca.pem", 64, "`cafile` is no option of webdavs://"),
    ])
    func onlyWhatSomebodyMustSetRightKeepsItDown(_ option: String, _ code: Int32, _ text: String) throws {
        let unit = try service("install", "--dry-run").output
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("RestartPreventExitStatus=") })
        let final = line.dropFirst("RestartPreventExitStatus=".count).split(separator: " ")
        let place = "My $HOME 100%/.docdrive/config.toml"
        let lines = try #require(machine.read(place)).split(separator: "\n").map { line in
            line.hasPrefix("store =") ? "store = \"webdavs://ada@127.0.0.1:1/store?\(option)\"" : String(line)
        }
        try machine.write(lines.joined(separator: "\n") + "\n", to: place)
        let watch = try machine.run("watch", "--wait-for-drive", "My $HOME 100%")
        #expect(watch.code == code && watch.error.contains(text), "\(watch)")
        #expect(final.contains("\(code)") == (code == 64), "\(line)")
    }

    /// It has the same id, and both may be watched. A person may have changed what the first one runs.
    @Test(arguments: ["", "s/^ExecStart=.*/& --exec \"true\"/", "s/^ExecStart=.*/ExecStart=my-watch/"])
    func aCopyHasAServiceOfItsOwn(change: String) throws {
        try systemctl("if [ \"$2\" = is-active ]; then echo active; fi")
        #expect(try service("install").code == 0)
        let first = try #require(units.first)
        let file = "home/.config/systemd/user/\(first)"
        #expect(try machine.run(["-i", change, file], program: "/bin/sed").code == 0)
        let written = try #require(machine.read(file))
        #expect(try machine.run(["-a", "My $HOME 100%", "copy"], program: "/bin/cp").code == 0)
        #expect(try service("status", of: "copy").output.hasPrefix("no service for this drive"))
        #expect(try service("remove", of: "copy").output == "no service for this drive\n")
        #expect(try service("install", of: "copy").code == 0)
        #expect(units.count == 2)
        let second = try #require(units.first { $0 != first })
        let text = try #require(machine.read("home/.config/systemd/user/\(second)"))
        #expect(text.contains("watch --wait-for-drive \"\(machine.root)/copy\"\n"), "\(text)")
        #expect(machine.read(file) == written)
        #expect(try service("status").output == "\(first) runs\n")
        #expect(try service("status", of: "copy").output == "\(second) runs\n")
        #expect(try service("install", of: "copy").code == 0)
        #expect(units.count == 2)
        #expect(try service("remove", of: "copy").output == "\(second) is gone\n")
        #expect(units == [first])
    }

    @Test(arguments: ["moved", "'\"\\ \u{E9}\n%%n$x"]) func aDriveThatWasMovedTakesItsServiceAlong(place: String) throws
    {
        try systemctl("if [ \"$2\" = is-active ]; then echo active; fi")
        #expect(try service("install").code == 0)
        let unit = try #require(units.first)
        try machine.move("My $HOME 100%", to: place)
        let status = try service("status", of: place)
        #expect(
            status.code == 1 && status.output.contains("\(unit) watches \(machine.root)/My $HOME 100%, where"),
            "\(status)")
        #expect(try machine.run("doctor", place).output.contains("\(unit) watches"))
        #expect(try service("install", of: place).output.contains("in place of \(machine.root)/My $HOME 100%"))
        #expect(units == [unit])
        #expect(try service("status", of: place).output == "\(unit) runs\n")
        try machine.move(place, to: "once more")
        let gone = try service("remove", of: "once more").output
        #expect(gone.hasPrefix("\(unit) is gone; it was for \(machine.root)/"), "\(gone)")
        #expect(units.isEmpty)
    }

    @Test func withoutSystemdNothingIsLeftBehind() throws {
        try systemctl("echo 'Failed to connect to bus' >&2; exit 1")
        let result = try service("install")
        #expect(result.code == 78)
        #expect(result.error.contains("Failed to connect to bus"), "\(result.error)")
        #expect(units.isEmpty)
    }

    @Test func aDryRunPrintsTheUnitAndCallsNothing() throws {
        try systemctl("exit 1")
        let result = try service("install", "--dry-run")
        #expect(result.code == 0 && result.output.contains("[Service]"))
        #expect(units.isEmpty && machine.read("calls") == nil)
    }

    /// As the unit has it: its drive may lie on a disk that is mounted later, and taken away.
    @Test func aDriveThatIsNotThereIsWaitedFor() throws {
        let drive = "My $HOME 100%"
        try machine.move(drive, to: "away")
        #expect(try machine.run("watch", drive).code == 64)
        mkdir("\(machine.root)/\(drive)", 0o755)
        #expect(try machine.run("watch", drive).code == 64)
        let watch = try machine.start("watch", "--wait-for-drive", drive)
        defer { watch.end() }
        func isWatched() throws -> Bool { try machine.run("-C", drive, "status").output.contains("; watches 1 folder") }
        func waits(_ count: Int) -> Bool {
            eventually {
                watch.error.components(separatedBy: "waiting for its disk to be mounted\n").count == count + 1
            }
        }
        #expect(waits(1), "\(watch.error)")
        rmdir("\(machine.root)/\(drive)")
        try machine.move("away", to: drive)
        #expect(try eventually { try isWatched() }, "\(watch.error)")
        try machine.move(drive, to: "away")
        mkdir("\(machine.root)/\(drive)", 0o755)
        #expect(waits(2), "\(watch.error)")
        rmdir("\(machine.root)/\(drive)")
        try machine.move("away", to: drive)
        #expect(try eventually { try isWatched() }, "\(watch.error)")
        try machine.write("new", to: "\(drive)/New")
        #expect(try machine.run("sync", drive).code == 0)
        watch.signal(SIGTERM)
        #expect(watch.finish().code == 143)
    }

    /// Whether it comes at once, or after the first was missed: it is for a person to look at.
    @Test(arguments: [false, true]) func anotherDriveInItsPlaceEndsTheWatch(_ isMissed: Bool) throws {
        let drive = "My $HOME 100%"
        try machine.write("other", to: "other/File")
        #expect(try machine.run("init", "other", "--yes").code == 0)
        let watch = try machine.start("watch", "--wait-for-drive", drive)
        defer { watch.end() }
        #expect(eventually { watch.error.contains("watching") }, "\(watch.error)")
        try machine.move(drive, to: "away")
        if isMissed { #expect(eventually { watch.error.contains("waiting for its disk to be mounted\n") }) }
        try machine.move("other", to: drive)
        let end = watch.finish()
        #expect(end.code == 78 && end.error.contains("another drive lies where the one was"), "\(end)")
    }

    /// Nobody writes anything, and no event tells of a disk that goes while somebody uses it. What is waited for is let go of, so
    /// that the disk can be.
    @Test(.enabled(if: FullDiskTests.mayMount, "a tmpfs cannot be mounted here"))
    func aDiskThatIsUnmountedIsMissedAtOnceAndLetGo() throws {
        let stick = "\(machine.root)/stick"
        mkdir(stick, 0o700)
        try #require(mount("none", stick, "tmpfs", 0, "size=64m") == 0)
        defer { umount2(stick, Int32(MNT_DETACH)) }
        #expect(try machine.run("sync", "stick/docs", "--to", "store", "--yes", "--name", "beta").code == 0)
        let watch = try machine.start("watch", "--wait-for-drive", "stick/docs")
        defer { watch.end() }
        #expect(eventually { watch.error.contains("watching") })
        #expect(
            eventually {
                (try? machine.run("-C", "stick/docs", "status").output.contains("; watches 1 folder")) ?? false
            })
        umount2(stick, Int32(MNT_DETACH))
        // Else the next look is 6 hours away; the store is asked after 30 s.
        #expect(eventually(20) { watch.error.contains("waiting for its disk") }, "\(watch.error)")
        func opened() -> [String] {
            let all = "/proc/\(watch.process.id)/fd"
            return ((try? FileManager.default.contentsOfDirectory(atPath: all)) ?? [])
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(all)/\($0)") }
                .filter { $0.contains("/docs") }
        }
        #expect(eventually(20) { opened().isEmpty }, "\(opened())")
    }

    @Test func aDriveIsWaitedForOnlyInAFolderThatIsNamed() throws {
        #expect(try machine.run("watch", "--wait-for-drive").code == 64)
        #expect(try machine.run("watch", "--wait-for-drive", "b", "--to", "store").code == 64)
    }

    /// sd_notify(3): a datagram to the socket that the manager names.
    @Test func theManagerIsToldWhenTheFolderIsWatched() throws {
        let path = "\(machine.root)/run/notify"
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        let watch = try machine.start(
            ["NOTIFY_SOCKET=\(path)", Machine.program, "watch", "My $HOME 100%"], program: "/usr/bin/env")
        defer { watch.end() }
        var buffer = [UInt8](repeating: 0, count: 256)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let count = recv(socket, &buffer, buffer.count, 0)
        #expect(count > 0 && String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsKnowTheCommands(_ shell: String) throws {
        let result = try machine.run("completions", shell)
        #expect(result.code == 0)
        for word in ["conflicts", "store", "older-than"] { #expect(result.output.contains(word)) }
        #expect(try machine.run("completions", "tcsh").code == 64)
        for word in ["scrub-days", "bwlimit"] { #expect(result.output.contains(word)) }
        // Names of files are completed where a command takes them.
        let files = ["bash": "add_completions -f", "zsh": "_files", "fish": "F\n"][shell] ?? "-F"
        #expect(result.output.components(separatedBy: files).count > 20, "\(shell)")
    }
}
