import DriveCore
import DriveIndex
import DriveTransport
import FileCoordination

/// Everything that is known of the items, here and, once they are joined, in the journals of the store.
struct KnownStates {
    let own: DeviceID
    private(set) var labels: DeviceLabels
    private var states = PackedStates()
    /// How far the journals of all devices, this one included, are known here.
    let joined: DeviceVector
    /// How far those were known of which the store had less, when this device offered all that it knows.
    private let offered: DeviceVector
    /// Devices that are gone for good, as this one knew when it last heard of the others.
    private let noted: [ForgottenDevice]
    /// Those of them that have not come back since.
    private var forgotten: Set<DeviceID> = []
    /// Contents that files had before, as far as they are remembered here.
    let past: [Content]
    /// Items of which records are still to be published.
    private let pending: Set<ItemID>
    /// This device knows something that none of the journals tells.
    private(set) var hasMoreThanTheStore = false
    /// Items that are not what their records say.
    private(set) var contradicted: [ItemID] = []

    init(_ index: DriveIndex) throws {
        var states = PackedStates()
        (own, labels, pending, past) = try index.transaction {
            try index.eachItem { states.set($0.state) }
            return (
                try index.numbers().device, try index.labels(),
                Set(try index.pendingGroups().flatMap(\.records).map(\.id)), try index.pastContents()
            )
        }
        self.states = states
        (joined, offered, noted) = try index.transaction {
            (
                try index.token().joined(try Self.ownJournal(index)), try OfferedJournals(index).joined(),
                try index.journal().collection.forgotten
            )
        }
    }

    private static func ownJournal(_ index: DriveIndex) throws -> DeviceVector {
        let own = try index.journal()
        return DeviceVector(own.device, own.published)
    }

    mutating func join(_ journals: JoinedJournals) throws {
        forgotten = Set(noted.current(journals.newestHeads).map(\.device))
        for device in journals.labels.devices where labels[device].isEmpty { labels[device] = journals.labels[device] }
        var all = states
        try states.each { state in
            let compared = try journals.comparison(with: state)
            if compared.joined != state { all.set(compared.joined) }
            if pending.contains(state.id) { return }
            if compared.lacks { hasMoreThanTheStore = true }
            if compared.contradicts { contradicted.append(state.id) }
        }
        try journals.states.each { if !states.contains($0.id) { all.set($0) } }
        states = all
    }

    func state(_ id: ItemID) throws -> ItemState? { try states.state(id) }

    /// Every one, in no order and one at a time.
    func each(_ body: (ItemState) throws -> Void) throws { try states.each(body) }

    func graph() throws -> ItemGraph {
        var graph = ItemGraph()
        try each { graph.add($0) }
        try graph.resolve(state)
        return graph
    }
}

extension KnownStates {
    /// A part of a journal of which the store tells all that is known here nevertheless: of a device that is gone for good, or a
    /// head that is not even listed, which nothing in the store refers to. A quick look takes what was offered once as told.
    func isOfNobody(_ damage: StoreDamage, isQuick: Bool) -> Bool {
        guard let device = damage.device, [.head, .segment].contains(damage.kind) else { return false }
        let isGone = damage.isUnlistedHead && device != own
        if isGone && isQuick { return offered[device] >= joined[device] }
        return (isGone || forgotten.contains(device)) && !hasMoreThanTheStore
    }

    /// Only with damaged journals: what is merely unpublished goes out with the next pass. A quick look does not read what they tell.
    func offersAll(_ damage: [StoreDamage], isQuick: Bool) -> Bool {
        let ofJournals = damage.filter { [.head, .segment].contains($0.kind) }
        if !isQuick { return !ofJournals.isEmpty && hasMoreThanTheStore }
        return ofJournals.contains { $0.isUnlistedHead && $0.device != own }
    }
}
