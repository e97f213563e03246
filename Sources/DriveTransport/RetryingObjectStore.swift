public import DriveCore

/// Makes calls again that failed for a moment, as `RetryRule` has it, and none while the circuit is open. Of an object that the store
/// fails to read while it answers otherwise it throws `objectFailed`, and asks for it again later, less and less often.
///
/// Every call of the seam may be repeated, also one whose answer was lost: keys are written once, with the same bytes.
public struct RetryingObjectStore: ObjectStore {
    private let base: any ObjectStore
    private let rule: RetryRule
    private let circuit: StoreCircuit
    private let clock: any WallClock
    private let entropy: any Entropy
    private let sleep: @Sendable (Double) async throws(CancellationError) -> Void
    private let tell: @Sendable (StoreWait?) -> Void

    /// `tell` is told when a call begins to wait, and with nil when it goes on. `sleep` waits for so many seconds.
    public init(
        _ base: any ObjectStore, rule: RetryRule = RetryRule(), circuit: StoreCircuit, clock: any WallClock,
        entropy: any Entropy, sleep: @escaping @Sendable (Double) async throws(CancellationError) -> Void = Self.sleep,
        tell: @escaping @Sendable (StoreWait?) -> Void = { _ in }
    ) {
        self.base = base
        self.rule = rule
        self.circuit = circuit
        self.clock = clock
        self.entropy = entropy
        self.sleep = sleep
        self.tell = tell
    }

    public var capabilities: StoreCapabilities { base.capabilities }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if let error = circuit.failing.refusal(of: key, now: clock.milliseconds()) { throw error }
        var rule = rule
        rule.triesOfBusy = circuit.failing.tries(of: key, rule.triesOfBusy)
        let bytes: [UInt8]?
        do throws(DriveError) {
            bytes = try await again(rule) { () async throws(DriveError) in try await base.get(key, range: range) }
        } catch {
            guard error.kind == .temporary, await answersOtherwise(than: key) else { throw error }
            circuit.succeeded()
            throw circuit.failing.note(key, error, now: clock.milliseconds())
        }
        circuit.failing.forget(key)
        return bytes
    }

    /// By what each store has. A store that is in trouble as a whole, or asks everybody for time, does not give that either.
    private func answersOtherwise(than key: ObjectKey) async -> Bool {
        guard let format = StoreFolder.format(besides: key), !Task.isCancelled else { return false }
        return (try? await base.get(format, range: 0..<1)) != nil
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        try await again { () async throws(DriveError) in try await base.put(key, bytes) }
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await again { () async throws(DriveError) in
            try await base.list(prefix: prefix, after: after, limit: limit)
        }
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        try await again { () async throws(DriveError) in try await base.delete(key) }
    }

    private func again<Result>(
        _ own: RetryRule? = nil, _ call: () async throws(DriveError) -> Result
    ) async throws(DriveError) -> Result {
        let rule = own ?? rule
        if let refusal = circuit.refusal() { throw refusal }
        let since = clock.milliseconds()
        var waited = 0.0
        var calls = 0
        while true {
            let failure: DriveError
            do throws(DriveError) {
                let result = try await call()
                circuit.succeeded()
                if waited > 0 { tell(nil) }
                return result
            } catch {
                failure = error
            }
            calls += 1
            let jitter = Double(entropy.next() >> 11) / Double(1 << 53)
            guard let pause = rule.pause(after: failure, calls: calls, waited: waited, jitter: jitter),
                !Task.isCancelled
            else {
                circuit.failed(failure)
                if waited > 0 { tell(nil) }
                throw failure
            }
            tell(StoreWait(error: failure, since: since, until: clock.milliseconds() + UInt64(pause * 1000)))
            do throws(CancellationError) { try await sleep(pause) } catch { throw failure }
            waited += pause
        }
    }

    public static let sleep: @Sendable (Double) async throws(CancellationError) -> Void = {
        seconds async throws(CancellationError) in
        do { try await Task.sleep(for: .seconds(seconds)) } catch { throw CancellationError() }
    }
}
