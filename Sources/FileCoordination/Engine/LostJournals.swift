import DriveCore

/// Notices that the store has less of another device's journal than this device has read, for so long that it cannot be
/// a late listing: the store was put back to an earlier time, and who wrote those records may never come again. Then
/// everything that is known here is offered again, so that nothing hangs on that device.
struct LostJournals {
    let parts: DriveParts

    private static let sinceKey = "journals-gone-since"
    private static let offeredKey = "journals-gone-offered"

    /// `published` is what the listed heads say.
    func check(_ published: DeviceVector) throws {
        let gone = try missing(published)
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
            let offered = try offered().joined(gone)
            try parts.state.setSetting(RecordCodec.encode(context: offered), Self.offeredKey)
            try parts.state.setSetting(nil, Self.sinceKey)
        }
    }

    /// Journals that were read to a number which no listed head reaches, less those that were offered already.
    private func missing(_ published: DeviceVector) throws -> DeviceVector {
        let offered = try offered()
        var result = DeviceVector()
        for entry in try parts.state.token().entries
        where published[entry.device] < entry.n && offered[entry.device] < entry.n {
            result[entry.device] = entry.n
        }
        return result
    }

    private func offered() throws -> DeviceVector {
        try parts.state.setting(Self.offeredKey).map { try RecordCodec.decodeContext($0) } ?? DeviceVector()
    }
}
