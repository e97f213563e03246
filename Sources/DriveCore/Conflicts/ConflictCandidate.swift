/// A file whose name says that it is a conflict copy. Whether it is one, its name alone does not prove.
public struct ConflictCandidate: Hashable, Sendable {
    public var path: DrivePath
    /// Where the file that it is a copy of would be; itself a copy's name where a copy was copied.
    public var original: DrivePath
    public var scheme: ConflictScheme
    /// The device or user, where the scheme writes one.
    public var device: String?
    /// As the scheme writes it, nil where it writes none; which time zone, depends on the scheme.
    public var time: String?
    /// Those that were asked for.
    public var schemes: [ConflictScheme]

    public init(
        path: DrivePath, original: DrivePath, scheme: ConflictScheme, device: String? = nil, time: String? = nil,
        schemes: [ConflictScheme] = ConflictScheme.unmistakable
    ) {
        self.path = path
        self.original = original
        self.scheme = scheme
        self.device = device
        self.time = time
        self.schemes = schemes
    }

    /// Nil where no scheme has such names. Where a name leaves several originals open, the first that is there is
    /// taken, and without one the first.
    public init?(
        _ path: DrivePath, schemes: [ConflictScheme] = ConflictScheme.unmistakable,
        isThere: (DrivePath) -> Bool = { _ in false }
    ) {
        guard let name = path.components.last else { return nil }
        let openings = ConflictOpenings(in: name.bytes)
        for scheme in schemes where scheme.openings.isSubset(of: openings) {
            guard let marker = scheme.parseOpened(name) else { continue }
            let parent = path.parent
            let others = marker.otherOriginals.lazy.map { parent.appending($0) }
            let first = parent.appending(marker.original)
            self.init(
                path: path, original: isThere(first) ? first : others.first(where: isThere) ?? first, scheme: scheme,
                device: marker.device, time: marker.time, schemes: schemes)
            return
        }
        return nil
    }

    /// The name that all copies of one file go back to, however often copies were copied.
    public var family: DrivePath {
        var place = original
        while let further = ConflictCandidate(place, schemes: schemes) { place = further.original }
        return place
    }
}
