import DriveCore
import WatchProtocol

/// What the reports of one process mean: no I/O, no threads.
struct WatchSession {
    enum Action: Hashable {
        case greeted
        case event(WatchEvent)
        case passed(token: UInt64)
        case unsure(token: UInt64)
    }

    /// Whether an earlier process ended: then changes may have been missed.
    let isRestart: Bool
    private var isGreeted = false
    private var isReady = false
    /// Bursts are mostly in one folder.
    private var lastFolder: (bytes: [UInt8], path: DrivePath) = ([], .root)

    init(isRestart: Bool) { self.isRestart = isRestart }

    /// Throws a `DriveError` if this process is of no use.
    mutating func receive(_ report: WatchReport) throws -> [Action] {
        switch report {
        case .failure(let failure, let message): throw DriveError(reported: failure, message)
        case .greeting(let version):
            guard version == WatchProtocol.version else {
                throw DriveError(
                    .usage,
                    "the watcher program speaks version \(version) of its protocol, this program version "
                        + "\(WatchProtocol.version): install both from the same release")
            }
            isGreeted = true
            return [.greeted]
        default:
            guard isGreeted else { throw MalformedSession() }
            return actions(report)
        }
    }

    private mutating func actions(_ report: WatchReport) -> [Action] {
        switch report {
        case .greeting, .failure: return []
        case .ready(let watched, let unwatched):
            defer { isReady = true }
            let ready = Action.event(.ready(watched: Int(watched), unwatched: Int(unwatched)))
            guard isRestart, !isReady else { return [ready] }
            return [ready, .event(.rescan(reason: "the watcher process was started again"))]
        case .touched(let folder, let name, let isClosed):
            let name = name.isEmpty ? nil : FileName(bytes: name)
            guard name?.isValid ?? true else { return [] }
            if lastFolder.bytes != folder {
                let path = DrivePath(bytes: folder)
                guard path.components.allSatisfy(\.isValid) else {
                    return [.event(.rescan(reason: "the watcher named a folder that no drive can have"))]
                }
                lastFolder = (folder, path)
            }
            return [.event(.touched(folder: lastFolder.path, name: name, isClosed: isClosed))]
        case .rescan(let reason): return [.event(.rescan(reason: reason))]
        case .barrier(let token, let isSure): return [isSure ? .passed(token: token) : .unsure(token: token)]
        }
    }
}

/// Reports before the greeting.
struct MalformedSession: Error {}

extension DriveError {
    fileprivate init(reported failure: WatchFailure, _ message: String) {
        let kind: Kind =
            switch failure {
            case .usage: .internalFault
            case .folder: .notFound
            case .exhausted: .exhausted
            case .inotify: .inputOutput
            }
        self.init(kind, "the watcher cannot start: \(message)")
    }
}

/// Why a run of the process is over.
struct WatchEnd {
    var error: DriveError
    var wantsRestart = false

    init(error: DriveError) { self.error = error }

    init(_ failure: DriveError?, _ end: WatchProcess.End, program: String) {
        let how =
            switch end {
            case .exited(let status): "with status \(status)"
            case .signalled(let signal): "by signal \(signal)"
            case .unknown: "for an unknown reason"
            }
        error = failure ?? DriveError(.temporary, "the watcher process ended \(how)", path: program)
        wantsRestart = failure == nil && end == .exited(WatchExit.restart)
    }
}
