import DriveCore

extension DriveEngine {
    /// Once all is as the view has it, nothing of what was taken back is on its way any more. What others have deleted too did not
    /// come: that is told as a delete of theirs, since nothing else tells of it.
    func settleRestored() throws {
        let restored = RestoredDeletes(parts.state)
        let items = try restored.items()
        guard try !items.isEmpty && parts.state.dirt().isEmpty else { return }
        try parts.operations.during(.sync) {
            try parts.state.transaction {
                for item in items.sorted() { try tellIfGone(item) }
                try restored.settle()
            }
        }
    }

    private func tellIfGone(_ id: ItemID) throws {
        guard let item = try parts.state.item(id), !item.shape.isAlive, let path = try recordedPath(of: item.state),
            let deleter = try Deleter.take(of: id, parts.state)
        else { return }
        try parts.log(
            DriveEvent(
                time: parts.clock.milliseconds(), kind: .deleted, path: path, device: deleter,
                before: item.state.heads.first?.content.hash))
    }

    /// Its folders may be gone as well.
    private func recordedPath(of record: ItemState) throws -> DrivePath? {
        var names = [record.name.value]
        var above = record.parent
        while above != .root {
            guard names.count < DrivePath.deepest, let folder = try parts.state.item(above)?.state else { return nil }
            names.append(folder.name.value)
            above = folder.parent
        }
        return DrivePath(names.reversed())
    }
}
