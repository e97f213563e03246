import DriveCore

// Deletes that are held, and what waits with them.
extension FactGatherer {
    /// Of what is here, and nobody is told of, since what was in its place is deleted and that is held.
    func heldPlace(of path: DrivePath) throws -> ItemFacts.Held? {
        if held.isEmpty { return nil }
        for depth in path.components.indices {
            let place = DrivePath(Array(path.components[...depth]))
            guard let delete = held[place], delete.isOwn, case .present(let here) = try side(of: place) else {
                continue
            }
            // Of its kind it is what was deleted, and is back, unless it is known from elsewhere.
            if ItemKind(here.kind) == delete.kind {
                let known = try index.rows(identity: here.identity)
                if known.isEmpty || known.contains(where: { $0.id == delete.row }) { continue }
            }
            var result = ItemFacts.Held(id: delete.id, isOwn: true)
            result.subject = .place
            return result
        }
        return nil
    }

    /// Of what is to come into a folder that was deleted here, by whatever name it had then, and that is held.
    func heldFolder(above path: DrivePath) throws -> ItemFacts.Held? {
        if held.isEmpty { return nil }
        for depth in path.components.indices.dropLast() {
            guard let above = try entry(at: DrivePath(Array(path.components[...depth]))) else { return nil }
            if var result = try heldRow(of: above) {
                result.subject = .folder
                return result
            }
        }
        return nil
    }

    /// Of what was deleted here, under another name or in another place, and that is held.
    func heldRow(of entry: ViewEntry) throws -> ItemFacts.Held? {
        if held.isEmpty { return nil }
        for row in try entry.members.flatMap({ try index.rows(holding: $0.item) }) where row.isHeld {
            if let delete = held[try index.path(of: row)], delete.isOwn {
                return ItemFacts.Held(id: delete.id, isOwn: true, since: delete.since)
            }
        }
        return nil
    }

    /// Of what is here still, and that others have put into such a folder, or in the place of something whose delete is held.
    func heldTarget(of row: Row) throws -> ItemFacts.Held? {
        if held.isEmpty { return nil }
        for member in row.members {
            for entry in try reader.entries(showing: member.item) {
                guard let target = try reader.path(ofNode: entry.node)?.appending(entry.name) else { continue }
                if let result = try heldFolder(above: target) { return result }
                if var result = heldPlace(target, besides: row) {
                    result.subject = .place
                    return result
                }
            }
        }
        return nil
    }

    private func heldPlace(_ path: DrivePath, besides row: Row) -> ItemFacts.Held? {
        guard let delete = held[path] else { return heldInside(path) }
        guard delete.row != row.id else { return nil }
        return ItemFacts.Held(id: delete.id, isOwn: delete.isOwn, device: delete.deleter?.label)
    }

    /// A folder that others have deleted goes when nothing is in it any more.
    func heldInside(_ folder: DrivePath) -> ItemFacts.Held? {
        guard let first = pathsHeldElsewhere.inside(folder).first(where: { _ in true }).flatMap({ held[$0] }) else {
            return nil
        }
        return ItemFacts.Held(id: nil, isOwn: false, device: first.deleter?.label, since: first.since)
    }
}
