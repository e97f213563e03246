import DriveCore

/// Where a walk is.
struct WalkPlace {
    /// For people: what is parked is named by where it was.
    var path = DrivePath.root
    var area = FileArea.root
    var inArea = DrivePath.root

    func appending(_ name: FileName) -> WalkPlace {
        let path = path.appending(name)
        // One array for both: a first walk keeps a place for every file.
        return WalkPlace(path: path, area: area, inArea: area == .root ? path : inArea.appending(name))
    }
}
