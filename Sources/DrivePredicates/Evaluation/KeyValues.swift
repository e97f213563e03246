import Foundation

/// Values behind keys: what key-value coding gives with Foundation's classes.
enum KeyValues {
    /// A list gives the key's value of each element, thus to-many paths become lists; what has no such key gives nil.
    static func value(of key: String, in value: PredicateValue) -> PredicateValue {
        switch value {
        case .null: .null
        case .dictionary(let values): values[key] ?? (key == "self" ? value : .null)
        case _ where key == "self": value
        case .list(let values): .list(values.map { self.value(of: key, in: $0) })
        case .string(let text): self.value(of: key, in: text)
        case .bool, .integer, .real: self.value(of: key, inNumber: value)
        case .date(let date): self.value(of: key, in: date)
        case .data(let bytes): key == "length" ? .integer(Int64(bytes.count)) : .null
        }
    }

    static func value(of path: PreparedPath, in value: PredicateValue) throws -> PredicateValue {
        var value = value
        for key in path.keys { value = self.value(of: key, in: value) }
        return try collected(path, value)
    }

    /// The value that the path's collection operator, if it has one, makes of what its keys have led to.
    static func collected(_ path: PreparedPath, _ value: PredicateValue) throws -> PredicateValue {
        guard let collecting = path.collecting, !value.isNull else { return value }
        guard case .list(let values) = value else {
            if case .dictionary(let values) = value, collecting == .count { return .integer(Int64(values.count)) }
            throw PredicateEvaluationError.wrongKind(collecting.rawValue, value, needs: "a list")
        }
        if collecting == .count { return .integer(Int64(values.count)) }
        let inner = values.map { value in path.rest.reduce(value) { self.value(of: $1, in: $0) } }
        return try Collecting.value(collecting, inner)
    }

    private static func value(of key: String, in text: String) -> PredicateValue {
        switch key {
        case "length": .integer(Int64(text.utf16.count))
        case "lowercaseString", "localizedLowercaseString": .string(text.lowercased())
        case "uppercaseString", "localizedUppercaseString": .string(text.uppercased())
        case "capitalizedString", "localizedCapitalizedString": .string(text.capitalized)
        case "lastPathComponent": .string((text as NSString).lastPathComponent)
        case "pathExtension": .string((text as NSString).pathExtension)
        case "stringByDeletingPathExtension": .string((text as NSString).deletingPathExtension)
        case "stringByDeletingLastPathComponent": .string((text as NSString).deletingLastPathComponent)
        case "pathComponents": .list((text as NSString).pathComponents.map { .string($0) })
        case "intValue", "integerValue", "longLongValue": .integer(leading(text).map { Int64(clamping: $0) } ?? 0)
        case "doubleValue", "floatValue": .real((text as NSString).doubleValue)
        case "boolValue": .bool((text as NSString).boolValue)
        case "description", "absoluteString", "stringValue": .string(text)
        default: .null
        }
    }

    private static func leading(_ text: String) -> Int? {
        let value = (text as NSString).doubleValue
        return value.isNaN ? nil : value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int(value)
    }

    private static func value(of key: String, inNumber value: PredicateValue) -> PredicateValue {
        guard let number = value.number else { return .null }
        switch key {
        case "intValue", "integerValue", "longLongValue", "longValue", "shortValue":
            return number.truncated.value
        case "doubleValue", "floatValue": return .real(number.double)
        case "boolValue": return .bool(number.double != 0)
        case "stringValue", "description": return .string(Casting.text(number))
        default: return .null
        }
    }

    private static func value(of key: String, in date: PredicateDate) -> PredicateValue {
        switch key {
        case "timeIntervalSinceReferenceDate": Casting.seconds(date)
        case "timeIntervalSince1970": date.interval(since: PredicateDate(seconds: 0)).value
        default: .null
        }
    }
}
