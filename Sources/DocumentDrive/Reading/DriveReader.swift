public import DriveCore
public import DriveIndex
import DriveFiles
import DrivePredicates
import DriveTypes
import FileCoordination
import Glibc

/// Looks at a drive without touching it: works with nothing running, on a read-only disk, and beside a running sync. Where what was
/// read out of documents turns out to be damaged, that is noted, so that whoever reads documents next makes it anew.
///
/// For one thread at a time.
public final class DriveReader {
    public let folder: FolderPath
    public let settings: DriveSettings
    public let index: DriveIndex
    private let isMapped: Bool
    /// What is known of documents, once somebody asks; nothing where none was read yet.
    private var documents = Documents.unopened
    /// The search index was damaged, and searches go on without it.
    public private(set) var isSearchDamaged = false

    /// With `isMapped` the indexes are read as memory: searches take a sixth less, and a page that cannot be read ends the process
    /// by SIGBUS, where it is an error otherwise. For programs that are there for one question.
    public convenience init(_ folder: FolderPath, isMapped: Bool = false) throws {
        try self.init(folder, isMapped: isMapped, isLasting: false)
    }

    /// One that is lasting sees what is changed while it is there also where the disk was full when it was made.
    init(_ folder: FolderPath, isMapped: Bool = false, isLasting: Bool) throws {
        self.folder = folder
        self.isMapped = isMapped
        settings = try DriveSettings.load(from: folder)
        index = try IndexFile(drive: folder).openForReading(isMapped: isMapped, isLasting: isLasting)
    }

    /// Throws where whoever works on the drive is of an older version, and so is the index: it knows nothing of what it is not made for,
    /// and would say that all is done.
    package static func checkHolder(of folder: FolderPath) throws { try IndexFile(drive: folder).checkHolder() }

    private enum Documents {
        case unopened
        /// With which file that is: one that was made anew is another.
        case opened(SearchIndex?, SearchFile.Place?)
    }

    private func openDocuments() throws -> SearchIndex? {
        let file = SearchFile(drive: folder)
        let place = file.place
        if case .opened(let index, place) = documents { return index }
        let device = try index.numbers().device
        do {
            let opened = try file.openForReading(of: device, isMapped: isMapped)
            documents = .opened(opened, place)
            return opened
        } catch let error as DriveError where Self.isDamage(error) {
            leaveOut(place, error)
            return nil
        }
    }

    /// Tables that are missing are damage too.
    private static func isDamage(_ error: DriveError) -> Bool { [.corrupt, .internalFault].contains(error.kind) }

    /// Nothing is known of documents until the file is another.
    private func leaveOut(_ place: SearchFile.Place?, _ error: DriveError) {
        SearchFile(drive: folder).doubt.note(error, in: place)
        documents = .opened(nil, place)
        isSearchDamaged = true
    }

    /// Looks for damage that SQLite can find in what was read out of documents, which takes about as long as reading it. Whether there
    /// is none; nil where no document was read yet.
    func isSearchSound() throws -> Bool? {
        let file = SearchFile(drive: folder)
        if file.doubt.finding == .damage { return false }
        let place = file.place
        guard let search = try openDocuments() else { return isSearchDamaged ? false : nil }
        do { try search.check() } catch let error as DriveError where Self.isDamage(error) {
            leaveOut(place, error)
            return false
        }
        return true
    }

    /// For contents that are compared with those of the index.
    func contentDigest() throws -> any ContentDigest {
        try index.contentKey().map { KeyedFingerprints($0).digest() } ?? ContentHasher()
    }

    /// When the index was last written, in milliseconds since 1970.
    public var age: UInt64 {
        var newest: UInt64 = 0
        for ending in ["", "-wal"] {
            var facts = stat()
            let path = FolderPath(IndexFile(drive: folder).path.bytes + Array(ending.utf8))
            guard path.withPointer({ stat($0, &facts) }) == 0 else { continue }
            newest = max(
                newest, UInt64(max(0, facts.st_mtim.tv_sec)) * 1000 + UInt64(facts.st_mtim.tv_nsec) / 1_000_000)
        }
        return newest
    }

    /// No pass has come through yet: nothing is known of the folder, and no search finds anything. `age` says nothing then.
    public var isUnseen: Bool {
        get throws {
            // What was emptied since has its story, an empty folder that was looked at is known as such, and what is in one and
            // is nothing to sync is told.
            try index.rows(after: .root, limit: 1).isEmpty && index.knownFolder(.root) == nil
                && index.events(limit: 1).isEmpty && index.problems().isEmpty
        }
    }

    /// An act goes on, or did not come to its end: whoever looks at the folder next writes down what it did.
    public var hasUnsettledAct: Bool { get throws { try AnnouncedTrash.areUnsure(index) } }

    /// What was taken out of the folder and can be brought back, the oldest first; each with its size as it is by now, for a
    /// program may go on writing into it.
    public func trash() throws -> [TrashEntry] {
        let entries = try index.trash().filter { $0.reason.isShown }
        if entries.isEmpty { return [] }
        let isUnsure = try AnnouncedTrash.areUnsure(index)
        // Without its marker a drive tells what it knew.
        guard let files = isUnsure ? try lookingFiles() : try? lookingFiles() else { return entries }
        let trash = try files.open(.trash)
        return try entries.compactMap { entry in
            // An act goes on, or did not come to its end, and has not moved all that it was about to; or the file was taken out of the
            // trash, and an index of before that was put back. Should the file come back too, it is there again.
            guard let facts = try files.look(at: entry.name, in: trash) else { return nil }
            var entry = entry
            if facts.kind == .file { entry.size = facts.size }
            return entry
        }
    }

    /// Everything, or what lies in a folder, in the order of paths; with `includingAbsent` also what is still to be brought here.
    public func items(in folder: DrivePath? = nil, includingAbsent: Bool = false) throws -> [FoundItem] {
        var query = NameQuery()
        query.includesAbsent = includingAbsent
        query.folder = folder?.isRoot == true ? nil : folder
        return try index.search(query).sorted { $0.path < $1.path }
    }

    /// What lies in a folder itself, in the order of paths, as `items(in:includingAbsent:)` has it.
    public func children(of folder: DrivePath, includingAbsent: Bool = false) throws -> [FoundItem] {
        try children(of: folder, named: nil, includingAbsent).sorted { $0.path < $1.path }
    }

    /// The item at a path, as `items(in:includingAbsent:)` has it.
    public func item(at path: DrivePath, includingAbsent: Bool = false) throws -> FoundItem? {
        guard let name = path.name else { return nil }
        return try children(of: path.parent, named: name, includingAbsent).first
    }

    private func children(of folder: DrivePath, named name: FileName?, _ includesAbsent: Bool) throws -> [FoundItem] {
        var query = NameQuery()
        query.includesAbsent = includesAbsent
        (query.folder, query.isShallow, query.name) = (folder, true, name)
        return try index.search(query)
    }

    /// What the query asks for, in no particular order.
    public func search(_ query: NameQuery) throws -> [FoundItem] {
        try answered(query.needsDocuments) {
            try index.search(query, in: folder.bytes, documents: $0, types: Self.type)
        }
    }

    /// As `search`, and only where it is: faster, since most items need not be looked at.
    public func paths(_ query: NameQuery) throws -> [DrivePath] {
        try answered(query.needsDocuments) { try index.paths(query, in: folder.bytes, documents: $0, types: Self.type) }
    }

    /// As `paths`, in their order, for who prints them.
    package func list(_ query: NameQuery) throws -> PathList {
        try answered(query.needsDocuments) { try index.list(query, in: folder.bytes, documents: $0, types: Self.type) }
    }

    /// How many `search` finds.
    public func count(_ query: NameQuery) throws -> Int {
        try answered(query.needsDocuments) { try index.count(query, in: folder.bytes, documents: $0, types: Self.type) }
    }

    /// These change whenever somebody has written what searches read.
    func changeCounts() throws -> [Int64] {
        let documents = try openDocuments()?.changeCount() ?? 0
        let inode = SearchFile(drive: folder).place?.inode ?? 0
        return try [index.changeCount(), documents, Int64(bitPattern: inode)]
    }

    /// Documents may have been read for the first time, or anew, since the last look.
    func lookForDocuments() throws {
        if try openDocuments() == nil { documents = .unopened }
    }

    /// How a query is answered.
    public func explanation(of query: NameQuery) throws -> SearchExplanation {
        try withDocuments { try index.explanation(of: query, documents: $0) }
    }

    /// The attributes of an item, without its text; nil where the index has no such item, or a rule hides it.
    public func metadata(of path: DrivePath) throws -> ItemMetadata? {
        var hidden = try HiddenPlaces(index)
        guard let row = try index.row(at: path), try !hidden.hides(row) else { return nil }
        return try withDocuments {
            try index.metadata(of: row, in: folder.bytes, documents: $0, types: Self.type)
        }
    }

    /// Whether documents were ever read.
    public func hasDocuments() throws -> Bool { try openDocuments() != nil }

    /// Files whose documents were not read yet as they are now.
    public func unreadCount() throws -> Int {
        let isKnown = try openDocuments().map { try index.knows(searchIndexWith: $0.writes()) } ?? false
        return try isKnown ? index.unreadCount() : index.fileCount()
    }

    /// Documents that could not be read, and that have not changed since, in the order of paths.
    public func unreadableDocuments() throws -> [UnreadableDocument] {
        let held = try withDocuments { try $0?.failures() ?? [] }
        var hidden = try HiddenPlaces(index)
        return try held.compactMap { held in
            guard let row = try index.row(held.row), held.isOf(row), try !hidden.hides(row) else { return nil }
            return UnreadableDocument(path: try index.path(of: row), failure: held.failure)
        }.sorted { $0.path < $1.path }
    }

    func answered<Result>(
        _ needsDocuments: Bool, _ body: (SearchIndex?) throws -> Result
    ) throws -> Result {
        do { return try needsDocuments ? withDocuments(body) : body(nil) } catch let error as PredicateEvaluationError {
            throw DriveError(.usage, "the query compares what cannot be compared: \(error)")
        }
    }

    /// What is damaged may be the cache, without which nothing but documents is missing.
    private func withDocuments<Result>(_ body: (SearchIndex?) throws -> Result) throws -> Result {
        let opened = try openDocuments()
        let place = SearchFile(drive: folder).place
        do { return try body(opened) } catch let error as DriveError where opened != nil && Self.isDamage(error) {
            let result = try body(nil)
            leaveOut(place, error)
            return result
        }
    }

    /// By the name alone: a search opens no file.
    @Sendable static func type(of row: Row) -> ItemType? {
        let types = ContentTypes.shared
        let named = row.kind == .file ? types.type(name: row.name.bytes) : nil
        let found =
            switch row.kind {
            case .folder: types.folder
            case .link: types.link
            case .file: named ?? types.type(mime: "application/octet-stream")
            }
        return ItemType(
            identifier: found.identifier, tree: found.tree, kind: found.kind, mime: found.mime,
            isGuess: row.kind == .file && named == nil)
    }

    /// A path on this machine as one beneath the drive; nil where it is not in it.
    public func path(of place: FolderPath) -> DrivePath? { place.path(beneath: folder) }

    /// What keeps the drive from working where its settings do not name the store that it has; nil where they do.
    public func storeConflict() throws -> DriveError? {
        try StoreNaming(folder: folder, settings: settings).conflict(with: index)
    }

    /// Another device is called as this one is, so that nobody can tell them apart in names of conflict copies; one that was forgotten
    /// does not count.
    public func hasNamesake() throws -> Bool { try index.hasNamesake }

    /// The devices that share the drive.
    public func devices() throws -> [DeviceSight] {
        let own = try index.numbers().device
        let labels = try index.labels()
        let token = try index.token()
        let forgotten = Set(try index.journal().collection.forgotten.map(\.device))
        let devices = Set(labels.devices + token.entries.map(\.device) + [own]).sorted()
        let names = Dictionary(uniqueKeysWithValues: devices.map { ($0, labels.text(Dot(device: $0, n: .max))) })
        let lastChanges = try lastChanges(of: names.filter { $0.key != own && token[$0.key] > 0 })
        return devices.map { device in
            DeviceSight(
                id: device.description, name: names[device] ?? "", isThis: device == own,
                isForgotten: forgotten.contains(device),
                lastChange: device == own || token[device] == 0 ? nil : lastChanges[device])
        }
    }

    /// When something of each was applied here last. Of those that share a name, which is all that the log has of them, and of those
    /// that it does not have, since what they did was here before, by the clocks that they had.
    private func lastChanges(of names: [DeviceID: String]) throws -> [DeviceID: UInt64] {
        var seen: [String: UInt64] = [:]
        for event in try index.events(limit: DriveIndex.keptEvents) {
            if let device = event.device, seen[device] == nil { seen[device] = event.time }
        }
        let namesakes = Dictionary(grouping: names.keys) { names[$0] }.values.filter { $0.count > 1 }.flatMap(\.self)
        var result = names.compactMapValues { seen[$0] }
        for device in namesakes { result[device] = nil }
        let sought = Set(names.keys.filter { result[$0] == nil })
        guard !sought.isEmpty else { return result }
        try index.eachItem { item in
            for (device, time) in item.state.writers where sought.contains(device) {
                result[device] = max(result[device] ?? 0, time)
            }
        }
        return result
    }
}

extension ItemState {
    /// Who gave it what it has, and when, in milliseconds since 1970 by the writer's clock.
    fileprivate var writers: [(DeviceID, UInt64)] {
        let tags = [name.tag, placement.tag] + attributes.values.map(\.tag)
        return tags.map { ($0.dot.device, $0.time.milliseconds) } + heads.map { ($0.dot.device, $0.time.milliseconds) }
    }
}

/// A document that an importer could not read.
public struct UnreadableDocument: Hashable, Sendable {
    public var path: DrivePath
    public var failure: DocumentFailure
}

public struct DeviceSight: Hashable, Sendable, Codable {
    public var v = 1
    public var type = "device"
    public var id: String
    public var name: String
    public var isThis: Bool
    /// Gone for good, as somebody said on any device: nobody waits for it until it is back.
    public var isForgotten = false
    /// When a change of it was last applied here, in milliseconds since 1970.
    public var lastChange: UInt64?
}
