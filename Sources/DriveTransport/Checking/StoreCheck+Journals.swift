import DriveCore

extension StoreCheck {
    /// Of each device the newest head that is whole, with its segments. Older heads only wait to be removed. Of a
    /// journal that somebody has `joined` before there must be a head that claims as much.
    public mutating func checkJournals(
        joined: DeviceVector = DeviceVector()
    ) async throws(DriveError) -> JoinedJournals {
        let listed = try await folder.list(HeadName.folder).compactMap { HeadName($0.key) }
        let sizes = isQuick ? try await sizes("log/") : [:]
        var result = JoinedJournals()
        for (device, names) in Dictionary(grouping: listed, by: \.device).sorted(by: { $0.key < $1.key }) {
            let newest = names.sorted { $0.isNewer(than: $1) }
            result.newestHeads[device] = newest.first?.key
            guard let head = try await newestHead(newest) else { continue }
            if let open = head.collection.open {
                referenced.insert(CollectionObject.key(head.name.device, open.nonce))
            }
            result.add(head)
            for reference in head.segments {
                referenced.insert(reference.key)
                do { try result.add(try await check(reference, head.name.device, sizes)) } catch
                    where error.kind == .objectFailed
                { noteUnread(reference.key, .segment, device: head.name.device) }
            }
        }
        for entry in joined.missing(in: listed.published).entries { try await noteMissingHead(entry) }
        return result
    }

    private mutating func noteMissingHead(_ joined: DeviceVector.Entry) async throws(DriveError) {
        // Lists may be late.
        let there = try await folder.list(HeadName.start(of: joined.device)).compactMap { HeadName($0.key) }
        if there.published[joined.device] >= joined.n { return }
        let name = there.isEmpty ? HeadName.start(of: joined.device) : HeadName.start(of: joined.device, at: joined.n)
        damage.append(StoreDamage(name + "*", .head, .missing, device: joined.device))
    }

    private mutating func newestHead(_ names: [HeadName]) async throws(DriveError) -> JournalHead? {
        var found: JournalHead?
        for name in names {
            referenced.insert(name.key)
            do {
                if found != nil {
                    // Its segments go with it.
                    if let old = try await head(name) { referenced.formUnion(old.segments.map(\.key)) }
                    continue
                }
                found = try await head(name)
                if found == nil, let fault = try await faultOfHead(name) {
                    damage.append(StoreDamage(name.key, .head, fault, device: name.device))
                }
            } catch  where error.kind == .objectFailed {
                if found != nil { continue }
                // What older ones name may have been removed, as this one knows.
                noteUnread(name.key, .head, device: name.device)
                return nil
            }
        }
        return found
    }

    private mutating func head(_ name: HeadName) async throws(DriveError) -> JournalHead? {
        guard let bytes = try await read(name.key) else { return nil }
        count(bytes)
        if let head = try JournalHead.open(name, bytes) { return head }
        return try await read(name.key).flatMap { again throws(DriveError) in try JournalHead.open(name, again) }
    }

    /// Nil where it was removed since it was listed: its device has put a newer one. A server may list what it does not find.
    private func faultOfHead(_ name: HeadName) async throws(DriveError) -> StoreDamage.Fault? {
        if try await read(name.key) != nil { return .damaged }
        let there = try await folder.list(HeadName.start(of: name.device)).compactMap { HeadName($0.key) }
        return there.contains(name) || !there.contains { $0.isNewer(than: name) } ? .missing : nil
    }

    private mutating func check(
        _ reference: SegmentReference, _ device: DeviceID, _ sizes: [ObjectKey: UInt64]
    ) async throws(DriveError) -> [ItemState] {
        if isQuick {
            count(reference.size)
            if let size = sizes[reference.key] {
                if size != reference.size { note(reference, .damaged, device) }
            } else if try await read(reference.key) == nil {
                note(reference, .missing, device)
            }
            return []
        }
        for attempt in 1...2 {
            guard let bytes = try await read(reference.key) else {
                note(reference, .missing, device)
                return []
            }
            guard Segment.verify(bytes, reference) else {
                if attempt == 2 { note(reference, .damaged, device) }
                continue
            }
            count(bytes)
            do throws(DriveError) { return try Segment.records(bytes) } catch {
                guard error.kind == .corrupt else { throw error }
                note(reference, .damaged, device)
                return []
            }
        }
        return []
    }

    private mutating func note(_ reference: SegmentReference, _ fault: StoreDamage.Fault, _ device: DeviceID) {
        damage.append(StoreDamage(reference.key, .segment, fault, device: device))
    }

    func sizes(_ start: String) async throws(DriveError) -> [ObjectKey: UInt64] {
        let listed = try await folder.list(start)
        return Dictionary(listed.map { ($0.key, $0.size) }) { first, _ in first }
    }
}
