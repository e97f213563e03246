/// A file whose name says that it is a conflict copy. Whether it is one, its name alone does not prove.
public struct ConflictCandidate: Hashable, Sendable {
    public var path: DrivePath
    /// Where the file that it is a copy of would be; itself a copy's name where a copy was copied.
    public var original: DrivePath
    /// The name that all copies of one file go back to, however often copies were copied.
    public var family: DrivePath
    public var scheme: ConflictScheme
    /// The device or user, where the scheme writes one.
    public var device: String?
    /// As the scheme writes it, nil where it writes none; which time zone, depends on the scheme.
    public var time: String?
    /// Those that were asked for.
    public var schemes: [ConflictScheme]

    /// Nil where no scheme has such names. Where a name leaves several originals open, the first that is there is
    /// taken, and without one the first.
    ///
    /// `spelled` gives the path by which a file is there, perhaps with accents in another form; nil where none is.
    public init?(
        _ path: DrivePath, schemes: [ConflictScheme] = ConflictScheme.unmistakable,
        spelled: (DrivePath) -> DrivePath? = { _ in nil }
    ) {
        guard let name = path.components.last else { return nil }
        let openings = ConflictOpenings(in: name.bytes)
        for scheme in schemes where scheme.openings.isSubset(of: openings) {
            guard let marker = scheme.parseOpened(name) else { continue }
            let parent = path.parent
            let originals = ([marker.original] + marker.otherOriginals).map { parent.appending($0) }
            let original = originals.lazy.compactMap(spelled).first ?? originals[0]
            (self.path, self.original) = (path, original)
            (self.scheme, self.schemes) = (scheme, schemes)
            (device, time) = (marker.device, marker.time)
            family = ConflictCandidate(original, schemes: schemes, spelled: spelled)?.family ?? original
            return
        }
        return nil
    }
}
