import DocumentDrive
import DriveCore
import DrivePredicates

/// What was found by the values of an attribute: how many items have each, or which.
struct GroupPrinter {
    let output: OutputOptions
    let attribute: String
    let printer: FoundPrinter

    /// The largest first, and no more groups than `limit`.
    func printCounts(_ items: [MetadataItem], limit: Int?) {
        let list = items.valueList(attribute, common: common).prefix(limit ?? .max)
        let lines = list.map {
            ValueJSON(
                attribute: attribute, value: AttributeJSON(value: $0.value), valueBase64: $0.bytes?.base64IfNoText,
                count: $0.count)
        }
        if output.printJSON(lines) { return }
        let width = list.first.map { Quantity.count($0.count).count } ?? 0
        for tuple in list {
            let count = Quantity.count(tuple.count)
            let start = String(repeating: " ", count: width - count.count) + "\(count)  "
            Output.line(start, listing: title(tuple.value, tuple.bytes))
        }
    }

    func printItems(_ items: [MetadataItem]) {
        let groups = items.grouped(by: [attribute], common: common)
        let lines = groups.map { group in
            GroupJSON(
                attribute: attribute, value: AttributeJSON(value: group.value),
                valueBase64: group.bytes?.base64IfNoText,
                paths: group.results.map(\.path.description),
                pathsBase64: group.results.map(\.path).base64IfNeeded)
        }
        if output.printJSON(lines) { return }
        for group in groups {
            Output.line("", listing: title(group.value, group.bytes), " (\(Quantity.count(group.results.count)))")
            for item in group.results { printer.print(item.path, after: "  ") }
        }
    }

    /// Endings are compared without regard to case, so those that differ in nothing else are one. Hardly two files have the
    /// same time: those of one day are one, under its beginning where the person is.
    private func common(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .string(let ending) where attribute == "kDDItemExtension": .string(ending.lowercased())
        case .date(let date): .date(PredicateDate(seconds: Moment.midnight(date.seconds)))
        default: value
        }
    }

    private func title(_ value: PredicateValue, _ exact: [UInt8]?) -> [UInt8] {
        if let exact { return exact }
        let text =
            switch value {
            case .null: "(none)"
            case .date(let date): Moment.day(date.seconds)
            default: AttributeText.plain(value)
            }
        return Array(text.utf8)
    }

    private struct ValueJSON: Encodable {
        var v = 2
        var type = "value"
        var attribute: String
        var value: AttributeJSON
        /// Where it is a name or a path and no text.
        var valueBase64: String?
        var count: Int
    }

    private struct GroupJSON: Encodable {
        var v = 2
        var type = "group"
        var attribute: String
        var value: AttributeJSON
        /// Where it is a name or a path and no text.
        var valueBase64: String?
        var paths: [String]
        /// Where a path is not UTF-8, all of them in the same order.
        var pathsBase64: [String?]?
    }
}

extension [DrivePath] {
    /// For each its bytes where it is no text; nil where all are.
    var base64IfNeeded: [String?]? {
        let exact = map(\.base64IfNeeded)
        return exact.contains { $0 != nil } ? exact : nil
    }
}
