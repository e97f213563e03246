import DriveCore
import FileCoordination

/// Moves conflict copies that add nothing to the drive's trash.
struct DriveCleaning {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    /// Each is compared once more right before. Written down in one transaction before anything moves
    /// (`AnnouncedTrash`): a file without an entry could not be found.
    func clean(_ copies: [RedundantCopy]) throws -> PlannedAct<[ActOutcome]> {
        PlannedAct(copies.map { .writing(DrivePath(bytes: $0.path), options: .forDeleting) }) { (try run(copies), []) }
    }

    private func run(_ copies: [RedundantCopy]) throws -> [ActOutcome] {
        let now = parts.clock.milliseconds()
        var going: [Removal] = []
        var outcomes: [ActOutcome] = []
        for copy in copies {
            switch try look(at: copy, now) {
            case .going(let removal): going.append(removal)
            case .left(let outcome): outcomes.append(outcome)
            }
        }
        try parts.operations.during(.clean) {
            try AnnouncedTrash(parts).announce(going.map { AnnouncedTaking($0.entry) })
        }
        var left: [FileName] = []
        var events: [DriveEvent] = []
        var gone: Set<RowID> = []
        // Who has the bytes of what went.
        var heirs: [DrivePath: DrivePath] = [:]
        // Of a file of which several names go (hard links), as the last of them left it.
        let linked = Dictionary(grouping: going, by: \.facts.identity).filter { $0.value.count > 1 }
        var latest: [FileIdentity: FileFacts] = [:]
        for var removal in going {
            removal.facts = latest[removal.facts.identity] ?? removal.facts
            guard let kept = Self.standing(removal.kept, besides: removal.entry.path, heirs) else {
                left.append(removal.entry.name)
                outcomes.append(
                    .left(removal.entry.path, "\(removal.kept), which has its bytes, has just gone for it"))
                continue
            }
            let rows = try parts.state.rows(identity: removal.facts.identity)
            // Names of one file have rows of their own.
            let row = try rows.count > 1 ? parts.state.row(at: removal.entry.path) : rows.first
            if try move(removal) {
                if linked[removal.facts.identity] != nil { latest[removal.facts.identity] = try factsInTrash(removal) }
                outcomes.append(ActOutcome(removal.entry.path, removal.sentence(kept)))
                heirs[removal.entry.path] = kept
                events.append(
                    DriveEvent(time: now, kind: .trashed, path: removal.entry.path, before: removal.entry.hash))
                if let row { gone.insert(row.id) }
            } else {
                left.append(removal.entry.name)
                outcomes.append(.left(removal.entry.path, "it has changed meanwhile"))
            }
        }
        try parts.state.transaction {
            for name in left { try parts.state.removeTrash(name) }
            try AnnouncedTrash(parts).end()
            try parts.operations.during(.clean) { for event in events { try parts.log(event) } }
            // Somebody has just said that these go: the brake is for deletes that nobody meant.
            try HeldDeletes(parts.state).confirm(gone)
        }
        return outcomes
    }

    private struct Removal {
        var entry: TrashEntry
        var facts: FileFacts
        var kept: DrivePath
        var isIdentical: Bool

        func sentence(_ kept: DrivePath) -> String {
            "in the trash; \(kept) has \(isIdentical ? "the same bytes" : "all of its lines")"
        }
    }

    /// Of what stays, who has what this has; nil where that is nobody but itself.
    private static func standing(
        _ kept: DrivePath, besides path: DrivePath, _ heirs: [DrivePath: DrivePath]
    ) -> DrivePath? {
        var kept = kept
        while let next = heirs[kept] { kept = next }
        return kept == path ? nil : kept
    }

    private enum Look {
        case going(Removal)
        case left(ActOutcome)
    }

    /// What is not redundant any more stays, and it is said why.
    private func look(at copy: RedundantCopy, _ now: UInt64) throws -> Look {
        let (path, kept) = (DrivePath(bytes: copy.path), DrivePath(bytes: copy.kept))
        func left(_ reason: String) -> Look { .left(.left(path, reason)) }
        if path == kept { return left("it cannot go for itself") }
        guard let own = try parts.files.content(at: path) else {
            return left("it is not there any more, or cannot be read")
        }
        guard let other = try parts.files.content(at: kept) else {
            return left("\(kept) is not there any more, or cannot be read")
        }
        let isIdentical = own.hash == other.hash && own.facts.size == other.facts.size
        guard try isIdentical || !copy.isIdentical && isContained(path, kept) else {
            return left("it has something that \(kept) does not have")
        }
        if try isIgnored(kept), try !isIgnored(path) {
            return left("\(kept), which has its bytes, is ignored: other devices have only this copy")
        }
        let entry = TrashEntry(
            name: TrashEntry.nameOfAct(parts.entropy), path: path, hash: own.hash, size: own.facts.size,
            reason: .cleaned, time: now)
        return .going(Removal(entry: entry, facts: own.facts, kept: kept, isIdentical: isIdentical))
    }

    /// No other device has it.
    private func isIgnored(_ path: DrivePath) throws -> Bool {
        try parts.options.ignores(path, false) && parts.state.row(at: path)?.isDerived != true
    }

    private func isContained(_ path: DrivePath, _ kept: DrivePath) throws -> Bool {
        guard let one = try text(at: path), let other = try text(at: kept) else { return false }
        return LineContainment(one, other) == .firstInSecond
    }

    private func text(at path: DrivePath) throws -> [UInt8]? {
        guard let name = path.name, let folder = try parts.files.open(path: path.parent),
            let reader = try parts.files.read(name, in: folder), reader.facts.size <= ConflictClass.greatestSize
        else { return nil }
        return try reader.bytes(upTo: ConflictClass.greatestSize)
    }

    /// Which going there has changed, for all its names.
    private func factsInTrash(_ removal: Removal) throws -> FileFacts? {
        try parts.files.look(at: removal.entry.name, in: parts.files.open(.trash))
    }

    /// False, with the file where it was, if it is not the one that was compared.
    private func move(_ removal: Removal) throws -> Bool {
        let path = removal.entry.path
        guard let name = path.name, let folder = try parts.files.open(path: path.parent),
            try parts.files.look(at: name, in: folder)?.looksUnchanged(since: removal.facts) ?? false
        else { return false }
        let taken = TakenOut(parts: parts, name: removal.entry.name)
        guard let hash = removal.entry.hash,
            try parts.files.move(name, in: folder, to: taken.name, in: parts.files.open(.outgoing)) == .done
        else { return false }
        return try taken.goToTrash(
            ifItHas: hash, removal.facts, orElse: { try taken.giveBack(as: name, in: folder, at: path) })
    }
}

extension FileReader {
    /// Nil where there are more, or the file changes while it is read.
    fileprivate func bytes(upTo limit: Int) throws(DriveError) -> [UInt8]? {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            if count == 0 { return try isUnchanged() ? result : nil }
            result += buffer[..<count]
            if result.count > limit { return nil }
        }
    }
}
