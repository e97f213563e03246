import DocumentDrive
import DriveCore
import Synchronization

/// Watches a drive whose folder comes and goes, as that of a disk that is not always mounted: while it is not there, it is
/// waited for.
final class PatientWatch: Sendable {
    private let folder: FolderPath
    private let watch: @Sendable (_ ready: @escaping @Sendable () -> Void) async throws -> Void
    /// The folder has been watched since it was last waited for.
    private let hasBegun = Atomic(false)

    /// `watch` calls `ready` once the folder is watched, and throws when it can do no more.
    init(
        _ folder: FolderPath, watch: @escaping @Sendable (_ ready: @escaping @Sendable () -> Void) async throws -> Void
    ) {
        self.folder = folder
        self.watch = watch
    }

    /// Returns when `watch` does; throws what no disk that is mounted can mend.
    func run() async throws {
        var told = ""
        var first: String?
        while true {
            let replica = try await arrival()
            if let first, replica != first { throw isAnother }
            first = replica
            hasBegun.store(false, ordering: .relaxed)
            do {
                return try await watch {
                    self.hasBegun.store(true, ordering: .relaxed)
                    ServiceNotice.send("READY=1")
                }
            } catch let error as DriveError {
                // A disk that was not unmounted well may come back read-only, and whoever mends it does not think of this.
                guard try error.kind == .readOnly || hasGone(error, replica) else { throw error }
                let text = Sentence(error).text
                if text != told || hasBegun.load(ordering: .relaxed) { Output.error(text) }
                told = text
                ServiceNotice.send("READY=1\nSTATUS=Waiting for the drive's disk")
                // What ended it may take a moment to be over.
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// The id of the drive, once it is there.
    private func arrival() async throws -> String {
        var isTold = false
        while true {
            if let replica = try Drive.present(at: folder) {
                if let refusal = Drive.refused(from: folder) { throw refusal }
                if isTold { ServiceNotice.send("STATUS=") }
                return replica
            }
            if !isTold {
                let place = Escaped.text(folder.description)
                Output.error("docdrive: the drive is not there: \(place): waiting for its disk to be mounted")
                // It is up: who starts it would else end it after a while.
                ServiceNotice.send("READY=1\nSTATUS=Waiting for the drive's disk to be mounted")
            }
            isTold = true
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Also where it is back by now. Another drive in its place is for a person to look at.
    private func hasGone(_ error: DriveError, _ replica: String) throws -> Bool {
        guard let present = try Drive.present(at: folder) else { return true }
        if present != replica { throw isAnother }
        return error.kind == .identityChanged && hasBegun.load(ordering: .relaxed)
    }

    private var isAnother: DriveError {
        DriveError(
            .identityChanged,
            "another drive lies where the one was that is watched; bring that one back, or start the watch again for this one",
            path: folder.description)
    }

    private static let pause = Duration.seconds(5)
}
