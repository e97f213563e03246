import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
import FileCoordination

/// Where all adapters meet: the disk, the index and the journal become one engine.
struct Wiring: Sendable {
    let folder: FolderPath
    let replica: String
    let settings: DriveSettings
    /// Files that a program has open for writing are left alone for a while.
    let waitsForWriters: Bool
    let report: @Sendable (EngineEvent) -> Void
    let ignoring = IgnoreKeeper()
    let claims: FileClaims
    let unsent: UnsentContents
    /// The way to the store; nil for a drive without one.
    let access: StoreAccess?
    let confirmation = StoreConfirmation()
    let patience: WriterPatience
    let reserveUse = ReserveUse()
    private let changes: WiringChanges
    private let store: StoreInfo?

    init(
        folder: FolderPath, replica: String, settings: DriveSettings, claims: FileClaims = FileClaims(),
        waitsForWriters: Bool, changes: WiringChanges = WiringChanges(),
        report: @escaping @Sendable (EngineEvent) -> Void
    ) throws(DriveError) {
        self.folder = folder
        self.replica = replica
        self.settings = settings
        self.claims = claims
        self.waitsForWriters = waitsForWriters
        self.report = report
        self.changes = changes
        patience = changes.patience
        unsent = UnsentContents(drive: folder, store: settings.storeID)
        access = try StoreAccess(settings, of: folder, pace: changes.pace) { report(.storeWaits($0)) }
        if let text = settings.storeID {
            guard let id = StoreID(text) else {
                throw DriveError(
                    .needsDecision, "the settings name no possible store; correct `store-id`",
                    path: DriveSettings.path(in: folder).description)
            }
            store = StoreInfo(id: id)
        } else {
            store = nil
        }
    }

    func engine() throws -> DriveEngine {
        let entropy = SystemEntropy()
        try DiskFileStore.open(at: folder.bytes, replica: replica).closeToOthers()
        let (index, condition) = try IndexFile(drive: folder).open(
            label: settings.deviceName, hasStore: settings.storeID != nil, entropy: entropy,
            mayUseReserve: reserveUse.isAllowed)
        try checkStoreIsNamed(index)
        let files = try DiskFileStore.open(at: folder, replica: replica, index: index)
        try IndexPlace(drive: folder).look(index)
        try TrashSalvage(files: files, state: index).runIfDue()
        try UnsentContents.removeSpent(in: folder, index)
        try unsent.putAsideUnknown(index)
        try PauseFile(drive: folder).tell(index, now: changes.clock.milliseconds())
        try tell(condition, index, SystemClock())
        // What is put into the trash from now on counts from now on.
        _ = try index.lookAtClock(changes.clock.milliseconds())
        let closed = ClosedFolderFile(drive: folder)
        // The index has notes of its own; `doctor` tells of a file that cannot be used.
        try? closed.tell(index)
        let held = access.map { unsent.store(over: confirming(changes.store($0.objects), $0)) }
        var parts = DriveParts(
            files: files, state: index, transport: transport(over: held, try index.numbers().device),
            clock: changes.clock, entropy: entropy, options: options(files), report: report)
        parts.claims = claims
        parts.closedNotes = closed
        parts.unsent = store.flatMap { held?.unsent(of: $0.id) }
        return DriveEngine(parts)
    }

    private func checkStoreIsNamed(_ index: DriveIndex) throws {
        let naming = StoreNaming(folder: folder, settings: settings)
        if let error = try naming.conflict(with: index) { throw error }
        try naming.noteStoreless(in: index)
    }

    /// An engine that changes nothing but the index that it is given.
    func planningEngine(_ index: DriveIndex) throws -> DriveEngine {
        try checkStoreIsNamed(index)
        let files = try DiskFileStore.open(at: folder, replica: replica, index: index)
        let looking = access.map { LookingObjectStore(store: $0.objects) }
        return DriveEngine(
            DriveParts(
                files: LookingFileStore(files), state: index,
                transport: transport(over: looking, try index.numbers().device), clock: SystemClock(),
                entropy: SystemEntropy(), options: options(files)))
    }

    /// Throws where the drive has a store and it is not there.
    func findStore() async throws(DriveError) {
        guard let access, let store else { return }
        _ = try await StoreFinder(access).find(store.id)
    }

    private func confirming(_ objects: any ObjectStore, _ access: StoreAccess) -> any ObjectStore {
        guard let store else { return objects }
        return ConfirmingObjectStore(base: objects, confirmation: confirmation) { () async throws(DriveError) in
            try await StoreFinder(access).confirm(store.id)
        }
    }

    private func transport(over objects: (any ObjectStore)?, _ device: DeviceID) -> JournalTransport? {
        guard let objects, let store else { return nil }
        return JournalTransport(
            objects, store: store, device: device, entropy: SystemEntropy(), flaws: access?.flaws ?? StoreFlaws())
    }

    private func options(_ files: DiskFileStore) -> EngineOptions {
        var options = EngineOptions()
        options.boot = Self.boot
        options.didMuch = HeapMemory.giveBack
        options.places = [folder.description, folder.resolved.description]
        EngineActs().adjust(&options)
        options.maySend = { [hold = unsent.hold] in !hold.isOn }
        options.longestFile = { [hold = unsent.hold] in hold.isOn ? hold.longest : .max }
        options.notesUnsent = { [unsent] group, state in
            guard unsent.hold.isOn else { return }
            try unsent.note(group, state)
        }
        let salvage = UnsentSalvage(unsent: unsent)
        options.bringsUnknown = { engine in try await salvage.run(engine.parts) }
        options.goesOnAnew = { try TrashSalvage.setDue($0) }
        options.mayDropUnsent = { [unsent] in !unsent.unknown.isThere }
        options.go(by: ignoring)
        if waitsForWriters {
            let mayUse: @Sendable (WriterPatience.Use, FileName, OpenFolder, DrivePath) -> Bool = {
                [patience] use, name, folder, path in
                let isBeingWritten = files.isBeingWritten(name, in: folder) == true
                let identity = isBeingWritten ? (try? files.look(at: name, in: folder))?.identity : nil
                return patience.isOver(for: path, of: identity, to: use, isBeingWritten: isBeingWritten)
            }
            options.mayRead = { mayUse(.read, $0, $1, $2) }
            options.mayReplace = { mayUse(.replace, $0, $1, $2) }
        }
        changes.options(&options)
        return options
    }

    /// The first 16 digits of the boot's id.
    private static var boot: UInt64? {
        bootID().flatMap { UInt64($0.filter { $0 != "-" }.prefix(16), radix: 16) }
    }

    private func tell(_ condition: IndexFile.Condition, _ index: DriveIndex, _ clock: SystemClock) throws {
        let note: String
        switch condition {
        case .known: return
        case .new:
            note = "The index was missing and is made anew from folder and store; this device goes on under a new id."
        case .damaged(let aside):
            note =
                "The index was damaged and is made anew from folder and store; this device goes on under a new id. "
                + "The old one lies at \(aside)."
        }
        let event = DriveEvent(time: clock.milliseconds(), kind: .recovered, path: .root, note: note)
        try index.log(event)
        report(.happened(event))
    }
}
