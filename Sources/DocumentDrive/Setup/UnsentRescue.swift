import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
import FileCoordination
import Foundation

/// Brings into the trash what waits to be sent to a store that the drive leaves: nobody else has it, and with the index its
/// versions are forgotten.
///
/// It only adds files to the trash, under names that tell what they are: who is interrupted finds them there the next time.
struct UnsentRescue {
    private let sources: [UnsentSource]
    private let files: DiskFileStore
    private let index: DriveIndex
    private let published: OwnRecords

    /// `objects` are those of the store that the drive gets, which may be the one that it leaves.
    init(drive: FolderPath, files: DiskFileStore, index: DriveIndex, next: StoreID?, objects: (any ObjectStore)?)
        async throws
    {
        self.files = files
        self.index = index
        published = try OwnRecords(index)
        var sources: [UnsentSource] = []
        for unsent in try UnsentContents.all(in: drive) {
            let base = unsent.store?.id == next ? objects : nil
            if let source = try await UnsentSource(unsent, base) { sources.append(source) }
        }
        self.sources = sources
    }

    struct Outcome {
        var entries: [TrashEntry] = []
        /// How many could not be read whole.
        var left = 0
        /// What waited and has all been brought, or is in the folder as it is.
        var spent: [FolderPath] = []

        /// Nil where there was nothing to bring.
        var event: DriveEvent? {
            if entries.isEmpty, left == 0 { return nil }
            var note =
                "The drive has left its store; \(Self.versions(entries.count)) that the store never got went to the trash"
            if left > 0 { note += ", and \(Self.versions(left)) could not be read whole" }
            return DriveEvent(time: SystemClock().milliseconds(), kind: .recovered, path: .root, note: note + ".")
        }

        private static func versions(_ count: Int) -> String { count == 1 ? "1 version" : "\(count) versions" }
    }

    /// Throws `noSpace` where there is no room for all of it; then nothing is in the trash that was not there before.
    func run() async throws -> Outcome {
        var outcome = Outcome()
        do { try await bringAll(&outcome) } catch {
            for entry in outcome.entries { try? files.discard(entry.name, in: .trash) }
            throw error
        }
        // Before the index is gone that tells what this is.
        try files.makeDurable()
        return outcome
    }

    private func bringAll(_ outcome: inout Outcome) async throws {
        var trashed = Set(
            try index.trash().filter { $0.reason.isShown }.map { Trashed(path: $0.path, hash: $0.hash) })
        // Without a store nothing of the kind is recorded.
        for source in try sources + (index.contentKey() == nil ? [nil] : []) {
            let left = outcome.left
            for version in try versions(in: source) {
                let place = Trashed(path: version.path, hash: version.head.content.hash)
                guard !trashed.contains(place), try !isInFolder(version) else { continue }
                if let entry = try await bring(version, from: source) {
                    outcome.entries.append(entry)
                    trashed.insert(place)
                } else {
                    outcome.left += 1
                }
            }
            if let source, outcome.left == left { outcome.spent.append(source.folder) }
        }
    }

    private struct Trashed: Hashable {
        var path: DrivePath
        var hash: ContentHash?
    }

    private struct Version {
        var item: ItemState
        var head: Head
        var until: UInt64?
        var isDeleted: Bool
        var path: DrivePath
    }

    /// Of a source, or those that have no bytes on a store: links and empty files.
    private func versions(in source: UnsentSource?) throws -> [Version] {
        var found: [Version] = []
        func isIn(_ head: Head) -> Bool {
            if let source { return source.has(head.content) }
            return head.content.hasNoBytesOnAStore && !published.has(head.dot)
        }
        try index.eachItem { item in
            for past in try index.pastVersions(of: item.id) where isIn(past.head) {
                try found.append(
                    Version(
                        item: item.state, head: past.head, until: past.until, isDeleted: false, path: path(of: item)))
            }
            for head in item.state.heads where isIn(head) {
                try found.append(
                    Version(item: item.state, head: head, isDeleted: !item.shape.isAlive, path: path(of: item)))
            }
        }
        return found
    }

    /// Where it is, or what its last name was in the folders that it was in.
    private func path(of item: StoredItem) throws -> DrivePath {
        let rows = try index.rows(holding: item.id)
        if let row = rows.first(where: { !$0.isDerived && !$0.isParked }) { return try index.path(of: row) }
        var names = [item.state.name.value]
        var folder = item.state.parent
        while folder != .root, names.count < DrivePath.deepest, let above = try index.item(folder) {
            names.append(above.state.name.value)
            folder = above.state.parent
        }
        return DrivePath(names.reversed())
    }

    /// In a file that nobody has touched since it was looked at.
    private func isInFolder(_ version: Version) throws -> Bool {
        try index.rows(holding: version.item.id).contains {
            try $0.hash == version.head.content.hash && untouched($0) != nil
        }
    }

    /// Nil where it cannot be had whole.
    private func bring(_ version: Version, from source: UnsentSource?) async throws -> TrashEntry? {
        let content = version.head.content
        // The same for the same version, and short enough to be typed.
        let name = FileName("unsent-\("\(version.item.id)".prefix(8))-\("\(content.hash)".prefix(16))")
        let entry = try TrashEntry(
            name: name, path: version.path, hash: content.hash, size: content.size,
            reason: version.isDeleted ? .deleted : .replaced, time: version.until ?? gone(version))
        let (incoming, trash) = try (files.open(.incoming), files.open(.trash))
        if try files.look(at: name, in: trash) != nil {
            if try files.contentHash(of: name, in: trash) == content.hash { return entry }
            try files.discard(name, in: .trash)
        }
        guard try files.hasRoom(for: content.size) else {
            throw DriveError(
                .noSpace,
                "there is no room for what the store before never got, which is to go to the trash; make room first",
                path: version.path.description)
        }
        try files.discard(name, in: .incoming)
        do { try await stage(version, from: source, as: name) } catch {
            try files.discard(name, in: .incoming)
            guard let error = error as? DriveError, [.notFound, .corrupt, .inputOutput].contains(error.kind) else {
                throw error
            }
            return nil
        }
        return try files.move(name, in: incoming, to: name, in: trash) == .done ? entry : nil
    }

    private func stage(_ version: Version, from source: UnsentSource?, as name: FileName) async throws {
        let content = version.head.content
        if case .inline(let target) = content.body {
            _ = try files.stageLink(name, target: target, modified: content.modified)
            return
        }
        let writer = try files.stageFile(name, size: content.size)
        if let source {
            _ = try await source.reader.read(content, reusing: relatives(of: version)) { part throws(DriveError) in
                try writer.write(part)
            }
        }
        _ = try writer.finish(version.item.shownAttributes(head: version.head))
    }

    /// When it was deleted, as far as that is known.
    private func gone(_ version: Version) throws -> UInt64 {
        if let event = try index.newestEvent(at: version.path), event.before == version.head.content.hash {
            return event.time
        }
        return SystemClock().milliseconds()
    }

    /// What the file holds now may share chunks with what it held.
    private func relatives(of version: Version) throws -> [LocalContent] {
        try index.rows(holding: version.item.id).compactMap { row in
            guard let content = version.item.heads.first(where: { $0.content.hash == row.hash })?.content,
                let folder = try untouched(row), let file = try files.readUndated(row.name, in: folder)
            else { return nil }
            return LocalContent(content: content, file: file)
        }
    }

    /// The folder that a row's file is in, where that is still what the row says.
    private func untouched(_ row: Row) throws -> OpenFolder? {
        guard !row.isParked, let folder = try files.open(path: index.path(of: row).parent),
            try files.look(at: row.name, in: folder)?.looksUnchanged(since: row.facts) == true
        else { return nil }
        return folder
    }
}

/// What waits here for one store.
private struct UnsentSource {
    let folder: FolderPath
    let reader: any ContentReader
    private let objects: Set<ObjectKey>

    /// Nil where nothing is in it.
    init?(_ unsent: UnsentContents, _ base: (any ObjectStore)?) async throws {
        guard let store = unsent.kept(), let info = unsent.store else { return nil }
        let prefix = info.id.objectPrefix
        objects = Set(try await store.listAll(prefix: prefix).map { ObjectKey($0.key.dropFirst(prefix.count)) })
        if objects.isEmpty { return nil }
        folder = unsent.folder
        let nobody = SystemEntropy().deviceID()
        let all: any ObjectStore = base.map { unsent.reading(over: $0) } ?? store
        reader = JournalTransport(all, store: info, device: nobody, entropy: SystemEntropy()).contentReader()
    }

    /// At least a part of it: the store has not got all.
    func has(_ content: Content) -> Bool { content.namedChunks.contains { objects.contains($0.object) } }
}
