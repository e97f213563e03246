import DriveCore
import Testing

@testable import DriveTransport

struct CompactionRuleTests {
    private func segment(_ number: UInt64, records: UInt32) -> SegmentReference {
        SegmentReference(
            low: number, high: number, key: "log/\(number)", size: 110 * UInt64(records), hash: ContentHash.sha256([]),
            records: records)
    }

    @Test func heavySegmentsAreNotWrittenAgainForLightOnes() {
        let heavy = (0..<3).map { segment($0, records: 12_288) }
        let light = (3..<64).map { segment($0, records: 1) }
        #expect(CompactionRule().merged(heavy + light) == light)
        #expect(CompactionRule().merged(heavy + light.prefix(12)) == [])
    }

    /// Segments end at a size, so that what fills a batch becomes as many again.
    @Test(arguments: [0, 1, 2, 3, 40])
    func aJournalStaysShortBesideHeavySegments(heavy: UInt64) {
        var segments = (0..<heavy).map { segment($0, records: 12_288) }
        var written = 0
        for number in heavy..<5_000 {
            segments.append(segment(number, records: 1))
            guard segments.count >= 64 else { continue }
            let old = CompactionRule().merged(segments)
            guard !old.isEmpty else { continue }
            var rest = old.reduce(0) { $0 + $1.records }
            written += Int(rest)
            segments.removeAll { old.contains($0) }
            while rest > 0 {
                segments.append(segment(number, records: min(rest, 12_288)))
                rest -= min(rest, 12_288)
            }
            segments = segments.enumerated().map { segment(UInt64($0), records: $1.records) }
        }
        #expect(segments.count < 64)
        // A record is written again at most nine times at each size, of which each is eight times the one before; filling
        // every batch with heavy ones would cost 400 a commit.
        #expect(written < 5_000 * 9 * 8)
    }
}
