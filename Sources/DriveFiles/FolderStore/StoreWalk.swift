import CLinux
import DriveCore

/// Finds a page of keys in byte order without reading folders that cannot hold any of them.
struct StoreWalk {
    private let wanted: KeyRange
    private let limit: Int
    private var found: [StoredObject] = []

    init(prefix: String, after: ObjectKey?, limit: Int) {
        wanted = KeyRange(prefix: prefix, after: after)
        self.limit = limit
    }

    mutating func run(from root: Descriptor) throws(DriveError) -> [StoredObject] {
        // The prefix names the way down as far as its last slash.
        var folder = root
        let prefix = wanted.prefix
        let end = prefix.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
        for name in prefix[..<end].split(separator: 0x2F, omittingEmptySubsequences: false).dropLast() {
            guard StoreKey.isComponent(name), let next = try folder.folder(FileName(bytes: Array(name))) else {
                return []
            }
            folder = next
        }
        try visit(folder, path: Array(prefix[..<end]))
        return found
    }

    private struct Entry {
        /// The key, or for a folder what its keys begin with. `/` sorts between `.` and `0`, so a folder must be
        /// compared with its slash to come where its keys do.
        var key: [UInt8]
        var name: FileName
        var kind: FileFacts.Kind?
    }

    private mutating func visit(_ folder: Descriptor, path: [UInt8]) throws(DriveError) {
        for entry in try entries(of: folder, path: path) {
            if found.count >= limit { return }
            if entry.key.last == 0x2F {
                if let next = try folder.folder(entry.name) { try visit(next, path: entry.key) }
            } else {
                var facts = dd_facts()
                let result = dd_look(folder.number, entry.name.bytes, entry.name.bytes.count, &facts)
                // Gone since, or something else now.
                if result < 0, (-result).meansAbsent { continue }
                _ = try check(result, "list the store", path: String(decoding: entry.key, as: UTF8.self))
                guard facts.kind == DD_KIND_FILE else { continue }
                found.append(StoredObject(key: String(decoding: entry.key, as: UTF8.self), size: facts.size))
            }
        }
    }

    private func entries(of folder: Descriptor, path: [UInt8]) throws(DriveError) -> [Entry] {
        var entries: [Entry] = []
        do throws(DriveError) {
            try forEachEntry(in: folder.number) { name, kind, _ throws(DriveError) in
                guard StoreKey.isComponent(name) else { return }
                let isFolder = try Self.isFolder(kind, name, in: folder)
                guard isFolder || kind == .file || kind == nil else { return }
                let key = path + name + (isFolder ? [0x2F] : [])
                if wanted.mayHold(key) {
                    entries.append(Entry(key: key, name: FileName(bytes: Array(name)), kind: kind))
                }
            }
        } catch  where error.kind == .notFound {
            // Removed while it was open: it holds nothing.
            return []
        }
        return entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// Looks where the file system does not say. Throws where that is not to be known: what lies in a folder that is passed over
    /// would seem to be gone.
    static func isFolder(
        _ kind: FileFacts.Kind?, _ name: UnsafeBufferPointer<UInt8>, in folder: Descriptor
    ) throws(DriveError) -> Bool {
        if let kind { return kind == .folder }
        var facts = dd_facts()
        let result = dd_look(folder.number, name.baseAddress, name.count, &facts)
        // Gone since.
        if result < 0, (-result).meansAbsent { return false }
        _ = try check(result, "list the store", path: String(decoding: name, as: UTF8.self))
        return facts.kind == DD_KIND_FOLDER
    }
}
