import DocumentDrive
import DriveCore

/// Which drive a command works on.
struct DrivePlace {
    let folder: PathArgument?
    let options: StoreOptions?
    var deviceName: String?
    /// Whether to say what was made.
    var isTold: Bool

    init(_ folder: PathArgument?, _ options: StoreOptions? = nil, deviceName: String? = nil, isTold: Bool = true) {
        self.folder = folder
        self.options = options
        self.deviceName = deviceName
        self.isTold = isTold
    }

    /// The nearest drive from the folder upward.
    func found() throws -> FolderPath {
        let given = folder?.folder ?? .currentFolder
        if let error = Self.misspelled(given) { throw Drive.closed(from: given) ?? error }
        guard let found = try Drive.find(from: given) ?? Drive.find(from: given.resolved) else {
            throw Self.none(at: given)
        }
        Advice.drive = found
        return found
    }

    private static func none(at place: FolderPath) -> DriveError {
        Drive.closed(from: place)
            ?? DriveError(
                .usage,
                "no drive here or above; make one with `docdrive sync DIR --to URL`, or with `docdrive init DIR` without a store",
                path: place.description)
    }

    /// The drive that a path is in, or was: what it names need not be there any more.
    static func holding(_ path: PathArgument) throws -> FolderPath {
        var place = path.folder
        while !place.exists, !place.isLink, place.name != nil { place = place.parent }
        // A link is an item of the drive that it lies in, wherever it leads.
        if place.isLink, let found = try Drive.find(from: place.parent) {
            Advice.drive = found
            return found
        }
        guard let found = try Drive.find(from: place) ?? Drive.find(from: place.resolved) else {
            throw none(at: path.folder)
        }
        Advice.drive = found
        return found
    }

    /// Nil where something is at the path.
    static func misspelled(_ place: FolderPath) -> DriveError? {
        if place.exists || place.isLink { return nil }
        return DriveError(.usage, "there is no such file or folder; check the spelling", path: place.description)
    }

    /// A drive has one already.
    private func tellName(in place: FolderPath) throws {
        let name = try DriveSettings.load(from: place).deviceName
        guard let deviceName, deviceName != name else { return }
        Output.error(
            "docdrive: this device goes on being called \(name); `docdrive config set device-name` changes that")
    }

    private func say(_ text: String) { if isTold { Output.line(text) } }

    /// With --to the folder itself, made a drive if it is none; nil after --dry-run.
    func prepared() async throws -> FolderPath? {
        guard let options else { return try found() }
        let place = options.store == nil ? try found() : folder?.folder ?? .currentFolder
        let setup = DriveSetup(folder: place, store: try options.address(), deviceName: deviceName)
        var use = try FirstUse(setup: setup, options: options)
        switch try await use.run() {
        case .dryRun: return nil
        case .ready, .mended:
            if options.dryRun {
                PlanPrinter(plan: try await SyncPlan.make(for: place)).print()
                return nil
            }
            try tellName(in: place)
        case .created: say("created")
        case .joined(let devices, let items): say(Joined.text(devices, items))
        }
        Output.flush()
        Advice.drive = place
        return place
    }
}
