import DriveCore

/// Removes what lies in the trash for good, a folder with all that is in it.
///
/// A folder comes there where somebody put one in the place of a file in the moment that it was taken out. What is in it goes
/// one by one, each by way of one name beside it, so that whoever is interrupted leaves nothing that nobody knows of.
struct TrashRemoval {
    let files: any FileStore
    let name: FileName

    /// True once nothing has the name.
    func run() throws -> Bool {
        let trash = try files.open(.trash)
        try files.discard(Self.passage(of: name), in: .trash)
        if let folder = try files.open(name, in: trash) { try empty(folder, trash) }
        try files.discard(name, in: .trash)
        return true
    }

    /// Folders in it come up to it before what is in them goes: no tree is too deep for that.
    private func empty(_ folder: OpenFolder, _ trash: OpenFolder) throws {
        while case let entries = try files.list(folder), !entries.isEmpty {
            for entry in entries {
                guard let inner = try files.open(entry.name, in: folder) else {
                    try remove(entry.name, folder, trash)
                    continue
                }
                for (number, below) in try files.list(inner).enumerated() {
                    if try files.open(below.name, in: inner) == nil {
                        try remove(below.name, inner, trash)
                    } else {
                        let name = try freeName(number, in: folder)
                        guard try files.move(below.name, in: inner, to: name, in: folder) == .done else { throw busy() }
                    }
                }
                guard try files.removeFolder(entry.name, in: folder) != .occupied else { throw busy() }
            }
        }
    }

    private func remove(_ name: FileName, _ folder: OpenFolder, _ trash: OpenFolder) throws {
        let passage = Self.passage(of: self.name)
        switch try files.move(name, in: folder, to: passage, in: trash) {
        case .done: try files.discard(passage, in: .trash)
        case .missing: break
        case .occupied, .impossible: throw busy()
        }
    }

    private func freeName(_ start: Int, in folder: OpenFolder) throws -> FileName {
        var number = start
        while try files.look(at: FileName("\(number)"), in: folder) != nil { number += 1 }
        return FileName("\(number)")
    }

    private static func passage(of name: FileName) -> FileName {
        FileName(bytes: name.bytes.prefix(FileName.maximumLength - 6) + Array(".going".utf8))
    }

    private func busy() -> DriveError {
        DriveError(.temporary, "somebody puts things into it", path: name.description)
    }
}
