@testable import DriveCore
@testable import DriveFiles
@testable import DriveTransport

extension FuzzTarget {
    /// Names that a store lists, and ids as people type them.
    static let objectNames = FuzzTarget(name: "object-names", run: ObjectNames.run, seeds: ObjectNames.seeds)
}

private enum ObjectNames {
    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let name = HeadName(text) { try isOneOfOurs(name.key, text) }
        if let name = SegmentName(text) { try isOneOfOurs(name.key, text) }
        if let id = StoreID(text) {
            try require(same(id.description, text), "an id of a store is printed as it was read")
        }
        if let id = DeviceID(text) { try require(same(id.description, text.lowercased()), "so is a device's") }
        if let id = ItemID(text) { try require(same(id.description, text.lowercased()), "so is an item's") }
        if let key = try? StoreKey(text) { try leadsNowhereElse(key, text) }
        if StoredKey.isSafe(text) {
            let isKey = (try? StoreKey(text)) != nil
            try require(isKey || text.utf8.count > StoreKey.longest, "a folder takes every safe name")
        }
        let id = ContentHash(words: (1, 2, 3, 4))
        switch StoredKey(text, chunk: id) {
        case .blob(let nonce): try isOneOfOurs(StoredKey.blobKey(id, nonce: nonce), text)
        case .pack(let device, let nonce): try isOneOfOurs(StoredKey.packKey(device, nonce: nonce), text)
        case .other: break
        }
    }

    static func seeds() -> [[UInt8]] {
        let device = DeviceID(high: 0x0123_4567_89AB_CDEF, low: 0xFF01)
        let texts = [
            HeadName(device: device, published: 77, generation: 3, nonce: 0xDEAD_BEEF).key,
            SegmentName(device: device, low: 1, high: 77, generation: 3, nonce: 0xDEAD_BEEF).key,
            StoreID(high: 1 << 60, low: 77).description, device.description, ItemID(high: 5, low: 77).description,
            StoredKey.packKey(device, nonce: 9),
            StoredKey.blobKey(ContentHash(words: (1, 2, 3, 4)), nonce: [1, 2, 3, 4, 5]),
            "dd1/aaaaaaaaaaaaaaaaaaaaaaaaaa/format",
        ]
        return texts.map { Array($0.utf8) }
    }

    private static func isOneOfOurs(_ key: ObjectKey, _ text: String) throws {
        try require(same(key, text), "a name is printed as it was read: \(key)")
        try require(StoredKey.isSafe(text), "a name of ours is safe: \(key)")
    }

    private static func leadsNowhereElse(_ key: StoreKey, _ text: String) throws {
        for component in key.components {
            try require(component.isValid && component.bytes.first != 0x2E, "a component is a plain name")
        }
        try require(
            key.components.map(\.bytes).joined(separator: [0x2F]).elementsEqual(text.utf8), "a path is its key")
    }

    /// Texts are equal where Unicode says so; names are not.
    private static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }
}
