public import DriveCore
public import DriveIndex
public import DrivePredicates

// What is found, with all that is known of it.
extension DriveReader {
    /// What a predicate holds for, in no particular order; also what is still to be brought here, as its download status
    /// tells.
    public func items(_ predicate: MetadataPredicate, in folders: [DrivePath] = []) throws -> [MetadataItem] {
        var query = NameQuery()
        query.predicate = predicate
        query.includesAbsent = true
        return try items(query, in: folders)
    }

    /// What the query asks for in one of the folders, anywhere where there are none, with all that is known of it.
    public func items(_ query: NameQuery, in folders: [DrivePath] = []) throws -> [MetadataItem] {
        let found = try answered(true) {
            try index.snapshots(query, in: folder.bytes, documents: $0, types: Self.type).map(MetadataItem.init)
        }
        return found.filter { Self.lies($0.path, in: folders) }
    }

    /// As `items(_:in:)`, in this order and no more than asked for: of many that are found little is looked at but what they are put
    /// in order by. By path where `order` is empty.
    public func items(
        _ query: NameQuery, in folders: [DrivePath] = [], by order: [MetadataSort], limit: Int?
    ) throws -> [MetadataItem] {
        guard let limit else { return try items(query, in: folders).sorted(by: order) }
        return try answered(true) {
            try index.first(
                limit, by: ItemOrder(order), of: query, in: folder.bytes, documents: $0, types: Self.type
            ) { Self.lies($0, in: folders) }
            .map(MetadataItem.init)
        }
    }

    private static func lies(_ path: DrivePath, in folders: [DrivePath]) -> Bool {
        folders.isEmpty || folders.contains { $0.isRoot || (path != $0 && path.isInside($0)) }
    }
}
