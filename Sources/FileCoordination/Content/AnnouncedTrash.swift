public import DriveCore

/// What an act is about to take to the trash is written down before it moves. An act that is interrupted leaves entries of files
/// that it has not come to: they are forgotten, since nothing of them is lost.
public struct AnnouncedTrash {
    private let parts: DriveParts
    private static let key = "announced-trash"

    public init(_ parts: DriveParts) { self.parts = parts }

    /// In one transaction, before anything moves.
    public func announce(_ entries: [TrashEntry]) throws {
        guard !entries.isEmpty else { return }
        try parts.state.transaction {
            for entry in entries { try parts.state.addTrash(entry) }
            try parts.state.setSetting([1], Self.key)
        }
    }

    /// Within the transaction that writes down what was done: the entries are right from now on.
    public func end() throws { try parts.state.setSetting(nil, Self.key) }

    /// After an act that did not come to its end. What it had taken out under the name that it was to have in the trash, and not
    /// looked at yet, comes to lie there; what somebody had saved by then goes back to where people see it. Cheap where there is
    /// none.
    public func settle() throws {
        guard try Self.areUnsure(parts.state) else { return }
        let there = Set(try parts.files.list(parts.files.open(.trash)).map(\.name))
        let missing = try parts.state.trash().filter { $0.isOfAct && !there.contains($0.name) }
        var (left, unread): ([TrashEntry], [TrashEntry]) = ([], [])
        for entry in missing {
            switch try takenIn(entry) {
            case .expected: break
            case .unreadable: unread.append(entry.unread)
            case .other: left.append(entry)
            }
        }
        try parts.files.makeDurable()
        try parts.state.transaction {
            for entry in left { try parts.state.removeTrash(entry.name) }
            for entry in unread { try parts.state.addTrash(entry) }
            try end()
        }
    }

    private func takenIn(_ entry: TrashEntry) throws -> TakenOut {
        let outgoing = try parts.files.open(.outgoing)
        guard try parts.files.look(at: entry.name, in: outgoing) != nil else { return .other }
        let taken = try parts.takenOut(entry.name, entry.hash, known: parts.state.row(at: entry.path)?.facts)
        if taken == .other {
            try returnOrRescue(entry)
            return .other
        }
        let trash = try parts.files.open(.trash)
        return try parts.files.move(entry.name, in: outgoing, to: entry.name, in: trash) == .done ? taken : .other
    }

    /// What has the name may also be what was about to take its place: of that the drive has a version.
    private func returnOrRescue(_ entry: TrashEntry) throws {
        let outgoing = try parts.files.open(.outgoing)
        do {
            if try !isVersion(entry.name, in: outgoing), let name = entry.path.name,
                let folder = try parts.files.open(path: entry.path.parent)
            {
                return try parts.giveBack(entry.name, from: outgoing, as: name, in: folder)
            }
        } catch let error as DriveError where error.remedy == .skip {}
        try parts.rescue(entry.name, from: .outgoing, path: entry.path)
    }

    private func isVersion(_ name: FileName, in folder: OpenFolder) throws -> Bool {
        guard let hash = try parts.files.contentHash(of: name, in: folder) else { return false }
        return try parts.state.pastVersion(of: hash) != nil || !parts.state.rows(hash: hash).isEmpty
    }

    /// Whether there may be entries of acts whose files are not there.
    public static func areUnsure(_ state: any DriveState) throws -> Bool { try state.setting(key) != nil }
}

extension TrashEntry {
    private static let prefix = Array("act-".utf8)

    /// The name in the trash of what an act of a person takes there.
    public static func nameOfAct(_ entropy: any Entropy) -> FileName {
        FileName(bytes: prefix + Array(entropy.nonce(16).utf8))
    }

    public var isOfAct: Bool { name.bytes.starts(with: Self.prefix) }
}
