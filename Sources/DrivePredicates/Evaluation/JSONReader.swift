import Foundation

/// Reads JSON into values. Unlike Foundation's it tells `7` from `7.0` and from `true`, because arithmetic does.
/// An object `{"$date": "2026-01-15T10:00:00Z"}` is a date, `{"$data": "Base64"}` data.
struct JSONReader {
    private let bytes: [UInt8]
    private var place = 0
    private var nesting = 0

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func value(_ text: String) throws -> PredicateValue {
        var reader = JSONReader(text)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.place == reader.bytes.count else { throw reader.fault("something follows the value") }
        return value
    }

    private mutating func value() throws -> PredicateValue {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= PredicateLimits.height else { throw fault("too deep") }
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return .list(try sequence(from: "[", to: "]") { try $0.value() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws -> PredicateValue {
        var values: [String: PredicateValue] = [:]
        _ = try sequence(from: "{", to: "}") { reader in
            reader.skipBlanks()
            let key = try reader.string()
            try reader.expect(":")
            values[key] = try reader.value()
        }
        guard values.count == 1, let (key, value) = values.first, case .string(let text) = value else {
            return .dictionary(values)
        }
        switch key {
        case "$date":
            guard let date = PredicateDate(iso: text, timeZone: .gmt) else { throw fault("\"\(text)\" is no date") }
            return .date(date)
        case "$data":
            guard let data = Data(base64Encoded: text) else { throw fault("\"\(text)\" is no Base64") }
            return .data(Array(data))
        default: return .dictionary(values)
        }
    }

    private mutating func sequence<Element>(
        from start: Unicode.Scalar, to end: Unicode.Scalar, _ next: (inout JSONReader) throws -> Element
    ) throws -> [Element] {
        try expect(start)
        var elements: [Element] = []
        skipBlanks()
        if peek == UInt8(ascii: end) {
            place += 1
            return elements
        }
        while true {
            elements.append(try next(&self))
            skipBlanks()
            if peek == UInt8(ascii: end) { break }
            try expect(",")
        }
        place += 1
        return elements
    }

    private mutating func word(_ word: String, _ value: PredicateValue) throws -> PredicateValue {
        guard bytes[place...].starts(with: word.utf8) else { throw fault("no value") }
        place += word.utf8.count
        return value
    }

    private mutating func number() throws -> PredicateValue {
        let start = place
        while let byte = peek, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) { place += 1 }
        let digits = String(decoding: bytes[start..<place], as: UTF8.self)
        if let integer = Int64(digits) { return .integer(integer) }
        guard let real = Double(digits), real.isFinite else { throw fault("no value") }
        return .real(real)
    }

    private mutating func string() throws -> String {
        guard peek == UInt8(ascii: "\"") else { throw fault("a string is missing") }
        var end = place + 1
        var isPlain = true
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") {
                isPlain = false
                end += 1
            }
            end += 1
        }
        guard end < bytes.count else { throw fault("a string does not end") }
        let quoted = bytes[place...end]
        place = end + 1
        if isPlain { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
        guard let text = try? JSONDecoder().decode(String.self, from: Data(quoted)) else {
            throw fault("a string is malformed")
        }
        return text
    }

    private mutating func expect(_ sign: Unicode.Scalar) throws {
        skipBlanks()
        guard peek == UInt8(ascii: sign) else { throw fault("\(sign) is missing") }
        place += 1
    }

    private mutating func skipBlanks() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
    }

    private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ message: String) -> Fault { Fault(description: "JSON, byte \(place + 1): \(message)") }
}
