import DriveCore

extension DriveEngine {
    private static let joinedKey = "joined"

    /// Nothing of the folder is recorded, and not all that others say was read yet: what is recorded before that would be told as
    /// new to devices that have it, or have deleted it.
    public var isBeforeJoin: Bool {
        get throws {
            let state = parts.state
            return try parts.transport != nil && state.rowCount() == 0 && state.numbers().last == 0
                && state.setting(Self.joinedKey) == nil
        }
    }

    /// Reads all that others say, portion by portion, before anything is recorded. Interrupted, it is still to be done. A journal
    /// that cannot be read is waited for by nobody: it may stay so.
    public func joinFirst() async throws {
        var outcome: Fetched
        repeat { outcome = try await fetchSome(only: nil) } while outcome.isPartial && outcome.journals > 0
        try parts.state.transaction { try parts.state.setSetting([1], Self.joinedKey) }
    }
}
