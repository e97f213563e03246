import DriveCore

/// Steps that are independent of each other, made durable together.
struct StepBatch {
    private let files: Int
    private let bytes: UInt64
    private var intents: [Intent] = []
    private var sum: UInt64 = 0
    private(set) var rows: Set<RowID> = []
    var entries: [RowID: ViewEntry] = [:]

    init(files: Int, bytes: UInt64) {
        self.files = files
        self.bytes = bytes
    }

    var isFull: Bool { intents.count >= files || sum >= bytes }

    mutating func add(_ intent: Intent, bytes: UInt64, entry: ViewEntry? = nil) {
        intents.append(intent)
        rows.insert(intent.row.id)
        sum += bytes
        entries[intent.row.id] = entry
    }

    mutating func take() -> [Intent] {
        defer {
            intents = []
            rows = []
            sum = 0
        }
        return intents
    }
}
