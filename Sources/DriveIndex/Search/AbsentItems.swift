import DriveCore
import DrivePredicates

/// What other devices have and this one is still to be given, each with a row that no file has.
struct AbsentItems {
    private let index: DriveIndex
    private let reader: ViewReader
    private var folders: [ItemID: DrivePath] = [:]

    init(_ index: DriveIndex) {
        self.index = index
        reader = ViewReader(index)
    }

    /// Each folder before what is in it. Costs nothing where everything is here.
    mutating func all() throws -> [(row: Row, path: DrivePath)] {
        let dirt = try index.dirt()
        if dirt.isEmpty { return [] }
        let matching = try Matching(WorkSet(dirt, in: index), index)
        var result: [(row: Row, path: DrivePath)] = []
        for entry in matching.entries where matching.row(for: entry) == nil {
            guard let folder = try path(of: entry.node) else { continue }
            let parent = matching.folder(ofNode: entry.node) ?? .root
            result.append((Row(absent: entry, in: parent), folder.appending(entry.name)))
        }
        return result
    }

    private mutating func path(of node: ItemID) throws -> DrivePath? {
        if let known = folders[node] { return known }
        let path = try reader.path(ofNode: node)
        folders[node] = path
        return path
    }
}

extension Row {
    /// When it was modified last; nil where nobody tells: times of folders do not travel, and this one is not here yet.
    var modified: FileTime? { id.isAbsent && attributes.modified == nil ? nil : facts.modified }

    fileprivate init(absent entry: ViewEntry, in parent: RowID) {
        let modified = entry.attributes.modified ?? FileTime(seconds: 0, nanoseconds: 0)
        let facts = FileFacts(
            kind: entry.kind.factsKind, identity: FileIdentity(inode: 0, birth: nil), size: entry.content?.size ?? 0,
            modified: modified, changed: modified, isExecutable: entry.attributes.isExecutable)
        self.init(
            id: .absent(entry.primary.item), parent: parent, name: entry.name, kind: entry.kind, facts: facts,
            hash: entry.content?.hash, attributes: entry.attributes)
        members = entry.members
        isDerived = entry.isDerived
    }
}

extension ItemKind {
    fileprivate var factsKind: FileFacts.Kind {
        switch self {
        case .file: .file
        case .folder: .folder
        case .link: .link
        }
    }
}

extension RowID {
    /// No file of this device has it, nor a document; the same for as long as the item is not here.
    fileprivate static func absent(_ item: ItemID) -> RowID {
        RowID(rawValue: -1 - Int64(truncatingIfNeeded: item.high >> 1 ^ item.low >> 1))
    }

    var isAbsent: Bool { rawValue < 0 }
}

extension NameQuery {
    /// What SQLite decides of the others, but for the predicate.
    func admits(_ row: Row) -> Bool {
        if !extensions.isEmpty {
            let name = NameFolding.folded(row.name.bytes)
            let endings = extensions.map { NameFolding.folded(Array(".\($0)".utf8)) }
            guard endings.contains(where: { name.suffix($0.count) == $0[...] }) else { return false }
        }
        if let name, name != row.name { return false }
        if !kinds.isEmpty, !kinds.contains(row.kind) { return false }
        if let size, row.kind == .folder || !size.contains(row.facts.size) { return false }
        return true
    }

    /// Whether somebody who asks this wants to know of what is not here.
    public static func asksDownloads(_ predicate: MetadataPredicate) -> Bool {
        predicate.attributeNames.contains(where: downloadAttributes.contains)
    }

    private static let downloadAttributes: Set<String> = [
        "NSMetadataUbiquitousItemDownloadingStatusKey", "NSMetadataUbiquitousItemIsDownloadingKey",
        "NSMetadataUbiquitousItemIsDownloadedKey", "NSMetadataUbiquitousItemDownloadRequestedKey",
        "NSMetadataUbiquitousItemPercentDownloadedKey", "NSMetadataUbiquitousItemDownloadingErrorKey",
        "kDDItemSyncState",
    ]
}
