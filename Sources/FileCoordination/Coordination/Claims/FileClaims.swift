import Dispatch
public import DriveCore
import Glibc
import Synchronization

/// Who uses which items of a drive now: the arbiter of this process, and of all that ask it through the drive's socket.
///
/// Whoever may wait gets its turn in the order of asking; apply never waits, and leaves an item that somebody uses for a
/// later turn. With a lock file, arbiters of other processes are heeded too.
public final class FileClaims: Sendable {
    struct State: ~Copyable {
        var arbiter = Arbiter()
        var locks: ClaimLocks?
        var clients: [UInt64: @Sendable (ClaimNews) -> Void] = [:]
        /// Of which process each client is; this one's are not among them.
        var processes: [UInt64: Int32] = [:]
        /// When what is held was granted, in milliseconds since 1970.
        var granted: [ClaimID: UInt64] = [:]
        /// From anywhere: no other arbiter, of another drive or before this one, has the same numbers, and what it granted is
        /// never taken for something of this one.
        var lastClient = UInt64.random(in: 1...UInt64(Int64.max))
        /// Claims whose locks another process has.
        var unlocked: [ClaimID: [FileIntent]] = [:]
        var isPolling = false
        /// Until then locks that follow are looked for all the time: whoever comes new must not be first.
        var hurriesUntil: DispatchTime?
        /// What clients are still to be told, in order.
        var news: [(deliver: @Sendable (ClaimNews) -> Void, ClaimNews)] = []
        /// Somebody tells it, or is about to.
        var isDelivering = false
        /// What syncing was refused since this was last told.
        var refused = FreedItems()
        var whenFreed: (@Sendable (FreedItems) -> Void)?
        var prepared = PreparedSyncing()
        var isServing = false
        /// Whether an arbiter before this one may have left something granted.
        var mayFollow = false
        /// Others wait until then for who holds what an arbiter granted that is gone.
        var orphansUntil: DispatchTime?
        /// The arbiter that is gone, until what it had granted to this process has locks of its own.
        var lost: Int32?

        mutating func tell(_ client: UInt64, _ item: ClaimNews) {
            if let deliver = clients[client] { news.append((deliver, item)) }
        }
    }

    let state = Mutex(State())
    let lockFile: [UInt8]?
    static let timers = DispatchQueue(label: "docdrive.claims")
    /// Who holds something notices within milliseconds that its arbiter is gone; one that is stopped does not.
    private static let usualHandover = DispatchTimeInterval.seconds(2)
    let handover: DispatchTimeInterval
    /// Until somebody is asked again who would not make way for syncing, unless that does something before: what it says at once
    /// is the same.
    private static let usualRefusal = DispatchTimeInterval.seconds(30)
    let refusal: DispatchTimeInterval

    /// Other processes are heeded through a file at `lockFile`, which is made if need be; without one, or on file systems
    /// that have no such locks, claims hold in this process and for its clients.
    public convenience init(lockFile: [UInt8]? = nil) { self.init(lockFile: lockFile, handover: Self.usualHandover) }

    init(
        lockFile: [UInt8]?, handover: DispatchTimeInterval, refusal: DispatchTimeInterval = FileClaims.usualRefusal
    ) {
        self.lockFile = lockFile
        self.handover = handover
        self.refusal = refusal
        state.withLock { state in
            // As with clients.
            state.arbiter.lastQuestion = state.lastClient
            if let lockFile { state.locks = ClaimLocks(file: lockFile) }
        }
    }

    /// Called when an item that syncing was refused is free again.
    public func setWhenFreed(_ body: (@Sendable (FreedItems) -> Void)?) { state.withLock { $0.whenFreed = body } }

    /// Whether other processes ask here.
    var isServing: Bool {
        get { state.withLock { $0.isServing } }
        set {
            state.withLock { state in
                state.isServing = newValue
                state.locks?.isServing = newValue
                state.mayFollow = newValue && state.locks?.areOrphans == true
            }
        }
    }

    /// How many wait for others.
    var waiting: Int { state.withLock { $0.arbiter.claims.count { $0.stage == .waiting } } }

    /// Somebody holds or waits for something here.
    var isInUse: Bool { state.withLock { !$0.arbiter.claims.isEmpty || $0.locks?.outer.isEmpty == false } }

    /// What a program has that waits for this one is not waited for until `endHeeding` is called with what this returns.
    func heed(_ outer: [Enclosure]) -> UInt64? { state.withLock { $0.locks?.heed(outer) } }

    func endHeeding(_ number: UInt64?) { state.withLock { state in number.map { state.locks?.endHeeding($0) } } }

    /// The same as it is now. From now on others can tell that these are held, where this process has locks for them.
    func marked(_ enclosures: [Enclosure]) -> [Enclosure] {
        state.withLock { state in
            enclosures.map { enclosure in
                let name = enclosure.claim
                guard let claim = state.arbiter.claims.first(where: { $0.id == name || $0.before == name }) else {
                    return enclosure
                }
                state.locks?.mark(claim.id, as: name)
                return Enclosure(claim: name, places: ClaimLocks.places(of: claim.request.intents))
            }
        }
    }
}

// Clients.
extension FileClaims {
    /// `deliver` may be called from any thread, with one thing after the other, and must not wait.
    func join(process: Int32? = nil, _ deliver: @escaping @Sendable (ClaimNews) -> Void) -> UInt64 {
        state.withLock { state in
            state.lastClient += 1
            state.clients[state.lastClient] = deliver
            state.processes[state.lastClient] = process
            return state.lastClient
        }
    }

    /// What the client held goes to the next in line; what it showed is not asked for any more.
    func leave(_ client: UInt64) {
        change { state in
            state.clients[client] = nil
            state.processes[client] = nil
            state.arbiter.leave(client)
            presentersChange(&state)
            dropNeedless(&state)
        }
    }

    /// This arbiter ends. What its clients hold stays with them, who go on by their own locks, and nobody who waits is granted
    /// anything: they ask the next one.
    func leave(_ clients: Set<UInt64>) {
        change { state in
            for client in clients {
                state.clients[client] = nil
                state.processes[client] = nil
            }
            state.arbiter.leave(clients)
        }
    }

    /// Does what a client says; nothing in the name of another one.
    func hear(_ call: ClaimCall, from client: UInt64) {
        guard call.client == client || call.client == nil else { return }
        change { state in
            switch call {
            case .claim(let id, let request):
                if state.arbiter[id] == nil { state.arbiter.claim(id, request) }
            case .cancel(let id): state.arbiter.cancel(id)
            case .release(let id, let report):
                let purpose = state.arbiter[id]?.request.purpose
                state.arbiter.release(id, report)
                if !report.changed.isEmpty, state.arbiter.presenters.values.contains(where: { $0.purpose == purpose }) {
                    presentersChange(&state)
                }
            case .moved(let move, let id): state.arbiter.moved(move, by: id)
            case .present(let id, let presentation):
                state.arbiter.present(id, presentation)
                presentersChange(&state)
                state.tell(client, .presented(id))
            case .withdraw(let id):
                state.arbiter.withdraw(id)
                presentersChange(&state)
                dropNeedless(&state)
                state.tell(client, .presented(id))
            case .answer(let question, let id, let answer):
                if state.arbiter.presenter(ofQuestion: question)?.client == client {
                    state.arbiter.answered(question, answer, to: id)
                }
            case .announce(let path, let news): state.arbiter.announce(news, of: path)
            }
        }
    }
}

// News of versions.
extension FileClaims {
    /// Tells everybody who shows the item, or a folder that it is in.
    public func announce(_ path: DrivePath, _ news: VersionNews) { change { $0.arbiter.announce(news, of: path) } }

    /// Whether anybody would hear of it.
    public func arePresented(_ path: DrivePath) -> Bool {
        state.withLock { state in
            state.arbiter.presenters.values.contains { $0.path.map(path.isInside) ?? false }
        }
    }

    /// What somebody shows now: items, and folders with all that is in them.
    var presentedPaths: [DrivePath] { state.withLock { $0.arbiter.presenters.values.compactMap(\.path) } }
}

extension ClaimCall {
    /// In whose name this is said; nil for what needs none.
    fileprivate var client: UInt64? {
        switch self {
        case .claim(let id, _), .cancel(let id), .release(let id, _), .moved(_, let id): id.client
        case .present(let id, _), .withdraw(let id): id.client
        case .answer, .announce: nil
        }
    }
}
