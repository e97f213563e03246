import DriveCore

/// Acts whose changes no look at the whole folder has taken up yet. An act writes down itself what it did; the look that finds
/// it must not write it down once more, and what it finds later is somebody else's, however much it is like it.
struct UnseenActs {
    let state: any DriveState

    /// The oldest of them; nil where there is none.
    func first() throws -> UInt64? {
        try state.setting(Self.key).map { bytes in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    func note(_ operation: DriveOperation) throws {
        guard operation.kind.isAnAct, try state.setting(Self.key) == nil else { return }
        try state.setSetting(withUnsafeBytes(of: operation.id.bigEndian, Array.init), Self.key)
    }

    /// The whole folder was looked at.
    func haveBeenSeen() throws { if try state.setting(Self.key) != nil { try state.setSetting(nil, Self.key) } }

    private static let key = "unseen-acts"
}
