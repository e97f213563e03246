import DriveCore

/// What is dirty, and how that differs from what the tables hold.
struct KeptDirt {
    private(set) var now: ViewDirt
    private(set) var added = ViewDirt()
    private(set) var removed = ViewDirt()

    init(_ saved: ViewDirt) { now = saved }

    /// More than is to be held twice.
    var isMuchChanged: Bool { added.count + removed.count > 16_384 }

    mutating func remove(_ dirt: ViewDirt) {
        for group in dirt.groups where now.groups.remove(group) != nil {
            if added.groups.remove(group) == nil { removed.groups.insert(group) }
        }
        for item in dirt.items where now.items.remove(item) != nil {
            if added.items.remove(item) == nil { removed.items.insert(item) }
        }
    }

    mutating func add(_ dirt: ViewDirt) {
        for group in dirt.groups where now.groups.insert(group).inserted {
            if removed.groups.remove(group) == nil { added.groups.insert(group) }
        }
        for item in dirt.items where now.items.insert(item).inserted {
            if removed.items.remove(item) == nil { added.items.insert(item) }
        }
    }

    mutating func isSaved() {
        added = ViewDirt()
        removed = ViewDirt()
    }
}

extension ViewDirt {
    fileprivate var count: Int { groups.count + items.count }
}
