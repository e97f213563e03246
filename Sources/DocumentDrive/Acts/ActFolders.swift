import DriveCore
import FileCoordination

/// Open folders by their paths; acts go folder by folder, so the last one is nearly always the one that is asked for.
struct ActFolders {
    private let parts: DriveParts
    private var last: (path: DrivePath, folder: OpenFolder)?
    /// Those that were made, each before what is in it.
    private(set) var made: [DrivePath] = []

    init(_ parts: DriveParts) { self.parts = parts }

    /// After a folder was moved or removed.
    mutating func forget() { last = nil }

    /// Nil where it is not there.
    mutating func open(_ path: DrivePath) throws -> OpenFolder? {
        if let last, last.path == path { return last.folder }
        guard let folder = try parts.files.open(path: path) else { return nil }
        last = (path, folder)
        return folder
    }

    /// Made where it is missing; nil where something else has a name on the way.
    mutating func make(_ path: DrivePath) throws -> OpenFolder? {
        if let folder = try open(path) { return folder }
        let closed = parts.closedFolders
        guard let folder = try parts.files.makeFolder(at: path, entropy: parts.entropy, closed, { made.append($0) })
        else { return nil }
        last = (path, folder)
        return folder
    }

    /// Those that were made after so many go again where nothing is in them: what they were made for was not done.
    mutating func takeBack(after count: Int) {
        while made.count > count, let path = made.last, let name = path.name,
            let folder = try? parts.files.open(path: path.parent),
            (try? parts.files.removeFolder(name, in: folder)) == .done
        {
            made.removeLast()
            last = nil
        }
    }
}
