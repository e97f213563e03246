import DriveCore
import FileCoordination

// What people ask of a device.
extension EngineDevice {
    /// Nil where there is nothing to act on, or nobody brought the code of acts.
    func choose(_ generator: inout SeededGenerator) throws -> ChosenAct? {
        guard let acts else { return nil }
        var choice = ActChoice(state: state, folder: folder, acts: acts, generator: generator.split())
        return try choice.choose()
    }

    func perform(_ act: DriveAct) async throws -> [ActOutcome] {
        try await driveErrors { try await acts?.outcomes(of: act, by: engine) ?? [] }
    }

    /// What the joined state shows, here already or not.
    func shownContents() throws -> Set<ContentHash> {
        Set(try ViewReader(state).allEntries().compactMap { $0.content?.hash })
    }

    func standingConflicts() throws -> Set<String> { Set(try acts?.conflicts(state).map(\.id) ?? []) }
}
