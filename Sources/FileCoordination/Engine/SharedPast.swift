import DriveCore

/// Up to where two copies of a device have the same past, as far as what their journals still have of it shows. A compaction leaves out
/// what a later record of the same item says again; but what the later one has kept bears the number, and the time, of the record that
/// it is of. Both copies come to the same answer.
struct SharedPast {
    private let device: DeviceID

    init(of device: DeviceID) { self.device = device }

    /// 0 where nothing is shown to be the same. A device counts on, so what came before is the same too.
    func last(_ ours: some Sequence<ItemState>, _ theirs: some Sequence<ItemState>) -> UInt64 {
        let known = Set(ours.flatMap(marks))
        return theirs.flatMap(marks).filter(known.contains).map(\.tag.n).max() ?? 0
    }

    /// Something that a record by this device said.
    private struct Mark: Hashable {
        var item: ItemID
        var tag: Tag
    }

    private func marks(in record: ItemState) -> [Mark] {
        let registers = [record.name.tag, record.placement.tag] + record.attributes.values.map(\.tag)
        let contents = record.heads.map { Tag(time: $0.time, dot: $0.dot) }
        return (registers + contents).filter { $0.device == device }.map { Mark(item: record.id, tag: $0) }
    }
}
