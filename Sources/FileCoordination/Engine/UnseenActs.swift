import DriveCore

/// Acts whose changes no look at the whole folder has taken up yet. An act writes down itself what it did; the look that finds
/// it must not write it down once more, and what it finds later is somebody else's, however much it is like it.
package struct UnseenActs {
    let state: any DriveState

    package init(state: any DriveState) { self.state = state }

    /// The oldest of them; nil where there is none.
    func first() throws -> UInt64? {
        try state.setting(Self.key).map { bytes in bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    }

    func note(_ operation: DriveOperation) throws {
        guard operation.kind.isAnAct, try state.setting(Self.key) == nil else { return }
        try state.setSetting(withUnsafeBytes(of: operation.id.bigEndian, Array.init), Self.key)
    }

    /// One that was cut off had moved something, which is not where the index has it.
    func noteMovesOfCutOff() throws { try state.setSetting([1], Self.cutOffKey) }

    /// Until somebody has looked for what one had moved that was cut off.
    package func hasMovesOfCutOff() throws -> Bool { try state.setting(Self.cutOffKey) != nil }

    /// The whole folder was looked at.
    func haveBeenSeen() throws {
        for key in [Self.key, Self.cutOffKey] where try state.setting(key) != nil { try state.setSetting(nil, key) }
    }

    private static let key = "unseen-acts"
    private static let cutOffKey = "unseen-moves-of-cut-off"
}
