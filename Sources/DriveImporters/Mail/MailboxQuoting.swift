/// In an mbox a line that begins with "From " begins a message. One of a text gets a ">" before it, and one more where it
/// has some already (`mboxrd`).
enum MailboxQuoting {
    private static let mark = Array("From ".utf8)
    private static let sign = UInt8(ascii: ">")

    /// The lines as they were written.
    static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            let isQuoted = line.first == sign && line.drop { $0 == sign }.starts(with: mark)
            result += isQuoted ? line.dropFirst() : line
            rest = rest[end...]
        }
        return result
    }
}
