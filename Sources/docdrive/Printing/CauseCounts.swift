import DocumentDrive
import DriveCore
import FileCoordination

/// How many items wait for one cause.
struct CauseCount: Encodable {
    var cause: Cause
    var state: String
    var count: Int
    var sentence: String
    /// Of the first one: milliseconds since 1970.
    var since: UInt64?
    var nextTry: UInt64?
    var example: String
    var exampleBase64: String?
    /// It is of the drive, not of items.
    var isOfDrive: Bool
    private var waitsFor: String?
    /// Of the example.
    fileprivate let path: DrivePath

    enum CodingKeys: String, CodingKey {
        case cause, state, count, sentence, since, nextTry, example, exampleBase64, isOfDrive
    }

    /// The drive itself first, then the most frequent.
    static func all(_ waiting: [Explanation]) -> [CauseCount] {
        let ofDrive = waiting.filter(\.path.isRoot)
        let ofItems = Dictionary(grouping: waiting.filter { !$0.path.isRoot }, by: \.cause).values
            .sorted { ($1.count, $0[0].cause.rawValue) < ($0.count, $1[0].cause.rawValue) }
        return ofDrive.map { CauseCount([$0], isOfDrive: true) } + ofItems.map { CauseCount($0, isOfDrive: false) }
    }

    private init(_ found: [Explanation], isOfDrive: Bool) {
        let first = found[0]
        (cause, state, count, sentence) = (first.cause, first.standing.word, found.count, first.sentence)
        (since, nextTry, example) = (found.compactMap(\.since).min(), first.nextTry, first.path.description)
        exampleBase64 = first.path.base64IfNeeded
        self.isOfDrive = isOfDrive
        (waitsFor, path) = (first.waitsFor, first.path)
    }

    fileprivate var next: String { nextTry.map { ", " + Moment.nextTry($0) } ?? "" }

    /// `2: a program has it open for writing, next try at 14:03:07`
    fileprivate var text: String { "\(Quantity.count(count)): \(Advice.text(Escaped.text(sentence)))\(next)" }

    /// Of the drive, in the words of whoever met it.
    fileprivate var textOfDrive: String {
        Advice.text(Escaped.text(waitsFor ?? sentence)) + next
    }
}

extension StatusReport {
    /// Once it is known what watches. Where nothing does, or it does not know the folder as it is, or its passes fail, the folder is
    /// looked at now, as far as it can be; `isThorough`: also before all is said to be in step, since nobody hears of what a program
    /// writes into a file that it keeps open.
    mutating func addWaiting(
        _ reader: DriveReader, _ paths: [PathArgument], isFolderKnown: Bool, isThorough: Bool
    ) async throws {
        let places = try paths.map { try $0.path(beneath: reader.folder) }
        pause = try reader.pause()
        waiting = try reader.waiting(for: places, running: running)
        if !isFolderKnown || running?.trouble != nil { try await look(reader, places) }
        causes = CauseCount.all(waiting)
        guard isThorough, !hasLooked, isInStep else { return }
        try await look(reader, places)
        for place in waiting.indices.prefix(Self.mostLookedUp) {
            waiting[place] = try reader.explanation(of: waiting[place].path, running: running)
        }
        waiting.removeAll(where: \.standing.isSettled)
        causes = CauseCount.all(waiting)
    }

    private static let mostLookedUp = 100

    private mutating func look(_ reader: DriveReader, _ places: [DrivePath]) async throws {
        do {
            let known = Set(waiting.map(\.path))
            waiting += try await reader.unseenChanges(in: places, running: running).filter { !known.contains($0.path) }
            hasLooked = true
        } catch let error as DriveError {
            cannotLook = error.description
        }
    }

    var waitingLines: [String] {
        var lines = causes.filter(\.isOfDrive).map { "Waiting  \($0.textOfDrive)" }
        if let pause {
            let end =
                pause.until.map { "until \(Moment.minute($0))" }
                ?? "until `\(Advice(place).command("docdrive resume"))`"
            lines.append("Paused   nothing is sent or brought \(end)")
        }
        let items = causes.filter { !$0.isOfDrive }
        guard let first = items.first else { return lines }
        let count = items.reduce(0) { $0 + $1.count }
        let why = Advice(place).command("docdrive why \(first.path.shellText)")
        lines.append("Waiting  \(Quantity.count(count, "item")): `\(why)`")
        lines += items.map { "         \($0.text)" }
        return lines
    }
}
