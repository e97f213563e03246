import DriveCore

/// Stores contents again that a store has lost: swapped, emptied or rolled back, or damaged where they lie. The next scan
/// after it was noticed looks for the files here whose bytes the store does not have any more, stores them again, and
/// records where: that is no edit.
struct ContentOffer {
    let parts: DriveParts

    struct Need {
        var rows: Set<RowID>
        var isLost: (ObjectKey) -> Bool
    }

    private static let wishKey = "offer-contents"

    /// Whatever the store does not list any more.
    func wish() throws { try parts.state.setSetting(OfferWish.everything.encoded, Self.wishKey) }

    /// These, because the objects that hold them are damaged or gone.
    func wish(_ contents: Set<ContentHash>) throws {
        let wished = try wished.map { $0.joined(contents) } ?? .contents(contents)
        try parts.state.setSetting(wished.encoded, Self.wishKey)
    }

    var isWished: Bool { get throws { try wished != nil } }

    private var wished: OfferWish? {
        get throws { try parts.state.setting(Self.wishKey).map(OfferWish.init(encoded:)) }
    }

    func fulfil() throws { try parts.state.transaction { try parts.state.setSetting(nil, Self.wishKey) } }

    /// What is about to be published was stored a while ago, and the store may have been put back since; or it answered that it
    /// has what it has not, or not the whole of.
    func checkPending() async throws {
        guard let transport = parts.transport, try !isWished else { return }
        let missing = try await transport.missing(of: pendingObjects())
        if missing.isEmpty { return }
        try parts.state.transaction {
            let damaged = DamagedObjects(parts.state)
            try damaged.set(damaged.keys().union(missing))
            try wish()
        }
    }

    /// With the bytes that each has to have at least. Others' packs may be listed late; whose the large chunks are nobody can
    /// tell, and of many each would be a request.
    private func pendingObjects() throws -> [ObjectKey: UInt64] {
        let own = "pack/\(try parts.state.numbers().device)/"
        let heads = try parts.state.pendingGroups().flatMap(\.records).flatMap(\.heads)
        var (packs, blobs): ([ObjectKey: UInt64], [ObjectKey: UInt64]) = ([:], [:])
        for chunk in heads.flatMap(\.content.namedChunks) {
            let end = chunk.offset + UInt64(chunk.storedLength)
            if chunk.object.hasPrefix(own) {
                packs[chunk.object] = max(packs[chunk.object] ?? 0, end)
            } else if chunk.isAlone {
                blobs[chunk.object] = max(blobs[chunk.object] ?? 0, end)
            }
        }
        return packs.count + blobs.count <= Self.askedForAtMost ? packs.merging(blobs) { max($0, $1) } : packs
    }

    private static let askedForAtMost = 16

    /// Whether the store still has what the files here are recorded to hold. What is missing twice, some time apart, is
    /// stored again: lists may be late.
    func check(_ used: UsedObjects, against stored: [ObjectKey: UInt64], lossDelay: UInt64) throws {
        // Mostly nothing is missing of what anything needs, and then nothing of what the files here need.
        let missing = try used.named.allSatisfy { stored[$0] != nil } ? [] : missing(in: stored)
        let now = parts.clock.milliseconds()
        let before = try parts.state.setting(Self.missingKey).map { try Missing(encoded: $0) }
        try parts.state.transaction {
            guard !missing.isEmpty else {
                if before != nil { try parts.state.setSetting(nil, Self.missingKey) }
                return
            }
            guard let before, before.since <= now, !before.objects.isDisjoint(with: missing) else {
                try parts.state.setSetting(Missing(since: now, objects: missing).encoded, Self.missingKey)
                return
            }
            guard now - before.since >= lossDelay else { return }
            try wish()
            try parts.state.setSetting(nil, Self.missingKey)
        }
    }

    private static let missingKey = "contents-missing"

    private func missing(in stored: [ObjectKey: UInt64]) throws -> Set<ObjectKey> {
        var result: Set<ObjectKey> = []
        try parts.state.eachRow { row in
            guard row.kind == .file else { return }
            for chunk in try content(of: row)?.namedChunks ?? [] where stored[chunk.object] == nil {
                result.insert(chunk.object)
            }
        }
        return result
    }

    /// Nil where nothing was lost, as far as anybody noticed.
    func need() async throws -> Need? {
        guard let transport = parts.transport, let wished = try wished else { return nil }
        let damaged = try DamagedObjects(parts.state).keys()
        switch wished {
        case .everything:
            let objects = try await transport.contentObjects()
            let isLost: (ObjectKey) -> Bool = { objects[$0] == nil || damaged.contains($0) }
            return Need(rows: try rows { try content(of: $0)?.needs(isLost) ?? false }, isLost: isLost)
        case .contents(let hashes):
            return Need(rows: try rows { $0.hash.map(hashes.contains) ?? false }) { damaged.contains($0) }
        }
    }

    private func rows(_ isNeeded: (Row) throws -> Bool) throws -> Set<RowID> {
        var result: Set<RowID> = []
        try parts.state.eachRow { row in if try row.kind == .file && isNeeded(row) { result.insert(row.id) } }
        return result
    }

    private func content(of row: Row) throws -> Content? {
        guard let item = try parts.state.item(row.primary.item)?.state else { return nil }
        return item.heads.first { $0.content.hash == row.hash }?.content
    }
}

/// What the next scan is to offer again.
private enum OfferWish {
    case everything
    case contents(Set<ContentHash>)

    func joined(_ more: Set<ContentHash>) -> OfferWish {
        switch self {
        case .everything: self
        case .contents(let contents): .contents(contents.union(more))
        }
    }

    /// One byte, 1 or 2, and after a 2 the hashes.
    var encoded: [UInt8] {
        switch self {
        case .everything: [1]
        case .contents(let contents): [2] + contents.sorted().flatMap(\.bytes)
        }
    }

    init(encoded: [UInt8]) {
        guard encoded.first == 2 else {
            self = .everything
            return
        }
        let places = stride(from: 1, to: encoded.count - 31, by: 32)
        self = .contents(Set(places.compactMap { ContentHash(bytes: encoded[$0..<$0 + 32]) }))
    }
}

/// Objects that files here need and that the store did not list.
private struct Missing {
    var since: UInt64
    var objects: Set<ObjectKey>

    init(since: UInt64, objects: Set<ObjectKey>) {
        self.since = since
        self.objects = objects
    }

    /// Of many a few are enough to recognise them by.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.fixed(since)
        let few = objects.sorted().prefix(1_000)
        writer.count(few.count)
        for key in few { writer.blob(Array(key.utf8)) }
        return writer.bytes
    }

    init(encoded: [UInt8]) throws(DriveError) {
        var reader = ByteReader(encoded)
        since = try reader.fixed(UInt64.self)
        objects = []
        for _ in 0..<(try reader.count(limit: 1_000)) { objects.insert(try reader.text(limit: 512)) }
    }
}

extension Content {
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
