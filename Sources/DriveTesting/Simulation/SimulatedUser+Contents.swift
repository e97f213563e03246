import DriveCore

extension SimulatedUser {
    mutating func create(_ history: inout History) -> String? {
        let place = destination()
        guard isFree(place) else { return nil }
        return create(at: place, &history)
    }

    mutating func create(at place: Place, _ history: inout History) -> String {
        let new = history.newBody(&generator)
        folder.create(new.bytes, at: place)
        inherit(place, new, &history)
        return "\(path(place)) \(new)"
    }

    /// A file of parts where there is one, else another becomes one.
    mutating func editPart(_ history: inout History) -> String? {
        let parted = files.filter { body($0.number)?.isPair == true }
        guard let file = one(of: parted.isEmpty ? files : parted) else { return nil }
        let old = body(file.number)
        let line = history.newUniqueBody().number
        let isTop = generator.chance(percent: 50)
        let new =
            old?.parts.map { isTop ? Body(top: line, bottom: $0.bottom) : Body(top: $0.top, bottom: line) }
            ?? Body(top: line, bottom: line)
        lose(file, onPurpose: false, &history)
        history.save(new)
        keepCopy(file, &history)
        replace(old, with: new, &history)
        folder.save(new.bytes, at: file.place)
        return "\(path(file.place)) \(text(old)) -> \(new)"
    }

    mutating func edit(_ history: inout History, _ write: (MemoryFolder, [UInt8], Place) -> Bool) -> String? {
        guard let file = one(of: files) else { return nil }
        let old = body(file.number)
        lose(file, onPurpose: false, &history)
        let new = history.newBody(&generator)
        // An edited conflict copy becomes a file of its own.
        keepCopies(file, &history)
        saveUnderOtherNames(new, of: file, &history)
        replace(old, with: new, &history)
        guard write(folder, new.bytes, file.place) else { return nil }
        return "\(path(file.place)) \(text(old)) -> \(new)"
    }

    mutating func saveWithBackup(_ history: inout History) -> String? {
        guard let file = one(of: files) else { return nil }
        let backup = Place(folder: file.place.folder, name: FileName(bytes: file.place.name.bytes + [0x7E]))
        let there = entries.first { $0.place == backup }
        if there?.isFolder == true || backup.name.bytes.count > FileName.maximumLength { return nil }
        if let there { lose(there, onPurpose: false, &history) }
        let old = body(file.number)
        lose(file, onPurpose: false, &history)
        touch(file, &history)
        // The old bytes live on as a file of their own.
        if let old { history.save(old) }
        let new = history.newBody(&generator)
        replace(old, with: new, &history)
        folder.saveWithBackup(new.bytes, at: file.place)
        return "\(path(file.place)) \(text(old)) -> \(new)"
    }

    mutating func editSilently(_ history: inout History) -> String? {
        guard let file = one(of: files), let old = body(file.number) else { return nil }
        // The bytes must be as many; the next content of that length is few numbers away.
        var new = history.newUniqueBody()
        var tries = 0
        while new.bytes.count != old.bytes.count {
            new = history.newUniqueBody()
            tries += 1
            if tries > 20 { return nil }
        }
        history.save(new)
        lose(file, onPurpose: false, &history)
        keepCopies(file, &history)
        saveUnderOtherNames(new, of: file, &history)
        replace(old, with: new, &history)
        folder.writeSilently(new.bytes, at: file.place)
        return "\(path(file.place)) \(old) -> \(new)"
    }

    mutating func copy(_ history: inout History) -> String? {
        guard let file = one(of: documents) else { return nil }
        let place = destination()
        guard isFree(place) else { return nil }
        if let body = body(file.number) { history.save(body) }
        folder.copy(from: file.place, to: place)
        history.takePlace(path(place), on: device)
        return "\(path(file.place)) to \(path(place)) \(text(body(file.number)))"
    }

    /// Another name for a file. To the drive each name is a file of its own.
    mutating func addName(_ history: inout History) -> String? {
        guard let file = one(of: files) else { return nil }
        let place = destination()
        guard isFree(place), folder.addName(to: file.place, at: place) else { return nil }
        if let body = body(file.number) { history.save(body) }
        history.takePlace(path(place), on: device)
        return "\(path(file.place)) is \(path(place)) too \(text(body(file.number)))"
    }

    mutating func copyFolder(_ history: inout History, _ copy: (MemoryFolder, Place, Place) -> Bool) -> String? {
        guard let source = one(of: folders) else { return nil }
        let place = destination()
        let inside = folder.walk(from: source.number)
        // Not into itself, and not so much that a run fills up with copies.
        guard isFree(place), !folder.isInside(place.folder, source.number), inside.count <= 8 else { return nil }
        folder.makeFolder(at: place)
        guard let top = folder.number(at: place) else { return nil }
        var copies = [source.number: top]
        for entry in inside {
            guard let parent = copies[entry.place.folder] else { continue }
            let target = Place(folder: parent, name: entry.place.name)
            if entry.isFolder {
                folder.makeFolder(at: target)
                copies[entry.number] = folder.number(at: target)
            } else {
                if let body = body(entry.number) { history.save(body) }
                _ = copy(folder, entry.place, target)
            }
        }
        return "\(path(source.place)) to \(path(place))"
    }

    mutating func makeLink(_ history: inout History) -> String? {
        let place = destination()
        guard isFree(place) else { return nil }
        let new = history.newUniqueBody()
        history.save(new)
        folder.makeLink(to: new.bytes, at: place)
        inherit(place, new, &history)
        return "\(path(place)) \(new)"
    }

    /// `ln -sfn`: a new link in the place of the old one.
    mutating func retargetLink(_ history: inout History) -> String? {
        guard let link = one(of: entries.filter { $0.kind == .link }) else { return nil }
        let old = body(link.number)
        lose(link, onPurpose: false, &history)
        let new = history.newUniqueBody()
        history.save(new)
        keepCopy(link, &history)
        replace(old, with: new, &history)
        folder.remove(at: link.place)
        folder.makeLink(to: new.bytes, at: link.place)
        return "\(path(link.place)) \(text(old)) -> \(new)"
    }

    mutating func setExecutable(_ history: inout History) -> String? {
        guard let file = one(of: files) else { return nil }
        keepCopies(file, &history)
        folder.setExecutable(!folder.isExecutable(at: file.place), at: file.place)
        return "\(path(file.place))"
    }

    mutating func touchFile(_ history: inout History) -> String? {
        guard let file = one(of: files) else { return nil }
        keepCopies(file, &history)
        // Few times, so that one comes again.
        let choice = generator.below(4)
        folder.touch(choice == 0 ? nil : FileTime(seconds: Int64(choice)), at: file.place)
        return "\(path(file.place)): \(choice == 0 ? "now" : "\(choice)")"
    }

    /// A file, or the folder that it is in.
    mutating func tag(_ history: inout History) -> String? {
        guard let file = one(of: files) else { return nil }
        let choice = generator.below(10)
        if choice < 4 { keepCopies(file, &history) }
        let above = entries.first { $0.isFolder && $0.number == file.place.folder }
        let place = choice < 4 ? file.place : (above ?? file).place
        let value: [UInt8]? = choice < 8 ? [0x61 + UInt8(choice % 4)] : nil
        folder.setExtended("user.xdg.tags", to: value, at: place)
        return "\(path(place)): \(value.map { String(decoding: $0, as: UTF8.self) } ?? "none")"
    }

    func text(_ body: Body?) -> String { body.map(\.description) ?? "damaged" }

    /// Others than the first two devices of a run without overlap.
    mutating func createApart(_ history: inout History) -> String? {
        let new = history.newUniqueBody()
        history.save(new)
        let place = Place(folder: someFolder(withRoom: false), name: FileName("n\(new.number)"))
        guard folder.create(new.bytes, at: place) else { return nil }
        return "\(path(place)) \(new)"
    }
}
