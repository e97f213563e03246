import DriveCore

/// A compaction leaves out what a later record of the same item says again, and another copy of the device may have that earlier
/// record still. What the later one has of it, with its time, shows that both come from it.
struct LeftOutRecords {
    private let device: DeviceID

    init(of device: DeviceID) { self.device = device }

    /// What one has, with what the other shows that it had.
    func filled(_ records: [UInt64: ItemState], from other: [UInt64: ItemState]) -> [UInt64: ItemState] {
        let later = Dictionary(grouping: records, by: \.value.id)
        var result = records
        for (n, record) in other where records[n] == nil {
            let dot = Dot(device: device, n: n)
            if later[record.id]?.contains(where: { $0.key > n && $0.value.shows(record, dot) }) == true {
                result[n] = record
            }
        }
        return result
    }
}

extension ItemState {
    /// Whether something of the earlier record by this dot is still in this one, and all that is is the same.
    fileprivate func shows(_ earlier: ItemState, _ dot: Dot) -> Bool {
        var answers: [Bool] = []
        if name.tag.dot == dot { answers.append(name == earlier.name) }
        if placement.tag.dot == dot { answers.append(placement == earlier.placement) }
        for (key, register) in attributes where register.tag.dot == dot {
            answers.append(register == earlier.attributes[key])
        }
        for head in heads where head.dot == dot {
            answers.append(
                earlier.heads.contains {
                    $0.dot == dot && $0.time == head.time && $0.content.hash == head.content.hash
                })
        }
        return !answers.isEmpty && answers.allSatisfy(\.self)
    }
}
