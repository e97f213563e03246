import DriveCore
import FileCoordination

/// A device right before an act, or right after it: what people see, and what the drive keeps.
struct ActMoment {
    let tree: [DrivePath: TreeEntry]
    let attributes: [DrivePath: Attributes]
    /// Where each folder is.
    let folders: [Int: DrivePath]
    /// In the folder itself.
    let live: Set<Body>
    /// Also what the drive has put aside, but for what it would throw away.
    let kept: Set<Body>
    let lastOperation: UInt64
    let trash: Set<FileName>
    /// An earlier act has not been settled.
    let isUnsure: Bool

    init(_ device: EngineDevice) throws {
        let folder = device.folder
        (tree, attributes) = (folder.tree(), folder.attributes())
        folders = Dictionary(
            uniqueKeysWithValues: folder.walk().filter(\.isFolder).map { ($0.number, folder.path(of: $0.place)) })
        live = Self.bodies(in: [.root], folder)
        kept = Self.bodies(in: [.root, .trash, .outgoing, .parked], folder)
        lastOperation = try device.state.lastOperation()
        trash = Set(try device.state.trash().map(\.name))
        isUnsure = try AnnouncedTrash.areUnsure(device.state)
    }

    private static func bodies(in areas: [FileArea], _ folder: MemoryFolder) -> Set<Body> {
        Set(areas.flatMap { folder.contents(of: $0) }.compactMap { Body($0) })
    }

    /// What acts have begun to do since: their operations, and the contents that they meant to take.
    func since(_ state: any DriveState) throws -> (acts: [DriveOperation], announced: Set<ContentHash>) {
        let operations = try state.operations(limit: 50).filter { $0.id > lastOperation && $0.kind.isAnAct }
        let announced = try state.trash().filter { $0.isOfAct && !trash.contains($0.name) }.compactMap(\.hash)
        return (operations, Set(announced))
    }

    /// The first few paths that are not the same, for people. `mayHaveMore`: where nothing was, something may be.
    func difference(_ later: ActMoment, mayHaveMore: Bool) -> String? {
        let known = mayHaveMore ? Set(tree.keys) : Set(tree.keys).union(later.tree.keys)
        let paths = known.filter { tree[$0] != later.tree[$0] }.sorted()
        if paths.isEmpty { return nil }
        return paths.prefix(4).map { "\($0) was \(tree[$0].text), is \(later.tree[$0].text)" }.joined(separator: "; ")
    }
}
