import DriveCore

/// What must live after everybody acted apart, computed from the acts alone.
///
/// A file deleted by itself yields only to an edit or move of that file by somebody else. A file deleted with a folder
/// yields also to a move of that folder, or of one between it and the file.
struct WholeExpectation {
    /// All files before the devices part, by their content.
    var files: [Body: DrivePath] = [:]
    var added: Set<Body> = []
    /// The content that a file had before the devices parted.
    var origins: [Body: Body] = [:]
    /// By device: files deleted by themselves, deleted with a folder, edited or moved; folders moved.
    var deleted: [Int: Set<Body>] = [:]
    var deletedWithFolder: [Int: Set<Body>] = [:]
    var kept: [Int: Set<Body>] = [:]
    var movedFolders: [Int: Set<DrivePath>] = [:]
    /// The folders between the deleted one, included, and the file, by device and file.
    var chains: [Int: [Body: Set<DrivePath>]] = [:]

    func origin(_ body: Body) -> Body { origins[body] ?? body }

    func mustLive(_ file: Body, devices: Int) -> Bool {
        let devices = 0..<devices
        let deleters = devices.filter { deleted[$0]?.contains(file) == true }
        let folderDeleters = devices.filter { deletedWithFolder[$0]?.contains(file) == true }
        func isKept(besides device: Int?) -> Bool {
            devices.contains { $0 != device && !deleters.contains($0) && kept[$0]?.contains(file) == true }
        }
        for device in deleters where !isKept(besides: device) { return false }
        for device in folderDeleters where !isKept(besides: device) {
            let chain = chains[device]?[file] ?? []
            let isSaved = devices.contains { $0 != device && movedFolders[$0]?.isDisjoint(with: chain) == false }
            if !isSaved { return false }
        }
        return true
    }
}
