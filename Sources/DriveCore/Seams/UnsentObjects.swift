/// Objects with contents that were recorded while the store took nothing. They lie on this device until the store takes them, and no
/// record that names one is published before.
public protocol UnsentObjects: Sendable {
    /// Nothing where all has been sent.
    func list() async throws(DriveError) -> [StoredObject]
    /// Returns once the store has it; from then on it is not kept here. Sending one twice is harmless.
    func send(_ key: ObjectKey) async throws(DriveError)
    /// Nothing needs these any more.
    func drop(_ keys: [ObjectKey]) async throws(DriveError)
    /// Once the records are published that name what was sent: what is noted here of nothing else goes. Late is harmless.
    func settle()
}
