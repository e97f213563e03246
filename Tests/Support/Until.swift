/// A condition that did not come to hold.
public struct NeverHeld: Error, CustomStringConvertible {
    public let description: String
}

/// Whether a condition comes to hold: nothing is timed, but what never comes ends who waits for it, not the whole run.
public func soon(_ condition: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(20 * 60)
    while try await !condition() {
        guard .now < end else { return false }
        try await Task.sleep(for: .milliseconds(1))
    }
    return true
}

/// Returns once a condition holds.
public func until(
    file: StaticString = #fileID, line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
    guard try await soon(condition) else { throw NeverHeld(description: "\(file):\(line): never came to be") }
}
