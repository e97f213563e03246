// The date that a row stands for, and what the disk made of it.
extension Row {
    /// Whether a date on the disk is what that made of the row's own, as far as is known: nobody has set it since.
    package func isOwnDate(_ modified: FileTime) -> Bool {
        guard let own = attributes.modified else { return false }
        return modified == own || modified == facts.modified && modified.isOnDisk(for: own)
    }

    /// Takes over what the disk made of the date that it was just told to set. Not where nothing else would show that the
    /// file was touched.
    package mutating func noteDate(in now: FileFacts) {
        guard kind.hasContent, now.identity == facts.identity, now.changed != facts.changed,
            let own = attributes.modified, now.modified.isOnDisk(for: own)
        else { return }
        facts.modified = now.modified
    }
}
