/// What is known of a folder that was removed here.
package struct ClosedFolderNote: Codable, Hashable, Sendable {
    /// What it gave its group and everybody; nil where it was open to all.
    package var permissions: UInt16?
    /// By the time that had been seen pass; nil where no clock had been looked at.
    package var since: UInt64?

    package init(permissions: UInt16?, since: UInt64?) {
        self.permissions = permissions
        self.since = since
    }

    /// Whether that was so long ago that nothing of it can come back any more.
    package func isOver(at now: UInt64?) -> Bool {
        guard let since, let now else { return false }
        return now > since && now - since > ClosedFolders.kept
    }
}

/// Where notes of closed folders are kept beside the state, which may be lost, or put back to an earlier time.
package protocol ClosedFolderNotes: Sendable {
    /// The last one by each key; some may be over. Throws where that cannot be told.
    func notes() throws -> [String: ClosedFolderNote]
    /// Returns when they would survive a power cut. Those that are over by then may go.
    func add(_ notes: [String: ClosedFolderNote], now: UInt64?) throws
}
