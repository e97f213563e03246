import CLinux
import DriveCore
import Glibc

/// What the file system under a folder can do, found out by trying.
public struct FolderTraits: Hashable, Sendable {
    /// `Readme` and `README` are one name.
    public var foldsCase = false
    /// Two forms of one text in Unicode (é and e with an accent) are one name.
    public var foldsNormalization = false
    /// An executable bit that is set or taken away stays so.
    public var keepsExecutableBit = false
    public var keepsBirthTime = false
    public var keepsLinks = false
    public var keepsExtendedAttributes = false
    /// `renameat2` moves without replacing, and exchanges.
    public var canExchange = false
    /// Whatever is done to a file moves one of its dates. FAT's are two seconds apart, and it has none of changes (Microsoft, "FAT32
    /// File System Specification", 2000).
    public var datesEdits = true
    /// In bytes. Encrypted folders take less than others.
    public var longestName = usualLongestName
    public static let usualLongestName: UInt64 = 255

    private static let trialPrefix = "probe-"

    /// What can nothing.
    init() {}

    init(probing folder: Descriptor) throws(DriveError) {
        Self.removeAbandoned(in: folder)
        longestName = try VolumeSpace(of: folder).longestName
        datesEdits = !dd_is_on_fat(folder.number)
        let name = FileName(Self.trialPrefix + "\(getpid())-\(UInt64.random(in: 0...(.max)))")
        let place = Descriptor.path(of: name, in: folder.number)
        let made = dd_make_folder(folder.number, name.bytes, name.bytes.count, 0o700)
        _ = try check(made, "try out the file system", path: place)
        // With what a failing disk did not let go of at once: nobody tries again before the next trial.
        defer { Self.remove(name, in: folder) }
        guard let trial = try folder.folder(name) else {
            throw DriveError(
                .temporary, "something removed the folder in which the file system is tried out", path: place)
        }
        try probe(trial, place: place)
    }

    /// What trials left whose process was killed.
    private static func removeAbandoned(in folder: Descriptor) {
        for name in names(in: folder) where name.bytes.starts(with: trialPrefix.utf8) { remove(name, in: folder) }
    }

    /// A trial's folder with all in it. Best effort.
    private static func remove(_ name: FileName, in folder: Descriptor) {
        guard let trial = try? folder.folder(name) else { return }
        for file in names(in: trial) { _ = dd_remove_file(trial.number, file.bytes, file.bytes.count) }
        _ = dd_remove_folder(folder.number, name.bytes, name.bytes.count)
    }

    private static func names(in folder: Descriptor) -> [FileName] {
        var names: [FileName] = []
        try? forEachEntry(in: folder.number) { bytes, _, _ throws(DriveError) in
            names.append(FileName(bytes: Array(bytes)))
        }
        return names
    }

    private mutating func probe(_ trial: Descriptor, place: String) throws(DriveError) {
        let (plain, composed, link): (FileName, FileName, FileName) = ("probe-a", "probe-\u{E9}", "probe-link")
        defer {
            for name in [plain, composed, link] { _ = dd_remove_file(trial.number, name.bytes, name.bytes.count) }
        }
        for name in [plain, composed] {
            let number = dd_create_file(trial.number, name.bytes, name.bytes.count, 0o600)
            _ = Descriptor(try check(number, "try out the file system", path: place))
        }
        foldsCase = trial.has("PROBE-A")
        foldsNormalization = trial.has("probe-e\u{301}")
        keepsLinks = dd_make_link(trial.number, link.bytes, link.bytes.count, "target") == 0
        let exchanged = dd_exchange(
            trial.number, plain.bytes, plain.bytes.count, trial.number, composed.bytes, composed.bytes.count)
        let moved = dd_move(
            trial.number, plain.bytes, plain.bytes.count, trial.number, composed.bytes, composed.bytes.count)
        // A full or failing disk says nothing about what its file system can do.
        for result in [exchanged, moved] where [-ENOSPC, -EDQUOT, -EIO, -ENOMEM, -EROFS].contains(result) {
            throw .system(-result, "try out the file system", path: place)
        }
        canExchange = exchanged == 0 && moved == -EEXIST
        guard let file = try Descriptor.pin(plain, in: trial.number) else { return }
        keepsBirthTime = try file.facts().has_birth
        keepsExtendedAttributes = dd_set_attribute(file.number, "user.docdrive.probe", "1", 1) == 0
        keepsExecutableBit = file.keepsMode(0o700) && file.keepsMode(0o600)
    }
}

extension Descriptor {
    fileprivate func keepsMode(_ mode: UInt32) -> Bool {
        var facts = dd_facts()
        return dd_set_mode(number, mode) == 0 && dd_look_at(number, &facts) == 0 && facts.mode & 0o100 == mode & 0o100
    }
}

/// How much room a file system has (statvfs(3)).
struct VolumeSpace {
    var available: UInt64 = 0
    var total: UInt64 = 0
    var longestName: UInt64 = 0

    init(of folder: Descriptor) throws(DriveError) {
        _ = try check(
            dd_free_space(folder.number, &available, &total, &longestName), "ask for the free space",
            path: Descriptor.path(of: nil, in: folder.number))
    }
}
