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

    /// Nil where nothing waits.
    init?(drive: FolderPath, files: DiskFileStore, index: DriveIndex) async throws {
        self.files = files
        self.index = index
        var sources: [UnsentSource] = []
        for unsent in try UnsentContents.all(in: drive) {
            if let source = try await UnsentSource(unsent) { sources.append(source) }
        }
        if sources.isEmpty { return nil }
        self.sources = sources
    }

    struct Outcome {
        var entries: [TrashEntry] = []
        /// What waited and has all been brought, or is in the folder as it is.
        var spent: [FolderPath] = []

        /// Nil where nothing was brought.
        var event: DriveEvent? {
            if entries.isEmpty { return nil }
            let versions = entries.count == 1 ? "1 version" : "\(entries.count) versions"
            return DriveEvent(
                time: SystemClock().milliseconds(), kind: .recovered, path: .root,
                note: "The drive has left its store; \(versions) that the store never got went to the trash.")
        }
    }

    func run() async throws -> Outcome {
        var outcome = Outcome()
        var trashed = Set(
            try index.trash().filter { $0.reason != .ancestor }.map { Trashed(path: $0.path, hash: $0.hash) })
        for source in sources {
            var isSpent = true
            for version in try versions(in: source) {
                let place = Trashed(path: version.path, hash: version.head.content.hash)
                guard !trashed.contains(place), try !isInFolder(version.head.content.hash) else { continue }
                if let entry = try await bring(version, from: source) {
                    outcome.entries.append(entry)
                    trashed.insert(place)
                } else {
                    isSpent = false
                }
            }
            if isSpent { outcome.spent.append(source.folder) }
        }
        // Before the index is gone that tells what this is.
        try files.makeDurable()
        return outcome
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

    private func versions(in source: UnsentSource) throws -> [Version] {
        var found: [Version] = []
        try index.eachItem { item in
            for past in try index.pastVersions(of: item.id) where source.has(past.head.content) {
                try found.append(
                    Version(
                        item: item.state, head: past.head, until: past.until, isDeleted: false, path: path(of: item)))
            }
            for head in item.state.heads where source.has(head.content) {
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
    private func isInFolder(_ hash: ContentHash) throws -> Bool {
        try index.rows(hash: hash).contains { try untouched($0) != nil }
    }

    /// Nil where it cannot be had whole, or there is no room for it.
    private func bring(_ version: Version, from source: UnsentSource) async throws -> TrashEntry? {
        let content = version.head.content
        let name = FileName("unsent-\(version.item.id)-\(content.hash)")
        let entry = try TrashEntry(
            name: name, path: version.path, hash: content.hash, size: content.size,
            reason: version.isDeleted ? .deleted : .replaced, time: version.until ?? gone(version))
        let (incoming, trash) = try (files.open(.incoming), files.open(.trash))
        if try files.look(at: name, in: trash) != nil {
            if try files.contentHash(of: name, in: trash) == content.hash { return entry }
            try files.discard(name, in: .trash)
        }
        guard try files.hasRoom(for: content.size) else { return nil }
        try files.discard(name, in: .incoming)
        do {
            let writer = try files.stageFile(name, size: content.size)
            _ = try await source.reader.read(content, reusing: relatives(of: version)) { part throws(DriveError) in
                try writer.write(part)
            }
            _ = try writer.finish(version.item.shownAttributes(head: version.head))
            return try files.move(name, in: incoming, to: name, in: trash) == .done ? entry : nil
        } catch let error as DriveError
            where [.notFound, .corrupt, .noSpace, .inputOutput].contains(error.kind)
        {
            try files.discard(name, in: .incoming)
            return nil
        }
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
    init?(_ unsent: UnsentContents) async throws {
        guard let store = unsent.kept(), let info = unsent.store else { return nil }
        let prefix = info.id.objectPrefix
        objects = Set(try await store.listAll(prefix: prefix).map { ObjectKey($0.key.dropFirst(prefix.count)) })
        if objects.isEmpty { return nil }
        folder = unsent.folder
        let nobody = SystemEntropy().deviceID()
        reader = JournalTransport(store, store: info, device: nobody, entropy: SystemEntropy()).contentReader()
    }

    /// At least a part of it: the store has not got all.
    func has(_ content: Content) -> Bool { content.namedChunks.contains { objects.contains($0.object) } }
}
