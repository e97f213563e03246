import DriveCore

// What records tell of what is deleted, and the log by another name.
extension DriveState {
    /// Those that bear the path's names, the one that was changed last first.
    func deadItems(named path: DrivePath) throws -> [ItemState] {
        try items(named: path).compactMap { try item($0) }.filter { !$0.shape.isAlive }.map(\.state)
            .sorted { ($0.newestTime, $0.id) > ($1.newestTime, $1.id) }
    }

    /// By what a file left this folder that had another name here: it got the one of its record, and was deleted, between two passes
    /// of this device. Nil where the log has nothing that may have been it.
    func departure(of item: ItemState, _ history: PathHistory) throws -> DriveEvent? {
        let isOwn = try item.deleter == numbers().device
        for content in Set(item.heads.map(\.content.hash)).sorted() {
            let event = try history.deletions(of: content).first { event in
                guard isOwn ? event.device == nil : event.time >= item.newestTime.milliseconds else { return false }
                // Of that name a record tells itself.
                return try !deadItems(named: event.path).contains { $0.holds(content) }
            }
            if let event { return event }
        }
        return nil
    }
}

extension ItemState {
    func holds(_ content: ContentHash) -> Bool { heads.contains { $0.content.hash == content } }
}
