import DriveCore

extension FolderWalk {
    /// What was touched in folders without rows. A folder that was made just now is seen from above; but one that has been there
    /// for longer, and waits to be recorded, nobody touches there: and what was moved into it would be missing.
    mutating func compareNew(_ paths: [DrivePath], _ touched: TouchedPaths) throws {
        for path in Set(try paths.compactMap { try topmostNew($0) }).sorted() {
            guard let name = path.name, !touched.covers(path) else { continue }
            _ = try compareOne(path.parent, names: [name], isMore: true)
        }
    }

    private mutating func topmostNew(_ path: DrivePath) throws -> DrivePath? {
        var open = try files.open(.root)
        var place = DrivePath.root
        for name in path.components {
            place = place.appending(name)
            guard case .folder(let next) = try opened(name, in: open, place) else { return nil }
            if try rows.folder(next, at: place) == nil { return place }
            open = next
        }
        return nil
    }
}
