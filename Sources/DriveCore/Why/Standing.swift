/// How an item stands, as `why` says it: one letter, one word. Those that lists have too have the same letters there.
public enum Standing: Character, Hashable, Sendable, CaseIterable {
    case synced = "S"
    case uploading = "U"
    case downloading = "D"
    case waiting = "W"
    case conflict = "C"
    case ignored = "I"
    case held = "H"
    /// Waiting alone does not help: somebody has to do something.
    case error = "!"
    /// It was here, and is deleted or elsewhere now.
    case gone = "-"
    /// Nobody ever told of it.
    case unknown = "?"

    public var word: String { "\(self)" }

    /// Whether both sides have agreed about it, as far as this device is to know.
    public var isSettled: Bool {
        switch self {
        case .synced, .conflict, .ignored, .gone, .unknown: true
        case .uploading, .downloading, .waiting, .held, .error: false
        }
    }
}
