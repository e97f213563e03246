/// V8 for one node of which some groups changed: the names that its conflict copies had, and those that they get.
struct ConflictCopyNames {
    var node: ItemID
    var reader: ViewReader
    var labels: DeviceLabels

    private var storage: any ViewStorage { reader.storage }

    /// Before and after, of the changed groups alone where that is enough.
    func change(in groups: Set<FileName>) throws -> (old: Set<DerivedName>, new: Set<DerivedName>) {
        switch try storage.hasNumberedNames(in: node) {
        case nil: return ([], Set(try names(of: groups, isTaken: bearsItems)))
        case false: return try changeAlone(in: groups) ?? changeWhole(with: groups)
        // A numbered name may become free to be plain, whatever changed.
        case true: return try changeWhole(with: groups)
        }
    }

    private func changeWhole(with groups: Set<FileName>) throws -> (old: Set<DerivedName>, new: Set<DerivedName>) {
        let old = try storage.derivedNames(in: node)
        return (Set(old), Set(try names(of: groups.union(old.map(\.ownName)), isTaken: bearsItems)))
    }

    /// Where all other groups have plain names, these stay, unless one of them is wanted here: then nil.
    private func changeAlone(in groups: Set<FileName>) throws -> (old: Set<DerivedName>, new: Set<DerivedName>)? {
        for name in groups where try isOfOthers(name, groups) && bearsItems(name) { return nil }
        var meets = false
        let new = try names(of: groups) { name in
            meets = try meets || isOfOthers(name, groups)
            return try bearsItems(name)
        }
        if meets { return nil }
        let old = try groups.flatMap { try storage.derivedNames(of: GroupKey(node: node, name: $0)) }
        return (Set(old), Set(new))
    }

    private func isOfOthers(_ name: FileName, _ groups: Set<FileName>) throws -> Bool {
        guard let given = try storage.derivedName(name, in: node) else { return false }
        return !groups.contains(given.ownName)
    }

    private func bearsItems(_ name: FileName) throws -> Bool {
        try !reader.shownItems(GroupKey(node: node, name: name)).isEmpty
    }

    private func names(of groups: Set<FileName>, isTaken: (FileName) throws -> Bool) throws -> [DerivedName] {
        let derived = try groups.flatMap { try reader.derivedEntries(GroupKey(node: node, name: $0)) }
        if derived.isEmpty { return [] }
        return try nameDerived(derived, states: { try storage.item($0)!.state }, labels: labels, isTaken: isTaken)
            .map(\.derivedName)
    }
}
