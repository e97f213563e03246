import DriveCore

/// A folder's rows by name. A place may be claimed by two rows: by one whose item could not be looked at, and by one
/// that came since.
struct RowsByName {
    private let rows: [RowGlance]
    private var isTaken: [Bool]
    private var first: [FileName: Int] = [:]
    /// Of names that several rows claim all places but the first; nearly always empty.
    private var more: [FileName: [Int]] = [:]

    init(_ rows: [RowGlance]) {
        self.rows = rows
        isTaken = [Bool](repeating: false, count: rows.count)
        first.reserveCapacity(rows.count)
        for place in rows.indices {
            let name = rows[place].name
            if first[name] == nil { first[name] = place } else { more[name, default: []].append(place) }
        }
    }

    mutating func take(_ name: FileName, inode: UInt64) -> RowGlance? {
        guard let place = first[name] else { return nil }
        if more.isEmpty {
            // A folder lists a name once.
            isTaken[place] = true
            return rows[place]
        }
        let free = ([place] + (more[name] ?? [])).filter { !isTaken[$0] }
        guard let best = free.first(where: { rows[$0].facts.identity.inode == inode }) ?? free.first else {
            return nil
        }
        isTaken[best] = true
        return rows[best]
    }

    /// Two rows claim one name.
    var hasTwins: Bool { !more.isEmpty }
    var isAllTaken: Bool { !isTaken.contains(false) }
    var rest: [RowGlance] { rows.indices.filter { !isTaken[$0] }.map { rows[$0] } }
}
