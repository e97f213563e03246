import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex

/// How a list is printed.
struct OutputOptions: ParsableArguments, Sendable {
    @Flag(help: "One JSON document; times in it are milliseconds since 1970.")
    var json = false

    @Flag(help: "A JSON object on each line.")
    var jsonl = false

    // A default of the parser's would be looked up by its type at each start.
    @Option(
        name: .customLong("color"),
        help: "Colours for states: auto (unless said), always, never. With NO_COLOR set, auto is never.")
    private var chosenColor: ColorChoice?

    var color: ColorChoice { chosenColor ?? .auto }

    init() {}

    /// As the parser reads them where nothing is said of colours.
    init(json: Bool, jsonl: Bool) {
        (self.json, self.jsonl, chosenColor) = (json, jsonl, nil)
    }

    func validate() throws {
        if json, jsonl { throw ValidationError("Give --json or --jsonl, not both") }
    }

    /// Programs are to read what is printed.
    var isJSON: Bool { json || jsonl }

    /// Objects, as JSON if asked for; false if people are to read.
    func printJSON(_ objects: @autoclosure () -> [some Encodable]) -> Bool {
        guard isJSON else { return false }
        let objects = objects()
        if json { Output.line(JSONText.document(objects)) }
        if jsonl { for object in objects { Output.line(JSONText.line(object)) } }
        return true
    }

    func printJSON(_ object: @autoclosure () -> some Encodable) -> Bool {
        guard isJSON else { return false }
        let object = object()
        if json { Output.line(JSONText.document(object)) }
        if jsonl { Output.line(JSONText.line(object)) }
        return true
    }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never

    // What stands for these in ArgumentParser does not know the type, and costs a thirtieth of a search.
    static var allValueStrings: [String] { allCases.map(\.rawValue) }
    static var allValueDescriptions: [String: String] { [:] }

    /// For the letter of a state, and for nothing else.
    func letter(_ standing: Standing) -> String {
        let letter = String(standing.rawValue)
        guard isOn else { return letter }
        let code =
            switch standing {
            case .synced: "32"
            case .uploading, .downloading: "36"
            case .waiting: "33"
            case .conflict, .held, .error: "31"
            case .ignored, .gone, .unknown: "90"
            }
        return "\u{1B}[\(code)m\(letter)\u{1B}[0m"
    }

    var isOn: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: Output.isTerminal && Environment.isUnset("NO_COLOR")
        }
    }
}

/// States by word or letter: `conflict,held` or `CH`.
struct StateList: ExpressibleByArgument, Sendable {
    let states: Set<Standing>
    /// As it was given.
    let text: String

    init?(argument: String) {
        text = argument
        var states: Set<Standing> = []
        for part in argument.split(separator: ",") {
            // `pending` is what is on its way, in either direction.
            if part == "pending" {
                states.formUnion([.uploading, .downloading, .waiting])
            } else if let state = Standing.listed.first(where: { $0.word == part }) {
                states.insert(state)
            } else {
                for letter in part {
                    guard let state = Standing(rawValue: letter), Standing.listed.contains(state) else { return nil }
                    states.insert(state)
                }
            }
        }
        if states.isEmpty { return nil }
        self.states = states
    }
}
