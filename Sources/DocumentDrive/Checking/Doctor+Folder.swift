import DriveCore
import DriveFiles
import DriveIndex
import FileCoordination
import Foundation
import Glibc

// The folder, and the drive's own folder in it.
extension Doctor {
    func marker() throws -> [Report] {
        guard let replica = try Drive.replica(of: folder) else {
            if try LostMarker(folder: folder).isLost {
                return [
                    Report(
                        .problem, "this drive has lost \(DriveLayout.state)/\(DriveLayout.marker)",
                        "`docdrive init \(folder.shellText)` writes it anew, and keeps all that the drive knows")
                ]
            }
            return [
                Report(
                    .problem, "\(folder) is no drive", "make it one with `docdrive sync DIR --to URL`")
            ]
        }
        return [Report(.ok, "\(folder), replica \(replica)")]
    }

    /// Only the owner may enter the drive's own folder: what lies in it is hidden from others whatever its own mode.
    func permissions() throws -> [Report] {
        let state = folder.appending(DriveLayout.state)
        var reports: [Report] = []
        let (owner, mode) = try ownerAndMode(of: state)
        guard isWorkedOn(owner) else {
            return [Report(.problem, "\(state) belongs to somebody else", "give it to the user who runs docdrive")]
        }
        if mode & 0o077 != 0 {
            reports.append(
                Report(
                    .problem, "others may look into \(state) (mode \(String(mode & 0o777, radix: 8)))",
                    "run `chmod 700 \(state.shellText)`"))
        }
        for name in ["config.toml", "index.sqlite", "search.sqlite", "lock", "replica"] {
            let file = state.appending(FileName(name))
            guard file.exists else { continue }
            let (its, mode) = try ownerAndMode(of: file)
            guard its == owner || its == geteuid() && its != 0 else {
                reports.append(
                    Report(
                        .problem, "\(file) belongs to somebody else",
                        "run `sudo chown --reference=\(state.shellText) \(file.shellText)`"))
                continue
            }
            if mode & 0o600 != 0o600 {
                reports.append(Report(.problem, "\(file) cannot be written", "run `chmod 600 \(file.shellText)`"))
            }
        }
        return reports.isEmpty ? [Report(.ok, "open to its owner alone")] : reports
    }

    /// Whoever runs this may work on the drive of this user: also root, and whom the user has allowed it.
    private func isWorkedOn(_ owner: uid_t) -> Bool {
        if owner == geteuid() { return true }
        // Of what is root's nobody else can do anything.
        return (owner != 0 || geteuid() == 0) && DriveOwner(drive: folder).refusal(from: folder) == nil
    }

    private func ownerAndMode(of path: FolderPath) throws -> (uid_t, mode_t) {
        var facts = stat()
        guard path.withPointer({ lstat($0, &facts) }) == 0 else { throw SmallFile.failure("look at it", path) }
        return (facts.st_uid, facts.st_mode)
    }

    func fileSystem() throws -> [Report] {
        guard let files = try files() else { return [] }
        return Self.reports(try files.traits(), MountTable.current.kind(of: folder.resolved))
    }

    static func reports(_ traits: FolderTraits, _ kind: String?) -> [Report] {
        var reports: [Report] = []
        if !traits.canExchange {
            reports.append(
                Report(
                    .problem, "it cannot exchange two names (renameat2)",
                    "keep the drive on ext4, XFS, Btrfs, F2FS or tmpfs"))
        }
        if !traits.datesEdits {
            reports.append(
                Report(
                    .problem, "it does not date every edit: one right after a sync may go unseen",
                    "keep the drive on ext4, XFS, Btrfs, F2FS or tmpfs"))
        }
        let lacks = [
            (traits.keepsBirthTime, "birth times: moved files are recognised by their content"),
            (traits.keepsExtendedAttributes, "extended attributes: tags stay on the other devices"),
            (traits.keepsExecutableBit, "the executable bit"), (traits.keepsLinks, "symbolic links"),
        ].filter { !$0.0 }.map(\.1)
        if !lacks.isEmpty { reports.append(Report(.warning, "it does not keep \(lacks.joined(separator: ", "))")) }
        if traits.foldsCase || traits.foldsNormalization {
            reports.append(
                Report(
                    .warning, "it takes names for equal that other devices keep apart",
                    "rename one of each pair that `docdrive status` names"))
        }
        if (1..<FolderTraits.usualLongestName).contains(traits.longestName) {
            reports.append(
                Report(
                    .warning, "it takes no name of more than \(traits.longestName) bytes",
                    "rename what `docdrive status` names"))
        }
        if let kind, MountTable.isRemote(kind) {
            reports.append(
                Report(
                    .warning, "changes that other machines make on \(kind) are not announced",
                    "they are found by the scan every 15 minutes"))
        }
        return reports.isEmpty ? [Report(.ok, "\(kind ?? "of an unknown kind"), keeps all that is needed")] : reports
    }

    private func files() throws -> DiskFileStore? {
        guard let replica = try Drive.replica(of: folder) else { return nil }
        return try DiskFileStore.open(at: folder.bytes, replica: replica)
    }

    /// By the rule of downloads.
    func space() throws -> [Report] {
        guard let files = try files() else { return [] }
        let (available, total) = try files.freeSpace()
        let left = try leftForOtherStores() + leftByAnIndex() + damagedIndexes()
        return [Self.room(available, of: total, files: filesLeft(), waits: try waitsForRoom())] + left
    }

    /// How many more files the file system takes; nil where it sets no number (statvfs(3)).
    private func filesLeft() -> UInt64? {
        var facts = statvfs()
        guard folder.withPointer({ statvfs($0, &facts) }) == 0, facts.f_files > 0 else { return nil }
        return UInt64(facts.f_favail)
    }

    static func room(_ available: UInt64, of total: UInt64, files: UInt64?, waits: Bool) -> Report {
        let floor = min(max(EngineOptions().freeSpaceFloor, total / 100), total / 10)
        let text = "\(available >> 20) MiB free of \(total >> 20) MiB"
        if available < floor { return Report(.problem, "\(text): downloads are stopped", "make room") }
        // An index and its log are files as well.
        if let files, files < 16 {
            return Report(
                .problem, "\(text), and no room for more files (`df -i`): nothing new can be brought",
                "remove many small files there")
        }
        if waits {
            return Report(
                .warning, "\(text): not enough for all that is to come, or a quota is used up",
                "make room, or ask for a larger quota (`quota -s`)")
        }
        return Report(available < floor * 2 ? .warning : .ok, text)
    }

    /// What waited for a store that the drive has no more is never sent to another; it comes into the trash when the drive gets its
    /// next one.
    private func leftForOtherStores() throws -> [Report] {
        guard let store = try DriveSettings.load(from: folder).storeID else { return [] }
        let own = UnsentContents(drive: folder, store: store).folder
        return try UnsentContents.all(in: folder).map(\.folder).filter { $0 != own }.map { place in
            Report(
                .warning,
                "\(Self.size(of: place) >> 20) MiB that waited for another store are left in \(place); not all of it could be "
                    + "brought into the trash, and it cannot be listed any more",
                "once all is in step with the store of now, and nothing is missed, run `rm -r \(place.shellText)`")
        }
    }

    /// What an index had recorded that is lost comes into the trash with the next pass that reaches the store.
    private func leftByAnIndex() throws -> [Report] {
        let unsent = UnsentContents(drive: folder, store: try DriveSettings.load(from: folder).storeID)
        guard try !unsent.notes.lyingAside().isEmpty else { return [] }
        return [
            Report(
                .warning,
                "versions that an index had recorded which is lost, and the store never got, are left in \(unsent.folder); there "
                    + "is no room for them in the trash yet, or they cannot be read whole",
                "make room, and run `docdrive sync`; where that changes nothing, and nothing is missed, run "
                    + "`rm -r \(unsent.notes.aside.shellText)`")
        ]
    }

    /// They are kept for whoever can read more of them than docdrive does, and nobody else removes them.
    private func damagedIndexes() throws -> [Report] {
        let index = IndexFile(drive: folder).path
        let start = "\(index)" + IndexFile.damagedEnding
        let names = try index.parent.names() ?? []
        let places = names.map { index.parent.appending($0) }.filter { $0.description.hasPrefix(start) }
        if places.isEmpty { return [] }
        let command = "rm \(index.shellText)\(IndexFile.damagedEnding)*"
        return [
            Report(
                .warning,
                "\(Self.size(of: places) >> 20) MiB of indexes that were damaged, and made anew, are left in \(index.parent)",
                "once all is in step, and nothing is missed, run `\(command)`")
        ]
    }

    private static func size(of folder: FolderPath) -> UInt64 { size(of: (try? folder.beneath()) ?? []) }

    private static func size(of places: [FolderPath]) -> UInt64 {
        var size: UInt64 = 0
        for place in places {
            var facts = stat()
            if place.withPointer({ lstat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG {
                size += UInt64(facts.st_size)
            }
        }
        return size
    }

    /// An item is larger than what is left above the floor.
    private func waitsForRoom() throws -> Bool {
        // What is wrong with the index is told of that.
        guard IndexFile(drive: folder).exists, let reader = try? DriveReader(folder) else { return false }
        return try StandingMemory(reader.index).obstacles().contains { $0.cause == .diskFull }
    }

    func settings() throws -> [Report] {
        let settings = try DriveSettings.load(from: folder)
        let unknown = try DriveSettings.unknownKeys(in: folder).map { key in
            Report(
                .warning, "`\(key)` in config.toml is no setting",
                "correct the name, or take it out; `docdrive config get` lists the settings")
        }
        return [Report(.ok, "device \(settings.deviceName), store \(settings.store?.shown ?? "none")")] + unknown
    }

    func index() throws -> [Report] {
        guard IndexFile(drive: folder).exists else {
            return [Report(.warning, "there is none", "run `docdrive sync`")]
        }
        do {
            let reader = try DriveReader(folder)
            try reader.index.check()
            let (items, trashed) = (try reader.index.rowCount(), try reader.trash().count)
            return [Report(.ok, "sound; \(items) items, \(trashed) in the trash")]
        } catch let error as DriveError where error.kind == .corrupt {
            return [Report(.problem, error.message, "run `docdrive verify --repair`")]
        }
    }

    /// A cache: what is wrong with it keeps documents from being found, and nothing else.
    func searchIndex() throws -> [Report] {
        // What is wrong with the index is a finding of its own.
        guard IndexFile(drive: folder).exists, let reader = try? DriveReader(folder) else { return [] }
        switch try reader.isSearchSound() {
        case true?: return [Report(.ok, "sound")]
        case false?:
            return [
                Report(
                    .warning, "what was read out of documents is damaged, and searches leave it out",
                    "`docdrive find --refresh` reads them anew")
            ]
        case nil: return [Report(.ok, "no documents were read for searches; `docdrive find --refresh` reads them")]
        }
    }

    func items() throws -> [Report] {
        guard IndexFile(drive: folder).exists else { return [] }
        let reader = try DriveReader(folder)
        var reports: [Report] = []
        let problems = try Set(reader.index.problems().map(\.path)).count
        if problems > 0 {
            reports.append(Report(.warning, "\(problems) cannot be synced now", "see `docdrive status`"))
        }
        let held = try reader.heldDeletes().count
        if held > 0 { reports.append(Report(.warning, "\(held) deletes are held", "see `docdrive deletes ls`")) }
        for rule in try reader.idleRules() {
            reports.append(
                Report(
                    .warning, "\(rule.place): \(rule.sentence)",
                    rule.isWholeFile ? rule.remedy : "\(rule.remedy); what it was to keep back is sent"))
        }
        do { _ = try ClosedFolderFile(drive: folder).notes() } catch {
            reports.append(
                Report(
                    .warning, "\(error): after a loss of the index nobody would know which folders were closed",
                    "see to that file, or remove it"))
        }
        if try reader.isPaused {
            reports.append(Report(.warning, "paused: nothing is sent or brought", "go on with `docdrive resume`"))
        }
        return reports.isEmpty ? [Report(.ok, "none that cannot be synced")] : reports
    }
}
