import DriveCore

/// Makes the planned interruptions of one step happen at the calls of its device's folder and store.
///
/// Unchecked for the reason that `MemoryFolder` is: one step is one thread of work, the hooks run inside it.
final class Interrupter: @unchecked Sendable {
    private let folder: MemoryFolder
    private let store: StoreView
    private let act: (UInt64) -> Void
    private let cutPower: (UInt64) -> Void
    private var waiting: [Interruption] = []
    private var calls = 0
    /// Those that happened, for the trace and for knowing what may come out of the step.
    private(set) var happened: [Interruption] = []

    init(
        _ folder: MemoryFolder, _ store: StoreView, act: @escaping (UInt64) -> Void,
        cutPower: @escaping (UInt64) -> Void
    ) {
        self.folder = folder
        self.store = store
        self.act = act
        self.cutPower = cutPower
    }

    /// From now on; the calls are counted anew.
    func begin(_ interruptions: [Interruption]) {
        waiting = interruptions.sorted { $0.call < $1.call }
        calls = 0
        happened = []
        if interruptions.isEmpty { return end() }
        folder.beforeOperation = { [unowned self] _ throws(DriveError) in
            calls += 1
            try interrupt(isAfter: false)
        }
        folder.afterOperation = { [unowned self] _ throws(DriveError) in try interrupt(isAfter: true) }
        store.store.setHook(for: store.reader) { [unowned self] _ in
            calls += 1
            return storeFault()
        }
    }

    func end() {
        folder.beforeOperation = nil
        folder.afterOperation = nil
        store.store.setHook(for: store.reader, nil)
    }

    private func interrupt(isAfter: Bool) throws(DriveError) {
        while let next = due({ $0.isFolder(after: isAfter) }) {
            happened.append(next)
            switch next.event {
            case .user(let seed, _): act(seed)
            case .kill: throw die()
            case .cutPower(let seed, _):
                cutPower(seed)
                throw die()
            case .failure(let error): throw error
            case .store: break
            }
        }
    }

    private func storeFault() -> StoreFault? {
        while let next = due({ _ in true }) {
            happened.append(next)
            switch next.event {
            case .user(let seed, _): act(seed)
            case .kill(let isAfter):
                folder.kill()
                return isAfter ? .killedAfter : .killedBefore
            case .cutPower(let seed, let isAfter):
                cutPower(seed)
                return isAfter ? .killedAfter : .killedBefore
            case .failure: return .failure(DriveError(.unreachable, "The store cannot be reached"))
            case .store(let fault):
                if fault.isDeath { folder.kill() }
                return fault
            }
        }
        return nil
    }

    private func die() -> DriveError {
        folder.kill()
        store.store.kill(store.reader)
        return .simulatedCrash
    }

    /// The next whose call has come. One that was due at a call of the wrong kind happens at the next fitting one.
    private func due(_ fits: (Interruption.Event) -> Bool) -> Interruption? {
        guard let place = waiting.firstIndex(where: { $0.call < calls && fits($0.event) }) else { return nil }
        return waiting.remove(at: place)
    }
}

extension StoreFault {
    fileprivate var isDeath: Bool {
        switch self {
        case .killedBefore, .killedAfter, .killedTorn: true
        default: false
        }
    }
}

extension Interruption.Event {
    fileprivate func isFolder(after: Bool) -> Bool {
        switch self {
        case .user(_, let isAfter), .kill(let isAfter), .cutPower(_, let isAfter): isAfter == after
        case .failure: !after
        case .store: false
        }
    }
}
