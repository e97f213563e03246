import DriveCore

// What a person sees and chooses from, and what an act means for the contents that it meets.
extension SimulatedUser {
    var files: [WalkedEntry] { entries.filter { $0.kind == .file } }
    /// Files and links.
    var documents: [WalkedEntry] { entries.filter(\.hasContent) }
    var folders: [WalkedEntry] { entries.filter(\.isFolder) }

    mutating func one(of candidates: [WalkedEntry]) -> WalkedEntry? {
        candidates.isEmpty ? nil : generator.choice(candidates)
    }

    /// Any folder, the root among them; only ones with room for more depth if asked.
    mutating func someFolder(withRoom: Bool = true) -> Int {
        var numbers = [MemoryFolder.root]
        for entry in entries where entry.isFolder && (!withRoom || entry.depth < Self.depth) {
            numbers.append(entry.number)
        }
        return generator.choice(numbers)
    }

    /// Where something is made or moved to.
    mutating func destination() -> Place {
        let folder = someFolder()
        return Place(folder: folder, name: generator.choice(Self.names))
    }

    /// Always a name in the chosen folder that is free, where there is one.
    func isFree(_ place: Place) -> Bool { folder.number(at: place) == nil }

    func path(_ place: Place) -> DrivePath { folder.path(of: place) }

    /// The content there; nil for a folder, and for bytes that nobody saved (a damaged file is nobody's promise).
    func body(_ number: Int) -> Body? { folder.content(of: number).flatMap { Body($0) } }

    /// Somebody who has the entry replaces or deletes it, with all that is in it.
    func lose(_ entry: WalkedEntry, onPurpose: Bool, inFolder: Bool = false, _ history: inout History) {
        if entry.hasContent {
            guard let body = body(entry.number) else { return }
            history.excused.insert(body)
            history.leave(path(entry.place), on: device, body)
            if onPurpose { history.deleted.insert(body) }
            if inFolder { history.addDeleteWithFolder(body, on: device) }
            return
        }
        // A file deleted by itself, then its folder, in one scan: it went with the folder.
        for delete in history.deletes where delete.device == device && delete.folder == entry.number {
            history.addDeleteWithFolder(delete.body, on: device)
        }
        for child in folder.walk(from: entry.number) where child.place.folder == entry.number {
            lose(child, onPurpose: true, inFolder: true, &history)
        }
    }

    /// Somebody keeps the entry on purpose, with all that is in it.
    func touch(_ entry: WalkedEntry, _ history: inout History) {
        if entry.hasContent {
            if let body = body(entry.number) { history.touch(body) }
            return
        }
        history.folderMoves += 1
        history.moved(folder: entry.number, on: device)
        for child in folder.walk(from: entry.number) {
            if child.isFolder { history.folderMoves += 1 } else if let body = body(child.number) { history.touch(body) }
        }
    }

    /// Who changes anything of a conflict copy makes it a file of its own.
    func keepCopy(_ entry: WalkedEntry, _ history: inout History) {
        if ConflictCopyName(entry.place.name) != nil { touch(entry, &history) }
    }

    /// The same, of all names of a file.
    func keepCopies(_ entry: WalkedEntry, _ history: inout History) {
        for name in entries where name.number == entry.number { keepCopy(name, &history) }
    }

    /// What is written through one of the names of a file is there under all of them. Who saves it by a rename has the old one
    /// there still, which is less than this says.
    func saveUnderOtherNames(_ new: Body, of entry: WalkedEntry, _ history: inout History) {
        for name in entries where name.number == entry.number && name.place != entry.place { history.save(new) }
    }

    /// The new content continues the line of the old one, unless it is one of the shared ones.
    func replace(_ old: Body?, with new: Body, _ history: inout History) {
        guard let old else {
            // Others may have moved or kept the damaged file, of which this goes on as an edit.
            history.touch(new)
            return
        }
        if history.isOnlySave(new) { history.continue(history.line(of: old), with: new) } else { history.touch(old) }
    }

    /// A new file where one was before may be taken for an edit of it.
    func inherit(_ place: Place, _ new: Body, _ history: inout History) {
        history.takePlace(path(place), on: device)
        if let line = history.lastAt[History.Spot(device: device, path: path(place))], history.isOnlySave(new) {
            history.continue(line, with: new)
        }
    }
}
