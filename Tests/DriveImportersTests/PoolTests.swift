import CLinux
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DriveImporters
@testable import DriveImporting
@testable import DriveTypes

/// The program that the build put beside the tests.
private let program: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    // The tests are loaded by a program of the toolchain; the build's folder is that of their own file.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? own
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(ImportProgram.name).path
}()

@Suite struct PoolTests {
    private func configuration(workers: Int = 2) -> ImportPool.Configuration {
        var configuration = ImportPool.Configuration()
        configuration.program = program
        configuration.workers = workers
        // A machine that is busy with other tests may be slow.
        configuration.seconds = 86_400
        configuration.limits.programSeconds = 86_400
        return configuration
    }

    private func isGone(_ pid: pid_t) -> Bool { kill(pid, 0) != 0 && errno == ESRCH }

    @Test func filesOfAllKindsAreRead() async throws {
        let folder = try Folder()
        try folder.write("a b\"\n.txt", Array("plain words".utf8))
        try folder.write("b.docx", Office.word("<w:p><w:t>Office words</w:t></w:p>"))
        try folder.write("c.html", Array("<title>T</title>page".utf8))
        try folder.write("d.mp3", Sounds.mp3())
        try folder.write("e.unknown", [0, 1, 2, 3])
        let pool = ImportPool(configuration())
        #expect(try await pool.importing(path: folder("a b\"\n.txt")).get().text == "plain words")
        #expect(try await pool.importing(path: folder("b.docx")).get().text == "Office words")
        #expect(try await pool.importing(path: folder("c.html")).get().string(.title) == "T")
        #expect(try await pool.importing(path: folder("d.mp3")).get().string(.album) == "Works")
        #expect(try await pool.importing(path: folder("e.unknown")).get().string(.contentType) == "public.data")
        let type = ContentTypes.shared.type(mime: "text/plain")
        #expect(
            try await pool.importing(path: folder("c.html"), contentType: type).get().text == "<title>T</title>page")
        await pool.end()
    }

    @Test func onlyRegularFilesAreOpened() async throws {
        let folder = try Folder()
        try folder.write("real.txt", Array("words".utf8))
        try #require(mkfifo("\(folder.path)/fifo.txt", 0o600) == 0)
        try #require(symlink("real.txt", "\(folder.path)/link.txt") == 0)
        try #require(mkdir("\(folder.path)/folder.txt", 0o700) == 0)
        let pool = ImportPool(configuration())
        for name in ["fifo.txt", "link.txt", "folder.txt", "missing.txt"] {
            let result = await pool.importing(path: folder(name))
            #expect(throws: ImportFailure.self, "\(name)") { try result.get() }
            if case .failure(let failure) = result { #expect(failure.kind == .unreadable, "\(name)") }
        }
        for device in ["/dev/zero", "/dev/null", "/proc/self/mem"] {
            let type = ContentTypes.shared.type(mime: "text/plain")
            if case .success(let found) = await pool.importing(path: Array(device.utf8), contentType: type) {
                #expect(found.text == nil, "\(device)")
            }
        }
        #expect(await pool.statistics.lost == 0)
        await pool.end()
    }

    @Test func aSparseFileOfManyGigabytesCostsItsBeginning() async throws {
        let folder = try Folder()
        try folder.write("a.txt", Array("words".utf8))
        try folder.write("b.txt", Array(String(repeating: "word ", count: 1_000_000).utf8))
        for name in ["a.txt", "b.txt"] { truncate("\(folder.path)/\(name)", 4 << 30) }
        let pool = ImportPool(configuration())
        // Five letters before four gigabytes of zeros are no text.
        if case .failure(let failure) = await pool.importing(path: folder("a.txt")) {
            #expect(failure.kind == .malformed)
        } else {
            Issue.record("zeros are no text")
        }
        let long = try await pool.importing(path: folder("b.txt")).get()
        #expect(long.isTextCut && long.text?.utf8.count ?? 0 <= 4 << 20)
        await pool.end()
        #expect(await pool.statistics.peakBytes < 256 << 20)
    }

    /// A file that is opened for writing looks changed to whoever watches its folder, and would be imported for ever.
    @Test func filesAreOpenedToReadOnly() async throws {
        let folder = try Folder()
        var paths = [try folder.write("a.mp3", Sounds.mp3()), try folder.write("a.jpg", Images.jpeg())]
        paths.append(try folder.write("a.docx", Office.word("<w:t>x</w:t>")))
        paths.append(try folder.write("a.pdf", PDF.document("x", title: "y")))
        // A program that another test starts has our descriptors until its exec(2), and closes them then.
        for path in paths {
            let file = try ImportFile.open(path: path)
            defer { close(file.descriptor) }
            try await until { dd_is_open_for_writing(file.descriptor) == 0 }
        }
        let watcher = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        defer { close(watcher) }
        let written = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MODIFY) | UInt32(IN_ATTRIB)
        let watch = inotify_add_watch(watcher, folder.path, written)
        try #require(watch >= 0)
        let pool = ImportPool(configuration())
        for path in paths {
            _ = await pool.importing(path: path)
            // Here nothing but the importers themselves keeps from writing.
            let file = try ImportFile.open(path: path)
            defer { close(file.descriptor) }
            _ = try? Importers().import(from: file, name: path, type: nil, limits: ImportLimits())
        }
        await pool.end()
        var event = [UInt8](repeating: 0, count: 4096)
        #expect(read(watcher, &event, event.count) < 0)
        #expect(errno == EAGAIN)
    }

    /// A worker that a document's reader holds for ever is ended; all other files are answered.
    @Test func aWorkerThatHangsIsReplaced() async throws {
        let folder = try Folder()
        let hanging = try folder.program("hang", "exec sleep 1000")
        try folder.write("bad.pdf", PDF.document("x", title: "y"))
        for index in 0..<20 { try folder.write("\(index).txt", Array("words \(index)".utf8)) }
        var configuration = configuration()
        configuration.tools = ImportTools(pdfInfo: hanging, pdfToText: hanging)
        configuration.seconds = 6
        let pool = ImportPool(configuration)
        async let bad = pool.importing(path: folder("bad.pdf"))
        for index in 0..<20 {
            #expect(try await pool.importing(path: folder("\(index).txt")).get().text == "words \(index)")
        }
        if case .failure(let failure) = await bad {
            #expect(failure.kind == .interrupted && failure.isWorthRepeating)
        } else {
            Issue.record("the file cannot have been read")
        }
        #expect(await pool.statistics.lost == 1)
        #expect(try await pool.importing(path: folder("0.txt")).get().text == "words 0")
        await pool.end()
    }

    @Test func aWorkerThatIsKilledAtAFileIsReplaced() async throws {
        let folder = try Folder()
        let hanging = try folder.program("hang", "exec sleep 1000")
        try folder.write("bad.pdf", PDF.document("x", title: "y"))
        try folder.write("good.txt", Array("words".utf8))
        var configuration = configuration(workers: 1)
        configuration.tools = ImportTools(pdfInfo: hanging, pdfToText: hanging)
        let pool = ImportPool(configuration)
        async let bad = pool.importing(path: folder("bad.pdf"))
        async let good = pool.importing(path: folder("good.txt"))
        var reading: [pid_t] = []
        var child: pid_t?
        // Until the reader of the document runs, which then dies with the worker.
        while child == nil {
            reading = await pool.workers.reading
            child = reading.first.flatMap(childOf)
            await Task.yield()
        }
        kill(try #require(reading.first), SIGKILL)
        if case .failure(let failure) = await bad {
            #expect(failure.kind == .interrupted && failure.isWorthRepeating)
            #expect(failure.message.contains("signal 9"))
        } else {
            Issue.record("the file cannot have been read")
        }
        #expect(try await good.get().text == "words")
        let orphan = try #require(child)
        while !isGone(orphan), !isZombie(orphan) { await Task.yield() }
        await pool.end()
    }

    /// A crash is one of the file; that somebody ended the reader is none. One that kills itself cannot be told from that.
    @Test(arguments: [(SIGKILL, true), (SIGTERM, true), (SIGHUP, true), (SIGABRT, false), (SIGSEGV, false)])
    func whoEndsAReaderIsNotTheFile(signal: Int32, isOutside: Bool) async throws {
        let folder = try Folder()
        let dying = try folder.program("die", "kill -\(signal) $$; sleep 1000")
        try folder.write("a.pdf", PDF.document("x", title: "y"))
        try folder.write("a.txt", Array("words".utf8))
        var configuration = configuration()
        configuration.tools = ImportTools(pdfInfo: dying, pdfToText: dying)
        let pool = ImportPool(configuration)
        if case .failure(let failure) = await pool.importing(path: folder("a.pdf")) {
            #expect(failure.isWorthRepeating == isOutside, "\(failure.kind)")
        } else {
            Issue.record("the file cannot have been read")
        }
        await pool.end()
        // The worker itself.
        configuration.program = dying
        let dead = ImportPool(configuration)
        if case .failure(let failure) = await dead.importing(path: folder("a.txt")) {
            #expect(failure.kind == (isOutside ? .interrupted : .crashed))
        } else {
            Issue.record("nobody read the file")
        }
        await dead.end()
    }

    private func childOf(_ pid: pid_t) -> pid_t? {
        let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        return text?.split(separator: " ").first.flatMap { pid_t($0) }
    }

    private func isZombie(_ pid: pid_t) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    /// A program that answers nonsense, or nothing, or ends at once.
    @Test(arguments: ["echo nonsense; sleep 1000", "exit 3", "head -c 100000000 /dev/zero; sleep 1000"])
    func aWorkerThatBreaksTheProtocolIsEnded(text: String) async throws {
        let folder = try Folder()
        try folder.write("a.txt", Array("words".utf8))
        var configuration = configuration()
        configuration.program = try folder.program("worker", text)
        let pool = ImportPool(configuration)
        for _ in 0..<3 {
            if case .failure(let failure) = await pool.importing(path: folder("a.txt")) {
                #expect(failure.kind == .crashed)
            } else {
                Issue.record("nobody read the file")
            }
        }
        let workers = await pool.workers.all
        #expect(workers.isEmpty)
        await pool.end()
    }

    /// Their own memory is more than any limit.
    private static let hasSanitizer = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    @Test(.enabled(if: !hasSanitizer, "under a sanitizer the memory of importers is not limited"))
    func aFileThatNeedsTooMuchMemoryHarmsNoOther() async throws {
        let folder = try Folder()
        // Each letter becomes two bytes, three times over.
        try folder.write("large.html", [UInt8](repeating: 0xE9, count: 30 << 20))
        try folder.write("small.txt", Array("words".utf8))
        var configuration = configuration()
        configuration.memoryBytes = 160 << 20
        let pool = ImportPool(configuration)
        if case .failure(let failure) = await pool.importing(path: folder("large.html")) {
            #expect([.memory, .crashed].contains(failure.kind), "\(failure)")
        } else {
            Issue.record("the file cannot have been read")
        }
        #expect(try await pool.importing(path: folder("small.txt")).get().text == "words")
        await pool.end()
    }

    @Test func aProgramThatIsMissingIsNoFaultOfTheFile() async throws {
        var configuration = configuration()
        configuration.program = "/nonexistent/docdrive-import"
        let pool = ImportPool(configuration)
        if case .failure(let failure) = await pool.importing(path: Array("/etc/hostname".utf8)) {
            #expect(failure.kind == .unavailable)
            #expect(failure.isWorthRepeating)
        } else {
            Issue.record("nobody read the file")
        }
        await pool.end()
    }

    @Test func noMoreWorkersRunThanAreAllowedAndAllFilesAreAnswered() async throws {
        let folder = try Folder()
        for index in 0..<60 { try folder.write("\(index).txt", Array("words \(index)".utf8)) }
        let pool = ImportPool(configuration(workers: 3))
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<60 {
                group.addTask {
                    let result = await pool.importing(path: folder("\(index).txt"))
                    return (try? result.get().text) == "words \(index)"
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(await pool.statistics.started <= 3)
        #expect(await pool.statistics.files == 60)
        await pool.end()
    }

    @Test func idleWorkersEndAndOthersComeWhenNeeded() async throws {
        let folder = try Folder()
        try folder.write("a.txt", Array("words".utf8))
        var configuration = configuration()
        configuration.idleSeconds = 0.05
        let pool = ImportPool(configuration)
        _ = await pool.importing(path: folder("a.txt"))
        while await !pool.workers.all.isEmpty { await Task.yield() }
        #expect(try await pool.importing(path: folder("a.txt")).get().text == "words")
        #expect(await pool.statistics.started == 2)
        await pool.end()
    }

    @Test func workersEndWithThePool() async throws {
        let folder = try Folder()
        try folder.write("a.txt", Array("words".utf8))
        var pool: ImportPool? = ImportPool(configuration())
        _ = await pool?.importing(path: folder("a.txt"))
        let left = try #require(await pool?.workers.all.first)
        pool = nil
        while !isGone(left) { await Task.yield() }

        let ended = ImportPool(configuration())
        _ = await ended.importing(path: folder("a.txt"))
        let all = await ended.workers.all
        await ended.end()
        for pid in all { #expect(isGone(pid)) }
        if case .failure(let failure) = await ended.importing(path: folder("a.txt")) {
            #expect(failure.kind == .unavailable)
        } else {
            Issue.record("the pool has ended")
        }
    }

    @Test func whatIsReadWhenThePoolEndsFailsWithoutBlame() async throws {
        let folder = try Folder()
        let hanging = try folder.program("hang", "exec sleep 1000")
        try folder.write("a.pdf", PDF.document("x", title: "y"))
        var configuration = configuration(workers: 1)
        configuration.tools = ImportTools(pdfInfo: hanging, pdfToText: hanging)
        let pool = ImportPool(configuration)
        async let read = pool.importing(path: folder("a.pdf"))
        async let waiting = pool.importing(path: folder("a.pdf"))
        var reading: [pid_t] = []
        while reading.isEmpty {
            reading = await pool.workers.reading
            await Task.yield()
        }
        await pool.end()
        for result in [await read, await waiting] {
            if case .failure(let failure) = result {
                #expect(failure.kind == .unavailable)
            } else {
                Issue.record("the file cannot have been read")
            }
        }
        #expect(isGone(reading[0]))
    }

    /// A program in place of pdfinfo, which inherits the bounds of the worker, is asked for them.
    @Test(.enabled(if: !hasSanitizer, "under a sanitizer the memory of importers is not limited"))
    func workersMayNotWriteAndHaveTheirLimits() async throws {
        let folder = try Folder()
        let asking = try folder.program(
            "ask",
            """
            (echo x > \(folder.path)/written) 2>/dev/null
            bounds=$(grep NoNewPrivs /proc/self/status | tr -dc 0-9)
            echo Title: $(ulimit -v) $(ulimit -c) $(ulimit -f) $(nice) $bounds
            """)
        try folder.write("a.pdf", PDF.document("x", title: "y"))
        var configuration = configuration()
        configuration.tools = ImportTools(pdfInfo: asking, pdfToText: asking)
        let pool = ImportPool(configuration)
        let title = try await pool.importing(path: folder("a.pdf")).get().string(.title)
        #expect(title == "524288 0 0 10 1")
        // Without Landlock the file may be made, but nothing gets into it.
        let written = try? String(contentsOfFile: "\(folder.path)/written", encoding: .utf8)
        #expect(written?.isEmpty ?? true)
        await pool.end()
    }

    @Test func aProgramThatComputesForEverIsEnded() async throws {
        let folder = try Folder()
        let spinning = try folder.program("spin", "while :; do :; done")
        try folder.write("a.pdf", PDF.document("x", title: "y"))
        var configuration = configuration()
        configuration.tools = ImportTools(pdfInfo: spinning, pdfToText: spinning)
        configuration.limits.processorSeconds = 1
        let pool = ImportPool(configuration)
        if case .failure(let failure) = await pool.importing(path: folder("a.pdf")) {
            #expect(failure.kind == .timedOut)
        } else {
            Issue.record("the file cannot have been read")
        }
        // The worker itself is well.
        #expect(await pool.statistics.lost == 0)
        await pool.end()
    }
}
