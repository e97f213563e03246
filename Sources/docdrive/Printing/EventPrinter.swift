import DocumentDrive
import DriveCore
import FileCoordination
import Foundation

/// What `watch` prints, a line each.
struct EventPrinter: Sendable {
    let isJSON: Bool
    let drive: FolderPath
    private let advice: Advice

    init(isJSON: Bool, drive: FolderPath) {
        (self.isJSON, self.drive) = (isJSON, drive)
        advice = Advice(drive)
    }

    func print(_ announcement: Announcement) {
        switch announcement {
        case .event(let event):
            Output.line(isJSON ? JSONText.line(EventReport(event)) : "\(Moment.clock(event.time))  \(Self.text(event))")
        // What a stop cuts off is no trouble.
        case .waiting(let error) where Interruption.code == nil:
            if isJSON {
                Output.line(JSONText.line(TroubleJSON(error, of: drive)))
            } else {
                Output.error(Sentence(error).text)
            }
        case .waiting: break
        case .goesOn(let trouble):
            let text = trouble == .unreachable ? "the store is reached again" : "it goes on"
            if isJSON { Output.line(JSONText.line(GoesOnJSON(note: text))) } else { Output.error("docdrive: \(text)") }
        case .held(let count):
            if isJSON {
                Output.line(JSONText.line(HeldJSON(count: count)))
            } else {
                Output.error("docdrive: \(SummaryLine.held(count, advice))")
            }
        case .problems(let problems):
            if isJSON {
                for problem in problems { Output.line(JSONText.line(ProblemJSON(problem))) }
            } else {
                print(problems)
            }
        case .worked: break
        }
        Output.flush()
    }

    private func print(_ problems: [Problem]) {
        for problem in problems.prefix(Self.mostProblems) {
            let path = problem.path.isRoot ? "" : "\(Escaped.path(problem.path)): "
            Output.error("docdrive: not synced: \(path)\(Escaped.text(problem.reason))")
        }
        let more = problems.count - Self.mostProblems
        if more > 0 {
            Output.error("docdrive: not synced: \(Quantity.count(more)) more: `\(advice.command("docdrive status"))`")
        }
    }

    private static let mostProblems = 10

    /// `moved   Drafts/Letter.odt  (was Letter.odt)  from thinkpad`
    static func text(_ event: DriveEvent) -> String {
        var text = event.kind.rawValue
        while text.count < 10 { text += " " }
        if !event.path.isRoot { text += "  \(Escaped.path(event.path))" }
        if let from = event.from { text += "  (was \(Escaped.path(from)))" }
        if let device = event.device { text += "  from \(Escaped.text(device))" }
        if let note = event.note { text += "  \(Advice.text(Escaped.text(note)))" }
        return text
    }
}

/// Nothing can be done at the moment, as programs read it: said once, not at every try.
private struct TroubleJSON: Encodable {
    var v = 1
    var type = "trouble"
    /// Milliseconds since 1970.
    var time = Moment.now
    /// A word for what is the matter: unreachable, temporary...
    var kind: String
    var message: String
    /// For people: it need not be of this drive, nor the path of a file.
    var path: String?
    /// As far as its bytes are known.
    var pathBase64: String?

    init(_ error: DriveError, of drive: FolderPath) {
        kind = error.kind.rawValue
        message = error.message
        (path, pathBase64) = (error.path, ExactPlaces.base64(of: error.path, in: drive))
    }
}

/// What kept it from going on is over.
private struct GoesOnJSON: Encodable {
    var v = 1
    var type = "goes-on"
    var time = Moment.now
    var note: String
}

/// An item that cannot be synced now.
private struct ProblemJSON: Encodable {
    var v = 1
    var type = "problem"
    var time = Moment.now
    var path: String
    var pathBase64: String?
    /// What is the matter, and what to do.
    var message: String

    init(_ problem: Problem) {
        (path, pathBase64, message) = (problem.path.description, problem.path.base64IfNeeded, problem.reason)
    }
}

/// Deletes that wait for a decision.
private struct HeldJSON: Encodable {
    var v = 1
    var type = "held"
    var time = Moment.now
    var count: Int
}

/// Points in time for people, in their own time zone.
enum Moment {
    /// 14:03:07
    static func clock(_ milliseconds: UInt64) -> String { format(milliseconds, "%H:%M:%S") }
    /// 2026-08-21 14:03
    static func minute(_ milliseconds: UInt64) -> String { format(milliseconds, "%Y-%m-%d %H:%M") }

    /// In milliseconds since 1970.
    static var now: UInt64 { UInt64(max(0, time(nil))) * 1000 }

    /// 14:03:07, or 2026-08-21 14:03 where that is not today.
    static func soon(_ milliseconds: UInt64) -> String {
        let day = "%Y-%m-%d"
        return format(milliseconds, day) == format(now, day) ? clock(milliseconds) : minute(milliseconds)
    }

    /// Of the time of a next try, which may be over: the try is under way then.
    static func nextTry(_ milliseconds: UInt64) -> String {
        milliseconds < now ? "tried again now" : "next try at \(soon(milliseconds))"
    }

    /// 2026-08-21 14:03, of a time that a file claims.
    static func minute(_ time: FileTime) -> String { text(time.seconds, "%Y-%m-%d %H:%M") }

    /// 2026-08-21 14:03:07 +0200, of a time that a file claims.
    static func second(_ seconds: Int64) -> String { text(seconds, "%Y-%m-%d %H:%M:%S %z") }

    /// 2026-08-21, of a time that a file claims.
    static func day(_ seconds: Int64) -> String { text(seconds, "%Y-%m-%d") }

    /// When the day of this time begins, which need not have 24 hours.
    static func midnight(_ seconds: Int64) -> Int64 {
        var parts = parts(seconds)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        return LocalClock.moment(parts)
    }

    private static func text(_ seconds: Int64, _ pattern: String) -> String {
        var parts = parts(seconds)
        return text(&parts, pattern)
    }

    private static func parts(_ seconds: Int64) -> tm {
        var time = time_t(min(max(seconds, -62_135_596_800), 253_402_300_799))
        var parts = tm()
        localtime_r(&time, &parts)
        return parts
    }

    private static func format(_ milliseconds: UInt64, _ pattern: String) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return text(&parts, pattern)
    }

    private static func text(_ parts: inout tm, _ pattern: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// JSON as commands print it: stable order, slashes as they are.
enum JSONText {
    static func line(_ value: some Encodable) -> String { text(value, [.sortedKeys, .withoutEscapingSlashes]) }

    static func document(_ value: some Encodable) -> String {
        text(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted])
    }

    /// Nil for anything else.
    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private static func text(_ value: some Encodable, _ format: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = format
        // Values of ours hold nothing that JSON cannot, such as infinite numbers.
        let data = (try? encoder.encode(value)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
