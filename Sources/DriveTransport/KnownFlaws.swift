import DriveCore
import Synchronization

/// What of a store was found missing or damaged: with the next look one call tells whether it still is, before all that is wanted
/// with it is fetched again.
final class KnownFlaws<Part: Hashable & Sendable>: Sendable {
    private struct Flaw {
        /// How often it is left alone from now on, and how often after the next look.
        var left = 0
        var next = 1
    }

    private let flaws = Mutex<[Part: Flaw]>([:])

    /// What is all there and is not what it should be is hardly ever mended under its name, and is long.
    private static var mostLeft: Int { 32 }
    /// Of what more there is, each look fetches all again.
    private static var most: Int { 10_000 }

    var isEmpty: Bool { flaws.withLock { $0.isEmpty } }

    /// The first of them, and whether it is worth another look; counts as one that was thought of.
    func suspect(in parts: some Sequence<Part>) -> (part: Part, isDue: Bool)? {
        flaws.withLock { flaws in
            guard let part = parts.first(where: { flaws[$0] != nil }), let flaw = flaws[part] else { return nil }
            flaws[part]?.left = max(0, flaw.left - 1)
            return (part, flaw.left == 0)
        }
    }

    func note(_ part: Part, isDamaged: Bool) {
        flaws.withLock { flaws in
            guard flaws.count < Self.most || flaws[part] != nil else { return }
            var flaw = flaws[part] ?? Flaw()
            if isDamaged { (flaw.left, flaw.next) = (flaw.next, min(flaw.next * 2, Self.mostLeft)) }
            flaws[part] = flaw
        }
    }

    func forget(_ part: Part) { flaws.withLock { $0[part] = nil } }

    /// None is left alone any more.
    func lookAgain() { flaws.withLock { flaws in for part in flaws.keys { flaws[part]?.left = 0 } } }
}

/// What a store lacks, as it is known between passes.
public final class StoreFlaws: Sendable {
    /// Segments of journals, by their keys.
    let segments = KnownFlaws<ObjectKey>()
    let contents = KnownFlaws<ContentFlaw>()

    public init() {}

    /// Somebody asks for it now: it may have been mended.
    public func lookAgain() {
        segments.lookAgain()
        contents.lookAgain()
    }
}
