import DriveCore

/// Notices that the store has less of another device's journal than this device has read, for so long that it cannot be
/// a late listing: the store was put back to an earlier time, and who wrote those records may never come again. Then
/// everything that is known here is offered again, so that nothing hangs on that device.
struct LostJournals {
    let parts: DriveParts

    private static let sinceKey = "journals-gone-since"

    /// `published` is what the listed heads say.
    func check(_ published: DeviceVector) throws {
        let offered = OfferedJournals(parts.state)
        let gone = try parts.state.token().missing(in: published, offered: try offered.joined())
        let since = try parts.state.setting(Self.sinceKey).map { try Milliseconds.decode($0) }
        if gone.entries.isEmpty {
            if since != nil { try parts.state.transaction { try parts.state.setSetting(nil, Self.sinceKey) } }
            return
        }
        let now = parts.clock.milliseconds()
        guard let since else {
            try parts.state.transaction { try parts.state.setSetting(Milliseconds.encode(now), Self.sinceKey) }
            return
        }
        guard now > since, now - since >= parts.options.journalLossDelay else { return }
        try parts.state.transaction {
            try parts.offerAll(
                "The store has less than other devices had published; everything known here is offered again.")
            try offered.add(gone)
            try parts.state.setSetting(nil, Self.sinceKey)
        }
    }
}

/// How far the journals had been joined of which the store has less, when everything was offered again: once is enough.
public struct OfferedJournals {
    private let state: any DriveState

    private static let settingKey = "journals-gone-offered"

    public init(_ state: any DriveState) { self.state = state }

    public func joined() throws -> DeviceVector {
        try state.setting(Self.settingKey).map { try RecordCodec.decodeContext($0) } ?? DeviceVector()
    }

    /// Within the caller's transaction.
    func add(_ joined: DeviceVector) throws {
        try state.setSetting(RecordCodec.encode(context: try self.joined().joined(joined)), Self.settingKey)
    }
}
