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
    func holds(_ standing: JournalStanding?) -> Bool { standing == nil || standing?.head == head }
}

extension [ForgottenDevice] {
    /// Who is forgotten now: who was and has not come back, and whom others have forgotten. `journals` are those of all other
    /// devices that are in the store.
    public func reviewed(_ journals: [JournalStanding], own: DeviceID) -> [ForgottenDevice] {
        let standings = Dictionary(uniqueKeysWithValues: journals.map { ($0.device, $0) })
        let noted = self + journals.flatMap { $0.note?.forgotten ?? [] }
        var devices: Set<DeviceID> = [own]
        let current = noted.filter { $0.holds(standings[$0.device]) && devices.insert($0.device).inserted }
        return current.sorted { $0.device < $1.device }
    }

    func contains(_ device: DeviceID) -> Bool { contains { $0.device == device } }
}
