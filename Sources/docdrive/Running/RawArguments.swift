import Glibc

/// Arguments as the bytes that the shell gave: a path need not be UTF-8, and `String` would change it.
///
/// The bytes of an argument are found by its text. Where those of two would have the same one, the later has a mark in it that
/// nothing shows.
struct RawArguments {
    static let given = RawArguments(
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            CommandLine.unsafeArgv[place].map { pointer in
                UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) }
            }
        })

    /// What the parser gets.
    private(set) var texts: [String] = []
    /// By their texts arguments, and of `--to=PATH` the paths. In UTF-8, since strings are equal whose bytes are not.
    private var known: [[UInt8]: [UInt8]] = [:]
    /// How many have the same text without a mark.
    private var twins: [[UInt8]: Int] = [:]

    init(_ arguments: [[UInt8]]) {
        let isText = arguments.map { String(validating: $0, as: UTF8.self) != nil }
        // Text stands for itself, wherever it is among them.
        for (argument, isText) in zip(arguments, isText) where isText {
            for part in Self.parts(argument) { known[part] = part }
        }
        texts = zip(arguments, isText).map { argument, isText in
            isText ? String(decoding: argument, as: UTF8.self) : own(argument)
        }
    }

    static func bytes(_ text: String) -> [UInt8] { given.bytes(text) }

    /// As it is read by people, without a mark.
    static func shown(_ text: String) -> String { String(decoding: bytes(text), as: UTF8.self) }

    func bytes(_ text: String) -> [UInt8] {
        let text = Array(text.utf8)
        return known[text] ?? text
    }

    /// A text that stands for nothing else, for bytes that are none.
    private mutating func own(_ argument: [UInt8]) -> String {
        let plain = String(decoding: argument, as: UTF8.self)
        let parts = Self.parts(argument)
        let twin = Array(String(decoding: parts.last ?? argument, as: UTF8.self).utf8)
        while true {
            let text = Self.marked(plain, twins[twin, default: 0])
            let keys = Self.parts(Array(text.utf8))
            if zip(keys, parts).allSatisfy({ key, part in known[key].map { $0 == part } ?? true }) {
                for (key, part) in zip(keys, parts) { known[key] = part }
                return text
            }
            twins[twin, default: 0] += 1
        }
    }

    /// The argument, and of `--to=PATH` the path too.
    private static func parts(_ argument: [UInt8]) -> [[UInt8]] {
        guard argument.first == 0x2D, let sign = argument.firstIndex(of: 0x3D) else { return [argument] }
        return [argument, Array(argument[(sign + 1)...])]
    }

    /// The number in signs that choose between forms of the one before them (U+FE00 and on), of which it has none.
    private static func marked(_ text: String, _ number: Int) -> String {
        var scalars = text.unicodeScalars
        guard number > 0, let place = scalars.lastIndex(of: "\u{FFFD}") else { return text }
        let digits = String(number, radix: 16).compactMap { $0.hexDigitValue }
        scalars.insert(
            contentsOf: digits.compactMap { Unicode.Scalar(0xFE00 + UInt32($0)) }, at: scalars.index(after: place))
        return String(scalars)
    }
}
