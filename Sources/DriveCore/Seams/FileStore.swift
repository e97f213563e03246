/// The five places a drive keeps files in, all on one file system so that every move between them is one rename.
public enum FileArea: Hashable, Sendable, CaseIterable {
    /// The person's folder.
    case root
    /// Downloads under way: ours, deletable.
    case incoming
    /// People's items that wait for their place; never unlinked.
    case parked
    /// What an exchange took out of the root, until it has been looked at; never unlinked.
    case outgoing
    case trash
}

/// What a look at one item found, links not followed (`statx`, `AT_SYMLINK_NOFOLLOW`).
public struct FileFacts: Hashable, Sendable {
    public var kind: Kind
    public var identity: FileIdentity
    public var size: UInt64
    public var modified: FileTime
    public var changed: FileTime
    public var isExecutable: Bool
    /// True where the item lies on another file system than the root: a mount inside the drive.
    public var isForeignMount: Bool

    public enum Kind: UInt8, Hashable, Sendable { case file, folder, link, other }

    public init(
        kind: Kind, identity: FileIdentity, size: UInt64, modified: FileTime, changed: FileTime,
        isExecutable: Bool = false, isForeignMount: Bool = false
    ) {
        self.kind = kind
        self.identity = identity
        self.size = size
        self.modified = modified
        self.changed = changed
        self.isExecutable = isExecutable
        self.isForeignMount = isForeignMount
    }

    /// What an edit cannot leave alone, short of deceit: kind, inode, size, mtime and ctime.
    public func looksUnchanged(since other: FileFacts) -> Bool {
        kind == other.kind && identity == other.identity && size == other.size && modified == other.modified
            && changed == other.changed
    }

    /// As who edits it honestly would not leave it: kind, size and mtime. A copy that kept its dates, a chmod, a tag or a further
    /// link leave these alone, and so does deceit.
    public func isDated(as other: FileFacts) -> Bool {
        kind == other.kind && size == other.size && modified == other.modified
    }
}

/// An inode and its birth time; inode numbers are reused, birth times are not.
public struct FileIdentity: Hashable, Sendable {
    public var inode: UInt64
    /// Nil where the file system has none; an inode match then also needs an equal hash.
    public var birth: FileTime?

    public init(inode: UInt64, birth: FileTime?) {
        self.inode = inode
        self.birth = birth
    }
}

/// An open folder: what happens through it happens in that very folder, even if it is moved meanwhile.
public struct OpenFolder: Sendable {
    /// A descriptor on disk, an inode number in memory.
    public let number: Int
    public let identity: FileIdentity
    /// Keeps the descriptor open for as long as the value lives.
    private let keeper: (any Sendable & AnyObject)?

    public init(number: Int, identity: FileIdentity, keeper: (any Sendable & AnyObject)? = nil) {
        self.number = number
        self.identity = identity
        self.keeper = keeper
    }
}

public struct FolderEntry: Hashable, Sendable {
    public var name: FileName
    /// `.other` also where the file system does not tell without a look.
    public var kind: FileFacts.Kind
    public var inode: UInt64

    public init(name: FileName, kind: FileFacts.Kind, inode: UInt64) {
        self.name = name
        self.kind = kind
        self.inode = inode
    }
}

/// How a rename ended. Losing a race is a value.
public enum RenameOutcome: Hashable, Sendable {
    case done
    /// Something has the new name already (`RENAME_NOREPLACE`), or a folder that should go is not empty.
    case occupied
    /// The item, or for an exchange its partner, is not there any more.
    case missing
    /// A folder into itself, or a name that the file system cannot hold.
    case impossible
}

/// Reads one file, from its beginning or at any place. Not shared between threads.
public protocol FileReader: AnyObject {
    /// What a look found when the file was opened.
    var facts: FileFacts { get }
    /// Fills the buffer as far as it can; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int
    /// Fills the buffer from there as far as the file goes; of no concern to the other reads.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(DriveError) -> Int
    /// Whether the file still has the facts it was opened with, so that what was read is one version of it.
    func isUnchanged() throws(DriveError) -> Bool
    /// As `FileStore.extendedAttributes`, of the very file that is read.
    func extendedAttributes() throws(DriveError) -> [AttributeKey: [UInt8]]
    /// For what is read, in the way of the file's store.
    func contentDigest() -> any ContentDigest
}

public struct Fingerprint: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// Writes one new file in `.incoming`. Not shared between threads.
public protocol FileWriter: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(DriveError)
    /// As `write`, of bytes that a file which nobody writes has at the offset: blocks may be shared with it.
    func write(
        _ bytes: UnsafeRawBufferPointer, asAt offset: UInt64, of file: any FileReader
    ) throws(DriveError)
    /// Gives the file its attributes and closes it; it is durable only after `FileStore.makeDurable`.
    func finish(_ attributes: Attributes) throws(DriveError) -> FileFacts
}

extension FileWriter {
    public func write(
        _ bytes: UnsafeRawBufferPointer, asAt offset: UInt64, of file: any FileReader
    ) throws(DriveError) { try write(bytes) }
}

/// A folder of documents and the drive's own folders beside it.
///
/// Implemented by the disk and in memory; both run `FileStoreContract`. All calls block, are relative to an open
/// folder, never follow a link and never replace or remove anything that they were not told to.
public protocol FileStore: AnyObject, Sendable {
    /// Throws `identityChanged` where the root is not the folder, or not on the file system, that it was.
    func open(_ area: FileArea) throws(DriveError) -> OpenFolder
    /// Nil where there is no such folder now (a link is none).
    func open(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> OpenFolder?
    /// The folder that a path beneath another leads to; that one itself for the empty path. Nil where a part of it is
    /// missing, or is no folder.
    func open(path: DrivePath, in folder: OpenFolder) throws(DriveError) -> OpenFolder?
    /// Nil where nothing has the name.
    func look(at name: FileName, in folder: OpenFolder) throws(DriveError) -> FileFacts?
    /// Whether a name leads to what has it in other letters, so that only a list tells which names there are.
    func foldsCase(_ folder: OpenFolder) -> Bool
    /// Everything but `.` and `..`, unordered, and at the root without the drive's own folder. Throws rather than
    /// leave out anything.
    func list(_ folder: OpenFolder) throws(DriveError) -> [FolderEntry]
    /// What `list` and a `look` at each entry tell, in one number; nil where an entry is not covered by it, or went meanwhile.
    func digest(_ folder: OpenFolder) throws(DriveError) -> FolderDigest?
    /// What tells bytes apart in digests: 128 bits, always the same for one kind of store.
    func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint
    /// For contents that are no files of the store; those of its files have their readers'.
    func contentDigest() -> any ContentDigest
    /// Nil where no regular file has the name.
    func read(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)?
    /// As `read`, for whoever has looked at the file: it may be taken to be still as `facts` has it. Whether it was is for
    /// the reader's `isUnchanged` to say, and where it was not, reading may throw whatever it met. `facts.size` is not 0.
    func read(_ name: FileName, in folder: OpenFolder, as facts: FileFacts) throws(DriveError) -> (any FileReader)?
    /// As `read`, for whoever does not keep the facts: does not wait until each further write must show in the dates.
    func readUndated(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> (any FileReader)?
    /// The target of a link; nil where no link has the name.
    func readLink(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> [UInt8]?
    /// False where the file system has no extended attributes for people (`user.`, xattr(7)): that a file has none there
    /// says nothing.
    var keepsExtendedAttributes: Bool { get }
    /// The extended attributes of a file or folder that are carried (`AttributeKey.extendedAttributes`).
    func extendedAttributes(of name: FileName, in folder: OpenFolder) throws(DriveError) -> [AttributeKey: [UInt8]]

    /// A new file, link or folder in `.incoming` under a name of the caller's; throws if it exists.
    /// Room for the file is taken at once, unless blocks of it are to be shared (`isSharing`).
    func stageFile(_ name: FileName, size: UInt64, isSharing: Bool) throws(DriveError) -> any FileWriter
    /// A new file in `.incoming` that shares its blocks with another until one of them is written (`FICLONE`,
    /// ioctl_ficlonerange(2)): bytes and length are the same, attributes are not. Nil where the file system cannot.
    func stageClone(of source: FileName, in folder: OpenFolder, as name: FileName) throws(DriveError) -> FileFacts?
    /// The file as it is now, for as long as somebody reads it: what is written to it later does not show. Takes no room but
    /// what is written meanwhile; nil where the file system cannot.
    func snapshot(of file: any FileReader) throws(DriveError) -> (any FileReader)?
    func stageLink(_ name: FileName, target: [UInt8], modified: FileTime?) throws(DriveError) -> FileFacts
    func stageFolder(_ name: FileName) throws(DriveError) -> FileFacts

    /// `renameat2` with `RENAME_NOREPLACE`.
    func move(
        _ name: FileName, in folder: OpenFolder, to newName: FileName, in newFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome
    /// `renameat2` with `RENAME_EXCHANGE`.
    func exchange(
        _ name: FileName, in folder: OpenFolder, with otherName: FileName, in otherFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome
    /// Why nothing could get the name, or take the place of what has it, as far as that can be told without trying; nil says
    /// nothing. With `isLeaving` also why the folder that has it could not go into another one.
    func obstruction(at name: FileName, in folder: OpenFolder, isLeaving: Bool) -> DriveError?
    /// `rmdir`: only an empty folder goes.
    func removeFolder(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> RenameOutcome
    /// Unlinks a file of ours in `.incoming`, or in `.trash` when its time is over, a folder there with all in it; refuses every
    /// other area.
    func discard(_ name: FileName, in area: FileArea) throws(DriveError)
    /// Sets what differs. False where the file is not the one expected. Extended attributes that cannot be kept are thrown once all
    /// else is set.
    func setAttributes(
        _ attributes: Attributes, of name: FileName, in folder: OpenFolder, expecting identity: FileIdentity
    ) throws(DriveError) -> Bool
    /// Gives a staged file what the replaced one has and the drive does not carry: other extended attributes, ACL,
    /// permissions. Best effort, and nobody gets more rights than the replaced one gave; throws what there is no room for.
    func adoptLocalMetadata(from name: FileName, in folder: OpenFolder, to staged: FileName) throws(DriveError)

    /// Gives a staged item what the folder gives to all that is made in it: its group, and the access list that it has for new
    /// items. Best effort.
    func adoptSurroundings(of folder: OpenFolder, to staged: FileName)
    /// Of a folder, for its owner, its group and everybody; nil where it is none or cannot be looked at, and where there are none.
    func permissions(of name: FileName, in folder: OpenFolder) -> UInt16?
    /// Takes from a staged folder what these permissions do not give its group and everybody. Best effort.
    func limit(_ staged: FileName, to permissions: UInt16)

    /// Returns when all that was written and renamed so far would survive a power cut.
    func makeDurable() throws(DriveError)
    /// Bytes that may still be written before the free-space floor (the greater of 1 % and 1 GiB is the caller's).
    func freeSpace() throws(DriveError) -> (available: UInt64, total: UInt64)
}

extension FileStore {
    public func open(path: DrivePath, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        try openStepwise(path, in: folder)
    }

    /// Each folder opened in the one before: for paths of any length.
    public func openStepwise(_ path: DrivePath, in folder: OpenFolder) throws(DriveError) -> OpenFolder? {
        var folder = folder
        for name in path.components {
            guard let next = try open(name, in: folder) else { return nil }
            folder = next
        }
        return folder
    }

    /// The folder at a path beneath the root.
    package func open(path: DrivePath) throws(DriveError) -> OpenFolder? { try open(path: path, in: open(.root)) }

    /// Of a file or link that was looked at, which has these facts.
    package func attributes(
        _ facts: FileFacts, of name: FileName, in folder: OpenFolder
    ) throws(DriveError) -> Attributes {
        Attributes(
            isExecutable: facts.isExecutable, modified: facts.modified,
            extended: try extendedAttributes(of: name, in: folder))
    }

    /// What a link's content is told from others by: its content is its target.
    public func contentHash(ofLinkTarget target: [UInt8]) -> ContentHash {
        var digest = contentDigest()
        target.withUnsafeBytes { digest.update($0) }
        return digest.finish().hash
    }

    public func digest(_ folder: OpenFolder) throws(DriveError) -> FolderDigest? {
        var digest = FolderDigest()
        for entry in try list(folder) {
            guard let facts = try look(at: entry.name, in: folder), FolderDigest.covers(facts) else { return nil }
            digest.add(fingerprint(of: entry.name, facts))
        }
        return digest
    }

    /// Of one entry of a folder, for its digest.
    public func fingerprint(of name: FileName, _ facts: FileFacts) -> Fingerprint {
        let bytes = name.bytes
        return withUnsafeTemporaryAllocation(byteCount: FolderDigest.descriptionHead + bytes.count, alignment: 8) {
            buffer in
            let count = bytes.withUnsafeBufferPointer { FolderDigest.describe($0, facts, in: buffer) }
            return fingerprint(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    public func stageFile(_ name: FileName, size: UInt64) throws(DriveError) -> any FileWriter {
        try stageFile(name, size: size, isSharing: false)
    }

    public func stageClone(
        of source: FileName, in folder: OpenFolder, as name: FileName
    ) throws(DriveError) -> FileFacts? { nil }

    public func snapshot(of file: any FileReader) throws(DriveError) -> (any FileReader)? { nil }

    public func obstruction(at name: FileName, in folder: OpenFolder, isLeaving: Bool) -> DriveError? { nil }

    /// Why nothing could get the name, or take the place of what has it.
    public func obstruction(at name: FileName, in folder: OpenFolder) -> DriveError? {
        obstruction(at: name, in: folder, isLeaving: false)
    }

    public func adoptSurroundings(of folder: OpenFolder, to staged: FileName) {}

    public func permissions(of name: FileName, in folder: OpenFolder) -> UInt16? { nil }

    public func limit(_ staged: FileName, to permissions: UInt16) {}
}
