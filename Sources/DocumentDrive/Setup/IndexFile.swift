import DriveCore
import DriveFiles
import DriveIndex
import Glibc

/// The file in which a drive remembers what it knows.
struct IndexFile {
    let drive: FolderPath
    var path: FolderPath { drive.appending(DriveLayout.state).appending("index.sqlite") }

    /// What became of an index that was opened.
    enum Condition: Hashable, Sendable {
        case known
        /// There was none.
        case new
        /// It was damaged; this is where it lies now.
        case damaged(aside: FolderPath)
    }

    var exists: Bool { path.exists }
    private var reserve: DiskReserve { DiskReserve(drive: drive) }

    /// Opens it for the only writer; makes one where there is none or it is damaged, with a new device id. Without a store
    /// it has a content key. What is left for a full disk is all for who may use that.
    func open(
        label: String, hasStore: Bool, entropy: any Entropy, mayUseReserve: Bool = false
    ) throws -> (index: DriveIndex, condition: Condition) {
        let wasThere = exists
        MappedFiles.note(place: drive.bytes)
        try reserve.makeRoom(mayUseAll: mayUseReserve)
        defer { reserve.provide() }
        do {
            return try reserve.opening(mayUseAll: mayUseReserve) { try openAsItIs(label, hasStore, entropy) }
        } catch let error as DriveError where error.kind == .corrupt && wasThere {
            return try openOnceMore(label, hasStore, entropy)
        }
    }

    private func openAsItIs(
        _ label: String, _ hasStore: Bool, _ entropy: any Entropy
    ) throws -> (index: DriveIndex, condition: Condition) {
        Ownership.prepare(file: path.bytes)
        let index = try DriveIndex(path: path.bytes)
        if try index.isNew || index.numbers().device == DeviceID(high: 0, low: 0) {
            try establish(index, label, hasStore, entropy)
            return (index, .new)
        }
        return (index, .known)
    }

    /// SQLite takes a page that the disk did not give for a damaged one: only what is damaged twice is given up.
    private func openOnceMore(
        _ label: String, _ hasStore: Bool, _ entropy: any Entropy
    ) throws -> (index: DriveIndex, condition: Condition) {
        do { return try openAsItIs(label, hasStore, entropy) } catch let error as DriveError
            where error.kind == .corrupt
        {
            let aside = try moveAside()
            Ownership.prepare(file: path.bytes)
            let index = try DriveIndex(path: path.bytes)
            try establish(index, label, hasStore, entropy)
            return (index, .damaged(aside: aside))
        }
    }

    /// A device's first memory: its id, and the name that people gave it.
    private func establish(
        _ index: DriveIndex, _ label: String, _ hasStore: Bool, _ entropy: any Entropy
    ) throws {
        let device = entropy.deviceID()
        let own = [DeviceLabel(from: 0, text: label)]
        try index.transaction {
            try index.setNumbers(RecordNumbers(device: device))
            try index.setJournal(JournalMemory(device: device, labels: own))
            var labels = DeviceLabels()
            labels[device] = own
            try index.setLabels(labels)
            try TrashSalvage.setDue(index)
            if !hasStore { try index.setSetting(ContentKey(entropy).bytes, ContentKey.settingKey) }
        }
    }

    /// For one question, where it is not `isLasting`: on a full disk the file is then taken for one that nobody changes meanwhile, so
    /// that to ask takes nothing of the reserve.
    func openForReading(isMapped: Bool = false, isLasting: Bool = false) throws -> DriveIndex {
        guard exists else {
            guard let holder = DriveLock.holder(at: drive.bytes) else {
                throw DriveError(
                    .notFound, "the drive has no index yet; run `docdrive sync` once", path: drive.description)
            }
            throw DriveError(
                .temporary,
                "the drive has no index, though process \(holder) works on it; if that stays so, stop that process and run "
                    + "`docdrive sync`, which makes the index anew", path: drive.description)
        }
        do { return try openWithinRoom(isMapped, isLasting) } catch let error as DriveError where error == .olderIndex {
            throw olderHolder ?? error
        }
    }

    private func openWithinRoom(_ isMapped: Bool, _ isLasting: Bool) throws -> DriveIndex {
        MappedFiles.note(place: drive.bytes)
        // Whoever has it open has made room for that.
        let isFull = !FolderPath(path.bytes + Array("-shm".utf8)).exists && reserve.isNeeded
        if isFull, !isLasting, !hasLog { return try openUnchanging(isMapped) }
        if isFull { try reserve.makeRoom(mayUseAll: false) }
        do { return try DriveIndex(readOnlyAt: path.bytes, isMapped: isMapped) } catch let error as DriveError
            where error.kind == .noSpace
        {
            if !isLasting, !hasLog { return try openUnchanging(isMapped) }
            return try reserve.opening(mayUseAll: false) { try DriveIndex(readOnlyAt: path.bytes, isMapped: isMapped) }
        }
    }

    /// Needs none of the files that SQLite makes beside it.
    private func openUnchanging(_ isMapped: Bool) throws -> DriveIndex {
        try DriveIndex(readOnlyAt: path.bytes, isMapped: isMapped, isUnchanging: true)
    }

    /// Something was committed that is not in the file itself.
    private var hasLog: Bool {
        var facts = stat()
        let log = FolderPath(path.bytes + Array("-wal".utf8))
        return log.withPointer { stat($0, &facts) } == 0 && facts.st_size > 0
    }

    /// Throws where the index is of an older version and somebody of that version works on the drive: whatever that is asked for,
    /// it leaves the index so.
    func checkHolder() throws {
        do { _ = try DriveIndex(readOnlyAt: path.bytes) } catch let error as DriveError where error == .olderIndex {
            if let olderHolder { throw olderHolder }
        } catch {}
    }

    private var olderHolder: DriveError? {
        guard let process = DriveLock.holder(at: drive.bytes), process != getpid() else { return nil }
        let who = process > 0 ? "process \(process)" : "a process of another container"
        let end = process > 0 ? "end it with `kill \(process)`" : "end it"
        return DriveError(
            .readOnly,
            "\(who) works on the drive with an older docdrive, of which the index is, too; start it again, which `docdrive service "
                + "install` does with the service, or \(end) and run `docdrive sync`", path: drive.description)
    }

    /// Before the time at which one was put aside.
    static let damagedEnding = ".damaged-"

    func moveAside() throws -> FolderPath {
        let suffix = Array("\(Self.damagedEnding)\(SystemClock().milliseconds() / 1000)".utf8)
        let aside = FolderPath(path.bytes + suffix)
        try rename(path, to: aside)
        for ending in ["-wal", "-shm"] {
            let old = FolderPath(path.bytes + Array(ending.utf8))
            if old.exists { try rename(old, to: FolderPath(aside.bytes + Array(ending.utf8))) }
        }
        return aside
    }

    private func rename(_ old: FolderPath, to new: FolderPath) throws {
        let result = old.withPointer { from in new.withPointer { Glibc.rename(from, $0) } }
        guard result == 0 else { throw SmallFile.failure("move the damaged index away", old) }
    }

    func discard() throws {
        for ending in ["", "-wal", "-shm"] {
            let file = FolderPath(path.bytes + Array(ending.utf8))
            guard file.withPointer({ unlink($0) }) == 0 || errno == ENOENT else {
                throw SmallFile.failure("remove the old index", file)
            }
        }
    }
}
