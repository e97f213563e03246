import DriveCore

/// The column `intent.step`: a whole intent, its row included.
enum IntentCoding {
    static func encode(_ intent: Intent, _ keys: Interner) throws -> [UInt8] {
        var writer = ByteWriter()
        switch intent.step {
        case .place(let staged):
            writer.byte(0)
            writer.blob(staged.bytes)
        case .replace(let staged, let trash):
            writer.byte(1)
            writer.blob(staged.bytes)
            writer.trash(trash)
        case .move(let folder, let name, let wasParked):
            writer.byte(2)
            writer.signed(folder.rawValue)
            writer.blob(name.bytes)
            writer.byte(wasParked ? 1 : 0)
        case .park: writer.byte(3)
        case .remove(let staged, let trash):
            writer.byte(4)
            writer.blob(staged.bytes)
            writer.trash(trash)
        case .removeFolder(let staged):
            writer.byte(5)
            writer.blob(staged.bytes)
        case .setAttributes: writer.byte(6)
        }
        writer.fixed(intent.identity.inode)
        writer.byte(intent.identity.birth == nil ? 0 : 1)
        if let birth = intent.identity.birth { writer.time(birth, near: 0) }
        try writer.row(intent.row, keys)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8], _ keys: Interner) throws -> Intent {
        var reader = ByteReader(bytes)
        let step: Intent.Step
        switch try reader.byte() {
        case 0: step = .place(staged: try reader.name())
        case 1: step = .replace(staged: try reader.name(), trash: try reader.trash())
        case 2:
            step = .move(
                fromFolder: RowID(rawValue: try reader.signed()), fromName: try reader.name(),
                wasParked: try reader.byte() == 1)
        case 3: step = .park
        case 4: step = .remove(staged: try reader.name(), trash: try reader.trash())
        case 5: step = .removeFolder(staged: try reader.name())
        case 6: step = .setAttributes
        default: throw DriveError.damagedBlob
        }
        let inode = try reader.fixed(UInt64.self)
        let birth = try reader.byte() == 1 ? try reader.time(near: 0) : nil
        let row = try reader.row(keys)
        try reader.expectEnd()
        return Intent(step: step, identity: FileIdentity(inode: inode, birth: birth), row: row)
    }
}

extension ByteWriter {
    fileprivate mutating func row(_ row: Row, _ keys: Interner) throws {
        signed(row.id.rawValue)
        signed(row.parent.rawValue)
        byte(row.kind.rawValue)
        byte((row.isParked ? 1 : 0) | (row.isHeld ? 2 : 0) | (row.isDerived ? 4 : 0))
        fixed(row.facts.identity.inode)
        varint(row.facts.size)
        signed(row.facts.modified.seconds)
        fixed(row.hash?.words.0 ?? 0)
        blob(row.name.bytes)
        blob(try RowCoding.encode(row, keys))
    }

    fileprivate mutating func trash(_ entry: TrashEntry) {
        blob(entry.name.bytes)
        blob(entry.path.bytes)
        byte(entry.hash == nil ? 0 : 1)
        if let hash = entry.hash { self.hash(hash) }
        varint(entry.size)
        text(entry.reason.rawValue)
        varint(entry.time)
    }
}

extension ByteReader {
    fileprivate mutating func name() throws -> FileName { FileName(bytes: try blob(limit: Self.listLimit)) }

    fileprivate mutating func row(_ keys: Interner) throws -> Row {
        let id = RowID(rawValue: try signed())
        let parent = RowID(rawValue: try signed())
        guard let kind = ItemKind(rawValue: try byte()) else { throw DriveError.damagedBlob }
        let flags = try byte()
        let columns = RowColumns(
            id: id, parent: parent, kind: kind, isParked: flags & 1 != 0, isHeld: flags & 2 != 0,
            isDerived: flags & 4 != 0, inode: try fixed(UInt64.self), size: try varint(), modified: try signed(),
            hash: try fixed(UInt64.self), name: try name())
        return try RowCoding.decode(try blob(limit: Self.listLimit), into: columns, keys)
    }

    fileprivate mutating func trash() throws -> TrashEntry {
        let name = try name()
        let path = DrivePath(bytes: try blob(limit: Self.listLimit))
        let hash = try byte() == 1 ? try hash() : nil
        return TrashEntry(
            name: name, path: path, hash: hash, size: try varint(), reason: try value(TrashEntry.Reason.self),
            time: try varint())
    }
}
