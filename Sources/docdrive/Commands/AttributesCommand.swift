import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex
import DrivePredicates

struct AttributesCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "attrs",
        abstract: "All attributes of items, as queries see them.",
        discussion: """
            Under the names that predicates use; -name takes the short ones of words too. The text of a document is \
            printed only if it is named.

            EXAMPLES
              docdrive attrs Letter.odt
              docdrive attrs -name pages -name author Letter.odt
              docdrive attrs -raw -name kMDItemTitle Letter.odt
            """)

    @Argument(help: ArgumentHelp("The items.", valueName: "path"))
    var paths: [PathArgument]

    @Option(
        name: [.customLong("name"), .customLong("name", withSingleDash: true)],
        help: ArgumentHelp("Only this attribute; may be given several times.", valueName: "attribute"))
    var names: [String] = []

    @Flag(
        name: [.customLong("raw"), .customLong("raw", withSingleDash: true)],
        help: "Values alone, each ended with NUL; (null) for what an item does not have. Needs -name.")
    var raw = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if raw, names.isEmpty { throw ValidationError("--raw needs the name of an attribute") }
        if raw, output.isJSON {
            throw ValidationError("--raw prints values and nothing else; leave out --json and --jsonl")
        }
    }

    func work() async throws -> ExitStatus {
        let folder = try paths.first.map(DrivePlace.holding) ?? DrivePlace(nil).found()
        let reader = try DriveReader(folder)
        let names = try names.map(AttributeWord.supplied)
        var lists: [AttributeList] = []
        for argument in paths {
            let path = try argument.path(beneath: folder)
            if path.isRoot {
                throw DriveError(
                    .usage, "this is the drive itself; name an item in it", path: argument.folder.description)
            }
            guard let item = try reader.metadata(of: path) else {
                throw try Self.absent(path, reader) ?? DrivePlace.misspelled(argument.folder)
                    ?? Self.unknown(path, reader)
            }
            lists.append(AttributeList(item, names: names))
        }
        if raw {
            for list in lists { list.printRaw() }
        } else if !output.printJSON(lists) {
            for list in lists { list.print(isTitled: lists.count > 1) }
        }
        return .done
    }

    /// Nil where it is not on its way here.
    private static func absent(_ path: DrivePath, _ reader: DriveReader) throws -> DriveError? {
        let found = try reader.explanation(of: path)
        guard found.here == nil, [.downloading, .waiting, .error].contains(found.standing) else { return nil }
        return DriveError(
            .usage, "it is not here yet: \(found.sentence); `docdrive why PATH` tells more", path: path.description)
    }

    /// Of what is there. What a rule keeps out no pass takes up.
    private static func unknown(_ path: DrivePath, _ reader: DriveReader) throws -> DriveError {
        let found = try reader.explanation(of: path)
        let message =
            switch found.cause {
            case .ignoredByRule where found.rule?.isUnread == true: "\(found.sentence)"
            case .ignoredByRule, .ignoredByDefault: "\(found.sentence); change that line to have it found"
            case .ownName: "\(found.sentence); choose another name for what is to be found"
            default:
                "the index knows no such item; `docdrive sync` looks at the folder, `docdrive why PATH` tells more"
            }
        return DriveError(.usage, message, path: path.description)
    }
}

/// The attributes of one item.
struct AttributeList: Encodable {
    var v = 2
    var type = "attributes"
    var path: String
    var pathBase64: String?
    var attributes: [String: AttributeJSON]
    /// Of those that are a name or a path and no text.
    var attributesBase64: [String: String]?
    private var order: [(name: String, value: PredicateValue)]
    private let item: ItemMetadata

    enum CodingKeys: String, CodingKey { case v, type, path, pathBase64, attributes, attributesBase64 }

    init(_ item: ItemMetadata, names: [String]) {
        self.item = item
        path = item.path.description
        pathBase64 = item.path.base64IfNeeded
        order = names.isEmpty ? item.attributes : names.map { ($0, item.value(forAttribute: $0)) }
        attributes = Dictionary(order.map { ($0.name, AttributeJSON(value: $0.value)) }) { first, _ in first }
        let exact = attributes.keys.compactMap { name in
            item.bytes(forAttribute: name)?.base64IfNoText.map { (name, $0) }
        }
        attributesBase64 = exact.isEmpty ? nil : Dictionary(uniqueKeysWithValues: exact)
    }

    func print(isTitled: Bool) {
        if isTitled { Output.line("\(Escaped.text(path)):") }
        let width = order.map(\.name.count).max() ?? 0
        for (name, value) in order {
            let padded = name + String(repeating: " ", count: width - name.count)
            guard case .list(let values) = value, !values.isEmpty else {
                Output.line("\(padded) = \(AttributeText.quoted(value))")
                continue
            }
            Output.line("\(padded) = (")
            for (place, value) in values.enumerated() {
                Output.line("    \(AttributeText.quoted(value))\(place < values.count - 1 ? "," : "")")
            }
            Output.line(")")
        }
    }

    func printRaw() {
        for (name, value) in order {
            Output.bytes((item.bytes(forAttribute: name) ?? Array(AttributeText.plain(value).utf8)) + [0])
        }
    }
}

/// Values as people read them.
enum AttributeText {
    static func quoted(_ value: PredicateValue) -> String {
        if case .string(let text) = value { return "\"\(Escaped.listed(text))\"" }
        return plain(value)
    }

    static func plain(_ value: PredicateValue) -> String {
        switch value {
        case .null: "(null)"
        case .bool(let value): value ? "1" : "0"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .string(let text): text
        case .date(let date): Moment.second(date.seconds)
        case .data(let bytes): "\(bytes.count) bytes"
        case .list(let values): values.map(plain).joined(separator: "\n")
        case .dictionary: ""
        }
    }
}

/// A value in JSON; a date is milliseconds since 1970.
struct AttributeJSON: Encodable {
    let value: PredicateValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null, .data, .dictionary: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .date(let date):
            try container.encode(
                FileTime(seconds: date.seconds, nanoseconds: UInt32(date.nanoseconds)).wholeMilliseconds)
        case .list(let values): try container.encode(values.map(AttributeJSON.init))
        }
    }
}
