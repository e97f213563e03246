import DriveCore
import FileCoordination

// What is to come back out of the trash is written down too: an entry without its file would look as if that had been lost.
extension DeedRunner {
    /// Of an entry of the trash, the deed that brings its file back.
    struct Return {
        var place: Int
        var file: AnnouncedReturn
    }

    /// Without what the act itself is about to take there: of that the entry is forgotten where the file is not there.
    func expectedReturns() throws -> [FileName: Return] {
        var finder = finder
        let entries = try trashToTakeOut()
        var result: [FileName: Return] = [:]
        for (place, outcome) in outcomes.enumerated() {
            switch outcome.deed {
            case .takeOut(let name, let path): result[name] = try comingBack(name, entries[name]?.hash, to: path, place)
            case .putBack(let hash, let path, .none):
                guard let entry = finder.takeTrashed(hash, from: path) else { continue }
                result[entry.name] = try comingBack(entry.name, hash, to: path, place)
            default: continue
            }
        }
        return result
    }

    private func trashToTakeOut() throws -> [FileName: TrashEntry] {
        guard outcomes.contains(where: { if case .takeOut = $0.deed { true } else { false } }) else { return [:] }
        return Dictionary(try parts.state.trash().map { ($0.name, $0) }) { first, _ in first }
    }

    /// Nil where the trash has lost it.
    private func comingBack(
        _ name: FileName, _ hash: ContentHash?, to path: DrivePath, _ place: Int
    ) throws -> Return? {
        guard let facts = try parts.files.look(at: name, in: parts.files.open(.trash)) else { return nil }
        let file = AnnouncedReturn(
            name, to: path, facts.identity, facts.kind == .folder ? nil : hash, reversed: outcomes[place].reversed)
        return Return(place: place, file: file)
    }

    func returns(where isMeant: (Outcome) -> Bool) -> [AnnouncedReturn] {
        returning.values.filter { isMeant(outcomes[$0.place]) }.sorted { $0.place < $1.place }.map(\.file)
    }
}
