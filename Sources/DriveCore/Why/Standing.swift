/// How an item stands, as lists and `why` say it: one letter, one word.
public enum Standing: Character, Hashable, Sendable, CaseIterable {
    case synced = "S"
    /// Edited here and not yet published.
    case uploading = "U"
    /// The other devices' version is not here yet.
    case downloading = "D"
    /// Set aside until its place is free, or for what `why` says.
    case waiting = "W"
    /// A conflict copy.
    case conflict = "C"
    case ignored = "I"
    /// Its deletion waits for a decision.
    case held = "H"
    /// Waiting alone does not help: somebody has to do something.
    case error = "!"
    /// It was here, and is deleted or elsewhere now.
    case gone = "-"
    /// Nothing here ever showed it.
    case unknown = "?"

    /// What a list of the index tells of an item; the others only `why` knows.
    public static let listed: Set<Standing> = [.synced, .uploading, .downloading, .waiting, .conflict, .held]

    public var word: String {
        switch self {
        case .synced: "synced"
        case .uploading: "uploading"
        case .downloading: "downloading"
        case .waiting: "waiting"
        case .conflict: "conflict"
        case .ignored: "ignored"
        case .held: "held"
        case .error: "error"
        case .gone: "gone"
        case .unknown: "unknown"
        }
    }

    /// Whether both sides have agreed about it, as far as this device is to know.
    public var isSettled: Bool {
        switch self {
        case .synced, .conflict, .ignored, .gone, .unknown: true
        case .uploading, .downloading, .waiting, .held, .error: false
        }
    }
}
