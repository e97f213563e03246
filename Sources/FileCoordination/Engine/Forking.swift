import DriveCore

extension DriveParts {
    /// Somebody else writes under this device's id, a clone or a backup's original: take a new id, and rename what
    /// was not published yet to it, by whomever: what is pending up to `through` the other copy has published as it is. The old id is
    /// a foreign device from now on.
    func fork(through: UInt64 = 0) throws {
        try state.transaction {
            let memory = try state.journal()
            let published = max(memory.published, through)
            let new = entropy.deviceID()
            let renaming = Renaming(old: memory.device, new: new, published: published, offset: published)
            for row in try state.allRows() { try state.save(renaming.row(row)) }
            var numbers = try state.numbers()
            numbers.device = new
            numbers.last -= published
            try state.setNumbers(numbers)
            var token = try state.token()
            token[memory.device] = memory.published
            try state.setToken(token)
            try goOn(
                as: new, try state.allItems().map { renaming.state($0.state) }.sorted { $0.id < $1.id },
                try state.pendingGroups().compactMap { group in
                    let left = group.records.filter { $0.context[memory.device] > published }
                    return left.isEmpty ? nil : RecordGroup(records: left.map(renaming.state))
                })
        }
    }

    /// With all states as they are by the new id, and what of them is to be published. Within the caller's transaction.
    /// `used` are the numbers of the new id that others may have seen already.
    func goOn(as new: DeviceID, _ states: [ItemState], _ pending: [RecordGroup], used: UInt64 = 0) throws {
        try state.setPending(pending)
        try rename(try state.journal(), to: new, used: used)
        var maintenance = ViewMaintenance(state)
        try maintenance.put(states)
        try state.removeOwnRecords()
        for record in pending.flatMap(\.records) {
            try state.setOwnRecord(OwnRecord(n: record.context[new]), of: record.id)
        }
        // The other copy may have named what this one has only begun.
        try state.forgetUploaded(in: Set(state.unfinishedUploads().map(\.chunk.object)))
        // What this copy needs, others may have taken for unneeded meanwhile.
        try ContentOffer(parts: self).wish()
        try options.goesOnAnew(state)
        try log(
            DriveEvent(
                time: clock.milliseconds(), kind: .forked, path: .root,
                note: "Another copy of this device writes to the store; this one goes on under a new id."))
    }

    private func rename(_ memory: JournalMemory, to new: DeviceID, used: UInt64) throws {
        var labels = try state.labels()
        labels[memory.device] = memory.labels
        let label = memory.labels.last?.text ?? new.shortText
        labels[new] = [DeviceLabel(from: 0, text: label)]
        try state.setLabels(labels)
        var journal = JournalMemory(device: new, labels: [DeviceLabel(from: 0, text: label)])
        journal.published = used
        try state.setJournal(journal)
    }
}

/// Dots and tags `(old, n > published)` become `(new, n - offset)`.
struct Renaming {
    let old: DeviceID
    let new: DeviceID
    let published: UInt64
    let offset: UInt64

    func dot(_ dot: Dot) -> Dot {
        dot.device == old && dot.n > published ? Dot(device: new, n: dot.n - offset) : dot
    }

    private func tag(_ tag: Tag) -> Tag { Tag(time: tag.time, dot: dot(tag.dot)) }

    private func register<Value>(_ register: Register<Value>) -> Register<Value> {
        Register(tag: tag(register.tag), value: register.value)
    }

    func state(_ state: ItemState) -> ItemState {
        var context = state.context
        if context[old] > published {
            context[new] = context[old] - offset
            context[old] = published
        }
        return ItemState(
            id: state.id, kind: state.kind, context: context, name: register(state.name),
            placement: register(state.placement), attributes: state.attributes.mapValues(register),
            heads: state.heads.map(head),
            life: state.life.map { LifeDot(dot: dot($0.dot), mark: $0.mark) })
    }

    private func head(_ head: Head) -> Head {
        var result = head
        result.dot = dot(head.dot)
        result.content.storedAgain = head.content.storedAgain.map(tag)
        return result
    }

    func row(_ row: Row) -> Row {
        var result = row
        result.members = row.members.map { Member(item: $0.item, dots: $0.dots.map(dot).sorted(), isMain: $0.isMain) }
        result.lifeSeen = row.lifeSeen.mapValues { $0.map(dot).sorted() }
        return result
    }
}
