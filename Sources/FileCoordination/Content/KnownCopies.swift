import DriveCore

/// The copies that there are, and of which files, as far as this process has met those; for the engine's one thread.
final class KnownCopies {
    /// Nil until somebody has asked for them.
    private var all: [FileName: TrashEntry]?
    private var byHash: [ContentHash: Set<FileName>] = [:]
    private var byInode: [UInt64: Set<FileName>] = [:]
    private var byPath: [DrivePath: Set<FileName>] = [:]
    private var files: [FileName: FileFacts] = [:]
    private var names: [FileFacts: FileName] = [:]
    /// Where the files were, as the state has it, and are of which copies went with them, until that is written down.
    private var unwritten: [FileName: (from: DrivePath, to: DrivePath)] = [:]

    func load(_ state: any DriveState) throws {
        if all != nil { return }
        all = [:]
        for entry in try state.trash() where entry.reason == .refused { add(entry) }
    }

    /// Somebody else has listed some: they are read again, and which files are theirs is found out again.
    func forgetAll() {
        // Where these are the state does not know.
        guard unwritten.isEmpty else { return }
        (all, byHash, byInode, byPath, files, names) = (nil, [:], [:], [:], [:], [:])
    }

    var entries: [TrashEntry] { (all ?? [:]).values.sorted { $0.name < $1.name } }

    /// As many as there are files of equal bytes.
    func entries(_ hash: ContentHash) -> [TrashEntry] { entries(named: byHash[hash]) }

    /// Of the file that has this inode, as far as is known.
    func entries(ofInode inode: UInt64) -> [TrashEntry] { entries(named: byInode[inode]) }

    func entries(at path: DrivePath) -> [TrashEntry] { entries(named: byPath[path]) }

    private func entries(named names: Set<FileName>?) -> [TrashEntry] {
        (names ?? []).sorted().compactMap { all?[$0] }
    }

    func entry(named name: FileName) -> TrashEntry? { all?[name] }

    func entry(of file: FileFacts) -> TrashEntry? { names[file].flatMap { all?[$0] } }

    func facts(_ entry: TrashEntry) -> FileFacts? { files[entry.name] }

    /// Of the file that it is a copy of.
    func inode(_ entry: TrashEntry) -> UInt64? { files[entry.name]?.identity.inode ?? entry.inodeOfRefused }

    /// It is a copy of this file.
    func note(_ entry: TrashEntry, _ file: FileFacts) {
        forget(entry)
        (files[entry.name], names[file]) = (file, entry.name)
        add(entry)
    }

    func forget(_ entry: TrashEntry) {
        unlist(entry.name)
        if let before = files.removeValue(forKey: entry.name) { names[before] = nil }
    }

    /// It is there, at this path.
    func add(_ entry: TrashEntry) {
        unlist(entry.name)
        all?[entry.name] = entry
        byPath[entry.path, default: []].insert(entry.name)
        if let inode = inode(entry) { byInode[inode, default: []].insert(entry.name) }
        if let hash = entry.hash { byHash[hash, default: []].insert(entry.name) }
    }

    /// Its file is at another path now, which the state learns later (`RefusedPlaces`).
    @discardableResult
    func move(_ entry: TrashEntry, to path: DrivePath) -> TrashEntry {
        unwritten[entry.name] = (unwritten[entry.name]?.from ?? entry.path, path)
        var entry = entry
        entry.path = path
        add(entry)
        return entry
    }

    /// Those of which the state does not know yet where they are.
    var moved: [TrashEntry] {
        unwritten.filter { $0.value.from != $0.value.to }.keys.sorted().compactMap { all?[$0] }
    }

    /// Whence and where to their files went, also of those that are no more.
    var moves: [DrivePath: DrivePath] {
        let moves = unwritten.values.filter { $0.from != $0.to }
        return Dictionary(moves.map { ($0.from, $0.to) }) { $1 }
    }

    func forgetMoves() { unwritten = [:] }

    private func unlist(_ name: FileName) {
        guard let entry = all?.removeValue(forKey: name) else { return }
        byPath[entry.path]?.remove(name)
        if let inode = inode(entry) { byInode[inode]?.remove(name) }
        if let hash = entry.hash { byHash[hash]?.remove(name) }
    }
}

extension TrashEntry {
    private static let startOfRefused = Array("refused-".utf8)

    /// With the inode, by which another process finds out where the file is that it is a copy of.
    static func nameOfRefused(_ identity: FileIdentity, _ entropy: any Entropy) -> FileName {
        FileName("refused-\(String(identity.inode, radix: 16))-\(entropy.nonce(8))")
    }

    fileprivate var inodeOfRefused: UInt64? {
        guard isOfRefused else { return nil }
        let digits = name.bytes.dropFirst(Self.startOfRefused.count).prefix { $0 != UInt8(ascii: "-") }
        return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// No record has its content, at least by the time at which it was copied.
    public var isOfRefused: Bool { name.bytes.starts(with: Self.startOfRefused) }
}
