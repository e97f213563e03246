// Deletes that were held, and are taken back.
extension ScanRecorder {
    /// What the row stands for is wanted, whatever was deleted elsewhere without knowing of this: also what is heard of later. Of a
    /// conflict copy its item is, and not this content beside the others.
    public mutating func keep(_ row: Row) throws {
        for member in row.members where member.item != .root && (member.isMain || row.kind == .folder) {
            // A folder that others had deleted is there for what is in it.
            guard !row.rescued.contains(member.item), try tables.item(member.item) != nil else { continue }
            changes[member.item, default: ItemChange()].keeps = true
            changes[member.item]!.seen.formUnion(row.lifeSeen[member.item] ?? [])
        }
    }
}
