import DriveCore
import FileCoordination

/// How far the removal of contents that nobody needs has come.
public struct CollectionReport: Hashable, Sendable, Codable {
    public var step: Step
    /// What goes, or waits to go.
    public var objects = 0
    public var bytes: UInt64 = 0
    /// What uploads that were broken off had left there, where nothing goes on with them. That goes at once.
    public var unfinishedObjects = 0
    public var unfinishedBytes: UInt64 = 0
    /// Milliseconds since 1970: nothing more happens before, unless `devices` answer.
    public var until: UInt64?
    /// Names of the devices that are waited for, with the id where others are called the same.
    public var devices: [String] = []
    /// Nothing was done: this is what would be.
    public var isTrial: Bool

    public enum Step: String, Hashable, Sendable, Codable {
        /// Nothing can go yet.
        case nothing
        /// The journals of `devices` could not be read to their end.
        case unread
        /// One of `devices` is at it.
        case othersTurn
        case announced, waiting, removed
    }

    init(
        _ outcome: CollectionOutcome, unfinished: CollectionOutcome.Size, isTrial: Bool, labels: DeviceLabels
    ) {
        self.isTrial = isTrial
        (unfinishedObjects, unfinishedBytes) = (unfinished.objects, unfinished.bytes)
        func names(_ devices: [DeviceID]) -> [String] { devices.map { labels.distinctName(of: $0) } }
        var size = CollectionOutcome.Size()
        switch outcome {
        case .nothing(let unneeded, let until): (step, size, self.until) = (.nothing, unneeded, until)
        case .unread(let devices): (step, self.devices) = (.unread, names(devices))
        case .othersTurn(let device): (step, devices) = (.othersTurn, names([device]))
        case .announced(let announced, let until): (step, size, self.until) = (.announced, announced, until)
        case .waiting(let waiting, let until, let devices):
            (step, size, self.until, self.devices) = (.waiting, waiting, until, names(devices))
        case .removed(let removed): (step, size) = (.removed, removed)
        }
        (objects, bytes) = (size.objects, size.bytes)
    }
}
