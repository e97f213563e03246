import DriveCore

/// Finds a page of keys in byte order without reading folders that cannot hold any of them.
struct SFTPWalk {
    private let store: SFTPObjectStore
    private let session: SFTPSession
    private let wanted: KeyRange
    private let limit: Int
    private var found: [StoredObject] = []
    private var folders = 0

    /// A store has a few hundred. More are a server's mistake, or meant to keep us for ever.
    private static let mostFolders = 10_000

    init(_ store: SFTPObjectStore, _ session: SFTPSession, prefix: String, after: ObjectKey?, limit: Int) {
        self.store = store
        self.session = session
        wanted = KeyRange(prefix: prefix, after: after)
        self.limit = limit
    }

    mutating func run() async throws(DriveError) -> [StoredObject] {
        // The prefix names the way down as far as its last slash.
        let prefix = wanted.prefix
        let end = prefix.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
        let parts = prefix[..<end].split(separator: 0x2F, omittingEmptySubsequences: false).dropLast()
        guard parts.allSatisfy({ SFTPKey.isComponent($0) }) else { return [] }
        try await visit(Array(prefix[..<end]))
        return found
    }

    struct Entry: Sendable {
        /// The key, or for a folder what its keys begin with. `/` sorts between `.` and `0`, so a folder must be compared
        /// with its slash to come where its keys do.
        var key: [UInt8]
        var attributes: SFTPAttributes
    }

    /// `path` ends with a slash, but for the root.
    private mutating func visit(_ path: [UInt8]) async throws(DriveError) {
        folders += 1
        guard folders <= Self.mostFolders else {
            throw DriveError(
                .unreachable, "\(store.host) lists folders without an end; look at it",
                path: store.root.display(of: path.dropLast()))
        }
        for entry in try await entries(path) where wanted.mayHold(entry.key) {
            if found.count >= limit { return }
            if entry.key.last == 0x2F {
                try await visit(entry.key)
            } else {
                found.append(
                    StoredObject(key: String(decoding: entry.key, as: UTF8.self), size: entry.attributes.size ?? 0))
            }
        }
    }

    /// All that a folder has, in order. Of the folder that a page ended in as it was then: otherwise each page of a large
    /// one would read it again.
    private func entries(_ path: [UInt8]) async throws(DriveError) -> [Entry] {
        if let after = wanted.after, after.starts(with: path), let known = store.listing(of: path) { return known }
        let entries = try await read(path)
        store.keep(entries, of: path)
        return entries
    }

    private func read(_ path: [UInt8]) async throws(DriveError) -> [Entry] {
        var entries: [Entry] = []
        var unsaid: [[UInt8]] = []
        let isThere = try await store.forEachName(in: Array(path.dropLast()), session) { name in
            guard SFTPKey.isComponent(name.name) else { return }
            if let entry = entry(path + name.name, name.attributes) {
                entries.append(entry)
            } else if name.attributes.isFile == nil {
                unsaid.append(path + name.name)
            }
        }
        if !isThere, path.isEmpty { try await store.checkRoot(session) }
        // Servers that do not say what an entry is have to be asked.
        for name in unsaid {
            if let facts = try await store.attributes(name, session, "list the store"), let entry = entry(name, facts) {
                entries.append(entry)
            }
        }
        return entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private func entry(_ name: [UInt8], _ facts: SFTPAttributes) -> Entry? {
        let key = facts.isFolder == true ? name + [0x2F] : name
        guard facts.isFolder == true || facts.isFile == true, key.count <= StoreKey.longest else { return nil }
        return Entry(key: key, attributes: facts)
    }
}
