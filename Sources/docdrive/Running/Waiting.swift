import DocumentDrive
import DriveCore
import FileCoordination
import Synchronization

/// Waits until a drive, or some items of it, are in step: told by the process that watches, or with passes of its own.
final class Waiting: Sendable {
    private let folder: FolderPath
    private let paths: [DrivePath]
    private let begun = ContinuousClock.now
    private let last = Mutex<WaitReport?>(nil)
    private let hasTold = Mutex(false)
    /// What was told last of what keeps the whole drive waiting.
    private let trouble = Mutex("")

    init(folder: FolderPath, paths: [DrivePath]) {
        self.folder = folder
        self.paths = paths
    }

    /// The last thing that was waited for; once, and whoever comes second comes after it was told.
    func tellLast() {
        hasTold.withLock { hasTold in
            if hasTold { return }
            hasTold = true
            let report = last.withLock { $0 }
            let text = report.flatMap { report in
                report.items.first.map { WaitText.line($0, of: report, Advice(folder)) }
            }
            Output.error("docdrive: still waiting: \(text ?? "the pass under way has not ended")")
        }
    }

    func run() async throws -> WaitReport {
        var pause = Duration.seconds(1)
        var told = ""
        var losses = 0
        // What is known before anybody looks, lest the time be up first. Who watches is asked later.
        if let reader = try? DriveReader(folder) {
            let process = (try? DriveClient(folder))?.process
            var watch = RunningStatus()
            if let process { watch.process = process }
            let report = WaitReport(try reader.waiting(for: paths, running: process == nil ? nil : watch))
            // What was in the way before may be over by now.
            last.withLock { $0 = report }
        }
        while true {
            let holder = try await DriveHolder.of(folder)
            let reason = holder.sentence ?? "nothing watches the drive; syncing it here"
            switch holder {
            case .watch(let client, _):
                // It may have been stopped, and somebody else waits on; one that never answers is of another version.
                do {
                    return try await Inherited.joining(folder) { try await client.wait(for: paths) { keep($0) } }
                } catch let error as DriveError
                    where error.kind == .temporary && losses < Self.lossesAtMost
                { losses += 1 }
            case .silent(let silence):
                if let error = silence.error, losses >= Self.lossesAtMost { throw error }
                losses += 1
                tell(reason, &told)
            case .apart, .nobody:
                tell(reason, &told)
                let report = try await pass()
                if report.isFinal { return report }
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(30))
        }
    }

    private func tell(_ reason: String, _ told: inout String) {
        if reason != told { Output.error("docdrive: \(reason)") }
        told = reason
    }

    /// One pass here, or while the drive is paused a look at the folder.
    private func pass() async throws -> WaitReport {
        var failure: DriveError?
        do {
            // Each pass begins anew to wait for whoever has a file open.
            let isEarly = .now - begun < Drive.writerPatience
            let drive = try Drive.open(folder, waitsForWriters: isEarly)
            // By who brings the index up to date where it is of an older version.
            let isPaused = try await drive.isPaused
            try await Inherited.joining(folder) {
                if isPaused { try await drive.look() } else { _ = try await drive.sync() }
            }
        } catch let error as DriveError where error.kind.mayPass { failure = error }
        let report = WaitReport(try DriveReader(folder).waiting(for: paths))
        // The index knows nothing of it where it cannot be written.
        if let failure, report.isDone { throw failure }
        keep(report)
        return report
    }

    private static let lossesAtMost = 5

    private func keep(_ report: WaitReport) {
        last.withLock { $0 = report }
        tellTrouble(report)
    }

    /// What keeps the whole drive waiting, once: else nobody would know why nothing is said.
    private func tellTrouble(_ report: WaitReport) {
        guard let item = report.items.first, item.mayPass, item.isOfTrouble == true else { return }
        let isNews = trouble.withLock { told in
            defer { told = item.sentence }
            return told != item.sentence
        }
        if isNews { Output.error("docdrive: waiting: \(WaitText.line(item, of: report, Advice(folder)))") }
    }
}

/// What is waited for, in a line.
enum WaitText {
    static func line(_ item: WaitReport.Item, of report: WaitReport, _ advice: Advice) -> String {
        let place = item.path == DrivePath.root.description ? "" : "\(Escaped.text(item.path)): "
        var text = place + advice.text(Escaped.text(item.sentence))
        // What is waited for may be the very thing to do.
        if let awaited = item.waitsFor, awaited != item.remedy.map({ "`\($0)`" }) {
            text += (item.isOfTrouble == true ? ": " : "; it waits for ") + advice.text(Escaped.text(awaited))
        }
        if let next = item.nextTry { text += ", " + Moment.nextTry(next) }
        if report.count > 1 { text += " (and \(Quantity.count(report.count - 1, "other"))" + ")" }
        // Of many that are held the decision is about all.
        let isOneOfMany = report.count > 1 && ExitStatus(item.cause) == .held
        if let remedy = isOneOfMany ? "docdrive deletes ls" : item.remedy {
            text += ": `\(Escaped.text(advice.command(remedy)))`"
        }
        return text
    }
}

extension ExitStatus {
    /// For an item that no waiting brings in step.
    init(_ cause: Cause) {
        self =
            switch cause {
            case .heldHere, .heldElsewhere, .heldPlace, .heldFolder: .held
            case .storeDenied, .tooLargeForStore, .refusedByStore, .notWritable, .unreadable: .denied
            case .storeFull, .diskFull: .noSpace
            case .storeDamaged, .damagedInStore: .corrupt
            case .storeNewer, .stopped: .needsOperator
            case .paused: .temporary
            default: .partly
            }
    }
}
