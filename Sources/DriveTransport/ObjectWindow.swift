import DriveCore

/// Parts of packs that were read lately. A pack that is read on and on is fetched in growing parts, one that is asked
/// for a single small file is not fetched whole.
struct ObjectWindows {
    private struct Window {
        let key: ObjectKey
        let start: UInt64
        let bytes: [UInt8]

        var end: UInt64 { start + UInt64(bytes.count) }
    }

    /// What all windows hold together at most.
    static let capacity = 8 << 20
    private static let first: UInt64 = 64 << 10
    private static let largest: UInt64 = 4 << 20

    /// The most recently used last.
    private var windows: [Window] = []

    /// Nil where no window has the whole range.
    mutating func bytes(_ key: ObjectKey, _ range: Range<UInt64>) -> [UInt8]? {
        guard
            let place = windows.lastIndex(where: {
                $0.key == key && $0.start <= range.lowerBound && range.upperBound <= $0.end
            })
        else { return nil }
        let window = windows.remove(at: place)
        windows.append(window)
        let from = Int(range.lowerBound - window.start)
        return Array(window.bytes[from..<from + range.count])
    }

    /// What to ask the store for when the range is missing: twice what was read of the object just before it.
    func request(_ key: ObjectKey, _ range: Range<UInt64>) -> Range<UInt64> {
        let previous = windows.last { $0.key == key && $0.start <= range.lowerBound && range.lowerBound <= $0.end }
        let length = previous.map { min(UInt64($0.bytes.count) * 2, Self.largest) } ?? Self.first
        let end = range.lowerBound.addingReportingOverflow(length)
        return range.lowerBound..<max(range.upperBound, end.overflow ? range.upperBound : end.partialValue)
    }

    mutating func keep(_ key: ObjectKey, from start: UInt64, _ bytes: [UInt8]) {
        windows.removeAll { $0.key == key && $0.start >= start && $0.end <= start + UInt64(bytes.count) }
        windows.append(Window(key: key, start: start, bytes: bytes))
        var total = windows.reduce(0) { $0 + $1.bytes.count }
        while total > Self.capacity, windows.count > 1 { total -= windows.removeFirst().bytes.count }
    }
}
