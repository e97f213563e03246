/// Cuts what arrives into packets.
struct SFTPFraming {
    /// OpenSSH sends none that is longer (`SFTP_MAX_MSG_LENGTH` of its sftp.h), and we ask for far less.
    static let longest = 256 * 1024

    private var bytes: [UInt8] = []
    private var start = 0

    mutating func add(_ piece: some Collection<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        } else if start > Self.longest {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The next packet without its length; nil until it is there whole.
    mutating func next() throws(SFTPFault) -> [UInt8]? {
        guard bytes.count - start >= 4 else { return nil }
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 0, length <= Self.longest else { throw SFTPFault(text: "a packet of \(length) bytes") }
        guard bytes.count - start >= 4 + length else { return nil }
        defer { start += 4 + length }
        return Array(bytes[start + 4..<start + 4 + length])
    }

    /// The beginning of what is no packet yet, for a message.
    var pending: ArraySlice<UInt8> { bytes[start...].prefix(200) }
}
