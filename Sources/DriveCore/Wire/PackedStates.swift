/// Item states by their ids, each as the bytes of its record: for who holds those of a whole drive, in a tenth of the memory.
public struct PackedStates: Sendable {
    private struct Place {
        var block: Int32
        var start: Int32
        var count: Int32
    }

    /// One that grew with each state would be copied again and again.
    private static let block = 1 << 20
    private var blocks: [[UInt8]] = []
    private var places: [ItemID: Place] = [:]

    public init() {}

    public var count: Int { places.count }

    /// Throws `corrupt` never for what was set here.
    public func state(_ id: ItemID) throws(DriveError) -> ItemState? {
        guard let place = places[id] else { return nil }
        return try decode(place)
    }

    /// Inserts or replaces. What was there before stays in memory.
    public mutating func set(_ state: ItemState) {
        let bytes = RecordCodec.encode(state)
        if blocks.isEmpty || blocks[blocks.count - 1].count + bytes.count > Self.block {
            blocks.append([])
            blocks[blocks.count - 1].reserveCapacity(max(Self.block, bytes.count))
        }
        let last = blocks.count - 1
        places[state.id] = Place(block: Int32(last), start: Int32(blocks[last].count), count: Int32(bytes.count))
        blocks[last] += bytes
    }

    /// Every one, in no order and one at a time.
    public func each(_ body: (ItemState) throws -> Void) throws {
        for place in places.values { try body(try decode(place)) }
    }

    public func contains(_ id: ItemID) -> Bool { places[id] != nil }

    private func decode(_ place: Place) throws(DriveError) -> ItemState {
        let start = Int(place.start)
        return try RecordCodec.decode(Array(blocks[Int(place.block)][start..<start + Int(place.count)]))
    }
}
