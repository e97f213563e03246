import DriveCore

/// Objects of the store that somebody found damaged or gone: no new record refers to them, even where the very chunk is
/// known to lie there.
struct DamagedObjects {
    private let state: any DriveState

    private static let settingKey = "damaged-objects"

    init(_ state: any DriveState) { self.state = state }

    func keys() throws -> Set<ObjectKey> {
        guard let bytes = try state.setting(Self.settingKey) else { return [] }
        return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// Within the caller's transaction.
    func set(_ keys: Set<ObjectKey>) throws {
        let text = keys.sorted().joined(separator: "\n")
        try state.setSetting(keys.isEmpty ? nil : Array(text.utf8), Self.settingKey)
    }
}
