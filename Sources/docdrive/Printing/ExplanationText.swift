import DocumentDrive
import DriveCore
import FileCoordination

/// Why an item is as it is, for people.
struct ExplanationText {
    private let explanation: Explanation
    private let advice: Advice
    private let color: ColorChoice

    init(_ explanation: Explanation, _ advice: Advice, _ color: ColorChoice) {
        self.explanation = explanation
        self.advice = advice
        self.color = color
    }

    func print() {
        let standing = explanation.standing
        Output.line("\(color.letter(standing)) \(Escaped.path(explanation.path))  \(standing.word)")
        line("why", advice.text(explanation.sentence))
        if let since = explanation.since { line("since", Moment.minute(since)) }
        if let rule = explanation.rule, !rule.isUnread {
            line("rule", "\(rule.file):\(rule.line)  \(String(decoding: rule.text, as: UTF8.self))")
        }
        for other in explanation.others { line("see", other.description) }
        if let awaited = explanation.waitsFor { line("waits for", advice.text(awaited)) }
        if let next = explanation.nextTry { line("next try", next < Moment.now ? "now" : Moment.soon(next)) }
        if let remedy = explanation.remedy { line("do", advice.command(remedy)) }
        printSides()
    }

    /// Where the three sides are one there is nothing to compare.
    private func printSides() {
        if explanation.path.isRoot || explanation.standing == .synced || explanation.standing == .unknown { return }
        if explanation.here == nil, explanation.last == nil, explanation.store == nil { return }
        switch explanation.hereInstead {
        case .notLooked: return
        case .unseen: line("here", "cannot be looked at")
        case .specialFile: line("here", "a socket, a pipe or a device")
        case nil: side("here", explanation.here)
        }
        if explanation.isUnsent { return line("store", "does not have this yet") }
        side("in step", explanation.last)
        side("store", explanation.store)
    }

    private func side(_ name: String, _ side: Explanation.Side?) {
        guard let side else { return line(name, "nothing") }
        var text = side.kind.word
        if side.kind != .folder { text += ", \(Quantity.bytes(side.size))" }
        if let modified = side.modified { text += ", \(Moment.minute(modified))" }
        if let hash = side.hash { text += ", \(hash.description.prefix(8))" }
        line(name, text)
    }

    private func line(_ name: String, _ text: String) {
        Output.line("  " + name + String(repeating: " ", count: 11 - name.count) + Escaped.text(text))
    }
}

/// Why an item is as it is, for programs.
struct ExplanationJSON: Encodable {
    var v = 2
    var type = "explanation"
    var path: String
    var pathBase64: String?
    var state: String
    var letter: String
    var cause: Cause
    var sentence: String
    /// Milliseconds since 1970.
    var since: UInt64?
    var waitsFor: String?
    var nextTry: UInt64?
    var remedy: String?
    var device: String?
    /// Who has it, of what is in use.
    var process: Int32?
    var program: String?
    var others: [String]
    /// Where one of them is not UTF-8, all of them in the same order.
    var othersBase64: [String?]?
    var rule: RuleJSON?
    var here: SideJSON?
    /// special-file, unseen or not-looked, where there is no `here` and something may be there all the same.
    var hereInstead: String?
    var last: SideJSON?
    var store: SideJSON?

    struct RuleJSON: Encodable {
        var file: String
        var fileBase64: String?
        var line: Int
        var rule: String
    }

    struct SideJSON: Encodable {
        var kind: String
        var size: UInt64
        /// Milliseconds since 1970.
        var modified: Int64?
        var hash: String?

        init(_ side: Explanation.Side) {
            (kind, size, modified) = (side.kind.word, side.size, side.modified?.wholeMilliseconds)
            hash = side.hash?.description
        }
    }

    init(_ explanation: Explanation) {
        path = explanation.path.description
        pathBase64 = explanation.path.base64IfNeeded
        state = explanation.standing.word
        letter = String(explanation.standing.rawValue)
        (cause, sentence, since) = (explanation.cause, explanation.sentence, explanation.since)
        (waitsFor, nextTry, remedy) = (explanation.waitsFor, explanation.nextTry, explanation.remedy)
        device = explanation.device
        (process, program) = (explanation.user?.process, explanation.user?.program)
        others = explanation.others.map(\.description)
        othersBase64 = explanation.others.base64IfNeeded
        rule = explanation.rule.map {
            RuleJSON(
                file: $0.file.description, fileBase64: $0.file.base64IfNeeded, line: $0.line,
                rule: String(decoding: $0.text, as: UTF8.self))
        }
        (here, last, store) = (
            explanation.here.map(SideJSON.init), explanation.last.map(SideJSON.init),
            explanation.store.map(SideJSON.init)
        )
        hereInstead = explanation.hereInstead?.rawValue
    }
}
