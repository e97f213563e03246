import DriveCore

/// Sends what was recorded while the store took nothing, before a record that names it is published.
///
/// Of what the store refuses only the records that name it wait: all others go on. A version that was replaced, or a file that is
/// gone and of which nobody else ever knew, is in nobody's way: refused, it is left out, and so is the record that names it. Whatever else keeps something from being
/// sent ends the pass, and the next one sends it. Of a file that others know the delete
/// waits too: should one of them have moved it meanwhile, it lives on, with the content that the delete names; but where
/// something has its place by now that would wait with it, the delete names what it held before.
struct UnsentSending {
    let parts: DriveParts
    let unsent: any UnsentObjects
    let transport: any Transport

    /// What can be published now.
    struct Outcome {
        var groups: [RecordGroup]
        /// The records that wait have greater numbers.
        var through: UInt64
        /// The store has no room for some of it.
        var lack: DriveError?
    }

    func run(_ groups: [RecordGroup]) async throws -> Outcome {
        let all = Outcome(groups: groups, through: try parts.state.numbers().last)
        let kept = try await unsent.list()
        if kept.isEmpty {
            try WithheldItems(parts.state).set([:], now: parts.clock.milliseconds())
            return all
        }
        let device = try parts.state.numbers().device
        var need = try await UnsentNeed(groups, kept: Set(kept.map(\.key)), device: device, parts.state, transport)
        var sending = Sending(left: Set(kept.map(\.key)))
        // Where there is little room, much that is small has it.
        let order = kept.sorted { ($0.size, $0.key) < ($1.size, $1.key) }.map(\.key)
        try await send(order.filter(need.shown.contains), &sending)
        let lack = order.lazy.compactMap { sending.refused[$0] }.first { $0.kind == .noSpace }
        try await send(order.filter(need.replaced.contains), &sending)
        let isTight = try lack != nil || isStoreFull()
        if !isTight { try await send(order.filter(need.gone.contains), &sending) }
        if !sending.left.isEmpty {
            if parts.options.mayDropUnsent(), parts.refusals.isDropDue { try await dropUnneeded(sending.left) }
            if !isTight, parts.refusals.isUntoldDue(now: parts.clock.milliseconds()) { try await sendUntold(&sending) }
        }
        // Who keeps them hears that nothing is left.
        if sending.left.isEmpty { _ = try await unsent.list() }
        let groups = try await UnsentDeletes(parts.state, transport).freeing(
            groups, &need, left: sending.left, now: parts.clock.milliseconds())
        var outcome = try divide(groups, need, sending, device)
        outcome.lack = lack
        return outcome
    }

    /// Where nothing is to be published: what deletes were told without does not wait until something is.
    func runAlone() async throws {
        let kept = try await unsent.list()
        guard !kept.isEmpty, try !isStoreFull(), parts.refusals.isUntoldDue(now: parts.clock.milliseconds()) else {
            return
        }
        defer { unsent.settle() }
        var sending = Sending(left: Set(kept.map(\.key)))
        try await sendUntold(&sending)
        if sending.left.isEmpty { _ = try await unsent.list() }
    }

    private func isStoreFull() throws -> Bool {
        try parts.state.trouble().map { $0.kind == .noSpace && !$0.isHere } ?? false
    }

    private struct Sending {
        var left: Set<ObjectKey>
        var refused: [ObjectKey: DriveError] = [:]
    }

    private func send(_ keys: [ObjectKey], _ sending: inout Sending) async throws {
        var refusal: DriveError?
        for key in keys {
            if let known = parts.refusals.pending(.object(key), now: parts.clock.milliseconds()) {
                sending.refused[key] = known
                continue
            }
            do throws(DriveError) {
                try await unsent.send(key)
                sending.left.remove(key)
                refusal = nil
            } catch {
                guard error.mayBeOfObject else { throw error }
                sending.refused[key] = error
                refusal = error
            }
        }
        // A store that takes nothing at all, or nothing any more, says nothing about any of it.
        if let refusal, try await !transport.takesObjects() { throw refusal }
        for (key, error) in sending.refused where error.kind != .noSpace {
            parts.refusals.note(.object(key), error, now: parts.clock.milliseconds())
        }
    }

    /// What deletes were told without is a version of this device alone, and waits for room in nobody's way. It goes beside what is
    /// published.
    private func sendUntold(_ sending: inout Sending) async throws {
        for content in try UnsentDeletes(parts.state, transport).untold() {
            guard let objects = try? await transport.objects(of: content) else { continue }
            for key in objects.intersection(sending.left).sorted() {
                let now = parts.clock.milliseconds()
                if parts.refusals.pending(.object(key), now: now) != nil { break }
                do throws(DriveError) { try await unsent.send(key) } catch {
                    guard error.mayBeOfObject else { throw error }
                    parts.refusals.note(.object(key), error, now: now)
                    break
                }
                sending.left.remove(key)
            }
        }
    }

    private func dropUnneeded(_ left: Set<ObjectKey>) async throws {
        do {
            var used = try await UsedObjects(ContentUse(parts.state)).all(on: transport)
            for content in try parts.state.pastContents() + heads() {
                used.formUnion(try await transport.objects(of: content))
            }
            let unneeded = left.subtracting(used)
            guard !unneeded.isEmpty else { return }
            // Nothing is to refer to them once the first of them is gone.
            try parts.state.transaction { try parts.state.forgetUploaded(in: unneeded) }
            try await unsent.drop(unneeded.sorted())
        } catch let error as DriveError where error.remedy != .halt {}
    }

    /// Also of what was deleted: it can be restored.
    private func heads() throws -> [Content] {
        try parts.state.allItems().flatMap { $0.state.heads.map(\.content) }
    }

    private func divide(
        _ groups: [RecordGroup], _ need: UnsentNeed, _ sending: Sending, _ device: DeviceID
    ) throws -> Outcome {
        var outcome = Outcome(groups: [], through: try parts.state.numbers().last)
        var waiting: [ItemID] = []
        var isLess = false
        let followers = try followers(groups, need, sending)
        let isLeft = { need.objects(of: $0).contains(where: sending.left.contains) }
        let inVain = Set(groups.flatMap(\.records).filter { need.isInVain($0) && isLeft($0) }.map(\.id))
        for group in groups {
            let records = group.records.filter { record in
                if inVain.contains(record.id) {
                    isLess = true
                    return false
                }
                if let follower = followers[record.id], need.isLast(record) || follower.holds(record) {
                    if need.isLast(record) { waiting.append(record.id) } else { isLess = true }
                    return false
                }
                guard isLeft(record) else { return true }
                if need.isLast(record) { waiting.append(record.id) } else { isLess = true }
                return false
            }
            if !records.isEmpty { outcome.groups.append(RecordGroup(records: records)) }
        }
        let going = Set(outcome.groups.flatMap(\.records).map(\.id))
        try note(waiting, groups, followers, need, sending) { need.isKnown($0) || going.contains($0) }
        guard isLess || !waiting.isEmpty else { return outcome }
        try parts.state.transaction {
            if !waiting.isEmpty, outcome.groups.isEmpty, !isLess {
                // They have the greatest numbers already.
                let first = groups.flatMap(\.records).map { $0.context[device] }.min() ?? 1
                outcome.through = first - 1
                return
            }
            let rest = try parts.renumbered(waiting)
            try parts.state.setPending(outcome.groups + (rest.map { [$0] } ?? []))
            if let rest { try parts.noteOwn(rest, device) }
        }
        return outcome
    }

    private func places(
        _ groups: [RecordGroup], _ need: UnsentNeed, _ sending: Sending
    ) throws -> UnsentPlaces {
        try UnsentPlaces(groups, parts.state) { need.objects(of: $0).contains(where: sending.left.contains) }
    }

    private func followers(
        _ groups: [RecordGroup], _ need: UnsentNeed, _ sending: Sending
    ) throws -> [ItemID: UnsentPlaces.Follower] {
        var (waiting, others): ([ItemState], [ItemState]) = ([], [])
        for record in groups.flatMap(\.records) where need.isLast(record) {
            let isLeft = need.objects(of: record).contains(where: sending.left.contains)
            if !isLeft {
                others.append(record)
            } else if need.isKnown(record.id), need.isShown(record.id) {
                waiting.append(record)
            }
        }
        return waiting.isEmpty ? [:] : try places(groups, need, sending).followers(of: waiting, among: others)
    }

    /// What is refused may be taken in another form: the next scan reads the file and stores it as the store likes it.
    private func note(
        _ waiting: [ItemID], _ groups: [RecordGroup], _ followers: [ItemID: UnsentPlaces.Follower],
        _ need: UnsentNeed, _ sending: Sending, isKnown: (ItemID) -> Bool
    ) throws {
        var withheld: [ItemID: WithheldItems.Reason] = [:]
        var contents: Set<ContentHash> = []
        var objects: Set<ObjectKey> = []
        let before = try WithheldItems(parts.state).all()
        let places = try places(groups, need, sending)
        func place(of id: ItemID) throws -> OthersPlace? {
            try parts.state.item(id).flatMap { try places.place(of: $0.state) }
        }
        for id in waiting {
            guard
                let (key, error) = need.last(id).lazy.compactMap({ key in sending.refused[key].map { (key, $0) } })
                    .first
            else { continue }
            withheld[id] = WithheldItems.Reason(error, isKnown: isKnown(id), others: try place(of: id))
            // What is gone cannot be read again.
            guard need.isShown(id), before[id]?.cause != withheld[id]?.cause, error.kind != .noSpace else { continue }
            objects.insert(key)
            contents.formUnion(try parts.state.item(id)?.state.heads.map(\.content.hash) ?? [])
        }
        for (id, follower) in followers {
            guard var reason = withheld[follower.leader] else { continue }
            reason.message = "what others have in its place waits: \(reason.message)"
            (reason.isKnown, reason.others) = (isKnown(id), try place(of: id))
            withheld[id] = reason
        }
        guard withheld != before else { return }
        try parts.state.transaction {
            try WithheldItems(parts.state).set(withheld, now: parts.clock.milliseconds())
            guard !contents.isEmpty else { return }
            let damaged = DamagedObjects(parts.state)
            try damaged.set(damaged.keys().union(objects))
            try ContentOffer(parts: parts).wish(contents)
        }
    }
}

extension DriveError {
    /// A refusal that may be of one object, while others are taken.
    fileprivate var mayBeOfObject: Bool { [.tooLarge, .refused, .permissionDenied, .noSpace].contains(kind) }
}
