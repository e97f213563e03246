/// Returns once a condition holds, however long that takes: nothing is timed.
public func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(1)) }
}
