public import DriveCore

/// What rules hide of the rows: each that is hidden itself, or lies in a folder that is. Costs nothing where nothing is.
///
/// For one search: what it knows is not brought up to date.
public struct HiddenPlaces {
    private let index: DriveIndex
    private let topmost: Set<RowID>
    private var folders: [RowID: Bool] = [:]

    public init(_ index: DriveIndex) throws { try self.init(index, leavesOutHeld: false) }

    /// Also what was deleted here and is held, where that is to be left out.
    init(_ index: DriveIndex, leavesOutHeld: Bool) throws {
        self.index = index
        let hidden = try HiddenRows(index).topmost()
        topmost = try leavesOutHeld ? hidden.union(index.heldRows().map(\.id)) : hidden
    }

    var isEmpty: Bool { topmost.isEmpty }

    public mutating func hides(_ row: Row) throws -> Bool { try hides(row.id, in: row.parent) }

    mutating func hides(_ row: RowID, in folder: RowID) throws -> Bool {
        if topmost.isEmpty { return false }
        return try topmost.contains(row) || hides(folder: folder)
    }

    /// From below upwards: trees may be deeper than the stack of a thread bears.
    private mutating func hides(folder: RowID) throws -> Bool {
        var unknown: [RowID] = []
        var place = folder
        while place != .root, folders[place] == nil {
            if topmost.contains(place) {
                folders[place] = true
                break
            }
            unknown.append(place)
            place =
                try index.connection.first(Self.parent, .int(place.rawValue)) { RowID(rawValue: $0.int(0)) } ?? .root
        }
        let isHidden = folders[place] ?? false
        for folder in unknown { folders[folder] = isHidden }
        return isHidden
    }

    private static let parent = Query("SELECT parent FROM row WHERE id = ?")
}
