import DriveCore
import DriveIndex
import FileCoordination

/// How the devices of a simulation are made.
public struct DeviceKind: Sendable {
    /// The SQLite index in memory in place of dictionaries.
    public var hasIndex = false
    /// Every apply looks at the whole drive.
    public var appliesEverything = false
    /// What people may decide about them; nil where nobody does.
    package var acts: (any SimulatedActs)?

    public init() {}

    public func make(_ setup: DeviceSetup) async throws(DriveError) -> any SimulatedDevice {
        let appliesEverything = appliesEverything
        return EngineDevice(setup, state: hasIndex ? try Self.index(setup) : nil, acts: acts) { [acts] in
            $0.appliesEverything = appliesEverything
            acts?.adjust(&$0)
        }
    }

    private static func index(_ setup: DeviceSetup) throws(DriveError) -> DriveIndex {
        let device = setup.entropy.deviceID()
        do {
            let index = try DriveIndex(path: nil)
            try index.setNumbers(RecordNumbers(device: device))
            try index.setJournal(JournalMemory(device: device, labels: [DeviceLabel(from: 0, text: setup.label)]))
            return index
        } catch let error as DriveError { throw error } catch { throw DriveError(.internalFault, "\(error)") }
    }
}
