/// For each device the highest record number that is known; also the change token of a drive.
///
/// Kept as a sorted array: items are written by one to three devices, so a dictionary would cost more than it saves.
public struct DeviceVector: Hashable, Sendable {
    public private(set) var entries: [Entry] = []

    public struct Entry: Hashable, Sendable {
        public var device: DeviceID
        public var n: UInt64
    }

    public init() {}

    public init(_ device: DeviceID, _ n: UInt64) { self[device] = n }

    /// Zero where the device is unknown; setting zero forgets it.
    public subscript(device: DeviceID) -> UInt64 {
        get {
            for entry in entries where entry.device == device { return entry.n }
            return 0
        }
        set {
            if let place = entries.firstIndex(where: { $0.device >= device }) {
                if entries[place].device != device {
                    if newValue > 0 { entries.insert(Entry(device: device, n: newValue), at: place) }
                } else if newValue > 0 {
                    entries[place].n = newValue
                } else {
                    entries.remove(at: place)
                }
            } else if newValue > 0 {
                entries.append(Entry(device: device, n: newValue))
            }
        }
    }

    public func covers(_ dot: Dot) -> Bool { dot.n <= self[dot.device] }

    /// The maximum per device.
    public func joined(_ other: DeviceVector) -> DeviceVector {
        if entries == other.entries { return self }
        var result = self
        for entry in other.entries where result[entry.device] < entry.n { result[entry.device] = entry.n }
        return result
    }

    /// Of what was joined, the journals that claim less by now: their newest heads are gone. What has been `offered` since by
    /// whoever had joined it is not missed any more.
    public func missing(in published: DeviceVector, offered: DeviceVector = DeviceVector()) -> DeviceVector {
        var result = DeviceVector()
        for entry in entries where published[entry.device] < entry.n && offered[entry.device] < entry.n {
            result[entry.device] = entry.n
        }
        return result
    }
}
