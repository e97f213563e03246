import DriveCore

// What an act that was cut off had brought back out of the trash.
extension AnnouncedTrash {
    /// Where it came, and with what content.
    struct Returned {
        var path: DrivePath
        /// Nil of a folder.
        var content: ContentHash?
        var reversed: UInt64?
    }

    /// Nil where it has not come, or somebody has moved or removed it since: the next look tells of that.
    func returned(_ file: AnnouncedReturn) throws -> Returned? {
        do { return try found(file) } catch let error as DriveError where error.remedy == .skip { return nil }
    }

    private func found(_ file: AnnouncedReturn) throws -> Returned? {
        guard let own = file.path.name, let folder = try parts.files.open(path: file.path.parent) else { return nil }
        for ordinal in RestoredName.ordinals {
            let name = ordinal == 1 ? own : RestoredName.make(file.path, ordinal)
            guard let facts = try parts.files.look(at: name, in: folder), facts.identity == file.identity
            else { continue }
            var returned = Returned(path: file.path.parent.appending(name), reversed: file.reversed)
            if facts.kind == .folder { return returned }
            returned.content = file.content
            // Without times of birth another file may have the number by now.
            if file.content == nil || file.identity.birth == nil {
                returned.content = try parts.files.contentHash(of: name, in: folder)
                if let content = file.content, returned.content != content { continue }
            }
            return returned
        }
        return nil
    }

    /// In the words of an act that comes to its end (`DeedRunner`). After what it took and moved: where something that came back
    /// lies is told as it is now.
    func writeDown(_ back: [Returned], _ announcement: Announcement) throws {
        guard let cause = announcement.cause else { return }
        for file in back {
            try parts.operations.during(cause) {
                parts.operations.undoes(file.reversed)
                try parts.log(
                    DriveEvent(
                        time: parts.clock.milliseconds(), kind: .added, path: file.path, after: file.content))
            }
        }
    }
}
