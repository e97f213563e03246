/// What is asked of an SFTP server, version 3 (draft-ietf-secsh-filexfer-02, section 6). Paths are bytes; a relative one
/// is beneath the login folder.
enum SFTPRequest: Sendable {
    case open(path: [UInt8], OpenFlags)
    case close(handle: [UInt8])
    case read(handle: [UInt8], offset: UInt64, count: Int)
    case write(handle: [UInt8], offset: UInt64, ArraySlice<UInt8>)
    case look(path: [UInt8])
    case lookThroughLinks(path: [UInt8])
    case openFolder(path: [UInt8])
    case readFolder(handle: [UInt8])
    case remove(path: [UInt8])
    case makeFolder(path: [UInt8])
    case removeFolder(path: [UInt8])
    case rename(from: [UInt8], to: [UInt8])
    /// OpenSSH's additions (its file PROTOCOL, section 4): to the disk, room left, longest requests.
    case sync(handle: [UInt8])
    case room(path: [UInt8])
    case limits

    struct OpenFlags: OptionSet, Sendable {
        let rawValue: UInt32
        static let read = OpenFlags(rawValue: 0x01)
        static let write = OpenFlags(rawValue: 0x02)
        static let create = OpenFlags(rawValue: 0x08)
        /// Fails where the name is taken.
        static let exclusively = OpenFlags(rawValue: 0x20)
    }

    enum Extension {
        static let sync = "fsync@openssh.com"
        static let room = "statvfs@openssh.com"
        static let limits = "limits@openssh.com"
    }

    /// SSH_FXP_INIT, the one packet without an id.
    static let hello: [UInt8] = [0, 0, 0, 5, 1, 0, 0, 0, 3]

    /// As it is sent, with its length in front.
    func packet(id: UInt32) -> [UInt8] {
        var packet = SFTPPacketWriter(type: type, id: id)
        switch self {
        case .open(let path, let flags):
            packet.add(path)
            packet.add(flags.rawValue)
            // No attributes: the server's umask decides, as for any program there.
            packet.add(UInt32(0))
        case .close(let handle), .readFolder(let handle): packet.add(handle)
        case .read(let handle, let offset, let count):
            packet.add(handle)
            packet.add(offset)
            packet.add(UInt32(count))
        case .write(let handle, let offset, let bytes):
            packet.add(handle)
            packet.add(offset)
            packet.add(bytes)
        case .look(let path), .lookThroughLinks(let path), .openFolder(let path), .remove(let path),
            .removeFolder(let path):
            packet.add(path)
        case .makeFolder(let path):
            packet.add(path)
            packet.add(UInt32(0))
        case .rename(let from, let to):
            packet.add(from)
            packet.add(to)
        case .sync(let handle):
            packet.add(Extension.sync.utf8)
            packet.add(handle)
        case .room(let path):
            packet.add(Extension.room.utf8)
            packet.add(path)
        case .limits: packet.add(Extension.limits.utf8)
        }
        return packet.finished()
    }

    private var type: UInt8 {
        switch self {
        case .open: 3
        case .close: 4
        case .read: 5
        case .write: 6
        case .look: 7
        case .openFolder: 11
        case .readFolder: 12
        case .remove: 13
        case .makeFolder: 14
        case .removeFolder: 15
        case .lookThroughLinks: 17
        case .rename: 18
        case .sync, .room, .limits: 200
        }
    }

    /// Sent even where the caller was stopped before: a handle is closed once and for sure, as its number is given out
    /// again, and there are few.
    var isDue: Bool { if case .close = self { true } else { false } }

    /// Whether a success opens something that has to be closed.
    var opens: Bool {
        switch self {
        case .open, .openFolder: true
        default: false
        }
    }
}

/// Numbers in network order, byte strings with their length in front (RFC 4251, section 5).
struct SFTPPacketWriter {
    private var bytes: [UInt8] = [0, 0, 0, 0]

    init(type: UInt8, id: UInt32) {
        bytes.append(type)
        add(id)
    }

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ string: some Collection<UInt8>) {
        bytes.reserveCapacity(bytes.count + 4 + string.count)
        add(UInt32(string.count))
        bytes.append(contentsOf: string)
    }

    func finished() -> [UInt8] {
        var packet = bytes
        withUnsafeBytes(of: UInt32(packet.count - 4).bigEndian) { packet.replaceSubrange(0..<4, with: $0) }
        return packet
    }
}
