/// A parser, with what must hold of it for any bytes at all.
struct FuzzTarget: Sendable {
    /// Also the folder of its corpus.
    let name: String
    /// Throws `Broken` where a promise does not hold; that an input is refused is no error.
    let run: @Sendable ([UInt8]) throws -> Void
    /// Inputs that the real encoders make, from which a search starts.
    let seeds: @Sendable () throws -> [[UInt8]]

    static let all: [FuzzTarget] = [
        records, parts, segments, heads, collections, formats, objectNames, packs, zstd, settings, addresses, paths,
        conflictNames,
        conflictClasses, ignore, watch, socket, indexStates, indexRows, indexMemory, searchAttributes, predicateFormats,
        rawQueries, wordQueries, importText, importMarkup, importArchives, importParts, importImages, importAudio,
        importMail, importFrames,
        importGlobs, sftpAnswers, httpAnswers,
    ]

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What was found.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    guard condition else { throw Broken("does not hold: \(promise())") }
}

/// An input cut into values, so that a search can choose each by itself. At its end it gives zeros.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func choice(_ count: Int) -> Int { Int(byte()) % count }

    mutating func number<Value: FixedWidthInteger>(_: Value.Type) -> Value {
        (0..<Value.bitWidth / 8).reduce(Value.zero) { value, _ in value << 8 | Value(truncatingIfNeeded: byte()) }
    }

    /// A length in two bytes, then as many bytes, or what is left.
    mutating func bytes() -> [UInt8] {
        let count = min(Int(number(UInt16.self)), rest.count)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }

    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

/// Makes what `FuzzInput.bytes` reads.
func measured(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }
