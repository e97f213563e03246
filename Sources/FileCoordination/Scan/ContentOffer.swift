import DriveCore

/// Stores contents again that a store has lost: swapped, emptied or rolled back. The next scan after it was noticed
/// looks for the files here whose bytes the store does not have any more, and records them like edits.
struct ContentOffer {
    let parts: DriveParts

    struct Need {
        var rows: Set<RowID>
        var isLost: (ObjectKey) -> Bool
    }

    private static let wishKey = "offer-contents"

    func wish() throws { try parts.state.setSetting([1], Self.wishKey) }

    var isWished: Bool { get throws { try parts.state.setting(Self.wishKey) != nil } }

    func fulfil() throws { try parts.state.transaction { try parts.state.setSetting(nil, Self.wishKey) } }

    /// What is about to be published was stored a while ago, and the store may have been put back since.
    func checkPending() async throws {
        guard let transport = parts.transport, try !isWished else { return }
        // Others' objects may be listed late.
        let own = "pack/\(try parts.state.numbers().device)/"
        let heads = try parts.state.pendingGroups().flatMap(\.records).flatMap(\.heads)
        let named = Set(heads.flatMap(\.content.objects).filter { $0.hasPrefix(own) })
        guard !named.isEmpty else { return }
        let objects = try await transport.contentObjects()
        if named.isSubset(of: objects) { return }
        try parts.state.transaction { try wish() }
    }

    /// Nil where nothing was lost, as far as anybody noticed.
    func need() async throws -> Need? {
        guard let transport = parts.transport, try isWished else { return nil }
        let objects = try await transport.contentObjects()
        let isLost: (ObjectKey) -> Bool = { !objects.contains($0) }
        var rows: Set<RowID> = []
        for row in try parts.state.allRows() where row.kind == .file {
            if try content(of: row)?.needs(isLost) ?? false { rows.insert(row.id) }
        }
        return Need(rows: rows, isLost: isLost)
    }

    private func content(of row: Row) throws -> Content? {
        guard let item = try parts.state.item(row.primary.item)?.state else { return nil }
        return item.heads.first { $0.content.hash == row.hash }?.content
    }
}

extension Content {
    /// Those that it names itself; more may stand in a list of chunks.
    fileprivate var objects: [ObjectKey] {
        switch body {
        case .inline: []
        case .chunks(let chunks): chunks.map(\.object)
        case .list(let chunk): [chunk.object]
        }
    }

    /// Whether a part of it is lost. What a list of chunks names cannot be told without reading it, so it counts as lost
    /// with the list, and is looked at chunk by chunk when the file is read.
    fileprivate func needs(_ isLost: (ObjectKey) -> Bool) -> Bool {
        switch body {
        case .inline: false
        case .chunks(let chunks): chunks.contains { isLost($0.object) }
        case .list: true
        }
    }
}
