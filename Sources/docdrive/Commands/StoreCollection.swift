import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct StoreCollectionCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Removes from the store what no device needs any more.",
        discussion: """
            Contents of deleted and replaced files go once nothing has needed them for 30 days, in steps: this device \
            announces what it would remove, every other device answers, once a day when it syncs, which of it it needs, and after \
            a day at least, the rest is removed. So it takes several runs. A device that does not answer for 90 \
            days is not waited for. `docdrive watch` and `docdrive sync` do the same by themselves, a step a day.

            What an upload that was broken off has left there goes at once, where the file is gone or ignored since.

            What your devices keep in their trash is not touched.

            EXAMPLES
              docdrive store gc --dry-run
              docdrive store gc
              docdrive store gc --older-than 2
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @Option(
        help: ArgumentHelp(
            "Take what nothing has needed for so many days; 30 unless said. 12h is half a day, m is minutes.",
            valueName: "days"),
        transform: Age.argument)
    var olderThan: Age?

    @Flag(name: [.long, .customShort("n")], help: "Only tell what would be done.")
    var dryRun = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var timeout: TimeoutOption

    private static let day = 86_400.0
    private var seconds: Double { olderThan?.span.seconds ?? 30 * Self.day }

    func validate() throws {
        guard seconds <= 3_650 * Self.day else { throw ValidationError("--older-than takes 0 to 3650 days.") }
    }

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(folder).found()
        let age = UInt64(seconds * 1000)
        let lines = try await DriveActing(folder: folder, isTold: false)
            .performed(.collect(olderThan: age, isTrial: dryRun))
        guard let line = lines.first, let report = JSONText.decode(CollectionReport.self, line) else {
            throw DriveError(
                .internalFault, "the running docdrive answered in another version; stop it and start it again")
        }
        if output.isJSON {
            let json = CollectionJSON(report)
            Output.line(output.json ? JSONText.document(json) : JSONText.line(json))
        } else {
            if let line = CollectionText(report).unfinished { Output.line(line) }
            Output.line(CollectionText(report).text)
        }
        return report.step == .unread ? .partly : .done
    }
}

private struct CollectionText {
    let report: CollectionReport

    init(_ report: CollectionReport) { self.report = report }

    /// Days that nobody has seen pass do not count, so no clock tells when they are over.
    private static let patience = CollectionRule().patience / 86_400_000

    private static func size(_ objects: Int, _ bytes: UInt64) -> String {
        "\(Quantity.count(objects, "object")), \(Quantity.bytes(bytes))"
    }

    /// Nil where there was nothing of that kind.
    var unfinished: String? {
        guard report.unfinishedObjects > 0 else { return nil }
        let size = Self.size(report.unfinishedObjects, report.unfinishedBytes)
        return "\(report.isTrial ? "Would remove" : "Removed") \(size), left by uploads that were broken off"
    }

    var text: String {
        let size = Self.size(report.objects, report.bytes)
        let until = report.until.map(Moment.minute) ?? ""
        let devices = report.devices.map { Escaped.text($0) }.joined(separator: ", ")
        switch report.step {
        case .nothing where report.objects == 0: return "Nothing in the store is unneeded"
        case .nothing: return "\(size) not needed any more; not yet for long enough, at the earliest \(until)"
        case .unread where report.isTrial:
            return Advice.text(
                "Not known: \(devices) published what was not read here yet; `docdrive sync` reads it, and so does this "
                    + "command without --dry-run")
        case .unread:
            return Advice.text(
                "Nothing was removed: the journal of \(devices) cannot be read to its end; "
                    + "`docdrive sync`, then try again, or `docdrive store check`")
        case .othersTurn: return "\(devices) is at it already"
        case .announced:
            return report.isTrial
                ? "Would announce \(size), to be removed after \(until)"
                : "Announced \(size); to be removed after \(until), once every other device has synced"
        case .waiting where devices.isEmpty: return "\(size) announced; to be removed after \(until)"
        case .waiting:
            return "\(size) announced; waits for \(devices) to sync, "
                + "or for \(Self.patience) days that this device has seen pass"
        case .removed: return report.isTrial ? "Would remove \(size)" : "Removed \(size)"
        }
    }
}

private struct CollectionJSON: Encodable {
    var v = 1
    var type = "store-gc"
    /// `nothing`, `unread`, `others-turn`, `announced`, `waiting`, `removed`.
    var step: String
    var dryRun: Bool
    var objects: Int
    var bytes: UInt64
    /// Left by uploads that were broken off; gone at once.
    var unfinished: Unfinished
    /// Milliseconds since 1970.
    var until: UInt64?
    var devices: [String]

    struct Unfinished: Encodable {
        var objects: Int
        var bytes: UInt64
    }

    init(_ report: CollectionReport) {
        step = report.step == .othersTurn ? "others-turn" : report.step.rawValue
        dryRun = report.isTrial
        objects = report.objects
        bytes = report.bytes
        unfinished = Unfinished(objects: report.unfinishedObjects, bytes: report.unfinishedBytes)
        until = report.until
        devices = report.devices
    }
}
