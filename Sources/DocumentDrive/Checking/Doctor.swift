import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
import FileCoordination

/// Looks at everything that a drive needs to work, and says of each what is wrong and what to do.
///
/// Never fails: what cannot be looked at is a finding. Changes nothing of the person's.
public struct Doctor: Sendable {
    public struct Finding: Hashable, Sendable, Codable {
        public var v = 1
        public var type = "finding"
        /// What was looked at: `folder`, `store`...
        public var check: String
        public var level: Level
        public var message: String
        /// What to do about it.
        public var advice: String?

        public init(_ check: String, _ level: Level, _ message: String, advice: String? = nil) {
            self.check = check
            self.level = level
            self.message = message
            self.advice = advice
        }
    }

    public enum Level: String, Hashable, Sendable, Codable, Comparable {
        case ok, warning, problem

        private var order: Int { self == .ok ? 0 : self == .warning ? 1 : 2 }

        public static func < (a: Level, b: Level) -> Bool { a.order < b.order }
    }

    let folder: FolderPath
    /// How long the store may take to answer: tries go on for minutes where a server hangs.
    let patience: Duration

    public init(_ folder: FolderPath) { self.init(folder, patience: .seconds(20)) }

    init(_ folder: FolderPath, patience: Duration) { (self.folder, self.patience) = (folder, patience) }

    /// Everything, in an order in which later findings may follow from earlier ones.
    public func run() async -> [Finding] {
        let before = [
            look("formats", formats), look("folder", marker), look("state folder", permissions),
            look("file system", fileSystem), look("space", space), look("limits", limits), look("watcher", watcher),
            look("importer", importer), look("lock", lock), look("service", service),
        ]
        let running = await lookLater("running", running)
        let middle = [
            look("settings", settings), look("index", index), look("search index", searchIndex), look("items", items),
            look("device name", deviceName),
        ]
        let store = await lookLater("store", storeInTime)
        return Array((before + [running] + middle + [store, look("clock", clock)]).joined())
    }

    private func look(_ check: String, _ body: () throws -> [Report]) -> [Finding] {
        do { return findings(check, try body()) } catch { return findings(check, [Self.report(error)]) }
    }

    private func lookLater(_ check: String, _ body: () async throws -> [Report]) async -> [Finding] {
        do { return findings(check, try await body()) } catch {
            // What it says of that is of no interest.
            if Task.isCancelled {
                return findings(check, [Report(.problem, "it had not answered by the end", Self.lookAtIt)])
            }
            return findings(check, [Self.report(error)])
        }
    }

    static let lookAtIt = "look at the server and at the way to it; `docdrive status` says what waits for it"

    private func findings(_ check: String, _ reports: [Report]) -> [Finding] {
        reports.map { Finding(check, $0.level, $0.message, advice: $0.advice) }
    }

    /// Messages of errors have their advice behind a semicolon.
    static func report(_ error: any Error) -> Report {
        let error = error as? DriveError ?? DriveError(.internalFault, "\(error)")
        let parts = error.message.split(separator: ";", maxSplits: 1).map { $0.drop { $0 == " " } }
        let place = error.path.map { ": \($0)" } ?? ""
        return Report(.problem, "\(parts.first ?? "")\(place)", parts.count > 1 ? String(parts[1]) : nil)
    }

    struct Report {
        var level: Level
        var message: String
        var advice: String?

        init(_ level: Level, _ message: String, _ advice: String? = nil) {
            self.level = level
            self.message = message
            self.advice = advice
        }
    }

    private func formats() throws -> [Report] {
        [Report(.ok, "index version \(DriveIndex.formatVersion), store version \(StoreInfo.formatVersion)")]
    }
}
