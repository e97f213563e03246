public import DriveCore
import DriveFiles

/// What is to be done to bring contents back, by what the folder holds now.
struct RestorePlan {
    let files: any FileStore
    let state: any DriveState
    let conflicts: [Conflict]

    /// Nobody's document has such a place.
    private func check(_ path: DrivePath) throws(DriveError) {
        if path.components.first == DriveLayout.state {
            throw DriveError(
                .usage, "this is where the drive keeps its own files; name another place", path: path.description)
        }
        guard path.components.allSatisfy(\.isValid) else {
            throw DriveError(
                .usage, "no file can have this name: of at most 255 bytes each, and neither . nor ..",
                path: path.description)
        }
    }

    /// Nil where nothing is to be done.
    func deed(_ content: RestoredContent) throws -> Deed? {
        if content.content.isEmpty { return try folderDeed(DrivePath(bytes: content.target ?? content.path)) }
        guard let hash = ContentHash(hexadecimal: content.content) else {
            throw DriveError(.usage, "no possible content", path: content.content)
        }
        let path = DrivePath(bytes: content.target ?? content.path)
        guard let (name, folder, facts) = try standing(at: path) else {
            return .putBack(hash, at: path, replacing: nil)
        }
        guard facts.kind == .file || facts.kind == .link, let now = try files.contentHash(of: name, in: folder)
        else {
            throw DriveError(
                .usage, "something that is no file has this name; say --to where it shall be", path: path.description)
        }
        if now == hash { return nil }
        if path.bytes == content.path, let copy = try copy(of: path, holding: hash) {
            return .moveOver(copy, hash, to: path, replacing: now)
        }
        return .putBack(hash, at: path, replacing: now)
    }

    /// A file that gets what a copy of it holds has that conflict no more: a pass would take the copy away, as one of equal bytes,
    /// and no undo of the restoring would bring it back.
    private func copy(of path: DrivePath, holding hash: ContentHash) throws -> DrivePath? {
        try conflicts.first { conflict in
            guard let copy = conflict.copy, conflict.current == path, conflict.copySide?.hash == hash, !conflict.isHeld
            else { return false }
            return try FolderNow(files: files, state: state).readableStanding(copy).content == hash
        }?.copy
    }

    /// What has the place now, which must be one that a document can have.
    private func standing(at path: DrivePath) throws -> (name: FileName, folder: OpenFolder, facts: FileFacts)? {
        try check(path)
        guard let name = path.name, let folder = try files.open(path: path.parent),
            let facts = try files.look(at: name, in: folder)
        else { return nil }
        return (name, folder, facts)
    }

    private func folderDeed(_ path: DrivePath) throws -> Deed? {
        guard let now = try standing(at: path) else { return .makeFolder(path) }
        guard now.facts.kind == .folder else {
            throw DriveError(
                .usage, "something that is no folder has this name; move it away first", path: path.description)
        }
        return nil
    }

    /// Why nothing can be put where that is to be; nil where it can.
    func obstacle(_ deed: Deed) throws -> String? {
        var above = deed.path.parent
        while let name = above.name {
            if let folder = try files.open(path: above.parent), let facts = try files.look(at: name, in: folder) {
                return facts.kind == .folder ? nil : DeedRunner.folderIsTaken
            }
            above = above.parent
        }
        return nil
    }
}

/// What a restore would come to, of one content.
public enum RestoreOutlook: Hashable, Sendable {
    case restored
    /// This conflict copy takes the place of the file, which ends the conflict.
    case restoredFromCopy(DrivePath)
    /// The file holds it already.
    case alreadyThere
    /// It cannot be, and why.
    case hindered(String)
}

extension DriveReader {
    /// What `DriveAct.restore` of these would do now, one for each; changes nothing. Throws what it would throw before it does
    /// anything.
    public func outlook(of contents: [RestoredContent]) throws -> [RestoreOutlook] {
        let plan = RestorePlan(files: try lookingFiles(), state: index, conflicts: try conflicts())
        let kept = KeptContents(index, hasStore: settings.storeID != nil)
        return try contents.map { content in
            guard let deed = try plan.deed(content) else { return .alreadyThere }
            if case .moveOver(let copy, _, _, _) = deed { return .restoredFromCopy(copy) }
            if case .putBack(let hash, _, _) = deed, try !kept.mayHave(hash) {
                return .hindered("what it held is not kept anywhere")
            }
            return try plan.obstacle(deed).map { .hindered($0) } ?? .restored
        }
    }
}

extension ContentHash {
    /// From 64 hexadecimal digits.
    init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16)
        }
        self.init(bytes: bytes)
    }
}
