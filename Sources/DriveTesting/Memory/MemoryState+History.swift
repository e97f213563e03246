import DriveCore

extension MemoryState {
    public func keep(_ versions: [PastVersion]) {
        for version in versions {
            let known = tables.versions[version.item] ?? []
            guard !known.contains(where: { $0.head.dot == version.head.dot }) else { continue }
            tables.versionsSince[version.head.dot] = tables.seenTime?.now
            tables.versions[version.item] = (known + [version]).sorted {
                ($0.until, $0.head.dot) < ($1.until, $1.head.dot)
            }
        }
    }

    public func pastVersions(of item: ItemID) -> [PastVersion] { tables.versions[item] ?? [] }

    public func pastContents() -> [Content] { tables.versions.values.joined().map(\.head.content) }

    public func removePastVersions(before time: UInt64, but kept: Set<ContentHash>) {
        tables.versions = tables.versions.compactMapValues { versions in
            let left = versions.filter {
                (tables.versionsSince[$0.head.dot] ?? $0.until) >= time || kept.contains($0.head.content.hash)
            }
            return left.isEmpty ? nil : left
        }
    }

    public func pastVersion(of content: ContentHash) -> PastVersion? {
        tables.versions.values.joined().filter { $0.head.content.hash == content }.min { $0.item < $1.item }
    }

    public func newestEvent(at path: DrivePath) -> DriveEvent? { tables.events.last { $0.path == path } }

    public func events(at path: DrivePath, while body: (DriveEvent) throws -> Bool) rethrows {
        for event in tables.events.reversed() where event.path == path {
            if try !body(event) { return }
        }
    }

    public func lastOperation() -> UInt64 { tables.events.compactMap(\.operation?.id).max() ?? 0 }

    public func operations(limit: Int) -> [DriveOperation] {
        var result: [UInt64: DriveOperation] = [:]
        for operation in tables.events.compactMap(\.operation) {
            result[operation.id, default: operation].reversed.formUnion(operation.reversed)
        }
        return Array(result.values.sorted { $0.id > $1.id }.prefix(limit))
    }

    public func events(of operation: UInt64) -> [DriveEvent] {
        tables.events.filter { $0.operation?.id == operation }.reversed()
    }

    public func conflictRecords() -> [ConflictRecord] { tables.conflicts }

    public func save(_ record: ConflictRecord) {
        removeConflictRecord(of: record.item, record.dot)
        tables.conflicts.append(record)
    }

    public func removeConflictRecord(of item: ItemID, _ dot: Dot) {
        tables.conflicts.removeAll { $0.item == item && $0.dot == dot }
    }
}
