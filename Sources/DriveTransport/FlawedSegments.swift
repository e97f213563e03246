import DriveCore
import Synchronization

/// Segments of journals that were found missing or damaged: with the next look one call tells whether they still are, before all
/// that comes before them in the journal is fetched again.
final class FlawedSegments: Sendable {
    private struct Flaw {
        /// How often it is left alone from now on, and how often after the next look.
        var left = 0
        var next = 1
    }

    private let flaws = Mutex<[ObjectKey: Flaw]>([:])

    /// What is all there and is not what it should be is hardly ever mended under its name, and is long.
    private static let mostLeft = 32

    /// The first of them, and whether it is worth another look; counts as one that was thought of.
    func suspect(in segments: [SegmentReference]) -> (segment: SegmentReference, isDue: Bool)? {
        flaws.withLock { flaws in
            guard let segment = segments.first(where: { flaws[$0.key] != nil }), let flaw = flaws[segment.key] else {
                return nil
            }
            flaws[segment.key]?.left = max(0, flaw.left - 1)
            return (segment, flaw.left == 0)
        }
    }

    func note(_ key: ObjectKey, isDamaged: Bool) {
        flaws.withLock { flaws in
            var flaw = flaws[key] ?? Flaw()
            if isDamaged { (flaw.left, flaw.next) = (flaw.next, min(flaw.next * 2, Self.mostLeft)) }
            flaws[key] = flaw
        }
    }

    func forget(_ key: ObjectKey) { flaws.withLock { $0[key] = nil } }
}
