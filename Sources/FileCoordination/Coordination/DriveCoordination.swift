import DriveCore
import Dispatch
import Glibc
import Synchronization

/// Coordinated access to the items of one drive, for everything in this process: who makes coordinators, and where
/// presenters are added.
///
/// While a process watches the drive, it is the arbiter for all others, and a process that ends loses what it held.
/// Where none does, this process arbitrates for itself; then a lock file keeps its claims apart from those of others,
/// but presenters hear of this process alone. Keep it as long as presenters are added.
public actor DriveCoordination {
    /// The drive's folder, as bytes.
    public nonisolated let root: [UInt8]
    /// What this process arbitrates itself.
    public nonisolated let claims: FileClaims
    private let place: SocketPlace?
    private let local: ClaimClient
    private var remote: ClaimClient?
    /// An arbiter that knows of the presenters, while this process has claims of its own: claims follow when those are over.
    private var next: ClaimClient?
    private var connecting: Task<ClaimClient?, Never>?
    private var runs: [ObjectIdentifier: PresenterRun] = [:]
    private var lastPresenter: UInt64 = 0
    private var isLooking = false
    private static let timers = DispatchQueue(label: "docdrive.coordination")

    /// `place` is where a process that watches the drive listens.
    public init(root: [UInt8], claims: FileClaims, place: SocketPlace? = nil) {
        self.root = root
        self.claims = claims
        self.place = place
        local = ClaimClient.local(claims)
    }

    deinit { for client in [remote, next] { client?.close() } }

    /// For one operation; do not keep it. `presenter` is not asked and not told what the coordinator does. Coordinators of
    /// one presenter, and all of an equal purpose in any process, never wait for one another.
    public nonisolated func coordinator(
        presenter: (any FilePresenter)? = nil, purpose: String? = nil
    ) -> FileCoordinator {
        FileCoordinator(self, presenter, purpose ?? presenter.map(Self.purpose) ?? Self.newPurpose())
    }

    /// For an act of the drive itself: part of whatever access it is asked for in.
    package nonisolated func coordinatorOfAct() -> FileCoordinator {
        FileCoordinator(self, nil, Self.newPurpose(), isPart: true)
    }

    private static let process = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
    private static let count = Atomic<UInt64>(0)

    private static func newPurpose() -> String {
        "\(process)-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }

    static func purpose(of presenter: any FilePresenter) -> String {
        "\(process)-presenter-\(UInt(bitPattern: ObjectIdentifier(presenter).hashValue))"
    }
}

// Presenters.
extension DriveCoordination {
    /// From now on the presenter is asked and told. Add it inside the coordinated read that loads the item, so that nothing
    /// happens in between. Adding it again says its place anew. Waits for the process that watches the drive to hear of it, or
    /// until the task is cancelled; then it hears of it when it goes on.
    public func add(_ presenter: any FilePresenter) async {
        let run: PresenterRun
        if let known = runs[ObjectIdentifier(presenter)] {
            run = known
            run.forgetMoves()
        } else {
            lastPresenter += 1
            run = PresenterRun(presenter, lastPresenter, purpose: Self.purpose(of: presenter))
            runs[ObjectIdentifier(presenter)] = run
        }
        while !Task.isCancelled {
            do {
                let client = try await client()
                for client in [client, next].compactMap({ $0 }) where client === local || !client.isOver {
                    try await client.present(run, run.presentation)
                    // It may have been removed meanwhile, or all have been made known to another one.
                    let isLeft = runs[ObjectIdentifier(presenter)] !== run || (client === local && remote != nil)
                    if isLeft { await client.withdraw(run.number) }
                }
                if client === local, place != nil { lookLater() }
                return
            } catch {}
        }
    }

    /// Nobody waits for the presenter any more. Waits as `add` does.
    public func remove(_ presenter: any FilePresenter) async {
        guard let run = runs.removeValue(forKey: ObjectIdentifier(presenter)) else { return }
        // An arbiter that is just being found may have heard of it.
        _ = try? await connecting?.valueUnlessCancelled
        for client in [local, remote, next] { await client?.withdraw(run.number) }
        run.stop()
    }

    /// Returns once the arbiter has heard what was said and done until now, and not much later where it does not answer: for a
    /// process that ends after it, whose words would be lost on the way.
    public func settle() async {
        guard let remote = remote ?? next, !remote.isOver else { return }
        // No presenter has this number: there is nothing to withdraw, and an answer. That it is late is no error.
        _ = try? await SocketClient.answer(within: .seconds(5)) { await remote.withdraw(0) }
    }

    /// Who has what, as the process that watches the drive tells; nobody where none does, or does not answer soon.
    nonisolated func usesAtWatcher() async -> [ItemUse] {
        guard let place, !claims.isServing, let client = SocketClient(place) else { return [] }
        let reply = try? await SocketClient.answer(within: .seconds(2)) { try await client.ask(DriveRequest(.status)) }
        return (reply ?? nil)?.status?.uses?.filter { $0.process != getpid() } ?? []
    }

    func number(of presenter: any FilePresenter) -> UInt64? { runs[ObjectIdentifier(presenter)]?.number }
}

// The way to the arbiter.
extension DriveCoordination {
    /// Where claims are made now.
    /// Throws `CancellationError` as soon as the task is cancelled: a process that is stopped welcomes nobody.
    func client() async throws -> ClaimClient {
        if let remote, !remote.isOver { return remote }
        // Claims of one process that lay with two arbiters would wait for one another, whatever their purpose.
        guard let place, !claims.isServing, !claims.isInUse else { return local }
        return try await found(place) ?? local
    }

    /// The arbiter that answers a presenter's question also has what it claims for that; nil where it is none of this drive.
    func asker(_ client: ClaimClient?) -> ClaimClient? {
        guard let client, !client.isOver, client === next || client === local else { return nil }
        return client
    }

    private func found(_ place: SocketPlace) async throws -> ClaimClient? {
        // For all who ask meanwhile: whoever asked first may be cancelled.
        let task = connecting ?? Task { await self.connect(place) }
        connecting = task
        return try await task.valueUnlessCancelled
    }

    /// Nil where claims go on here.
    private func connect(_ place: SocketPlace) async -> ClaimClient? {
        defer { connecting = nil }
        if let next, !next.isOver { return await follow(next) }
        guard
            let found = await ClaimConnection.open(
                place, heir: local, claims, ended: { [weak self] in await self?.arbiterEnded() })
        else {
            if !runs.isEmpty { lookLater() }
            return nil
        }
        guard (try? await presentAll(at: found)) != nil, !found.isOver else { return nil }
        // From here on whoever removes a presenter finds this one.
        next = found
        return await follow(found)
    }

    /// Claims go there from now on, unless there are some here; until then presenters are asked by both.
    private func follow(_ found: ClaimClient) async -> ClaimClient? {
        if claims.isInUse {
            lookLater()
            return nil
        }
        (remote, next) = (found, nil)
        for run in runs.values { await local.withdraw(run.number) }
        // It may have ended meanwhile, and what was said here at that have been taken back by this.
        if found.isOver { _ = try? await presentAll(at: local) }
        return found
    }

    /// Presenters are heard of again at once, here or at the next arbiter.
    private func arbiterEnded() async {
        (remote, next) = (nil, nil)
        guard !runs.isEmpty else { return }
        _ = try? await presentAll(at: local)
        lookLater()
    }

    /// Makes all presenters known to an arbiter, by the numbers that this returns; those are all that there are then. Others are
    /// added and removed while it answers, who do not know of it yet.
    private func presentAll(at client: ClaimClient) async throws -> Set<UInt64> {
        var shown: Set<UInt64> = []
        while true {
            let now = Dictionary(uniqueKeysWithValues: runs.values.map { ($0.number, $0) })
            let gone = shown.subtracting(now.keys)
            let new = now.filter { !shown.contains($0.key) }
            if gone.isEmpty, new.isEmpty { return shown }
            for number in gone { await client.withdraw(number) }
            shown.subtract(gone)
            for (number, run) in new {
                try await client.present(run, run.presentation)
                shown.insert(number)
            }
        }
    }

    /// A process that begins to watch the drive does not know of this one.
    private func lookLater() {
        if isLooking { return }
        isLooking = true
        Self.timers.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
            // A timer is no task, and nobody waits for this.
            Task { try await self?.look() }
        }
    }

    private func look() async throws {
        isLooking = false
        guard remote == nil, !runs.isEmpty, let place else { return }
        // Claims of its own do not keep those who show something from being asked.
        let found = try await claims.isServing ? nil : self.found(place)
        if found == nil { lookLater() }
    }
}

extension Task where Failure == Never {
    /// Throws `CancellationError` as soon as the task that waits is cancelled; the one that it waits for goes on.
    fileprivate var valueUnlessCancelled: Success {
        get async throws {
            let (values, feed) = AsyncStream<Success>.makeStream()
            // Ends with this task.
            _ = Task<Void, Never> { feed.yield(await value) }
            for await value in values { return value }
            throw Swift.CancellationError()
        }
    }
}

extension PresenterRun {
    fileprivate var presentation: Presentation {
        Presentation(
            path: path, purpose: purpose, patience: presenter.answerDeadline.patience)
    }
}

extension Duration {
    /// In milliseconds. A century is as good as any time that is longer, and can be reckoned with.
    package var patience: UInt64 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(1 << 32)).components
        return UInt64(seconds) * 1000 + UInt64(attoseconds) / 1_000_000_000_000_000
    }
}
