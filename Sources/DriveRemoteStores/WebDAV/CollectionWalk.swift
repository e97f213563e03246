import DriveCore

/// Finds keys in byte order, page by page, without reading collections that cannot hold any of them.
struct CollectionWalk: Sendable {
    private let wanted: KeyRange
    /// What is left to look at, the next last: sorting once per collection is all the order that it takes.
    private var pending: [Entry]

    /// Nil where no key has the prefix.
    init?(prefix: String, after: ObjectKey?) {
        wanted = KeyRange(prefix: prefix, after: after)
        // The prefix names the way down as far as its last slash.
        let end = wanted.prefix.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
        let way = wanted.prefix[..<end].split(separator: 0x2F, omittingEmptySubsequences: false).dropLast()
        guard way.allSatisfy({ StoreKey.isComponent($0) }) else { return nil }
        pending = [Entry(key: Array(wanted.prefix[..<end]))]
    }

    private struct Entry: Sendable {
        /// The key, or for a collection what its keys begin with: empty, or with a slash at its end. `/` sorts between
        /// `.` and `0`, so a collection must be compared with its slash to come where its keys do.
        var key: [UInt8]
        /// Nil for a collection.
        var size: UInt64?

        var text: String { String(decoding: key, as: UTF8.self) }
    }

    var isAtEnd: Bool { pending.isEmpty }

    typealias Read = @Sendable (String) async throws(DriveError) -> [DAVCollection.Member]

    /// Collections that are read at once, where so many keys are wanted that all of them are likely to be needed.
    private static let width = 4
    private static let many = 100

    /// The next keys, at most `limit`. `read` gives what lies in the collection with that start of keys.
    mutating func page(_ limit: Int, read: @escaping Read) async throws(DriveError) -> [StoredObject] {
        var found: [StoredObject] = []
        while found.count < limit, let next = pending.last {
            if let size = next.size {
                found.append(StoredObject(key: next.text, size: size))
                pending.removeLast()
            } else {
                try await open(limit < Self.many ? 1 : Self.width, read)
            }
        }
        return found
    }

    /// Puts what lies in the next collections, at most `width`, in their place.
    private mutating func open(_ width: Int, _ read: @escaping Read) async throws(DriveError) {
        let next = Array(pending.reversed().prefix { $0.size == nil }.prefix(width))
        let answers = await withTaskGroup(of: (Int, Result<[DAVCollection.Member], DriveError>).self) { group in
            for (place, entry) in next.enumerated() {
                group.addTask { (place, await Self.result(read, entry.text)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        pending.removeLast(next.count)
        for place in next.indices.reversed() {
            let members = try answers[place]?.get() ?? []
            let entries = members.compactMap { entry($0, in: next[place].key) }
            pending += entries.sorted { $1.key.lexicographicallyPrecedes($0.key) }
        }
    }

    private static func result(
        _ read: Read, _ start: String
    ) async -> Result<[DAVCollection.Member], DriveError> {
        do throws(DriveError) { return .success(try await read(start)) } catch { return .failure(error) }
    }

    private func entry(_ member: DAVCollection.Member, in path: [UInt8]) -> Entry? {
        guard StoreKey.isComponent(member.name) else { return nil }
        let key = path + member.name + (member.isCollection ? [0x2F] : [])
        guard key.count <= StoreKey.longest, wanted.mayHold(key) else { return nil }
        // Servers may leave out the length of an object without content.
        return Entry(key: key, size: member.isCollection ? nil : member.size ?? 0)
    }
}
