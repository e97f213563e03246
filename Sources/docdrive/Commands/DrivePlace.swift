import DocumentDrive
import DriveCore

/// Which drive a command works on.
struct DrivePlace {
    let folder: PathArgument?
    let options: StoreOptions?
    var deviceName: String?

    init(_ folder: PathArgument?, _ options: StoreOptions? = nil, deviceName: String? = nil) {
        self.folder = folder
        self.options = options
        self.deviceName = deviceName
    }

    /// The nearest drive from the folder upward.
    func found() throws -> FolderPath {
        let given = folder?.folder ?? .currentFolder
        guard let found = try Drive.find(from: given) else {
            throw DriveError(
                .usage, "no drive here or above; make one with `docdrive sync DIR --to URL`", path: given.description)
        }
        return found
    }

    /// With --to the folder itself, made a drive if it is none; nil after --dry-run.
    func prepared() async throws -> FolderPath? {
        guard let options else { return try found() }
        let place = options.store == nil ? try found() : folder?.folder ?? .currentFolder
        let setup = DriveSetup(folder: place, store: try options.address(), deviceName: deviceName)
        switch try await FirstUse(setup: setup, options: options).run() {
        case .dryRun: return nil
        case .ready: break
        case .created: Output.line("created")
        case .joined(let devices, let items): Output.line(Joined.text(devices, items))
        }
        Output.flush()
        return place
    }
}
