/// Finds a small part of a failing list of steps that still fails: delta debugging (Zeller, Hildebrandt: "Simplifying
/// and Isolating Failure-Inducing Input", 2002).
public enum Shrinker {
    /// `fails` says whether the run with only these steps fails in the same way. The steps keep their order. At most
    /// `budget` runs are made.
    public static func shrink<Step>(
        _ steps: [Step], budget: Int = 2_000, fails: ([Step]) async throws -> Bool
    ) async rethrows -> [Step] {
        var current = steps
        var parts = 2
        var runs = 0
        while current.count > 1, parts <= current.count {
            var isReduced = false
            for part in 0..<parts {
                let low = current.count * part / parts
                let high = current.count * (part + 1) / parts
                let rest = Array(current[..<low] + current[high...])
                runs += 1
                if runs > budget { return current }
                if try await fails(rest) {
                    current = rest
                    parts = max(2, parts - 1)
                    isReduced = true
                    break
                }
            }
            if isReduced { continue }
            if parts == current.count { break }
            parts = min(current.count, parts * 2)
        }
        return current
    }
}
