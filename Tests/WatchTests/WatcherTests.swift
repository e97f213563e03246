import DriveCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DriveFiles

@Suite(.serialized) struct WatcherTests {
    @Test func aBarrierNeverMissesAWriteMadeBefore() async throws {
        let writer = try FileWriter()
        try await WatchFixture.run { fixture in
            for index in 0..<1000 {
                let folder = "\(fixture.root)/d\(index % 7)"
                if index % 7 == 0 { DiskWork.removeTree(folder) }
                DiskWork.folder(folder)
                try writer.write(String(repeating: "x", count: index), to: "\(folder)/f\(index)")
                try #require(await fixture.watcher.barrier())
                try #require(fixture.model.missing().isEmpty, "after \(index) writes")
            }
            #expect(fixture.model.now.rescans.isEmpty)
        }
    }

    @Test func barriersMayOverlap() async throws {
        try await WatchFixture.run { fixture in
            let answers = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<50 { group.addTask { await fixture.watcher.barrier() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: true, count: 50))
        }
    }

    @Test func aBarrierGivesUpWhenTheProcessDoesNotAnswer() async throws {
        try await WatchFixture.run { fixture in
            let pid = try #require(fixture.watcher.processID)
            kill(pid, SIGSTOP)
            #expect(await fixture.watcher.barrier(timeout: .milliseconds(50)) == false)
            kill(pid, SIGCONT)
            #expect(await fixture.watcher.barrier())
        }
    }

    @Test func whatWasThereIsNotToldAndCounts() async throws {
        try await WatchFixture.run { root in
            DiskWork.folders(root, ["a", "b"])
            DiskWork.file("\(root)/a/b/old")
        } _: { fixture in
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched.isEmpty)
            #expect(fixture.model.now.coverage == (3, 0))
            #expect(fixture.watcher.coverage == WatchCoverage(watched: 3, unwatched: 0))
        }
    }

    @Test func savesAreClosedAndDeletesAreTold() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            DiskWork.file("\(root)/save")
            DiskWork.file("\(root)/gone")
            unlink("\(root)/gone")
            DiskWork.file("\(root)/temporary")
            DiskWork.move("\(root)/temporary", "\(root)/renamed")
            #expect(await fixture.watcher.barrier())
            let now = fixture.model.now
            #expect(now.closed.isSuperset(of: ["save", "renamed"]))
            #expect(now.touched == ["save", "gone", "temporary", "renamed"])
        }
    }

    /// A program may have its file open for days.
    @Test func whatIsNeverClosedIsToldAfterAWhile() async throws {
        try await WatchFixture.run(openTime: 1) { root in
            DiskWork.file("\(root)/database")
            DiskWork.file("\(root)/other")
        } _: { fixture in
            let file = open("\(fixture.root)/database", O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(file) }
            for _ in 0..<2 {
                #expect(write(file, "x", 1) == 1)
                await fixture.model.wait { $0.touched.contains("database") }
                #expect(fixture.model.now.touched == ["database"] && fixture.model.now.closed.isEmpty)
                fixture.model.forget()
            }
        }
    }

    /// Who writes all the time is heard of all the same, now and then, and so is everything else in the folder.
    @Test func aWriterThatNeverRestsDrownsNothing() async throws {
        try await WatchFixture.run(openTime: 1) { root in
            DiskWork.file("\(root)/log")
        } _: { fixture in
            let file = open("\(fixture.root)/log", O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(file) }
            // Two files in turn, for the kernel makes one event of equal ones that follow on each other.
            let second = open("\(fixture.root)/second", O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o644)
            defer { close(second) }
            for _ in 0..<5_000 {
                #expect(write(file, "x", 1) == 1 && write(second, "x", 1) == 1)
            }
            DiskWork.file("\(fixture.root)/save")
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.closed == ["save"])
            await fixture.model.wait { $0.touched.isSuperset(of: ["log", "second"]) }
            #expect(fixture.model.now.rescans.isEmpty)
        }
    }

    /// It may be on a stick, which somebody wants to take out.
    @Test func aStoreIsNotKeptOpen() async throws {
        try await WatchFixture.run(arrivalsBut: []) { _ in
        } _: { fixture in
            #expect(await fixture.watcher.barrier())
            let files = "/proc/\(try #require(fixture.watcher.processID))/fd"
            let open = try FileManager.default.contentsOfDirectory(atPath: files)
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(files)/\($0)") }
            #expect(open.contains { $0.contains("inotify") } && !open.contains(fixture.root), "\(open)")
            DiskWork.file("\(fixture.root)/new")
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched == ["new"])
        }
    }

    @Test func onlyArrivalsAreToldWhereNothingElseIsAskedFor() async throws {
        try await WatchFixture.run(arrivalsBut: [[0x2E], Array("own.".utf8)]) { root in
            DiskWork.file("\(root)/old")
            DiskWork.file("\(root)/older")
        } _: { fixture in
            let root = fixture.root
            DiskWork.file("\(root)/.draft")
            DiskWork.move("\(root)/.draft", "\(root)/renamed")
            DiskWork.file("\(root)/written")
            DiskWork.file("\(root)/.other")
            link("\(root)/.other", "\(root)/linked")
            DiskWork.file("\(root)/own.file")
            unlink("\(root)/old")
            DiskWork.move("\(root)/older", "\(fixture.outside)/older")
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched == ["renamed", "written", "linked"])
        }
    }

    @Test func namesNeedNotBeText() async throws {
        try await WatchFixture.run { fixture in
            let name = FileName(bytes: [0xFF, 0xFE, 0x20])
            let path = Array(fixture.root.utf8) + [0x2F] + name.bytes
            mkdir(path.map(CChar.init(bitPattern:)) + [0], 0o755)
            let inner = path + [0x2F] + name.bytes + [0]
            close(open(inner.map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched == [DrivePath([name]), DrivePath([name, name])])
        }
    }

    @Test func leftOutFoldersAndLinksAreNotFollowed() async throws {
        try await WatchFixture.run { fixture in
            let (root, outside) = (fixture.root, fixture.outside)
            symlink(outside, "\(root)/link")
            DiskWork.folder("\(root)/.docdrive/staging")
            DiskWork.file("\(root)/.docdrive/staging/mine")
            #expect(await fixture.watcher.barrier())
            DiskWork.file("\(outside)/theirs")
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched == ["link"])
        }
    }

    @Test func aRenamedFolderIsWatchedUnderItsNewName() async throws {
        try await WatchFixture.run { root in
            DiskWork.folders(root, ["old", "sub"])
        } _: { fixture in
            let root = fixture.root
            DiskWork.move("\(root)/old", "\(root)/new")
            DiskWork.file("\(root)/new/sub/file")
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched == ["old", "new", "new/sub/file"])
        }
    }

    @Test func aWriteJustBeforeARenameIsToldUnderTheNewName() async throws {
        try await WatchFixture.run { root in
            DiskWork.folders(root, ["old", "sub"])
        } _: { fixture in
            let root = fixture.root
            DiskWork.file("\(root)/old/sub/file")
            #expect(await fixture.watcher.barrier())
            DiskWork.move("\(root)/old", "\(root)/new")
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched.contains("new/sub/file"))
        }
    }

    @Test func aKilledProcessIsReplacedAndEverythingLookedAt() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            let pid = try #require(fixture.watcher.processID)
            kill(pid, SIGKILL)
            DiskWork.folders(root, ["while", "dead"])
            DiskWork.file("\(root)/while/dead/file")
            await fixture.model.wait { $0.readyCount >= 2 && !$0.rescans.isEmpty }
            #expect(fixture.watcher.processID != pid)
            await fixture.expectNothingMissed { DiskWork.file("\(root)/while/dead/after") }
        }
    }

    @Test func aProcessFullOfGarbageIsExchanged() async throws {
        try await WatchFixture.run(leakLimit: 50) { fixture in
            let root = fixture.root
            let pid = fixture.watcher.processID
            await DiskWork.onThread {
                for _ in 0..<200 {
                    mkdir("\(root)/d", 0o755)
                    rmdir("\(root)/d")
                    // Seen for sure: a folder that comes and goes unseen leaves no garbage.
                    DiskWork.folders(root, ["keep", "k\(Int.random(in: 0..<1_000_000))"])
                }
                DiskWork.removeTree("\(root)/keep")
            }
            await fixture.model.wait { $0.readyCount >= 2 && !$0.rescans.isEmpty }
            #expect(fixture.watcher.processID != pid)
            DiskWork.file("\(root)/after")
            // It may be exchanged more than once, and no barrier passes meanwhile.
            while await !fixture.watcher.barrier() { await Task.yield() }
            #expect(fixture.model.missing().isEmpty)
            #expect(fixture.model.ghosts().isEmpty)
        }
    }

    @Test func stoppingEndsTheProcessAndTheStream() async throws {
        try await WatchFixture.run { fixture in
            let pid = try #require(fixture.watcher.processID)
            await fixture.watcher.stop()
            #expect(kill(pid, 0) == -1 && errno == ESRCH)
            await fixture.model.wait(until: \.isEnded)
            #expect(await fixture.watcher.barrier() == false)
        }
    }

    @Test func theProcessEndsWithItsParentEvenIfTheChannelStaysOpen() async throws {
        let program = try WatchFixture.program()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parent-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { DiskWork.removeTree(folder) }
        let (channel, output) = (Pipe(), Pipe())
        let shell = try ChildProcess(
            "/bin/sh", ["-c", #"exec 3<&0; "$0" "$1" "$1" <&3 & wait"#, program, folder],
            input: channel.fileHandleForReading.fileDescriptor,
            output: .descriptor(output.fileHandleForWriting.fileDescriptor))
        await DiskWork.onThread {
            var text = ""
            while !text.contains("docdrive-watch") {
                text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            }
        }
        let pid = try #require(try child(of: shell.id))
        #expect(isRunning(pid))
        shell.send(SIGKILL)
        #expect(await shell.end() == 128 + SIGKILL)
        while isRunning(pid) { await Task.yield() }
        try channel.fileHandleForWriting.close()
    }

    private func child(of pid: Int32) throws -> Int32? {
        let children = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        return children.split(separator: " ").first.flatMap { Int32($0) }
    }

    /// Not gone and not a zombie that nobody has collected yet.
    private func isRunning(_ pid: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return false }
        return !status.contains(") Z ")
    }

    @Test func cookiesAreCleanedUp() async throws {
        try await WatchFixture.run { root in
            DiskWork.file("\(root)/.docdrive/cookies/barrier-2a")
        } _: { fixture in
            #expect(await fixture.watcher.barrier())
            let left = try FileManager.default.contentsOfDirectory(atPath: fixture.root + "/.docdrive/cookies")
            #expect(left.isEmpty)
        }
    }
}
