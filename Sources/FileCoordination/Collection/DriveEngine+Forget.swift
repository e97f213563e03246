public import DriveCore

// Devices that are gone for good.
extension DriveEngine {
    /// From now on no device of the drive waits for this one when contents are removed, until it has another head. False where
    /// that is so already. Tells the others at once. Throws `usage` for this device, and for one that nobody has heard of.
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
        var forgotten = own.collection.forgotten + [ForgottenDevice(device, head: standing?.head)]
        forgotten.sort { $0.device < $1.device }
        try setForgotten(forgotten)
        try await renewHead()
        return true
    }

    /// Takes over whom others have forgotten, and drops whoever has come back. Whom others have forgotten by mistake, or who
    /// has been away, shows that it is here.
    func reviewForgotten(_ standings: [JournalStanding]) async throws {
        let journal = try parts.state.journal()
        let others = standings.filter { $0.device != journal.device }
        let reviewed = journal.collection.forgotten.reviewed(others, own: journal.device)
        if reviewed != journal.collection.forgotten { try setForgotten(reviewed) }
        let newest = standings.first { $0.device == journal.device }?.head
        let isForgotten = others.contains { standing in
            standing.note?.forgotten.contains { $0.device == journal.device && $0.head == newest } == true
        }
        if isForgotten { try await renewHead() }
    }

    private func setForgotten(_ devices: [ForgottenDevice]) throws {
        try parts.state.transaction {
            var journal = try parts.state.journal()
            journal.collection.forgotten = devices
            try parts.state.setJournal(journal)
        }
    }

    static let noStore = DriveError(
        .usage, "the drive has no store; connect one with `docdrive sync --to URL`")
}

extension DriveState {
    /// Who publishes something has come back. Within a transaction.
    func remember(_ device: DeviceID) throws {
        var journal = try journal()
        guard journal.collection.forgotten.contains(where: { $0.device == device }) else { return }
        journal.collection.forgotten.removeAll { $0.device == device }
        try setJournal(journal)
    }
}
