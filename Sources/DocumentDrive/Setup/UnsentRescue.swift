import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
import FileCoordination
import Foundation

/// Brings into the trash what waits to be sent to a store that the drive leaves: nobody else has it, and with the index its
/// versions are forgotten.
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
        let bringing = UnsentBringing(files: files, state: index)
        var trashed = try bringing.trashed()
        // Without a store nothing of the kind is recorded.
        for source in try sources + (index.contentKey() == nil ? [nil] : []) {
            let left = outcome.left
            for version in try versions(in: source) + unknown(in: source, &outcome) {
                guard !trashed.contains(version.place), try !bringing.isInFolder(version) else { continue }
                if let entry = try await bringing.bring(version, by: source?.reader) {
                    outcome.entries.append(entry)
                    trashed.insert(version.place)
                } else {
                    outcome.left += 1
                }
            }
            if let source, outcome.left == left { outcome.spent.append(source.folder) }
        }
    }

    /// Of a source, or those that have no bytes on a store: links and empty files.
    private func versions(in source: UnsentSource?) throws -> [UnsentVersion] {
        var found: [UnsentVersion] = []
        func isIn(_ head: Head) -> Bool {
            if let source { return source.has(head.content) }
            return head.content.hasNoBytesOnAStore && !published.has(head.dot)
        }
        try index.eachItem { item in
            for past in try index.pastVersions(of: item.id) where isIn(past.head) {
                let path = try index.lastPath(of: item.state)
                found.append(
                    UnsentVersion(item: item.state, head: past.head, until: past.until, isDeleted: false, path: path))
            }
            for head in item.state.heads where isIn(head) {
                let path = try index.lastPath(of: item.state)
                found.append(
                    UnsentVersion(item: item.state, head: head, isDeleted: !item.shape.isAlive, path: path))
            }
        }
        return found
    }

    /// What the index has forgotten, or never knew.
    private func unknown(in source: UnsentSource?, _ outcome: inout Outcome) throws -> [UnsentVersion] {
        guard let source else { return [] }
        var found: [UnsentVersion] = []
        for note in try source.notes.unknown(to: index.numbers()) {
            guard let versions = try source.notes.versions(in: note, index) else {
                outcome.left += 1
                continue
            }
            found += versions.filter { source.has($0.head.content) || $0.head.content.hasNoBytesOnAStore }
        }
        return found
    }
}

/// What waits here for one store.
private struct UnsentSource {
    let folder: FolderPath
    let notes: UnsentNotes
    let reader: any ContentReader
    private let objects: Set<ObjectKey>

    /// Nil where it is of no store that can be.
    init?(_ unsent: UnsentContents, _ base: (any ObjectStore)?) async throws {
        guard let store = unsent.kept(), let info = unsent.store else { return nil }
        let prefix = info.id.objectPrefix
        objects = Set(try await store.listAll(prefix: prefix).map { ObjectKey($0.key.dropFirst(prefix.count)) })
        (folder, notes) = (unsent.folder, unsent.notes)
        let nobody = SystemEntropy().deviceID()
        let all: any ObjectStore = base.map { unsent.reading(over: $0) } ?? store
        reader = JournalTransport(all, store: info, device: nobody, entropy: SystemEntropy()).contentReader()
    }

    /// At least a part of it: the store has not got all.
    func has(_ content: Content) -> Bool { content.namedChunks.contains { objects.contains($0.object) } }
}
