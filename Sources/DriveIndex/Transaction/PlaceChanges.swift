import DriveCore

/// Notes where rows change, for who looks at conflicts and wants to look at none that nothing has happened to.
struct PlaceChanges {
    private var now = ChangedPlaces(mark: 0, places: nil)
    /// Of the connection: what others have written is in no note.
    private var count: Int64 = 0

    private static let most = 1_024

    mutating func note(_ old: Row?, _ new: Row?) {
        guard now.places != nil else { return }
        if let old, let new {
            let isWhereItWas = old.parent == new.parent && old.name == new.name && old.isParked == new.isParked
            if isWhereItWas, old.kind == new.kind, old.hash == new.hash { return }
            if old.kind == .folder || new.kind == .folder { return forget() }
        }
        for row in [old, new].compactMap(\.self) {
            now.places?.insert(RowPlace(folder: row.parent, name: row.name))
        }
        if now.places?.count ?? 0 > Self.most { forget() }
    }

    mutating func forget() { now.places = nil }

    mutating func take(since mark: UInt64?, at count: Int64) -> ChangedPlaces {
        let isKnown = mark == now.mark && count == self.count
        let taken = ChangedPlaces(mark: now.mark + 1, places: isKnown ? now.places : nil)
        now = ChangedPlaces(mark: taken.mark, places: [])
        self.count = count
        return taken
    }
}

extension DriveIndex {
    public func changedPlaces(since mark: UInt64?) throws -> ChangedPlaces {
        placeChanges.take(since: mark, at: try changeCount())
    }
}
