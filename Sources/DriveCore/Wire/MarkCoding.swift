/// How a mark is written; two bits of the flags of what carries it.
enum MarkForm: UInt8 {
    case none = 0
    /// Together with the folder that the item hangs in.
    case parent = 1
    case bySelf = 2
    case other = 3

    init(_ mark: Mark, parent: ItemID?) {
        if mark.isEmpty {
            self = .none
        } else if mark.folders.isEmpty {
            self = .bySelf
        } else if !mark.bySelf, let parent, mark.folders == [parent] {
            self = .parent
        } else {
            self = .other
        }
    }
}

extension ByteWriter {
    /// Nothing but for `other`: whether by itself, then the folders.
    mutating func mark(_ mark: Mark, _ form: MarkForm, _ context: inout WireContext) {
        guard form == .other else { return }
        byte(mark.bySelf ? 1 : 0)
        count(mark.folders.count)
        for folder in mark.folders { item(folder, &context) }
    }
}

extension ByteReader {
    mutating func mark(_ form: MarkForm, parent: ItemID?, _ context: inout WireContext) throws(DriveError) -> Mark {
        switch form {
        case .none: return .none
        case .bySelf: return .bySelf
        case .parent:
            guard let parent else { throw .malformed("a mark names a folder that is not there") }
            return Mark(folders: CollectionOfOne(parent))
        case .other:
            let bySelf = try byte()
            guard bySelf <= 1 else { throw .malformed("a mark has unknown bits") }
            var folders: [ItemID] = []
            for _ in 0..<(try count(limit: WireLimits.markFolders)) { folders.append(try item(&context)) }
            return Mark(bySelf: bySelf == 1, folders: folders)
        }
    }
}
