import DriveCore

/// Which paths are sides of conflicts: a list of thousands, of which many are asked for.
struct SidesByPath {
    /// By the paths of the copies.
    private var copies: [DrivePath: Conflict] = [:]
    /// Those that have a copy, by the paths of the files beside them.
    private var currents: [DrivePath: [Conflict]] = [:]

    init(_ conflicts: [Conflict]) {
        for conflict in conflicts {
            guard let copy = conflict.copy else { continue }
            copies[copy] = copies[copy] ?? conflict
            currents[conflict.current, default: []].append(conflict)
        }
    }

    func sides(of path: DrivePath) -> ItemFacts.Sides? {
        if let copy = copies[path] {
            return ItemFacts.Sides(id: copy.id, isCopy: true, others: [copy.current], device: copy.copySide?.device)
        }
        guard let all = currents[path], let first = all.first else { return nil }
        return ItemFacts.Sides(
            id: first.id, isCopy: false, others: all.compactMap(\.copy), device: first.copySide?.device)
    }
}
