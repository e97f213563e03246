import DriveCore

// What acts mean for the contents that they meet.
extension History {
    func bodies(of hashes: Set<ContentHash>) -> [Body] {
        hashes.isEmpty ? [] : written.filter { hashes.contains(ContentHasher.hash(of: $0.bytes)) }.sorted()
    }

    /// Somebody asked for it who had these.
    mutating func noteTaken(_ hashes: Set<ContentHash>, on device: Int) {
        let bodies = bodies(of: hashes)
        excused.formUnion(bodies)
        unscannedTakings[device, default: []].formUnion(bodies)
    }

    /// Somebody who had them decided what becomes of them.
    mutating func noteMeant(_ hashes: Set<ContentHash>) {
        for body in bodies(of: hashes) {
            touch(body)
            copies.insert(body)
        }
    }

    /// `mayMerge`: what both sides had made of two parts of a file may be one now. `shown`: what the device knows to
    /// be alive, of which equal bytes would be taken for; nil where what the act did need not last.
    mutating func noteAct(
        _ before: ActMoment, _ after: ActMoment, on device: Int, mayMerge: Bool, shown: [Body]?
    ) {
        for path in Set(before.tree.keys).union(after.tree.keys).sorted() where before.tree[path] != after.tree[path] {
            if let old = before.tree[path]?.body, written.contains(old) {
                leave(path, on: device, old)
                touch(old)
            }
            guard let new = after.tree[path]?.body, written.contains(new) || mayMerge && new.isPair else { continue }
            save(new)
            takePlace(path, on: device)
            touch(new)
            copies.insert(new)
            movedOver.insert(new)
            // Whoever had given it up, somebody wants it now; but to a look that did not see it go, nothing has happened.
            let isNew = shown?.contains(new) == false && unscannedTakings[device]?.contains(new) != true
            if isNew, !before.live.contains(new) { excused.remove(new) }
        }
        for (path, attributes) in before.attributes where after.attributes[path] != attributes {
            if let body = after.tree[path]?.body { touch(body) }
        }
        for (number, path) in before.folders.sorted(by: { $0.key < $1.key }) where after.folders[number] != path {
            folderMoves += 1
            if let now = after.folders[number] {
                movePlaces(from: path, to: now, on: device)
                moved(folder: number, on: device)
            }
        }
    }
}
