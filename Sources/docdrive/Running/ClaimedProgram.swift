import DocumentDrive
import DriveCore
import FileCoordination
import Glibc

/// Another program that runs while items of a drive are claimed for it.
struct ClaimedProgram {
    let words: [[UInt8]]
    let intents: [FileIntent]
    /// Seconds to wait for the items.
    let patience: Double?
    private let drive: FolderPath
    /// Which of the items were there when they were asked for.
    private let wereThere: [Bool]

    init(words: [[UInt8]], intents: [FileIntent], in drive: FolderPath, patience: Double?) {
        (self.words, self.intents, self.patience, self.drive) = (words, intents, patience, drive)
        wereThere = intents.map { Self.isThere(drive.appending(path: $0.path).bytes) }
    }

    /// The program's exit status. Where it runs such a program itself, that one does not wait for what is claimed here.
    func run(_ coordination: DriveCoordination) async throws -> Int32 {
        let coordinator = coordination.coordinator(purpose: Inherited.purpose)
        do {
            let code = try await coordination.within(Inherited.claims ?? "") {
                try await withPatience(coordinator) { hasIt in
                    try await coordinator.coordinate(intents) { items in
                        hasIt()
                        return try runClaimed(items, coordinator, coordination.surroundings)
                    }
                }
            }
            // Who waits is to hear where the item is now.
            await coordination.settle()
            return code
        } catch let error as CoordinationError {
            throw DriveError(.temporary, error.message, path: error.path.description)
        } catch let error as DriveError where error.kind == .notFound {
            // Where a copy was to be made of it, nothing below has looked for it before.
            if let lost = lostSnapshot { throw Self.gone(lost) }
            throw error
        }
    }

    private var lostSnapshot: DrivePath? {
        zip(intents, wereThere).first { intent, wasThere in
            guard wasThere, case .reading(let options) = intent.access else { return false }
            return options.contains(.forUploading) && !Self.isThere(drive.appending(path: intent.path).bytes)
        }?.0.path
    }

    private func runClaimed(
        _ items: [CoordinatedItem], _ coordinator: FileCoordinator, _ surroundings: String
    ) throws -> Int32 {
        try checkPresence(items)
        try Interruption.programStarts()
        defer { Interruption.programEnded() }
        let environment = [
            "DOCDRIVE_ITEM": items[0].place, "DOCDRIVE_PURPOSE": Array(coordinator.purpose.utf8),
            "DOCDRIVE_CLAIMS": Array(surroundings.utf8),
        ]
        let code = try ForegroundProgram.run(words[0], Array(words.dropFirst()), environment: environment) {
            Interruption.programRuns($0)
        }
        if intents.count == 2, let to = intents.last, intents[0].access == .writing(.forMoving),
            to.access == .writing(.forReplacing), !Self.isThere(items[0].place), Self.isThere(items[1].place)
        {
            try coordinator.itemDidMove(from: items[0].path, to: items[1].path)
        }
        return code
    }

    /// Where nothing watches the drive, nobody tells where an item went that was waited for. Something else may be put in its place,
    /// and what was not there may be made.
    private func checkPresence(_ items: [CoordinatedItem]) throws(DriveError) {
        for (place, item) in items.enumerated()
        where wereThere[place] && intents[place].access != .writing(.forReplacing) && !Self.isThere(item.place) {
            throw Self.gone(item.path)
        }
    }

    private static func gone(_ path: DrivePath) -> DriveError {
        DriveError(
            .notFound,
            "the item was moved or deleted while it was waited for, and nothing was run; name it where it is now",
            path: path.description)
    }

    /// Also a link that leads nowhere.
    private static func isThere(_ place: [UInt8]) -> Bool {
        var facts = stat()
        return lstat(place.map { CChar(bitPattern: $0) } + [0], &facts) == 0
    }

    /// The body says when the wait is over.
    private func withPatience(
        _ coordinator: FileCoordinator, _ body: (_ hasIt: () -> Void) async throws -> Int32
    ) async throws -> Int32 {
        guard let patience else { return try await body {} }
        let clock = Task {
            // With no patience at all it is still asked, and has time to answer.
            try await Task.sleep(for: .seconds(patience > 0 ? patience : 0.2))
            coordinator.cancel()
        }
        defer { clock.cancel() }
        do { return try await body { clock.cancel() } } catch is CancellationError where Interruption.code == nil {
            Output.error("docdrive: the items are still in use after \(patience) s; nothing was run")
            throw ExitStatus.timedOut
        }
    }
}

/// What `docdrive coordinate` has told a program that it runs.
enum Inherited {
    static var purpose: String? { value("DOCDRIVE_PURPOSE") }
    static var claims: String? { value("DOCDRIVE_CLAIMS") }

    /// Within it nothing waits for what it holds.
    static func joining<Result: Sendable>(
        _ coordination: DriveCoordination, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await coordination.within(claims ?? "", purpose: purpose, body)
    }

    static func joining<Result: Sendable>(
        _ folder: FolderPath, _ body: () async throws -> Result
    ) async throws -> Result {
        try await joining(DriveCoordination.of(folder), body)
    }

    private static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
