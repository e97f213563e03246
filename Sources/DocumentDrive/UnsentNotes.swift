import DriveCore
import DriveFiles
import FileCoordination
import Foundation
import Glibc
import Synchronization

/// What records name of that which waits here, beside it: an index that is lost, or was put back to an earlier time, knows nothing of
/// it.
///
/// There is a file for each group of records, named after the number that an index has come to which knows them. What the index of now
/// does not know is put aside before that index makes records of its own, which may be by the same numbers.
struct UnsentNotes: Sendable {
    private let folder: FolderPath
    /// For what the index does not know.
    let aside: FolderPath
    private let needs = NoteNeeds()

    /// Under names that no object of a store has.
    init(in unsent: FolderPath) {
        folder = unsent.appending(".noted")
        aside = unsent.appending(".unknown")
    }

    private struct Note: Codable {
        /// Encoded, with the heads alone that are meant.
        var records: Data
        /// Of each, where it was.
        var paths: [DrivePath]
        /// What waited of them; nil where that was not to be told, and in notes by earlier programs.
        var objects: Set<ObjectKey>?
    }

    /// Within the transaction that records them. Where that is taken back, nobody misses what this says.
    func add(_ records: [ItemState], _ objects: Set<ObjectKey>?, _ state: any DriveState) throws {
        let paths = try records.map { try state.lastPath(of: $0) }
        let note = Note(records: Data(RecordCodec.encode(records)), paths: paths, objects: objects)
        try folder.make(0o700, to: "note what waits to be sent")
        let bytes = Array(try JSONEncoder().encode(note))
        try SmallFile.write(bytes, to: folder.appending(Self.name(try state.numbers())))
    }

    /// Nil where they cannot be read.
    func versions(in note: FolderPath, _ state: any DriveState) throws -> [UnsentVersion]? {
        guard let found = try read(note),
            let records = try? RecordCodec.decodeAll(Array(found.records)), records.count == found.paths.count
        else { return nil }
        var versions: [UnsentVersion] = []
        for (item, path) in zip(records, found.paths) {
            let isDeleted = try state.row(at: path) == nil
            for head in item.heads {
                versions.append(UnsentVersion(item: item, head: head, isDeleted: isDeleted, path: path))
            }
        }
        return versions
    }

    /// Nil of what is none.
    private func read(_ note: FolderPath) throws -> Note? {
        guard let bytes = try SmallFile.read(note) else { return nil }
        return try? JSONDecoder().decode(Note.self, from: Data(bytes))
    }

    /// Those that an index knows nothing of which has come to these numbers.
    func unknown(to numbers: RecordNumbers) throws -> [FolderPath] {
        try lyingAside() + stale(numbers)
    }

    /// Before that index makes records. True where something lies aside.
    func putAside(unknownTo numbers: RecordNumbers) throws -> Bool {
        for note in try stale(numbers) {
            guard let name = note.name else { continue }
            try aside.make(0o700, to: "keep what waits to be sent")
            try move(note, to: aside.appending(name))
        }
        return try !lyingAside().isEmpty
    }

    func lyingAside() throws -> [FolderPath] {
        let names = try aside.names() ?? []
        return names.sorted().map { aside.appending($0) }
    }

    private func stale(_ numbers: RecordNumbers) throws -> [FolderPath] {
        let names = try folder.names() ?? []
        return names.sorted().filter { name in
            guard let noted = Self.numbers(name) else { return false }
            return noted.device != numbers.device || noted.last > numbers.last
        }.map { folder.appending($0) }
    }

    /// The index knows them after all.
    func takeBack(_ note: FolderPath, _ numbers: RecordNumbers) throws {
        try folder.make(0o700, to: "note what waits to be sent")
        try move(note, to: folder.appending(Self.name(numbers)))
    }

    func remove(_ note: FolderPath) throws {
        guard note.withPointer({ unlink($0) }) == 0 || errno == ENOENT else { throw SmallFile.failure("remove", note) }
    }

    /// Of nothing that they name anything waits any more, since these are gone; what was put aside stays.
    func removeSpent(since gone: Set<ObjectKey>, waits: (ObjectKey) -> Bool) {
        let names = (try? folder.names()) ?? []
        var needed = needs.all
        for name in names {
            if let object = needed[name], !gone.contains(object) { continue }
            let note = folder.appending(name)
            guard let objects = (try? read(note))?.objects else { continue }
            needed[name] = objects.first(where: waits)
            if needed[name] == nil { _ = note.withPointer { unlink($0) } }
        }
        let left = Set(names)
        needs.all = needed.filter { left.contains($0.key) }
    }

    /// Nothing of what they name waits any more; what was put aside stays.
    func removeNoted() {
        for name in (try? folder.names()) ?? [] { _ = folder.appending(name).withPointer { unlink($0) } }
    }

    private func move(_ note: FolderPath, to place: FolderPath) throws {
        let result = note.withPointer { from in place.withPointer { Glibc.rename(from, $0) } }
        guard result == 0 else { throw SmallFile.failure("move", note) }
    }

    private static func name(_ numbers: RecordNumbers) -> FileName {
        FileName("\(numbers.device)-\(numbers.last)-\(SystemEntropy().nonce(nonceDigits))")
    }

    /// Nil of what is no whole note.
    private static func numbers(_ name: FileName) -> RecordNumbers? {
        let parts = name.description.split(separator: "-")
        guard parts.count == 3, parts[2].utf8.count == nonceDigits, let device = DeviceID(String(parts[0])),
            let last = UInt64(parts[1])
        else { return nil }
        return RecordNumbers(device: device, last: last)
    }

    private static let nonceDigits = 8
}

/// For each note something that it is needed for: until that has gone, nobody reads the note.
private final class NoteNeeds: Sendable {
    private let state = Mutex<[FileName: ObjectKey]>([:])

    var all: [FileName: ObjectKey] {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Whether something waits here that the index knows nothing of.
final class UnknownUnsent: Sendable {
    private let state = Mutex((isThere: false, isDue: false))

    /// Nothing is dropped meanwhile.
    var isThere: Bool { state.withLock { $0.isThere } }
    /// What can be is to be brought into the trash.
    var isDue: Bool { state.withLock { $0.isDue } }

    func found() { state.withLock { $0 = (true, true) } }
    /// Whatever is left cannot be read, now or later.
    func tried(leaves isLeft: Bool) { state.withLock { $0 = (isLeft, false) } }
}

extension DriveState {
    /// Where an item is, or what its last name was in the folders that it was in.
    func lastPath(of item: ItemState) throws -> DrivePath {
        let rows = try self.rows(holding: item.id)
        if let row = rows.first(where: { !$0.isDerived && !$0.isParked }) { return try path(of: row) }
        var names = [item.name.value]
        var folder = item.parent
        while folder != .root, names.count < DrivePath.deepest, let above = try self.item(folder) {
            names.append(above.state.name.value)
            folder = above.state.parent
        }
        return DrivePath(names.reversed())
    }
}
