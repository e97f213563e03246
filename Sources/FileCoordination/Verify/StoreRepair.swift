import DriveCore

/// What a look at the store found wrong, for a device to mend as far as it can.
public struct StoreRepair: Hashable, Sendable, Codable {
    /// Objects with contents that are damaged or gone; all of them, those of earlier looks included.
    public var objects: Set<String>
    /// The hashes of the contents that lay in them, each in 32 bytes.
    public var contents: Set<[UInt8]>
    /// Segments of journals, of any device.
    public var segments: Set<String>
    /// Devices whose newest head is damaged or gone.
    public var heads: Set<String>
    /// Something that this device knows is in no journal that can be read.
    public var offersAll: Bool
    /// The object that says which store it is.
    public var isFormatDamaged: Bool

    public init(
        objects: Set<String> = [], contents: Set<[UInt8]> = [], segments: Set<String> = [], heads: Set<String> = [],
        offersAll: Bool = false, isFormatDamaged: Bool = false
    ) {
        self.objects = objects
        self.contents = contents
        self.segments = segments
        self.heads = heads
        self.offersAll = offersAll
        self.isFormatDamaged = isFormatDamaged
    }

    public var isEmpty: Bool { self == StoreRepair() }

    public func union(_ other: StoreRepair) -> StoreRepair {
        StoreRepair(
            objects: objects.union(other.objects), contents: contents.union(other.contents),
            segments: segments.union(other.segments), heads: heads.union(other.heads),
            offersAll: offersAll || other.offersAll, isFormatDamaged: isFormatDamaged || other.isFormatDamaged)
    }
}

extension DriveEngine {
    /// Has the next pass store again what this device has whole, and publishes its own journal anew where that is
    /// damaged. What others' journals have lost is published by this device, as far as it has read it.
    public func repairStore(_ repair: StoreRepair) async throws {
        guard parts.transport != nil else { return }
        // Before it is mended: what became of the last answer must be known.
        try await makeSure()
        let memory = try parts.state.journal()
        let isOwnSegmentLost = memory.segments.contains { repair.segments.contains($0.key) }
        try parts.state.transaction {
            try DamagedObjects(parts.state).set(repair.objects)
            if isOwnSegmentLost {
                var memory = memory
                memory.segments.removeAll { repair.segments.contains($0.key) }
                try parts.state.setJournal(memory)
            }
            if repair.offersAll {
                try parts.offerAll("Journals in the store were damaged; everything known here is published again.")
                var offered = try parts.state.token()
                for entry in offered.entries where !repair.heads.contains(entry.device.description) {
                    offered[entry.device] = 0
                }
                try OfferedJournals(parts.state).add(offered)
            }
            let contents = Set(repair.contents.compactMap { ContentHash(bytes: $0) })
            if !contents.isEmpty { try ContentOffer(parts: parts).wish(contents) }
        }
        if isOwnSegmentLost || repair.heads.contains(memory.device.description) { try await renewHead() }
    }
}
