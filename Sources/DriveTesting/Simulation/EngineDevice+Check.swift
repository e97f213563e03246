import DriveCore
import DriveTransport
import FileCoordination

extension EngineDevice {
    /// What the product's own checks find, in sentences: nothing where all is well.
    /// Of a store that lost contents nobody expects those back that everybody had given up.
    /// Where it is collected, the store has what is in use, and nothing else.
    package func faults(hasLostContents: Bool, isCollecting: Bool = false) async throws -> [String] {
        var result = try IndexCheck(state).findings.map { "index of \(label): \($0.path): \($0.reason)" }
        result += try lostEntries().map { "\(label): the trash has an entry of \($0.path), and not its file" }
        var files = FileCheck(files: folder, rows: state)
        try files.run()
        result += files.outcome.damaged.map { "\(label): \($0.path) is damaged" }
        // A head that a crash has torn cannot be told from one that was damaged later.
        var check = StoreCheck(storeView, store: Self.store)
        let journals = try await check.checkJournals()
        let items = try state.allItems().map(\.state)
        for item in items {
            let compared = try journals.comparison(with: item)
            if compared.contradicts { result.append("\(label): \(item.name.value) is not what its records say") }
            if compared.lacks { result.append("\(label): the store lacks a record of \(item.name.value)") }
        }
        if hasLostContents { return result }
        if isCollecting {
            try await check.check(try ContentUse(state).contents())
            let left = try await check.unreferencedContents()
            result += left.map { "nothing needs \($0.key)" }
        } else {
            try await check.check(items.flatMap { $0.heads.map(\.content) })
        }
        return result
            + check.damage.filter { $0.kind != .head }.map {
                "\($0.kind.rawValue) \($0.object) is \($0.fault.rawValue)"
            }
    }

    /// What the trash lists and has not: an act that was cut off is settled at rest, but where no process took it up.
    private func lostEntries() throws -> [TrashEntry] {
        if try AnnouncedTrash.areUnsure(state) { return [] }
        let there = Set(folder.walk(from: FileArea.trash.number).map(\.place.name))
        return try state.trash().filter { $0.reason.isShown && !there.contains($0.name) }
    }

    /// Ends the wait for what the store has lost.
    package func giveUpLostContents() async throws {
        var check = StoreCheck(storeView, store: Self.store)
        _ = try await check.checkJournals()
        try await check.check(try state.allItems().flatMap { $0.state.heads.map(\.content) })
        _ = try await engine.giveUp(Set(check.damage.flatMap(\.contents)))
    }
}
