import DriveCore
import FileCoordination

/// What people decide about a drive: undo, restore, resolve... The code of it lies in a layer above this one, so whoever makes
/// the devices of a simulation brings it along.
package protocol SimulatedActs: Sendable {
    func outcomes(of act: DriveAct, by engine: DriveEngine) async throws -> [ActOutcome]
    /// Of each conflict its id, what has the name, and what the copy holds.
    func conflicts(_ state: any DriveState) throws -> [(id: String, current: ContentHash?, copy: ContentHash?)]
    /// What acts go by.
    func adjust(_ options: inout EngineOptions)
}
