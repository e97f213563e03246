import DriveCore

/// The entries of the trash that have one content, as far as none has been taken: thousands, where files are equal, each of which
/// is asked for by its path.
struct TrashedCopies {
    /// In the order in which they were added; nil once it is taken.
    private var entries: [TrashEntry?] = []
    private var byPath: [DrivePath: [Int]] = [:]
    private var count = 0
    /// All before it are taken.
    private var start = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ entry: TrashEntry) {
        byPath[entry.path, default: []].append(entries.count)
        entries.append(entry)
        count += 1
    }

    /// Whether `take` has one.
    func has(from path: DrivePath) -> Bool { place(from: path) != nil }

    /// One that was at this path; it is not offered again.
    mutating func take(from path: DrivePath) -> TrashEntry? {
        guard let place = place(from: path), let entry = entries[place] else { return nil }
        byPath[path]?.removeAll { $0 == place }
        entries[place] = nil
        count -= 1
        while start < entries.count, entries[start] == nil { start += 1 }
        return entry
    }

    private func place(from path: DrivePath) -> Int? { byPath[path]?.first { entries[$0]?.reason.isShown == true } }

    /// Those that were at one of these paths.
    func at(_ paths: Set<DrivePath>) -> [TrashEntry] {
        paths.flatMap { byPath[$0] ?? [] }.sorted().compactMap { entries[$0] }
    }

    /// Those that were at none of them, one after the other.
    func elsewhere(than paths: Set<DrivePath>) -> some Sequence<TrashEntry> {
        entries[start...].lazy.compactMap(\.self).filter { !paths.contains($0.path) }
    }
}
