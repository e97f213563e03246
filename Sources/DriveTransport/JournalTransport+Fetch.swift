import DriveCore

extension JournalTransport {
    public func fetch(
        since token: DeviceVector, own: DeviceID, only: Set<DeviceID>?
    ) async throws(DriveError) -> FetchOutcome {
        let names = Dictionary(grouping: try await headNames(), by: \.device)
        var outcome = FetchOutcome(journals: [])
        outcome.ownHeads = Set(names[own]?.map(\.key) ?? [])
        for (device, names) in names.sorted(by: { $0.key < $1.key }) {
            outcome.published[device] = names.first?.published ?? 0
            if device == own || only?.contains(device) == false { continue }
            switch try await newest(names.filter { $0.published > token[device] }, since: token[device]) {
            case .nothing: break
            case .journal(let journal): outcome.journals.append(journal)
            case .unreadable(let reason): outcome.problems.append(.init(device: device, reason: reason))
            }
        }
        return outcome
    }

    private enum Attempt {
        case nothing
        case journal(FetchedJournal)
        case unreadable(String)
    }

    /// The first of the heads, newest first, that opens and has all its segments.
    private func newest(_ names: [HeadName], since n: UInt64) async throws(DriveError) -> Attempt {
        var reason: String?
        for name in names {
            guard let head = try await head(name) else {
                reason = reason ?? "its newest head is not whole yet"
                continue
            }
            var segments: [any FetchedSegment] = []
            var missing: String?
            for reference in head.segments where reference.high > n && missing == nil {
                guard let bytes = try await folder.get(reference.key), Segment.verify(bytes, reference) else {
                    missing = "a part of its journal is missing or not whole yet"
                    continue
                }
                segments.append(StoredSegment(bytes: bytes))
            }
            if let missing {
                reason = reason ?? missing
                continue
            }
            return .journal(
                FetchedJournal(
                    device: name.device, through: name.published, labels: head.labels, seen: head.seen,
                    segments: segments))
        }
        return reason.map { .unreadable($0) } ?? .nothing
    }
}
