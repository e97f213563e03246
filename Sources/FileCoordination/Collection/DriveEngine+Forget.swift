public import DriveCore

// Devices that are gone for good.
extension DriveEngine {
    /// From now on no device of the drive waits for this one when contents are removed, until it has another head. False where
    /// that is so already. The next commit tells the others. Throws `usage` for this device, and for one that nobody has heard of.
    public func forget(_ device: DeviceID) async throws -> Bool {
        guard let transport = parts.transport else { throw Self.noStore }
        let standings = try await othersStandings(transport)
        let own = try parts.state.journal()
        guard device != own.device else {
            throw DriveError(.usage, "this is the device itself, which cannot be gone", path: device.description)
        }
        let standing = standings.first { $0.device == device }
        let isKnown = try parts.state.token()[device] > 0 || !parts.state.labels()[device].isEmpty
        guard standing != nil || isKnown else {
            throw DriveError(
                .usage, "no device has this id; `docdrive device ls` names them", path: device.description)
        }
        if own.collection.forgotten.contains(where: { $0.device == device }) { return false }
        var collection = own.collection
        collection.forget([ForgottenDevice(device, head: standing?.head)])
        try parts.state.transaction {
            try setForgotten(collection.forgotten)
            try parts.state.askForHead()
        }
        return true
    }

    /// Takes over whom others have forgotten, and drops whoever has come back. Whom others have forgotten by mistake, or who
    /// has been away, shows that it is here.
    func reviewForgotten(_ standings: [JournalStanding]) async throws {
        let journal = try parts.state.journal()
        let others = standings.filter { $0.device != journal.device }
        let reviewed = journal.collection.forgotten.reviewed(others, own: journal.device)
        if reviewed != journal.collection.forgotten { try parts.state.transaction { try setForgotten(reviewed) } }
        let newest = standings.first { $0.device == journal.device }?.head
        let isForgotten = others.contains { standing in
            standing.note?.forgotten.contains { $0.device == journal.device && $0.head == newest } == true
        }
        if isForgotten { try await renewHead() }
    }

    /// Within a transaction.
    private func setForgotten(_ devices: [ForgottenDevice]) throws {
        var journal = try parts.state.journal()
        journal.collection.forgotten = devices
        try parts.state.setJournal(journal)
    }

    static let noStore = DriveError(
        .usage, "the drive has no store; connect one with `docdrive sync --to URL`")
}

extension DriveState {
    /// Whoever has come back is forgotten no more. `heads` are the newest ones.
    func remember(_ heads: [DeviceID: ObjectKey]) throws {
        var journal = try journal()
        let current = journal.collection.forgotten.current(heads)
        guard current != journal.collection.forgotten else { return }
        journal.collection.forgotten = current
        try transaction { try setJournal(journal) }
    }
}

// A head that is to tell what no record does: the name of this device, and who is gone.
extension DriveState {
    private static var headKey: String { "head-due" }

    /// Within a transaction, with what it is to tell.
    public func askForHead() throws { try setSetting([1], Self.headKey) }

    func isHeadDue() throws -> Bool { try setting(Self.headKey) != nil }

    /// Not before it is known to be in the store.
    func headIsPut() throws {
        if try isHeadDue() { try transaction { try setSetting(nil, Self.headKey) } }
    }
}
