import CLinux
import DriveCore
import Glibc
import Synchronization

/// A drive on a disk: the person's folder, and the drive's own folders in `.docdrive` beside the documents.
///
/// Every call is relative to an open folder and names one component, so neither a name that comes from elsewhere nor a
/// link that somebody puts in the way leads outside. The drive's own folder is invisible: it is never listed, looked
/// at, opened, exchanged or replaced through the root.
public final class DiskFileStore: FileStore {
    /// The person's path to the folder; verified again at each `open(.root)`.
    public let path: [UInt8]
    public let replica: String
    let volume: Volume
    let root: FileIdentity
    let state: FileIdentity
    let rootFolder: Descriptor
    let stateFolder: Descriptor
    let areas: [FileArea: Descriptor]
    public let keepsExtendedAttributes: Bool
    /// The drive's own folder is found by its name in other letters.
    let foldsCaseEverywhere: Bool
    /// Nil where contents are told apart by their hash.
    let fingerprints: KeyedFingerprints?
    public var hasContentKey: Bool { fingerprints != nil }
    /// Until the file system refuses.
    let canClone = Atomic(true)

    private init(
        path: [UInt8], replica: String, folder: Descriptor, stateFolder: Descriptor, contentKey: ContentKey? = nil
    ) throws(DriveError) {
        let facts = try folder.facts()
        let stateFacts = try stateFolder.facts()
        self.path = path
        self.replica = replica
        fingerprints = contentKey.map(KeyedFingerprints.init)
        rootFolder = folder
        self.stateFolder = stateFolder
        volume = Volume(facts)
        keepsExtendedAttributes = stateFolder.keepsExtendedAttributes
        root = facts.identity
        state = stateFacts.identity
        var alias = dd_facts()
        let name = DriveLayout.stateInOtherLetters.bytes
        foldsCaseEverywhere =
            dd_look(folder.number, name, name.count, &alias) == 0 && alias.identity == stateFacts.identity
        guard Volume(stateFacts) == volume else {
            throw Self.apart(
                isSubvolume: Volume(stateFacts).isSubvolume(of: volume),
                Descriptor.path(of: nil, in: stateFolder.number))
        }
        var areas: [FileArea: Descriptor] = [:]
        for area in FileArea.allCases where area != .root {
            areas[area] = try DriveLayout.makeFolder(DriveLayout.path(of: area), in: stateFolder)
        }
        self.areas = areas
    }

    /// Makes a folder a drive: the folder itself if only its last component is missing, the drive's own folders, and
    /// the marker. Refuses a folder that is a drive already.
    public static func create(at path: [UInt8], replica: String) throws(DriveError) -> DiskFileStore {
        let (store, _) = try unmarked(at: path, replica: replica)
        guard try DriveMarker.write(replica, in: store.stateFolder) else {
            throw DriveError(.usage, "this folder is a drive already", path: String(decoding: path, as: UTF8.self))
        }
        try store.makeDurable()
        return store
    }

    /// Throws what `create` would, and leaves nothing of it behind: for before anything else is made for the drive.
    public static func checkCreating(at path: [UInt8]) throws(DriveError) {
        let (store, isNew) = try unmarked(at: path, replica: "")
        store.removeEmptyAreas()
        if isNew { _ = path.withPathPointer { rmdir($0) } }
    }

    /// A drive but for its marker, and whether its folder was made for it.
    private static func unmarked(
        at path: [UInt8], replica: String
    ) throws(DriveError) -> (store: DiskFileStore, isNew: Bool) {
        let made = path.withPathPointer { dd_make_folder_at($0, 0o777) }
        if made < 0, made != -EEXIST {
            throw .system(-made, "make the drive's folder", path: String(decoding: path, as: UTF8.self))
        }
        do throws(DriveError) {
            let folder = try Descriptor.root(at: path)
            let stateFolder = try DriveLayout.makeFolder([DriveLayout.state], in: folder)
            let store = try DiskFileStore(path: path, replica: replica, folder: folder, stateFolder: stateFolder)
            do throws(DriveError) {
                try store.requireTraits()
            } catch {
                store.removeEmptyAreas()
                throw error
            }
            return (store, made >= 0)
        } catch {
            if made >= 0 { _ = path.withPathPointer { rmdir($0) } }
            throw error
        }
    }

    /// Opens the drive that `create` made with this id; `identityChanged` where the folder is another one, or is not there. With
    /// a key, contents are told apart by fingerprints made with it.
    public static func open(
        at path: [UInt8], replica: String, contentKey: ContentKey? = nil
    ) throws(DriveError) -> DiskFileStore {
        let folder: Descriptor
        do throws(DriveError) { folder = try Descriptor.root(at: path) } catch {
            throw error.kind == .notFound ? missing(path) : error
        }
        let stateFolder = try verifiedState(in: folder, replica: replica, path: path)
        return try DiskFileStore(
            path: path, replica: replica, folder: folder, stateFolder: stateFolder, contentKey: contentKey)
    }

    /// The id in the marker of a folder; nil where it is no drive.
    public static func replica(at path: [UInt8]) throws(DriveError) -> String? {
        try Descriptor.root(at: path).folder(DriveLayout.state).flatMap(DriveMarker.read)
    }

    private static func verifiedState(
        in folder: Descriptor, replica: String, path: [UInt8]
    ) throws(DriveError) -> Descriptor {
        let place = String(decoding: path, as: UTF8.self)
        guard let state = try folder.folder(DriveLayout.state), let found = try DriveMarker.read(in: state) else {
            throw DriveError(
                .identityChanged,
                "the drive's marker is missing, so this folder is not the drive; mount its disk, or "
                    + "make it a drive anew", path: place)
        }
        guard found == replica else {
            throw DriveError(
                .identityChanged, "this folder is another drive (\(found)), not the one that was here (\(replica))",
                path: place)
        }
        return state
    }

    /// Of the drive's own folder where nothing can be moved out of it into the drive.
    private static func apart(isSubvolume: Bool, _ path: String?) -> DriveError {
        let what =
            isSubvolume
            ? "the drive's own folder is a subvolume of its own, from which nothing can be moved into the drive; an empty "
                + "one `rmdir` removes, else move it aside and copy it back (`cp -a`) as an ordinary folder"
            : "the drive's own folder lies on another file system; unmount it"
        return DriveError(.usage, what, path: path)
    }

    private static func missing(_ path: [UInt8]) -> DriveError {
        DriveError(
            .identityChanged, "the drive's folder is not there; mount its disk or bring it back",
            path: String(decoding: path, as: UTF8.self))
    }

    public func open(_ area: FileArea) throws(DriveError) -> OpenFolder {
        guard let folder = areas[area] else { return try openRoot() }
        let facts = try folder.facts()
        guard facts.links > 0 else {
            throw DriveError(
                .identityChanged, "one of the drive's own folders was removed; start again to have it made anew",
                path: Descriptor.path(of: nil, in: folder.number))
        }
        return OpenFolder(number: Int(folder.number), identity: facts.identity, keeper: folder)
    }

    private func openRoot() throws(DriveError) -> OpenFolder {
        let place = String(decoding: path, as: UTF8.self)
        let number = path.withPathPointer { dd_open_root($0) }
        if number < 0, (-number).meansAbsent { throw Self.missing(path) }
        let folder = Descriptor(try check(number, "open the drive's folder", path: place))
        let facts = try folder.facts()
        guard facts.identity == root, Volume(facts) == volume else {
            throw DriveError(
                .identityChanged,
                "another folder took the place of the drive; bring the first one back, or start again",
                path: place)
        }
        _ = try Self.verifiedState(in: folder, replica: replica, path: path)
        return OpenFolder(number: Int(folder.number), identity: facts.identity, keeper: folder)
    }

    /// Only the owner may enter the drive's own folder, also after somebody opened it or restored it without its modes.
    /// Best effort: some file systems have no modes.
    public func closeToOthers() throws(DriveError) {
        if try stateFolder.facts().mode & 0o077 != 0 { _ = dd_set_mode(stateFolder.number, 0o700) }
    }

    public func makeDurable() throws(DriveError) {
        _ = try check(
            dd_sync_file_system(rootFolder.number), "write everything to the disk",
            path: String(decoding: path, as: UTF8.self))
    }

    public func freeSpace() throws(DriveError) -> (available: UInt64, total: UInt64) {
        let space = try VolumeSpace(of: rootFolder)
        return (space.available, space.total)
    }
}
