/// A device that is gone for good, as somebody decided: nobody waits for its answer to a collection until it has another head.
///
/// It is only a note beside the journals. Everything that the device has published stays, and when it comes back it takes part
/// like any other.
public struct ForgottenDevice: Hashable, Sendable {
    public var device: DeviceID
    /// Its newest head at that time; nil where it had none any more.
    public var head: ObjectKey?

    public init(_ device: DeviceID, head: ObjectKey?) {
        self.device = device
        self.head = head
    }

    /// Whether the store still shows of the device what it showed then. Where it shows nothing, the device has not come back.
    func holds(newest head: ObjectKey?) -> Bool { head == nil || head == self.head }
}

extension [ForgottenDevice] {
    /// Who is forgotten now: who was and has not come back, and whom others have forgotten. `journals` are those of all other
    /// devices that are in the store.
    public func reviewed(_ journals: [JournalStanding], own: DeviceID) -> [ForgottenDevice] {
        let heads = Dictionary(uniqueKeysWithValues: journals.map { ($0.device, $0.head) })
        let noted = (self + journals.flatMap { $0.note?.forgotten ?? [] }).current(heads)
        var devices: Set<DeviceID> = [own]
        return noted.filter { devices.insert($0.device).inserted }.sorted { $0.device < $1.device }
    }

    /// Who has not come back: whoever has another head than when it was forgotten has. `heads` are the newest ones that a store
    /// shows.
    public func current(_ heads: [DeviceID: ObjectKey]) -> [ForgottenDevice] {
        filter { $0.holds(newest: heads[$0.device]) }
    }

    func contains(_ device: DeviceID) -> Bool { contains { $0.device == device } }
}
