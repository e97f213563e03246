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
                guard let known = try index.row(identity: here.identity), known.id != delete.row else { continue }
            }
            var result = ItemFacts.Held(id: delete.id, isOwn: true)
            result.isPlace = true
            return result
        }
        return nil
    }

    /// Of what is to come into a folder that is not here, since it was deleted here and that is held.
    func heldFolder(above path: DrivePath) throws -> ItemFacts.Held? {
        if held.isEmpty { return nil }
        for depth in path.components.indices.dropLast() {
            let place = DrivePath(Array(path.components[...depth]))
            guard let delete = held[place], delete.isOwn, delete.kind == .folder, try side(of: place) == .absent else {
                continue
            }
            var result = ItemFacts.Held(id: delete.id, isOwn: true)
            result.isFolder = true
            return result
        }
        return nil
    }

    /// A folder that others have deleted goes when nothing is in it any more.
    func heldInside(_ folder: DrivePath) -> ItemFacts.Held? {
        guard
            let first = held.values.lazy.filter({ !$0.isOwn && $0.path.isInside(folder) }).min(by: { $0.path < $1.path }
            )
        else { return nil }
        return ItemFacts.Held(
            id: nil, isOwn: false, device: first.deleter?.label, since: first.deleter?.time)
    }
}
