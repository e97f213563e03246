import DriveCore

extension SimulatedUser {
    mutating func move(_ candidates: [WalkedEntry], _ history: inout History) -> String? {
        guard let entry = one(of: candidates) else { return nil }
        return move(entry, to: destination(), &history)
    }

    /// To any depth, so that folders end up in one another.
    mutating func moveFolder(_ history: inout History) -> String? {
        guard let entry = one(of: folders) else { return nil }
        let name = generator.choice(Self.names)
        return move(entry, to: Place(folder: someFolder(withRoom: false), name: name), &history)
    }

    private func move(_ entry: WalkedEntry, to place: Place, _ history: inout History) -> String? {
        if entry.isFolder, folder.isInside(place.folder, entry.number) { return nil }
        let there = entries.first { $0.place == place }
        if let there {
            guard there.number != entry.number, there.hasContent, entry.hasContent else { return nil }
            lose(there, onPurpose: false, &history)
            if let body = body(entry.number) { history.movedOver.insert(body) }
        }
        touch(entry, &history)
        if let there, let body = body(entry.number), let replaced = self.body(there.number) {
            history.moved(body, over: replaced)
        }
        let old = path(entry.place)
        let moved = body(entry.number)
        // Perhaps in the middle of the apply that made the copy.
        if let moved, ConflictCopyName(entry.place.name) != nil { history.copies.insert(moved) }
        // What is made there next continues its line.
        if let moved { history.leave(old, on: device, moved) }
        folder.move(from: entry.place, to: place)
        if entry.hasContent { history.takePlace(path(place), on: device) }
        if entry.isFolder { history.movePlaces(from: old, to: path(place), on: device) }
        if let moved, history.lastAt[History.Spot(device: device, path: path(place))] != nil {
            history.movedOver.insert(moved)
        }
        return "\(old) to \(path(place)) \(moved.map(\.description) ?? "")"
    }

    mutating func moveAwayAndCreate(_ history: inout History) -> String? {
        guard let entry = one(of: files), let moved = move(entry, to: destination(), &history), isFree(entry.place)
        else { return nil }
        return moved + ", then " + create(at: entry.place, &history)
    }

    mutating func swap(_ history: inout History) -> String? {
        guard let a = one(of: entries), let b = one(of: entries), a.number != b.number,
            !folder.isInside(a.place.folder, b.number), !folder.isInside(b.place.folder, a.number)
        else { return nil }
        let text = "\(path(a.place)) and \(path(b.place))"
        for (entry, target) in [(a, b), (b, a)] {
            touch(entry, &history)
            guard let body = body(entry.number) else { continue }
            history.movedOver.insert(body)
            history.takePlace(path(target.place), on: device)
            // What is made there, where a folder comes to be and goes again within one scan, continues its line.
            history.leave(path(entry.place), on: device, body)
        }
        folder.swap(a.place, b.place)
        return text
    }

    mutating func delete(_ history: inout History) -> String? {
        guard let file = one(of: documents) else { return nil }
        let text = "\(path(file.place)) \(text(body(file.number)))"
        lose(file, onPurpose: true, &history)
        if hasVersionsBeside(file.place) { touch(file, &history) }
        noteDelete(file, &history)
        folder.remove(at: file.place)
        return text
    }

    /// Deleting one of several versions is choosing another.
    private func hasVersionsBeside(_ place: Place) -> Bool {
        let original = ConflictCopyName(place.name)?.original ?? place.name
        return entries.contains {
            $0.place.folder == place.folder && ConflictCopyName($0.place.name)?.original == original
        }
    }

    private func noteDelete(_ entry: WalkedEntry, _ history: inout History) {
        guard let body = body(entry.number) else { return }
        history.addDelete(
            History.Delete(device: device, folder: entry.place.folder, body: body), at: path(entry.place))
    }

    mutating func removeFolder(_ history: inout History) -> String? {
        guard let entry = one(of: folders) else { return nil }
        let text = "\(path(entry.place))"
        lose(entry, onPurpose: true, &history)
        folder.remove(at: entry.place)
        return text
    }

    mutating func makeFolder() -> String? {
        let place = destination()
        return folder.makeFolder(at: place) ? "\(path(place))" : nil
    }

    /// A file becomes a folder, a folder a file.
    mutating func changeType(_ history: inout History) -> String? {
        guard let entry = one(of: entries) else { return nil }
        lose(entry, onPurpose: true, &history)
        if entry.hasContent { noteDelete(entry, &history) }
        folder.remove(at: entry.place)
        if entry.isFolder {
            let new = history.newBody(&generator)
            folder.create(new.bytes, at: entry.place)
            // It may have been a file before it was a folder, all within one scan.
            inherit(entry.place, new, &history)
            return "\(path(entry.place)) is file \(new)"
        }
        folder.makeFolder(at: entry.place)
        return "\(path(entry.place)) is folder"
    }

    /// The second device of a run without overlap: only names that nobody else uses, or that it has just made free.
    mutating func moveApart(_ history: inout History) -> String? {
        if generator.chance(percent: 40) { return replaceApart(&history) }
        guard let entry = one(of: entries) else { return nil }
        let targets = [MemoryFolder.root] + folders.map(\.number).filter { !folder.isInside($0, entry.number) }
        let name = FileName("r\(history.newUniqueBody().number)")
        let place = Place(folder: generator.choice(targets), name: name)
        let old = path(entry.place)
        guard folder.move(from: entry.place, to: place) else { return nil }
        return "\(old) to \(path(place))"
    }

    /// `mv a b; mv c a`.
    private mutating func replaceApart(_ history: inout History) -> String? {
        let files = entries.filter(\.hasContent)
        guard let old = one(of: files), let new = one(of: files.filter { $0.place != old.place }) else { return nil }
        let away = Place(folder: old.place.folder, name: FileName("r\(history.newUniqueBody().number)"))
        let paths = (path(old.place), path(new.place))
        guard folder.move(from: old.place, to: away), folder.move(from: new.place, to: old.place) else { return nil }
        return "\(paths.0) to \(path(away)), \(paths.1) to \(paths.0)"
    }
}
