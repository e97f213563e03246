import DriveCore
import FileCoordination

/// Finds earlier contents: in the trash, in other files of the drive, on the store.
struct ContentFinder {
    let parts: DriveParts
    /// The newest first.
    private var trashed: [ContentHash: TrashedCopies] = [:]
    /// What went there last of each path, whatever it held.
    private(set) var lastTrashed: [DrivePath: FileName] = [:]
    private var stored: [ContentHash: Content] = [:]
    private let download: Download?

    /// For these contents.
    init(_ parts: DriveParts, _ wanted: Set<ContentHash>) throws {
        self.parts = parts
        download = parts.transport.map { Download(parts, $0.contentReader()) }
        if wanted.isEmpty { return }
        for entry in try parts.state.trash().reversed() {
            if entry.reason.isShown, lastTrashed[entry.path] == nil { lastTrashed[entry.path] = entry.name }
            guard let (entry, _) = try parts.files.asItIs(entry), let hash = entry.hash, wanted.contains(hash) else {
                continue
            }
            trashed[hash, default: TrashedCopies()].add(entry)
        }
        let missing = wanted.subtracting(trashed.keys)
        if !missing.isEmpty { stored = try parts.state.contents(missing) }
    }

    /// Whether `takeTrashed` has one, or `stage` one of any path.
    func hasTrashed(_ hash: ContentHash, from path: DrivePath? = nil) -> Bool {
        guard let copies = trashed[hash] else { return false }
        return path.map { copies.has(from: $0) } ?? !copies.isEmpty
    }

    /// The entry that was at this path, else any with these bytes; it is not offered again.
    mutating func takeTrashed(_ hash: ContentHash, from path: DrivePath) -> TrashEntry? {
        trashed[hash]?.take(from: path)
    }

    /// What has just come into the trash.
    mutating func add(_ entry: TrashEntry) {
        if let hash = entry.hash { trashed[hash, default: TrashedCopies()].add(entry) }
    }

    /// What a content that comes back is to have.
    enum WantedAttributes {
        /// These, as they were noted when it went.
        case noted(Attributes)
        /// These where it is not in the trash from one of its paths; without a date that of the content: equal bytes may be of
        /// files that have nothing in common.
        case found(Attributes)
    }

    /// A copy in staging under this name; throws `notFound` where nobody has the bytes any more.
    func stage(
        _ hash: ContentHash, _ wanted: WantedAttributes, for path: DrivePath, at source: DrivePath, as name: FileName
    ) async throws -> FileFacts {
        let paths: Set = [path, source]
        let copies = trashed[hash] ?? TrashedCopies()
        let trash = try parts.files.open(.trash)
        for entry in copies.at(paths) {
            if let facts = try parts.stageCopy(of: entry.name, in: trash, hash, wanted.noted, as: name) { return facts }
        }
        let content = try stored[hash] ?? parts.state.contents([hash])[hash]
        func attributes(else date: FileTime) -> Attributes { wanted.attributes(date: content?.modified ?? date) }
        for entry in copies.elsewhere(than: paths) {
            guard let facts = try parts.files.look(at: entry.name, in: trash) else { continue }
            let attributes = attributes(else: facts.modified)
            if let copy = try parts.stageCopy(of: entry.name, in: trash, hash, attributes, as: name) { return copy }
        }
        let found = try parts.state.first(hash: hash) { row -> FileFacts? in
            guard row.kind == .file, !row.isParked,
                let folder = try parts.files.open(path: parts.state.path(of: row).parent)
            else { return nil }
            return try parts.stageCopy(of: row.name, in: folder, hash, attributes(else: row.facts.modified), as: name)
        }
        if let found { return found }
        // What no pass has looked at yet has no row.
        if let own = source.name, let folder = try parts.files.open(path: source.parent),
            let facts = try parts.files.look(at: own, in: folder), facts.kind == .file
        {
            let attributes = wanted.attributes(date: facts.modified)
            if let facts = try parts.stageCopy(of: own, in: folder, hash, attributes, as: name) { return facts }
        }
        guard let content else { throw lost(path, of: source) }
        return try await fetch(content, wanted.attributes(date: content.modified), for: path, at: source, as: name)
    }

    private func fetch(
        _ content: Content, _ attributes: Attributes, for path: DrivePath, at source: DrivePath, as name: FileName
    ) async throws -> FileFacts {
        if case .inline(let target) = content.body {
            return try parts.files.stageLink(name, target: target, modified: attributes.modified ?? content.modified)
        }
        guard let download else { throw lost(path, of: source) }
        do {
            let facts = try await download.stage(content, attributes, as: name).facts
            try LeftContents.noteFound(content, in: parts.state)
            return facts
        } catch let error as DriveError where error.kind == .notFound {
            // The list of versions is not to send anybody here again.
            try parts.state.transaction { try LeftContents.note([content], .missed, in: parts.state) }
            throw lost(path, of: source)
        }
    }

    /// `source` has the versions, and nothing need be at the path yet.
    private func lost(_ path: DrivePath, of source: DrivePath) -> DriveError {
        DriveError(
            .notFound,
            "these bytes are neither in the trash nor on the store any more; `docdrive versions \(source.shellText)` says where "
                + "others are",
            path: path.description)
    }
}

extension ContentFinder.WantedAttributes {
    fileprivate var noted: Attributes? { if case .noted(let attributes) = self { attributes } else { nil } }

    fileprivate func attributes(date: FileTime) -> Attributes {
        switch self {
        case .noted(var attributes), .found(var attributes):
            attributes.modified = attributes.modified ?? date
            return attributes
        }
    }
}
