/// A file whose name says that it is a conflict copy. Whether it is one, its name alone does not prove.
public struct ConflictCandidate: Hashable, Sendable {
    public var path: DrivePath
    /// Where the file that it is a copy of would be; itself a copy's name where a copy was copied.
    public var original: DrivePath
    public var scheme: ConflictScheme
    /// The device or user, where the scheme writes one.
    public var device: String?
    /// As the scheme writes it; which time zone, depends on the scheme.
    public var time: String

    public init(path: DrivePath, original: DrivePath, scheme: ConflictScheme, device: String? = nil, time: String) {
        self.path = path
        self.original = original
        self.scheme = scheme
        self.device = device
        self.time = time
    }

    /// Nil where no scheme has such names.
    public init?(_ path: DrivePath, schemes: [ConflictScheme] = ConflictScheme.allCases) {
        guard let name = path.name else { return nil }
        for scheme in schemes {
            guard let marker = scheme.parse(name) else { continue }
            self.init(
                path: path, original: path.parent.appending(marker.original), scheme: scheme, device: marker.device,
                time: marker.time)
            return
        }
        return nil
    }

    /// The name that all copies of one file go back to, however often copies were copied.
    public var family: DrivePath {
        var place = original
        while let further = ConflictCandidate(place) { place = further.original }
        return place
    }
}
