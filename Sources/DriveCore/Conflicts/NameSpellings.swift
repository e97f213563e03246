/// Files whose names have letters beyond ASCII, found also by a name whose accents are written in another form: one
/// program composes them, another takes them apart (Unicode Standard Annex 15), and to Linux those are two names.
public struct NameSpellings: Sendable {
    private var paths: [Place: [DrivePath]] = [:]

    /// Strings are equal, and hash alike, if they are canonically equivalent.
    private struct Place: Hashable {
        var folder: DrivePath
        var name: String

        /// Nil where the name is no text.
        init?(_ path: DrivePath) {
            guard let name = path.name, let text = String(validating: name.bytes, as: UTF8.self) else { return nil }
            folder = path.parent
            self.name = text
        }
    }

    public init(_ paths: some Sequence<DrivePath>) {
        for path in paths where path.name?.bytes.contains(where: { $0 >= 0x80 }) ?? false {
            if let place = Place(path) { self.paths[place, default: []].append(path) }
        }
    }

    /// The one file of that folder whose name is the same but for the form of its letters; nil where there are several.
    public func only(like path: DrivePath) -> DrivePath? {
        guard let found = Place(path).flatMap({ paths[$0] }), found.count == 1 else { return nil }
        return found[0]
    }
}
