import Dispatch
import Foundation
import DriveTypes

/// Imports files in processes of its own, so that no file can harm, stop or fill the process that asks.
///
/// Each file has one worker for itself while it is read. A worker that hangs, dies or breaks the protocol is ended and
/// replaced, and its file is the failure.
public actor ImportPool {
    public struct Configuration: Sendable {
        /// The path of `docdrive-import`; nil to look for it.
        public var program: String?
        public var workers = min(4, max(1, ProcessInfo.processInfo.activeProcessorCount))
        /// Wall clock of one file.
        public var seconds = 20.0
        /// A worker that has nothing to do for so long is ended.
        public var idleSeconds = 30.0
        /// Address space of one worker.
        public var memoryBytes: UInt64 = 512 << 20
        public var limits = ImportLimits()
        public var tools = ImportTools.installed()

        public init() {}
    }

    /// For reports and tests.
    public struct Statistics: Sendable {
        public var started = 0
        /// Ended because of a file.
        public var lost = 0
        public var files = 0
        /// The most memory that any ended worker had resident.
        public var peakBytes: UInt64 = 0
    }

    private let configuration: Configuration
    private var free: Int
    private var waiting: [CheckedContinuation<Bool, Never>] = []
    private var idle: [(worker: WorkerProcess, since: ContinuousClock.Instant)] = []
    private var busy: [pid_t: WorkerProcess] = [:]
    private var sweeper: Task<Void, Never>?
    private var enders: [CheckedContinuation<Void, Never>] = []
    private var isEnded = false
    private var number: UInt32 = 0
    public private(set) var statistics = Statistics()

    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        free = max(1, configuration.workers)
    }

    deinit {
        sweeper?.cancel()
        for (worker, _) in idle { _ = worker.end(graceMilliseconds: 0) }
    }

    /// Reads one file. Without a type the file's name and first bytes tell it.
    public func importing(path: [UInt8], contentType: ContentType? = nil) async -> Result<
        ImportedMetadata, ImportFailure
    > {
        guard await takePlace() else { return .failure(Self.ended) }
        defer { leavePlace() }
        guard !isEnded else { return .failure(Self.ended) }
        do throws(ImportFailure) {
            return await read(path, contentType, with: try await worker())
        } catch {
            return .failure(error)
        }
    }

    /// Ends all workers; what is being read fails. Nothing can be imported afterwards.
    public func end() async {
        isEnded = true
        sweeper?.cancel()
        for waiter in waiting { waiter.resume(returning: false) }
        waiting = []
        for worker in busy.values { worker.kill() }
        while let (worker, _) = idle.popLast() { await collect(worker, graceMilliseconds: 1000) }
        while !busy.isEmpty { await withCheckedContinuation { enders.append($0) } }
    }

    /// The processes that live now, and those of them that read a file.
    var workers: (all: [pid_t], reading: [pid_t]) {
        (busy.keys + idle.map(\.worker.pid), Array(busy.keys))
    }

    // Places: as many files are read at a time as there may be workers.

    private func takePlace() async -> Bool {
        if isEnded { return false }
        if free > 0 {
            free -= 1
            return true
        }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func leavePlace() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume(returning: true) }
    }

    // Workers.

    private func worker() async throws(ImportFailure) -> WorkerProcess {
        while let (worker, _) = idle.popLast() {
            if worker.isReady { return worker }
            await collect(worker, graceMilliseconds: 0)
        }
        let program: String
        if let given = configuration.program { program = given } else { program = try ImportProgram.find() }
        let worker = try WorkerProcess(program: program, memoryBytes: configuration.memoryBytes)
        statistics.started += 1
        return worker
    }

    private func read(
        _ path: [UInt8], _ type: ContentType?, with worker: WorkerProcess
    ) async -> Result<ImportedMetadata, ImportFailure> {
        number &+= 1
        statistics.files += 1
        let seconds = configuration.seconds
        let request = ImportRequest(
            number: number, path: path, mime: type?.mime, limits: configuration.limits, tools: configuration.tools,
            lifeSeconds: UInt32(seconds.rounded(.up)) + 5)
        busy[worker.pid] = worker
        let answer = await exchange(request, with: worker, by: Deadline(seconds: seconds))
        switch answer {
        case .success(let reply) where isWithinLimits(reply):
            await keep(worker)
            busy[worker.pid] = nil
            resumeEnders()
            return reply.result
        case .success: return .failure(await lose(worker, to: .broken))
        case .failure(let end): return .failure(await lose(worker, to: end))
        }
    }

    private func isWithinLimits(_ reply: ImportReply) -> Bool {
        guard case .success(let metadata) = reply.result else { return true }
        return metadata.text?.utf8.count ?? 0 <= configuration.limits.textBytes
    }

    private func keep(_ worker: WorkerProcess) async {
        if isEnded {
            await collect(worker, graceMilliseconds: 0)
        } else {
            idle.append((worker, .now))
            sweepLater()
        }
    }

    private func lose(_ worker: WorkerProcess, to reason: Channel.End) async -> ImportFailure {
        // One that ends by itself says by what signal.
        let end = await collect(worker, graceMilliseconds: reason == .late ? 0 : 500)
        busy[worker.pid] = nil
        resumeEnders()
        if isEnded { return Self.ended }
        statistics.lost += 1
        if end.signal == SIGXCPU {
            return ImportFailure(.timedOut, "reading it took longer than a file may take")
        }
        // Who computes for so long has used up the processor time before.
        if reason == .late || end.signal == SIGALRM {
            return ImportFailure(.interrupted, "reading it did not end in the time that a file may take")
        }
        // Nothing honest comes near the limit, of which a part is address space that is never touched.
        if end.peakBytes > configuration.memoryBytes / 2 {
            return ImportFailure(.memory, "reading it needs more memory than a file may use")
        }
        let how = end.signal.map { "ended with signal \($0)" } ?? "gave up"
        return ImportFailure(
            end.signal.map(OutsideEnding.isSignal) ?? false ? .interrupted : .crashed,
            "the importer process \(how) while it read it")
    }

    private func resumeEnders() {
        guard busy.isEmpty else { return }
        for ender in enders { ender.resume() }
        enders = []
    }

    /// For a call that waits: the tasks' own threads have better things to do. Serial, for libdispatch looks after the threads
    /// of concurrent queues every second, also when nothing is to do.
    private static var thread: DispatchQueue { DispatchQueue(label: "import") }

    private func exchange(
        _ request: ImportRequest, with worker: WorkerProcess, by deadline: Deadline
    ) async -> Result<ImportReply, Channel.End> {
        await withCheckedContinuation { continuation in
            Self.thread.async {
                do throws(Channel.End) {
                    continuation.resume(returning: .success(try worker.exchange(request, by: deadline)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    @discardableResult
    private func collect(_ worker: WorkerProcess, graceMilliseconds: Int32) async -> WorkerProcess.End {
        let end = await withCheckedContinuation { continuation in
            Self.thread.async { continuation.resume(returning: worker.end(graceMilliseconds: graceMilliseconds)) }
        }
        statistics.peakBytes = max(statistics.peakBytes, end.peakBytes)
        return end
    }

    // Idleness.

    private func sweepLater() {
        guard sweeper == nil else { return }
        sweeper = Task { [weak self, seconds = configuration.idleSeconds] in
            repeat { try? await Task.sleep(for: .seconds(seconds)) } while await self?.sweep() ?? false
        }
    }

    /// Ends those that are idle for long; whether there are others.
    private func sweep() async -> Bool {
        let limit = ContinuousClock.now - .seconds(configuration.idleSeconds)
        let old = idle.filter { $0.since <= limit }
        idle.removeAll { $0.since <= limit }
        for (worker, _) in old { await collect(worker, graceMilliseconds: 1000) }
        if idle.isEmpty || isEnded {
            sweeper = nil
            return false
        }
        return true
    }

    private static let ended = ImportFailure(.unavailable, "importing has ended")
}
