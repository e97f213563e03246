import DocumentDrive
import DriveCore
import FileCoordination

/// Has something done: by the process that watches the drive, or here under the drive's lock.
struct DriveActing {
    let folder: FolderPath
    /// Whether to print what was done.
    var isTold = true

    /// Then a pass tells the other devices, if their store can be reached. False where something was left as it is.
    @discardableResult
    func perform(_ act: DriveAct) async throws -> Bool { try await outcomes(of: act).allSatisfy(\.isDone) }

    /// As `perform`, with what became of each item.
    func outcomes(of act: DriveAct) async throws -> [ActOutcome] {
        if let client = try await DriveClient.answering(folder) {
            let outcomes = try await asking(client, act)
            tell(outcomes)
            // A pass follows by itself, but in a pause.
            if try DriveReader(folder).isPaused { _ = try await telling(of: act) { try await sync(client) } }
            return outcomes
        }
        let drive = try Drive.open(folder)
        let outcomes = try await asking(drive, act)
        tell(outcomes)
        // Without its store a pass may have ended before it looked; what was done shows here all the same.
        if try await !telling(of: act, { try await sync(drive) }) { try? await drive.look() }
        return outcomes
    }

    /// False where the store, or the disk, is in the way.
    private func telling(of act: DriveAct, _ sync: () async throws -> Void) async throws -> Bool {
        do { try await sync() } catch let error as DriveError where error.leavesTheTelling(of: act) {
            Output.error(Sentence(error).text)
            Output.error(
                act.isDoneByAPass
                    ? "docdrive: this is decided; the next `docdrive sync` that reaches the store carries it out"
                    : "docdrive: this is done here; the next `docdrive sync` tells the other devices")
            return false
        }
        return true
    }

    /// With a pass that is done when the call returns, or with none.
    func perform(_ act: DriveAct, syncs: Bool) async throws {
        if let client = try await DriveClient.answering(folder) {
            tell(try await asking(client, act))
            if syncs { try await sync(client) }
            return
        }
        let drive = try Drive.open(folder)
        tell(try await asking(drive, act))
        if syncs { try await sync(drive) }
    }

    private func sync(_ drive: Drive) async throws {
        _ = try await Inherited.joining(folder) { try await drive.sync() }
    }

    private func sync(_ client: DriveClient) async throws {
        try await Inherited.joining(folder) {
            _ = try await Interruption.asking(client) { try await client.sync() }
        }
    }

    /// What was done, in the words of whoever did it; no pass follows.
    func performed(_ act: DriveAct) async throws -> [String] {
        if let client = try await DriveClient.answering(folder) { return try await asking(client, act).map(\.line) }
        return try await asking(try Drive.open(folder), act).map(\.line)
    }

    /// How long to wait for programs that use the items; a `--timeout` that ends earlier leaves the time to say who they are.
    static var patience: Duration {
        guard let left = Interruption.timeLeft else { return .seconds(10) }
        return .seconds(max(0, left - 0.3))
    }

    /// What the drive is at, such as sending much, comes to its end; `--timeout` holds for that by itself.
    private var patience: ActPatience { ActPatience(users: Self.patience, drive: nil) }

    private func asking(_ client: DriveClient, _ act: DriveAct) async throws -> [ActOutcome] {
        try await Interruption.asking(client) {
            try await Inherited.joining(folder) { try await client.outcomes(of: act, patience) }
        }
    }

    private func asking(_ drive: Drive, _ act: DriveAct) async throws -> [ActOutcome] {
        try await Inherited.joining(folder) { try await drive.outcomes(of: act, patience) }
    }

    private func tell(_ outcomes: [ActOutcome]) {
        guard isTold else { return }
        for outcome in outcomes { Output.line(Escaped.text(Advice.text(outcome.line))) }
        Output.flush()
    }
}

extension DriveError {
    /// What was asked for is done, and only that the store, or the disk, takes nothing now keeps others from being told of it.
    fileprivate func leavesTheTelling(of act: DriveAct) -> Bool {
        switch kind {
        case .unreachable: true
        case .noSpace, .tooLarge, .refused, .objectFailed, .objectDenied, .readOnly, .permissionDenied,
            .notAuthenticated, .exhausted, .unfit, .unmovable, .inputOutput:
            !act.isDoneByAPass
        case .notFound, .temporary, .corrupt, .newerFormat, .identityChanged, .usage, .needsDecision, .internalFault:
            false
        }
    }
}

extension DriveAct {
    /// It only decides: a pass brings the files, or removes them.
    fileprivate var isDoneByAPass: Bool {
        switch self {
        case .confirmDeletes, .restoreDeletes: true
        default: false
        }
    }
}

/// Asks on a terminal; elsewhere it takes `--yes`.
enum Question {
    static func ask(_ question: String, yes: Bool, path: String) throws {
        if yes { return }
        guard Output.isInputTerminal else {
            throw DriveError(.usage, "nothing was changed, since nobody can be asked; say --yes", path: path)
        }
        try ask(question)
    }

    /// On a terminal. Ends the command where the answer is no.
    static func ask(_ question: String) throws {
        Output.flush()
        Output.errorText("\(question) [y/N] ")
        guard ["y", "yes"].contains((readLine() ?? "").lowercased()) else {
            Output.error("docdrive: nothing was changed")
            throw ExitStatus.no
        }
    }
}
