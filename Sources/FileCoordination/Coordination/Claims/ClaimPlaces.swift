import DriveCore

// Where in its file a claim has its locks.
extension ClaimLocks {
    /// Among the places of items: numbers of claims come from anywhere, and what is as rare as two equal hashes hurts nobody.
    static func place(ofHolderOf name: ClaimID) -> Int64 {
        var hash = PlaceHash(2)
        for number in [name.client, name.number] { hash.add(number: number) }
        return hash.place
    }

    /// Where to lock, and whether alone.
    static func places(of intents: [FileIntent]) -> [Int64: Bool] {
        var places: [Int64: Bool] = [:]
        for intent in intents {
            let item = intent.path.coordinatedItem
            let (own, within) = share(foldersAbove: item.components[...], &places)
            places[own, default: false] = intent.isWriting || places[own] == true
            // Who has what is in an item alone has the item alone too, so sharing its place keeps nobody else away.
            if intent.writing?.includesContents == true { places[within] = true }
        }
        return places
    }

    /// What keeps everybody else from all of these and takes few locks, since each costs a look at all that the file has: the
    /// deepest folder that all of them are in, with what is in it alone. It keeps others from its other items too, so it is
    /// only for who gets it at once. Nil where the items are few, or are only read, which many may do at a time.
    static func placesOfWhole(_ intents: [FileIntent]) -> [Int64: Bool]? {
        guard intents.count > mostSingle, intents.contains(where: \.isWriting) else { return nil }
        var folder: ArraySlice<FileName>?
        for intent in intents {
            let item = intent.path.coordinatedItem.components
            // Nothing has the drive's own folder in it.
            if item.isEmpty { return nil }
            let above = item.dropLast()
            folder = folder.map { $0.prefix(zip($0, above).prefix { $0 == $1 }.count) } ?? above
        }
        guard let folder else { return nil }
        var places: [Int64: Bool] = [:]
        places[share(foldersAbove: folder, &places).within] = true
        return places
    }

    static let mostSingle = 64

    /// Gives the places of the item itself, and of what is in it.
    private static func share(
        foldersAbove item: ArraySlice<FileName>, _ places: inout [Int64: Bool]
    ) -> (own: Int64, within: Int64) {
        var own = PlaceHash(0)
        var within = PlaceHash(1)
        for (depth, name) in item.enumerated() {
            places[within.place, default: false] = places[within.place] == true
            own.add(name, isFirst: depth == 0)
            within.add(name, isFirst: depth == 0)
        }
        return (own.place, within.place)
    }
}

/// FNV-1a of a kind and a path, the same in every process, without the two bits that an offset may not have.
private struct PlaceHash {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ kind: UInt8) { add(kind) }

    var place: Int64 { Int64(hash >> 2) }

    mutating func add(_ name: FileName, isFirst: Bool) {
        if !isFirst { add(0x2F) }
        for byte in name.bytes { add(byte) }
    }

    mutating func add(number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
