public import DriveCore

/// What an act is about to bring back out of the trash.
public struct AnnouncedReturn: Hashable, Sendable {
    /// In the trash.
    public var name: FileName
    /// Where it is to come, under this name or the next free one.
    public var path: DrivePath
    /// Of what lies in the trash before the act.
    public var identity: FileIdentity
    /// Nil of a folder, and of what nobody has read.
    public var content: ContentHash?
    /// The operation that this reverses, or a part of it.
    public var reversed: UInt64?

    public init(
        _ name: FileName, to path: DrivePath, _ identity: FileIdentity, _ content: ContentHash?,
        reversed: UInt64? = nil
    ) {
        (self.name, self.path, self.identity, self.content, self.reversed) = (name, path, identity, content, reversed)
    }
}

extension AnnouncedReturn {
    init(from reader: inout ByteReader) throws(DriveError) {
        name = FileName(bytes: try reader.blob(limit: 255))
        path = DrivePath(bytes: try reader.blob(limit: .max))
        let flags = try reader.byte()
        identity = try FileIdentity(from: &reader, hasBirth: flags & 1 != 0)
        if flags & 2 != 0 { content = try reader.hash() }
        if flags & 4 != 0 { reversed = try reader.varint() }
    }

    func write(to writer: inout ByteWriter) {
        writer.blob(name.bytes)
        writer.blob(path.bytes)
        writer.byte((identity.birth == nil ? 0 : 1) | (content == nil ? 0 : 2) | (reversed == nil ? 0 : 4))
        identity.write(to: &writer)
        if let content { writer.hash(content) }
        if let reversed { writer.varint(reversed) }
    }
}

extension FileIdentity {
    init(from reader: inout ByteReader, hasBirth: Bool) throws(DriveError) {
        self.init(inode: try reader.varint(), birth: nil)
        guard hasBirth else { return }
        let seconds = try reader.signed()
        birth = FileTime(seconds: seconds, nanoseconds: UInt32(truncatingIfNeeded: try reader.varint()))
    }

    func write(to writer: inout ByteWriter) {
        writer.varint(inode)
        guard let birth else { return }
        writer.signed(birth.seconds)
        writer.varint(UInt64(birth.nanoseconds))
    }
}
