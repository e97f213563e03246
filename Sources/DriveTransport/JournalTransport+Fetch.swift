import DriveCore

extension JournalTransport {
    public func fetch(
        since token: DeviceVector, own: DeviceID, only: Set<DeviceID>?
    ) async throws(DriveError) -> FetchOutcome {
        let names = Dictionary(grouping: try await headNames(), by: \.device)
        var outcome = FetchOutcome(journals: [])
        outcome.ownHeads = Set(names[own]?.map(\.key) ?? [])
        var room = portion
        for (device, names) in names.sorted(by: { $0.key < $1.key }) {
            outcome.published[device] = names.first?.published ?? 0
            outcome.newestHeads[device] = names.first?.key
            if device == own || only?.contains(device) == false { continue }
            if room <= 0 {
                outcome.isPartial = outcome.isPartial || outcome.published[device] > token[device]
                continue
            }
            if let name = names.first, name.published == 0 { outcome.silentHeads[device] = name.key }
            switch try await newest(names.filter { $0.published > token[device] }, since: token[device]) {
            case .nothing: break
            case .journal(let journal, let size):
                outcome.journals.append(journal)
                room -= size
            case .unreadable(let reason): outcome.problems.append(.init(device: device, reason: reason))
            }
        }
        return outcome
    }

    public func labels(inHead key: ObjectKey) async throws(DriveError) -> [DeviceLabel]? {
        guard let name = HeadName(key) else { return nil }
        do throws(DriveError) { return try await head(name)?.labels } catch {
            if error.remedy == .skip { return nil }
            throw error
        }
    }

    /// A journal whose news are longer is not read.
    static let longest: UInt64 = 1 << 30

    private enum Attempt {
        case nothing
        case journal(FetchedJournal, size: Int)
        case unreadable(String)
    }

    /// The first of the heads, newest first, that opens and has all its segments.
    private func newest(_ names: [HeadName], since n: UInt64) async throws(DriveError) -> Attempt {
        var reason: String?
        for name in names {
            do {
                guard let head = try await head(name) else {
                    reason = reason ?? Self.lackOfHead
                    continue
                }
                let segments = try await knowinglyStored(head.segments.filter { $0.high > n })
                let journal = FetchedJournal(
                    device: name.device, through: name.published, labels: head.labels, seen: head.seen,
                    segments: segments)
                return .journal(journal, size: segments.reduce(0) { $0 + $1.bytes.count })
            } catch  where error.remedy == .skip {
                // One object that cannot be read is not the store: other journals go on.
                reason = reason ?? error.message
            }
        }
        return reason.map { .unreadable($0) } ?? .nothing
    }

    /// As `stored`; what was found flawed before is looked at first.
    private func knowinglyStored(_ news: [SegmentReference]) async throws(DriveError) -> [StoredSegment] {
        if let (key, isDue) = flaws.segments.suspect(in: news.map(\.key)) {
            let segments = news.filter { $0.key == key }
            guard isDue else { throw Self.lack(segments[0], isDamaged: true) }
            _ = try await noting(segments)
            flaws.segments.forget(key)
        }
        return try await noting(news)
    }

    private func noting(_ news: [SegmentReference]) async throws(DriveError) -> [StoredSegment] {
        do throws(DriveError) { return try await stored(news) } catch {
            if let key = error.path, news.contains(where: { $0.key == key }) {
                flaws.segments.note(key, isDamaged: error.kind == .corrupt)
            }
            throw error
        }
    }

    private static func lack(_ segment: SegmentReference, isDamaged: Bool) -> DriveError {
        DriveError(
            isDamaged ? .corrupt : .notFound,
            "a part of its journal is missing or not whole yet; if it stays so, `docdrive store check --repair` on that "
                + "device stores it again", path: segment.key)
    }

    private static let lackOfHead =
        "its newest head is missing or not whole yet; if it stays so, `docdrive store check --repair` on that device "
        + "publishes it again"

    /// All of these, or an error that names what is not there or not whole.
    func stored(_ news: [SegmentReference]) async throws(DriveError) -> [StoredSegment] {
        var total: UInt64 = 0
        for reference in news {
            guard reference.size <= Envelope.limit(.segment) else {
                throw DriveError(.corrupt, "a part of its journal is said to have \(reference.size) bytes")
            }
            total += reference.size
        }
        guard total <= Self.longest else {
            throw DriveError(.corrupt, "its journal is said to have \(total) bytes, more than is read at once")
        }
        var segments: [StoredSegment] = []
        for reference in news {
            segments.append(StoredSegment(bytes: try await whole(reference)))
        }
        return segments
    }

    /// What is all there and is not what it should be is read once more: one failure on the way is no damage.
    private func whole(_ reference: SegmentReference) async throws(DriveError) -> [UInt8] {
        var size: Int?
        for _ in 0..<2 {
            let bytes = try await trying { () async throws(DriveError) in
                try await folder.get(reference.key, limit: Int(reference.size))
            }
            if let bytes, Segment.verify(bytes, reference) { return bytes }
            size = bytes?.count
            if size != Int(reference.size) { break }
        }
        throw Self.lack(reference, isDamaged: size == Int(reference.size))
    }
}
