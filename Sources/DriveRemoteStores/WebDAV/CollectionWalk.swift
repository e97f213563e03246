import DriveCore

/// Finds keys in byte order, page by page, without reading collections that cannot hold any of them.
struct CollectionWalk: Sendable {
    private let prefix: [UInt8]
    private let after: [UInt8]?
    /// What is left to look at, the next last: sorting once per collection is all the order that it takes.
    private var pending: [Entry]

    /// Nil where no key has the prefix.
    init?(prefix: String, after: ObjectKey?) {
        self.prefix = Array(prefix.utf8)
        self.after = after.map { Array($0.utf8) }
        // The prefix names the way down as far as its last slash.
        let end = self.prefix.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
        let way = self.prefix[..<end].split(separator: 0x2F, omittingEmptySubsequences: false).dropLast()
        guard way.allSatisfy({ StoreKey.isComponent($0) }) else { return nil }
        pending = [Entry(key: Array(self.prefix[..<end]))]
    }

    private struct Entry {
        /// The key, or for a collection what its keys begin with: empty, or with a slash at its end. `/` sorts between
        /// `.` and `0`, so a collection must be compared with its slash to come where its keys do.
        var key: [UInt8]
        /// Nil for a collection.
        var size: UInt64?

        var text: String { String(decoding: key, as: UTF8.self) }
    }

    var isAtEnd: Bool { pending.isEmpty }

    /// The next keys, at most `limit`. `read` gives what lies in the collection with that start of keys.
    mutating func page(
        _ limit: Int, read: (String) async throws(DriveError) -> [DAVCollection.Member]
    ) async throws(DriveError) -> [StoredObject] {
        var found: [StoredObject] = []
        while found.count < limit, let next = pending.popLast() {
            if let size = next.size {
                found.append(StoredObject(key: next.text, size: size))
            } else {
                let entries = try await read(next.text).compactMap { entry($0, in: next.key) }
                pending += entries.sorted { $1.key.lexicographicallyPrecedes($0.key) }
            }
        }
        return found
    }

    private func entry(_ member: DAVCollection.Member, in path: [UInt8]) -> Entry? {
        guard StoreKey.isComponent(member.name) else { return nil }
        let key = path + member.name + (member.isCollection ? [0x2F] : [])
        guard key.count <= StoreKey.longest, mayHold(key, isCollection: member.isCollection) else { return nil }
        // Servers may leave out the length of an object without content.
        return Entry(key: key, size: member.isCollection ? nil : member.size ?? 0)
    }

    /// Whether the key, or for a collection any key beneath it, has the prefix and comes after `after`.
    private func mayHold(_ key: [UInt8], isCollection: Bool) -> Bool {
        guard key.starts(with: prefix) || (isCollection && prefix.starts(with: key)) else { return false }
        guard let after else { return true }
        return after.lexicographicallyPrecedes(key) || (isCollection && after.starts(with: key))
    }
}
