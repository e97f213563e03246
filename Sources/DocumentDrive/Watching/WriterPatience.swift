import DriveCore
import Synchronization

/// How long a file that a program has open for writing is left alone.
final class WriterPatience: Sendable {
    /// What is to be done with the file.
    enum Use: Hashable { case read, replace }

    private struct Subject: Hashable {
        var path: DrivePath
        var use: Use
    }

    private struct Wait {
        var identity: FileIdentity?
        var first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let waits = Mutex<[Subject: Wait]>([:])
    private let longest: Duration
    private let memory: Duration
    private let hurried = Mutex(0)
    /// When the last pass ended, if it failed.
    private let failure = Mutex<ContinuousClock.Instant?>(nil)

    /// Whoever waits is asked about every other second: for what nobody has asked about in `memory` nobody has waited.
    init(longest: Duration = Drive.writerPatience, memory: Duration = .seconds(10)) {
        (self.longest, self.memory) = (longest, memory)
    }

    /// Somebody has asked for all there is: meanwhile files are taken as they are.
    func hurrying<Result>(_ isHurried: Bool = true, _ body: () async throws -> Result) async rethrows -> Result {
        hurried.withLock { $0 += isHurried ? 1 : 0 }
        defer { hurried.withLock { $0 -= isHurried ? 1 : 0 } }
        return try await body()
    }

    /// What keeps anybody from asking, as a long pass does, or the pause after one that failed, is no time in which nobody asked.
    func passing<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let began = ContinuousClock.now
        goesOn(at: began)
        do {
            let result = try await body()
            passed(from: began, to: .now)
            return result
        } catch {
            let end = ContinuousClock.now
            passed(from: began, to: end)
            failed(at: end)
            throw error
        }
    }

    func failed(at instant: ContinuousClock.Instant) { failure.withLock { $0 = instant } }

    func goesOn(at instant: ContinuousClock.Instant) {
        let failed = failure.withLock { failure in
            defer { failure = nil }
            return failure
        }
        if let failed { passed(from: failed, to: instant) }
    }

    func passed(from began: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        waits.withLock { waits in
            for subject in waits.keys { waits[subject]!.last = min(end, waits[subject]!.last + (end - began)) }
        }
    }

    /// True where nobody writes, or somebody has for so long that it has to be done all the same. Another file under the path, and
    /// a new reason to use the same one, are waited for anew.
    func isOver(
        for path: DrivePath, of identity: FileIdentity?, to use: Use, isBeingWritten: Bool,
        now: ContinuousClock.Instant = .now
    ) -> Bool {
        let isHurried = hurried.withLock { $0 > 0 }
        return waits.withLock { waits in
            let subject = Subject(path: path, use: use)
            var first = now
            if let known = waits[subject], known.identity == identity, now - known.last < memory { first = known.first }
            if !isBeingWritten || now - first >= longest || isHurried {
                waits[subject] = nil
                return true
            }
            if waits[subject] == nil { waits = waits.filter { now - $0.value.last < memory } }
            waits[subject] = Wait(identity: identity, first: first, last: now)
            return false
        }
    }
}

extension Drive {
    /// So long a file that a program has open for writing is left alone, where a drive waits for writers.
    package static let writerPatience = Duration.seconds(60)
}
