import DriveCore
import DriveFiles
import FileCoordination

/// Reads a watched drive's files again, a share every hour, all of them once in as many days as the settings say.
struct Scrubber: Sendable {
    let drive: Drive
    private static let first = Duration.seconds(600)
    private static let interval = Duration.seconds(3_600)
    private let thread = WorkThread(label: "docdrive.scrub")

    init(_ drive: Drive) { self.drive = drive }

    /// Until cancelled. What stands in the way of a share is for the passes to tell; the next share tries again.
    func run() async {
        var pause = Self.first
        while (try? await Task.sleep(for: pause, tolerance: .seconds(60))) != nil {
            try? await turn()
            pause = Self.interval
        }
    }

    /// One share: measures the round where it begins, reads, and tells the engine.
    func turn() async throws {
        let days = try DriveSettings.load(from: drive.folder).scrubDays
        guard days > 0 else { return }
        var measure: ScrubMeasure? = ScrubMeasure()
        while let next = measure { measure = try await drive.engine.use { try $0.measureScrub(next) } }
        let share = try await drive.engine.use { try $0.scrubShare(roundTime: UInt64(days) * 86_400_000) }
        guard !share.isEmpty else { return }
        let key = try await drive.engine.use { try $0.contentKey() }
        let readings = try await thread.run { [folder = drive.folder.bytes, replica = drive.replica] in
            try ScrubReader(DiskFileStore.open(at: folder, replica: replica, contentKey: key)).read(share)
        }
        try await drive.engine.use { try $0.note(readings) }
    }
}
