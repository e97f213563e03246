import DriveCore
import DrivePredicates

/// The column `document.attributes`.
enum AttributeCoding {
    private static let limit = 1 << 20

    static func encode(_ attributes: [String: PredicateValue]) -> [UInt8] {
        var writer = ByteWriter()
        writer.count(attributes.count)
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            writer.blob(Array(name.utf8))
            writer.value(value)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(DriveError) -> [String: PredicateValue] {
        var reader = ByteReader(bytes)
        var result: [String: PredicateValue] = [:]
        for _ in 0..<(try reader.count(limit: limit, each: 2)) {
            let name = String(decoding: try reader.blob(limit: limit), as: UTF8.self)
            result[name] = try reader.value()
        }
        try reader.expectEnd()
        return result
    }
}

extension ByteWriter {
    /// Documents have no data and no dictionaries.
    fileprivate mutating func value(_ value: PredicateValue) {
        switch value {
        case .null, .data, .dictionary: byte(0)
        case .bool(let value): byte(value ? 2 : 1)
        case .integer(let number):
            byte(3)
            signed(number)
        case .real(let number):
            byte(4)
            fixed(number.bitPattern)
        case .string(let text):
            byte(5)
            blob(Array(text.utf8))
        case .date(let date):
            byte(6)
            signed(date.seconds)
            fixed(date.nanoseconds)
        case .list(let values):
            byte(7)
            count(values.count)
            for value in values { self.value(value) }
        }
    }
}

extension ByteReader {
    fileprivate mutating func value(depth: Int = 0) throws(DriveError) -> PredicateValue {
        switch try byte() {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3: return .integer(try signed())
        case 4: return .real(Double(bitPattern: try fixed(UInt64.self)))
        case 5: return .string(String(decoding: try blob(limit: 1 << 20), as: UTF8.self))
        case 6: return .date(PredicateDate(seconds: try signed(), nanoseconds: try fixed(Int32.self)))
        case 7 where depth < 4:
            var values: [PredicateValue] = []
            for _ in 0..<(try count(limit: 1 << 20)) { values.append(try value(depth: depth + 1)) }
            return .list(values)
        default: throw DriveError(.corrupt, "an attribute of the search index is no value")
        }
    }
}
