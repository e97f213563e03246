public import DriveCore
import FileCoordination

/// Two contents of one file: the one that has its name, and a copy beside it.
public struct Conflict: Hashable, Sendable {
    public var id: String
    /// Where the file itself is, or would be.
    public var current: DrivePath
    public var copy: DrivePath
    public var currentFacts: FileFacts?
    public var copyFacts: FileFacts?
    /// Who wrote the copy, and when (as its name says it, in UTC).
    public var device: String?
    public var time: String?

    /// Every one in the drive, by path.
    static func all(_ state: any DriveState) throws -> [Conflict] {
        let reader = ViewReader(state)
        var result: [Conflict] = []
        for node in try state.nodesWithDerivedNames() {
            guard let folder = try reader.path(ofNode: node) else { continue }
            for derived in try state.derivedNames(in: node) {
                result.append(try Conflict(derived, in: folder, state))
            }
        }
        return result.sorted { $0.copy < $1.copy }
    }

    private init(_ derived: DerivedName, in folder: DrivePath, _ state: any DriveState) throws {
        id = "\(derived.item.description.prefix(6))-\(derived.dot.device.shortText.prefix(2))\(derived.dot.n)"
        current = folder.appending(derived.ownName)
        copy = folder.appending(derived.name)
        currentFacts = try state.row(at: current)?.facts
        copyFacts = try state.row(at: copy)?.facts
        let marker = ConflictCandidate(copy)
        device = marker?.device
        time = marker?.time
    }
}

extension RowStorage {
    /// What lies at a path, as far as this device knows.
    func row(at path: DrivePath) throws -> Row? {
        var place = try row(.root)
        for name in path.components {
            guard let folder = place else { return nil }
            place = try child(of: folder.id, named: name)
        }
        return place
    }
}

extension DriveReader {
    public func conflicts() throws -> [Conflict] { try Conflict.all(index) }
}
