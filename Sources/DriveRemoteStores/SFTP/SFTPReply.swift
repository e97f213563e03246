/// What an SFTP server answers, version 3 (draft-ietf-secsh-filexfer-02, section 7).
enum SFTPReply: Hashable, Sendable {
    case status(SFTPStatus)
    case handle([UInt8])
    case data(ArraySlice<UInt8>)
    case names([SFTPName])
    case attributes(SFTPAttributes)
    case extended(ArraySlice<UInt8>)
}

struct SFTPStatus: Hashable, Sendable {
    var code: Code
    /// For people, in the server's words.
    var message: String = ""

    struct Code: Hashable, Sendable {
        let rawValue: UInt32
        static let ok = Code(rawValue: 0)
        static let endOfFile = Code(rawValue: 1)
        static let noSuchFile = Code(rawValue: 2)
        static let permissionDenied = Code(rawValue: 3)
        /// Everything that the others do not say: the name is taken, the disk is full, a folder is not empty.
        static let failure = Code(rawValue: 4)
        static let noConnection = Code(rawValue: 6)
        static let connectionLost = Code(rawValue: 7)
        static let unsupported = Code(rawValue: 8)
    }
}

struct SFTPName: Hashable, Sendable {
    var name: [UInt8]
    var attributes: SFTPAttributes
}

struct SFTPAttributes: Hashable, Sendable {
    var size: UInt64?
    /// With the type of file, as in `st_mode`.
    var permissions: UInt32?
    /// Seconds since 1970.
    var modified: UInt32?

    /// S_IFMT and its values for a regular file and a folder (inode(7)).
    var isFile: Bool? { permissions.map { $0 & 0o170000 == 0o100000 } }
    var isFolder: Bool? { permissions.map { $0 & 0o170000 == 0o040000 } }
}

/// Bytes that are no SFTP, or not what was asked for. The session that they come over is of no more use.
struct SFTPFault: Error, Hashable {
    var text: String
}

extension SFTPReply {
    /// What a packet answers to which request; `packet` is without the length in front.
    static func read(_ packet: ArraySlice<UInt8>) throws(SFTPFault) -> (id: UInt32, reply: SFTPReply) {
        var reader = SFTPPacketReader(packet)
        let type: UInt8 = try reader.number()
        let id: UInt32 = try reader.number()
        switch type {
        case 101: return (id, .status(try reader.status()))
        case 102:
            let handle = Array(try reader.string())
            // Section 6.3: at most 256 bytes.
            guard handle.count <= 256 else { throw SFTPFault(text: "a handle of \(handle.count) bytes") }
            return (id, .handle(handle))
        case 103: return (id, .data(try reader.string()))
        case 104: return (id, .names(try reader.names()))
        case 105: return (id, .attributes(try reader.attributes()))
        case 201: return (id, .extended(reader.rest))
        default: throw SFTPFault(text: "a packet of type \(type)")
        }
    }

    /// The extensions that a server offers in its first packet (section 4).
    static func readHello(_ packet: ArraySlice<UInt8>) throws(SFTPFault) -> Set<String> {
        var reader = SFTPPacketReader(packet)
        let (type, version): (UInt8, UInt32) = (try reader.number(), try reader.number())
        guard type == 2, version >= 3 else { throw SFTPFault(text: "version \(version), a packet of type \(type)") }
        var extensions: Set<String> = []
        while !reader.rest.isEmpty {
            let name = String(decoding: try reader.string(), as: UTF8.self)
            let version = try reader.string()
            // The number is part of the promise: another one may mean other fields.
            if version.elementsEqual(name == SFTPRequest.Extension.room ? "2".utf8 : "1".utf8) {
                extensions.insert(name)
            }
        }
        return extensions
    }
}

struct SFTPPacketReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func number<Number: FixedWidthInteger>() throws(SFTPFault) -> Number {
        let size = Number.bitWidth / 8
        guard rest.count >= size else { throw SFTPFault(text: "a packet that ends too early") }
        let number = rest.prefix(size).reduce(Number(0)) { $0 << 8 | Number($1) }
        rest = rest.dropFirst(size)
        return number
    }

    mutating func string() throws(SFTPFault) -> ArraySlice<UInt8> {
        let count = Int(try number() as UInt32)
        guard rest.count >= count else { throw SFTPFault(text: "a packet that ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Some servers leave the message away.
    mutating func status() throws(SFTPFault) -> SFTPStatus {
        let code = SFTPStatus.Code(rawValue: try number())
        guard !rest.isEmpty else { return SFTPStatus(code: code) }
        return SFTPStatus(code: code, message: String(decoding: try string(), as: UTF8.self))
    }

    mutating func names() throws(SFTPFault) -> [SFTPName] {
        let count = Int(try number() as UInt32)
        // A name, a line for people and attributes take twelve bytes at least: no count makes us reserve memory.
        guard count <= rest.count / 12 else { throw SFTPFault(text: "a packet that ends too early") }
        var names: [SFTPName] = []
        for _ in 0..<count {
            let name = Array(try string())
            _ = try string()
            names.append(SFTPName(name: name, attributes: try attributes()))
        }
        return names
    }

    /// Section 5: flags say which fields follow.
    mutating func attributes() throws(SFTPFault) -> SFTPAttributes {
        var result = SFTPAttributes()
        let flags: UInt32 = try number()
        if flags & 0x1 != 0 { result.size = try number() }
        if flags & 0x2 != 0 { _ = try number() as UInt64 }
        if flags & 0x4 != 0 { result.permissions = try number() }
        if flags & 0x8 != 0 {
            _ = try number() as UInt32
            result.modified = try number()
        }
        if flags & 0x8000_0000 != 0 {
            var count: UInt32 = try number()
            while count > 0 {
                _ = try string()
                _ = try string()
                count -= 1
            }
        }
        return result
    }
}
