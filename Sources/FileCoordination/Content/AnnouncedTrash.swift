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

    /// After an act that did not come to its end. Cheap where there is none.
    public func settle() throws {
        guard try Self.areUnsure(parts.state) else { return }
        let there = Set(try parts.files.list(parts.files.open(.trash)).map(\.name))
        try parts.state.transaction {
            for entry in try parts.state.trash() where entry.isOfAct && !there.contains(entry.name) {
                try parts.state.removeTrash(entry.name)
            }
            try end()
        }
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
