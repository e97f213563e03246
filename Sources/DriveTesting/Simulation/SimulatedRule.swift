import DriveCore
import Synchronization

/// A name that a rule of one device hides, and that all others know nothing of; until the end of a run, when nobody has it.
public final class SimulatedRule: Sendable {
    private let hidden = Mutex<FileName?>(nil)

    public init() {}

    var isInForce: Bool { hidden.withLock { $0 != nil } }

    func hide(_ name: FileName?) { hidden.withLock { $0 = name } }

    /// Tells it from no rule.
    var fingerprint: Fingerprint { Fingerprint(high: 0, low: hidden.withLock { $0 == nil ? 0 : 1 }) }

    func hides(_ path: DrivePath) -> Bool {
        hidden.withLock { name in name.map { path.components.contains($0) } ?? false }
    }
}
