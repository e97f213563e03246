import DriveCore
import DriveFiles
import FileCoordination

/// A version that waits to be sent, and where it was.
struct UnsentVersion {
    var item: ItemState
    var head: Head
    /// When it was replaced, where that is known.
    var until: UInt64?
    var isDeleted: Bool
    var path: DrivePath

    /// What tells it from other versions in the trash.
    struct Place: Hashable {
        var path: DrivePath
        var hash: ContentHash?
    }

    var place: Place { Place(path: path, hash: head.content.hash) }
}

/// Brings such versions into the trash.
///
/// It only adds files there, under names that tell what they are: who is interrupted finds them there the next time.
struct UnsentBringing {
    let files: any FileStore
    let state: any DriveState

    /// What is in the trash already.
    func trashed() throws -> Set<UnsentVersion.Place> {
        let entries = try state.trash().filter { $0.reason.isShown }
        return Set(entries.map { UnsentVersion.Place(path: $0.path, hash: $0.hash) })
    }

    /// In a file that nobody has touched since it was looked at.
    func isInFolder(_ version: UnsentVersion) throws -> Bool {
        try state.rows(holding: version.item.id).contains {
            try $0.hash == version.head.content.hash && untouched($0) != nil
        }
    }

    /// Nil where it cannot be had whole.
    func bring(_ version: UnsentVersion, by reader: (any ContentReader)?) async throws -> TrashEntry? {
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
        do { try await stage(version, by: reader, as: name) } catch {
            try files.discard(name, in: .incoming)
            guard let error = error as? DriveError, [.notFound, .corrupt, .inputOutput].contains(error.kind) else {
                throw error
            }
            return nil
        }
        return try files.move(name, in: incoming, to: name, in: trash) == .done ? entry : nil
    }

    private func stage(_ version: UnsentVersion, by reader: (any ContentReader)?, as name: FileName) async throws {
        let content = version.head.content
        if case .inline(let target) = content.body {
            _ = try files.stageLink(name, target: target, modified: content.modified)
            return
        }
        let writer = try files.stageFile(name, size: content.size)
        if let reader {
            _ = try await reader.read(content, reusing: relatives(of: version)) { part throws(DriveError) in
                try writer.write(part)
            }
        }
        _ = try writer.finish(version.item.shownAttributes(head: version.head))
    }

    /// When it was deleted, as far as that is known.
    private func gone(_ version: UnsentVersion) throws -> UInt64 {
        if let event = try state.newestEvent(at: version.path), event.before == version.head.content.hash {
            return event.time
        }
        return SystemClock().milliseconds()
    }

    /// What the file holds now may share chunks with what it held.
    private func relatives(of version: UnsentVersion) throws -> [LocalContent] {
        try state.rows(holding: version.item.id).compactMap { row in
            guard let content = version.item.heads.first(where: { $0.content.hash == row.hash })?.content,
                let folder = try untouched(row), let file = try files.readUndated(row.name, in: folder)
            else { return nil }
            return LocalContent(content: content, file: file)
        }
    }

    /// The folder that a row's file is in, where that is still what the row says.
    private func untouched(_ row: Row) throws -> OpenFolder? {
        guard !row.isParked, let folder = try files.open(path: state.path(of: row).parent),
            try files.look(at: row.name, in: folder)?.looksUnchanged(since: row.facts) == true
        else { return nil }
        return folder
    }
}
