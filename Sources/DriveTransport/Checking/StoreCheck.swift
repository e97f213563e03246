import DriveCompression
public import DriveCore

/// Reads a store through and tells what is damaged or missing. Changes nothing.
///
/// First the journals, then the contents that they and the caller know of, then what is left. What fails its check is
/// read a second time: a bad read is no damage. A quick look reads heads and lists of chunks, and of everything else
/// compares the size.
public struct StoreCheck {
    let folder: StoreFolder
    let store: StoreInfo
    let isQuick: Bool
    let report: (UInt64) -> Void
    let zstd = Zstd()
    public internal(set) var damage: [StoreDamage] = []
    /// What the store failed to read while it answered otherwise, as far as that is needed. It may be whole: none of it is damage.
    public private(set) var unread: [StoreDamage] = []
    /// What was read or, in a quick look, compared.
    public internal(set) var objects = 0
    public internal(set) var bytes: UInt64 = 0
    var referenced: Set<ObjectKey> = []

    /// `report` is told how many bytes of an object were checked.
    public init(
        _ objects: any ObjectStore, store: StoreInfo, isQuick: Bool = false,
        report: @escaping (UInt64) -> Void = { _ in }
    ) {
        folder = StoreFolder(objects, store.id)
        self.store = store
        self.isQuick = isQuick
        self.report = report
    }

    /// The object that says which store it is.
    public mutating func checkFormat() async throws(DriveError) {
        let key = "format"
        guard let found = try await read(key) else {
            damage.append(StoreDamage(key, .format, .missing))
            return
        }
        count(found)
        if found == store.sealed { return }
        guard try Envelope.open(.format, found) == nil, try await read(key) != store.sealed else { return }
        damage.append(StoreDamage(key, .format, .damaged))
    }

    /// Objects that nothing refers to: left by interrupted uploads, or of one that is under way. Call it last.
    public func unreferenced() async throws(DriveError) -> (objects: Int, bytes: UInt64) {
        let found = try await unreferenced(in: ["head/", "log/", "gc/"]) + unreferencedContents()
        return (found.count, found.map(\.size).clampedSum())
    }

    /// The same, of objects with contents alone.
    public func unreferencedContents() async throws(DriveError) -> [StoredObject] {
        try await unreferenced(in: ["pack/", "blob/"])
    }

    private func unreferenced(in folders: [String]) async throws(DriveError) -> [StoredObject] {
        var result: [StoredObject] = []
        for start in folders { result += try await folder.list(start).filter { !referenced.contains($0.key) } }
        return result
    }

    func read(_ key: ObjectKey, _ range: Range<UInt64>? = nil) async throws(DriveError) -> [UInt8]? {
        do throws(DriveError) { return try await folder.get(key, range: range) } catch {
            // A disk that cannot read an object has lost it; a server that fails may read it the next time.
            guard error.kind == .inputOutput else { throw error }
            return []
        }
    }

    mutating func noteUnread(
        _ key: ObjectKey, _ kind: StoreDamage.Kind, device: DeviceID? = nil, contents: Set<ContentHash> = []
    ) {
        if let place = unread.firstIndex(where: { $0.object == key && $0.kind == kind }) {
            unread[place].contents.formUnion(contents)
        } else {
            unread.append(StoreDamage(key, kind, .unread, device: device, contents: contents))
        }
    }

    mutating func count(_ found: [UInt8]) { count(UInt64(found.count)) }

    mutating func count(_ size: UInt64) {
        objects += 1
        bytes = bytes.addingClamped(size)
        report(size)
    }
}

extension Store {
    /// Puts the object that says which store it is again, as whoever made the store had put it.
    public static func restoreFormat(_ store: StoreInfo, in objects: any ObjectStore) async throws(DriveError) {
        let folder = StoreFolder(objects, store.id)
        if try await folder.get("format") == store.sealed { return }
        // The one name that anybody may write, since everybody writes the same.
        try await folder.delete("format")
        try await folder.put("format", store.sealed)
    }
}
