import DriveCore
import DriveFiles
import Foundation
import Glibc

/// The trash of a person's desktop (freedesktop.org, "Trash Specification" 1.0): that of the home folder for what lies on
/// its file system, else one at the top of the file system on which the file lies, since a rename does not leave it: nor
/// does it a mount of a part of one, or a subvolume.
struct DesktopTrash {
    private let folder: FolderPath
    /// Paths in the notes are relative to it; nil for the home trash, where they are absolute.
    private let top: FolderPath?
    private let medium: TrashMedium?

    init(for path: FolderPath) throws(DriveError) {
        guard let home = Self.home else {
            throw DriveError(.usage, "there is no home folder, so there is no trash; set HOME", path: path.description)
        }
        (folder, top) = try Self.place(for: path, home)
        try Self.make(folder.appending("files"))
        try Self.make(folder.appending("info"))
        medium = TrashMedium(at: folder)
    }

    private static func place(
        for path: FolderPath, _ home: FolderPath
    ) throws(DriveError) -> (folder: FolderPath, top: FolderPath?) {
        let volume = Volume(at: path.parent.bytes)
        let failure = failure { () throws(DriveError) in try make(home) }
        if failure == nil, Volume(at: home.bytes) == volume { return (home, nil) }
        var top = path.parent
        while !top.isRoot, Volume(at: top.parent.bytes) == volume { top = top.parent }
        do throws(DriveError) {
            return (try folder(atTop: top), top)
        } catch {
            // That one was the right one.
            throw Volume(at: home.nearest.bytes) == volume ? failure ?? error : error
        }
    }

    private static func failure(_ body: () throws(DriveError) -> Void) -> DriveError? {
        do throws(DriveError) {
            try body()
            return nil
        } catch { return error }
    }

    static var home: FolderPath? {
        FolderPath.base("XDG_DATA_HOME", orInHome: [".local", "share"])?.appending("Trash")
    }

    /// `.Trash/UID` where an administrator made `.Trash`, sticky and no link, else `.Trash-UID`.
    private static func folder(atTop top: FolderPath) throws(DriveError) -> FolderPath {
        let user = "\(getuid())"
        let shared = top.appending(".Trash")
        var facts = stat()
        let isThere = shared.withPointer { lstat($0, &facts) } == 0
        if isThere, facts.st_mode & S_IFMT == S_IFDIR, facts.st_mode & S_ISVTX != 0 {
            let own = shared.appending(FileName(user))
            if failure({ () throws(DriveError) in try make(own) }) == nil { return own }
        }
        let own = top.appending(FileName(".Trash-\(user)"))
        try make(own)
        guard own.withPointer({ lstat($0, &facts) }) == 0, facts.st_uid == getuid() else {
            throw DriveError(
                .permissionDenied, "this trash is somebody else's; remove it, or have it given to you",
                path: own.description)
        }
        return own
    }

    /// Whether something is mounted at the place at whose top a trash is, or was, that is not the one at home. False where that cannot
    /// be told.
    static func isMounted(_ folder: FolderPath) -> Bool {
        let isShared = folder.parent.name == FileName(".Trash")
        let top = isShared ? folder.parent.parent : folder.parent
        if top.isRoot { return true }
        guard let volume = Volume(at: top.bytes), let above = Volume(at: top.parent.bytes) else { return false }
        return volume != above
    }

    /// With what is missing above it.
    private static func make(_ folder: FolderPath) throws(DriveError) {
        try folder.make(0o700, to: "make the trash", throughLink: false)
    }

    /// Moves the file there, if it is still the one that was read; what was written to it meanwhile stays where it is.
    /// False where nothing is there any more.
    func take(
        _ path: FolderPath, expecting file: CleaningFile, _ record: inout CleaningRecord
    ) throws(DriveError) -> Bool {
        let (target, note) = try claim(path, file, &record)
        guard path.move(to: target) else {
            let (isGone, error) = (errno == ENOENT, SmallFile.failure("move it to the trash as \(target)", path))
            record.takeBackLast()
            _ = note.withPointer { unlink($0) }
            if isGone { return false }
            throw error
        }
        if file.isStill(at: target) { return true }
        guard target.move(to: path) else {
            throw DriveError(
                .temporary, "somebody wrote to it just now, and something else has its name; take it from \(target)",
                path: path.description)
        }
        record.takeBackLast()
        _ = note.withPointer { unlink($0) }
        throw DriveError(.temporary, "somebody wrote to it just now; it was left alone", path: path.description)
    }

    /// The note claims the name, as the specification has it; the record knows of it before it is there, so that what
    /// somebody killed left behind is known again.
    private func claim(
        _ path: FolderPath, _ file: CleaningFile, _ record: inout CleaningRecord
    ) throws(DriveError) -> (target: FolderPath, note: FolderPath) {
        let text = Array("[Trash Info]\nPath=\(escaped(path))\nDeletionDate=\(date())\n".utf8)
        // Where the folder really is, so that an undo can tell whether a link took its place.
        let place = path.parent.resolved.appending(path.name ?? FileName(""))
        for ordinal in 1..<10_000 {
            let (target, note) = places(path.name?.bytes ?? [], ordinal)
            if CleaningFile.Identity(of: target) != nil || CleaningFile.Identity(of: note) != nil { continue }
            try record.add(
                CleaningRecord.Move(
                    path: Data(place.bytes), trash: Data(target.bytes), note: Data(note.bytes),
                    identity: file.identity, text: Data(text), medium: medium))
            do throws(DriveError) {
                // After a power cut the notes of the last few say where they were; to wait for the disk each time takes longer
                // than all the rest.
                if record.moves.count % 64 == 1 { try record.makeDurable() }
            } catch {
                record.takeBackLast()
                throw error
            }
            let number = note.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            let isTaken = number < 0 && errno == EEXIST
            let error = SmallFile.failure("write", note)
            if number < 0 { record.takeBackLast() }
            if isTaken { continue }
            guard number >= 0 else { throw error }
            defer { close(number) }
            guard text.withUnsafeBytes({ write(number, $0.baseAddress, $0.count) }) == text.count else {
                let error = SmallFile.failure("write", note)
                _ = note.withPointer { unlink($0) }
                record.takeBackLast()
                throw error
            }
            return (target, note)
        }
        throw DriveError(.usage, "the trash has too many files of this name; empty it", path: path.description)
    }

    private func places(_ name: [UInt8], _ ordinal: Int) -> (target: FolderPath, note: FolderPath) {
        // With the ending of its note the name may be too long.
        let ending = Array(".trashinfo".utf8)
        let isWhole = ordinal == 1 && name.count + ending.count <= FileName.maximumLength
        let free = isWhole ? name : name.prefix(235) + Array(".\(ordinal)".utf8)
        return (
            folder.appending("files").appending(FileName(bytes: free)),
            folder.appending("info").appending(FileName(bytes: free + ending))
        )
    }

    private func escaped(_ path: FolderPath) -> String {
        PercentEncoding.text(top.map { path.bytes.dropFirst($0.isRoot ? 1 : $0.bytes.count + 1) } ?? path.bytes[...])
    }

    private func date() -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension FolderPath {
    /// One rename that replaces nothing; false, with errno, where it did not happen.
    func move(to target: FolderPath) -> Bool {
        guard let name, let newName = target.name else {
            errno = EINVAL
            return false
        }
        errno = ExclusiveRename.move(name, in: parent.bytes, to: newName, in: target.parent.bytes)
        return errno == 0
    }
}
