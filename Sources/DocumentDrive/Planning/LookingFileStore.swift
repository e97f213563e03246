import DriveCore

/// A folder that can be looked at and in which nothing ever changes.
final class LookingFileStore: FileStore {
    private let files: any FileStore

    init(_ files: any FileStore) { self.files = files }

    func open(_ area: FileArea) throws(DriveError) -> OpenFolder { try files.open(area) }

    func open(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        try files.open(name, in: folder)
    }

    func open(path: DrivePath, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        try files.open(path: path, in: folder)
    }

    func look(at name: FileName, in folder: OpenFolder) throws(DriveError) -> FileFacts? {
        try files.look(at: name, in: folder)
    }

    func foldsCase(_ folder: OpenFolder) -> Bool { files.foldsCase(folder) }

    func list(_ folder: OpenFolder) throws(DriveError) -> [FolderEntry] { try files.list(folder) }

    func digest(_ folder: OpenFolder) throws(DriveError) -> FolderDigest? { try files.digest(folder) }

    func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint { files.fingerprint(of: bytes) }

    func contentDigest() -> any ContentDigest { files.contentDigest() }

    func read(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        try files.read(name, in: folder)
    }

    func read(
        _ name: FileName, in folder: OpenFolder, as facts: FileFacts
    ) throws(DriveError) -> (any FileReader)? { try files.read(name, in: folder, as: facts) }

    func readUndated(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)? {
        try files.readUndated(name, in: folder)
    }

    func readLink(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> [UInt8]? {
        try files.readLink(name, in: folder)
    }

    var keepsExtendedAttributes: Bool { files.keepsExtendedAttributes }

    func extendedAttributes(
        of name: FileName, in folder: OpenFolder
    ) throws(DriveError) -> [AttributeKey: [UInt8]] {
        try files.extendedAttributes(of: name, in: folder)
    }

    func freeSpace() throws(DriveError) -> (available: UInt64, total: UInt64) { try files.freeSpace() }

    func stageFile(_ name: FileName, size: UInt64, isSharing: Bool) throws(DriveError) -> any FileWriter {
        throw Self.refusal
    }

    func stageLink(_ name: FileName, target: [UInt8], modified: FileTime?) throws(DriveError) -> FileFacts {
        throw Self.refusal
    }

    func stageFolder(_ name: FileName) throws(DriveError) -> FileFacts { throw Self.refusal }

    func move(
        _ name: FileName, in folder: OpenFolder, to newName: FileName, in newFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome { .missing }

    func exchange(
        _ name: FileName, in folder: OpenFolder, with otherName: FileName, in otherFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome { .missing }

    func removeFolder(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> RenameOutcome { .missing }

    func discard(_ name: FileName, in area: FileArea) throws(DriveError) {}

    func setAttributes(
        _ attributes: Attributes, of name: FileName, in folder: OpenFolder, expecting identity: FileIdentity
    ) throws(DriveError) -> Bool { false }

    func adoptLocalMetadata(
        from name: FileName, in folder: OpenFolder, to staged: FileName
    ) throws(DriveError) {}

    func makeDurable() throws(DriveError) {}

    private static var refusal: DriveError { DriveError(.readOnly, "a plan changes nothing") }
}

/// A store that is read; what is written to it goes nowhere.
struct LookingObjectStore: ObjectStore {
    let store: any ObjectStore
    var capabilities: StoreCapabilities { store.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await store.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {}

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await store.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) {}
}
