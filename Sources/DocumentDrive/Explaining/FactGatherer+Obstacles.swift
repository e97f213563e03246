import DriveCore

// What passes found in the way of items, as far as it still is.
extension FactGatherer {
    func obstacles(at path: DrivePath) throws -> [Obstacle] {
        try (obstacles[path] ?? []).filter { obstacle in
            // It was closed since: the pass that is on its way has it, or the next.
            try obstacle.cause != .openForWriting || look.isBeingWritten(path) != false
        }
    }

    /// That programs use something in the folder.
    func obstacles(inside folder: DrivePath) throws -> [Obstacle] {
        for path in obstaclePaths.inside(folder) {
            let found = try obstacles(at: path).first { $0.cause == .inUse || $0.cause == .openForWriting }
            if let found { return [Obstacle(folder, found.cause, since: found.since)] }
        }
        return []
    }

    /// That a program uses a folder in which one is to be made that this is in, or that one cannot be moved to where this is in it.
    func obstacles(above path: DrivePath) throws -> [Obstacle] {
        for depth in path.components.indices.dropFirst().reversed() {
            let folder = DrivePath(Array(path.components[..<depth]))
            guard case .absent = try side(of: folder) else { return [] }
            if let found = try obstacles(at: folder).first(where: { $0.cause == .inUse }) {
                return [Obstacle(path, .inUse, since: found.since)]
            }
            if let found = try obstacles(at: folder).first(where: { $0.cause == .notMovable }) { return [found] }
        }
        return []
    }

    /// Since when a file that a program has open was changed, where it is watched and no pass has met it yet.
    func writtenUnseen(_ facts: ItemFacts) throws -> UInt64? {
        guard drive.watcher != nil, let row = facts.row, row.kind == .file, case .present(let here) = facts.disk,
            !row.agrees(with: here), try look.isBeingWritten(facts.path) == true
        else { return nil }
        return here.changed.millisecondsSince1970
    }

    /// What is in the way of an item where it is to be: that it is still here says nothing of it.
    func obstacles(elsewhere row: Row) throws -> [Obstacle] {
        for member in row.members {
            for entry in try reader.entries(showing: member.item) {
                let path = try reader.path(ofNode: entry.node)?.appending(entry.name)
                if let path, obstacles[path] != nil { return try obstacles(at: path) }
            }
        }
        return []
    }
}
