import Testing

@testable import DriveCore
@testable import DriveTransport

@Suite struct JournalTests {
    let store = TestStore()
    let entropy = TestEntropy(1)

    private func devices(_ count: Int = 2) async throws -> [JournalDevice] {
        let info = try await Store.create(in: store.view(), entropy: entropy)
        return (0..<count).map { JournalDevice($0, store, info, entropy: entropy) }
    }

    @Test func whatOneCommitsTheOtherFetches() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        a.edit(nil, "two")
        #expect(try await a.commit())
        let outcome = try await b.fetch()
        #expect(outcome.problems.isEmpty && outcome.journals.count == 1)
        #expect(b.states == a.states)
        #expect(b.seen[a.memory.device] == 2)
        #expect(try await b.fetch().journals.isEmpty)
        #expect(outcome.journals[0].labels == a.memory.labels)
    }

    @Test func editsOnBothSidesJoinToTheSame() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        try await b.fetch()
        let item = try #require(a.states.keys.first)
        a.edit(item, "by a")
        b.edit(item, "by b")
        _ = try await a.commit()
        _ = try await b.commit()
        try await a.fetch()
        try await b.fetch()
        #expect(a.states == b.states && a.states[item]?.heads.count == 2)
    }

    @Test func headsOfOneDeviceAreAtMostTwo() async throws {
        var (a, _) = try await pair()
        for round in 0..<6 {
            a.edit(nil, "\(round)")
            _ = try await a.commit()
        }
        #expect(store.keys("/head/").count == 2 && store.keys("/log/").count == 6)
        #expect(store.keys("/head/").map { String($0.dropFirst(31)) } == a.memory.heads)
    }

    /// Of a server with a limit nothing is known before it refuses.
    @Test func whatTheStoreRefusesForItsSizeIsPutInSmallerSegments() async throws {
        var (a, b) = try await pair()
        store.change { $0.limit = 8_000 }
        for _ in 0..<400 { a.edit(nil, "\(entropy.next())\(entropy.next())\(entropy.next())") }
        #expect(try await a.commit())
        #expect(store.keys("/log/").count > 2)
        #expect(try await b.fetch().problems.isEmpty)
        #expect(b.states == a.states)
        let before = store.keys("/log/").count
        a.edit(nil, "one")
        #expect(try await a.commit() && store.keys("/log/").count == before + 1)
    }

    /// Not even one record: that is said, and not tried without end.
    @Test func aStoreThatTakesNoSegmentIsToldAsThat() async throws {
        var (a, _) = try await pair()
        store.change { $0.limit = 10 }
        let before = store.state.withLock { $0.puts.count }
        for round in 0..<7 { a.edit(nil, "\(round)") }
        do {
            _ = try await a.commit()
            Issue.record("it was taken")
        } catch { #expect((error as? DriveError)?.kind == .tooLarge) }
        #expect(store.state.withLock { $0.puts.count } - before < 10)
    }

    /// However long it is, and however often somebody looks.
    @Test(arguments: [true, false]) func aJournalWithAFlawIsNotFetchedAgainAndAgain(isMissing: Bool) async throws {
        var (a, b) = try await pair()
        for round in 0..<12 {
            a.edit(nil, "\(round)")
            _ = try await a.commit()
        }
        // Older heads name it too.
        let flawed = a.memory.segments[5].key
        let key = try #require(store.keys(flawed).first)
        let bytes = try #require(store[key])
        store[key] = isMissing ? nil : bytes.dropLast() + [bytes.last! ^ 1]
        #expect(try await b.fetch().problems.count == 1)
        var gets = 0
        for _ in 0..<40 {
            store.change { $0.gets = [] }
            let outcome = try await b.fetch()
            #expect(outcome.problems.map(\.device) == [a.memory.device])
            let segments = store.state.withLock { $0.gets.filter { $0.key.contains("/log/") } }
            #expect(segments.count <= 2 && segments.allSatisfy { $0.key == key }, "\(segments.count)")
            gets += segments.count
        }
        // Each time twice.
        if !isMissing { #expect(gets < 20) }
        store[key] = bytes
        // What came late is taken at once, what was mended under its name within some looks.
        for _ in 0..<(isMissing ? 1 : 40) { _ = try await b.fetch() }
        #expect(b.states == a.states)
    }

    @Test func tornHeadIsInvisible() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        a.edit(nil, "two")
        store.change { $0.faults = [.none, .torn] }
        #expect(try await !a.commit())
        #expect(try await b.fetch().journals.map(\.through) == [1])
        #expect(try await b.fetch().problems.count == 1)
        #expect(try await a.commit())
        try await b.fetch()
        #expect(b.states == a.states)
    }

    @Test func tornSegmentHidesItsHead() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        let key = try #require(store.keys("/log/").first)
        let bytes = try #require(store[key])
        for damaged in [Array(bytes.dropLast()), [], bytes.reversed()] {
            store[key] = damaged
            let outcome = try await b.fetch()
            #expect(outcome.journals.isEmpty && outcome.problems.map(\.device) == [a.memory.device])
        }
        store[key] = nil
        #expect(try await b.fetch().problems.count == 1)
        store[key] = bytes
        try await b.fetch()
        #expect(b.states == a.states)
    }

    @Test func lostAnswerIsAdopted() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        store.change { $0.faults = [.none, .lostAnswer] }
        #expect(try await !a.commit())
        #expect(a.memory.published == 0)
        try await a.recover()
        #expect(a.memory.published == 1 && a.pending.isEmpty && a.memory.intended == nil)
        try await b.fetch()
        #expect(b.states == a.states)
        #expect(store.keys("/log/").count == 1)
    }

    @Test func cloneIsForeign() async throws {
        var (a, _) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        var clone = a
        clone.edit(nil, "by the clone")
        _ = try await clone.commit()
        a.edit(nil, "by the original")
        await #expect { _ = try await a.commit() } throws: { ($0 as? DriveError)?.message == "foreign" }
        #expect(try await clone.transport.recover(clone.memory) == .unchanged)
    }

    @Test func cloneWithEqualNumbersIsForeign() async throws {
        var (a, _) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        let before = a
        var clone = a
        a.edit(nil, "two")
        clone.edit(nil, "two")
        clone.memory = try await clone.transport.prepare(
            clone.pending, through: 2, seen: clone.seen, memory: before.memory)
        _ = try await a.commit()
        #expect(try await clone.transport.recover(clone.memory) == .foreign)
    }

    @Test func rolledBackStoreIsBehind() async throws {
        var (a, _) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        let old = store.state.withLock { $0.objects }
        a.edit(nil, "two")
        _ = try await a.commit()
        a.edit(nil, "three")
        _ = try await a.commit()
        store.change { $0.objects = old }
        guard case .behind(let left) = try await a.transport.recover(a.memory) else {
            Issue.record("the rollback went unnoticed")
            return
        }
        #expect(left.published == 1 && left.segments.count == 1 && left.heads.count == 1)
        #expect(left.generation == a.memory.generation)
        store.change { $0.objects = [:] }
        guard case .behind(let nothing) = try await a.transport.recover(a.memory) else {
            Issue.record("the empty store went unnoticed")
            return
        }
        #expect(nothing.published == 0 && nothing.segments.isEmpty && nothing.heads.isEmpty)
    }

    @Test func manyRecordsBecomeSeveralSegmentsOfOneHead() async throws {
        var (a, b) = try await pair()
        for number in 0..<20_000 { a.edit(nil, String(repeating: "\(number) ", count: 40)) }
        let whole = a.pending.flatMap(\.records)
        a.pending = [RecordGroup(records: whole)]
        #expect(try await a.commit())
        #expect(a.memory.segments.count > 1 && a.memory.segments.allSatisfy { $0.size < 5 << 20 })
        #expect(a.memory.segments.last?.high == 20_000)
        try await b.fetch()
        #expect(b.states == a.states)
    }

    @Test func compactionKeepsWhatIsNeededAndRemovesTheRestLater() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "first")
        let item = try #require(a.states.keys.first)
        _ = try await a.commit()
        for round in 0..<20 {
            a.edit(item, "round \(round)")
            _ = try await a.commit()
        }
        try await a.compact()
        #expect(a.memory.segments.map(\.records) == [1])
        #expect(store.keys("/log/").count == 22)
        try await b.fetch()
        #expect(b.states == a.states && b.seen[a.memory.device] == 21)
        for _ in 0..<2 {
            a.edit(item, "later")
            _ = try await a.commit()
        }
        #expect(store.keys("/log/").count == 3)
        try await b.fetch()
        #expect(b.states == a.states)
    }

    @Test func noMoreRecordsAreReadAtOnceThanTheRuleAllows() async throws {
        let info = try await Store.create(in: store.view(), entropy: entropy)
        var rule = CompactionRule()
        (rule.smallSegments, rule.batchRecords, rule.examineOneIn) = (3, 4, 1)
        var a = JournalDevice(0, store, info, entropy: entropy, rule: rule)
        for number in 0..<10 {
            a.edit(nil, "\(number)")
            _ = try await a.commit()
        }
        for _ in 0..<8 { try await a.compact() }
        #expect(a.memory.segments.map(\.records) == [4, 4, 1, 1])
        // Dead, those of four records are looked at like large ones, though they are small in bytes; two small ones wait.
        for item in Array(a.states.keys) { a.edit(item, "again") }
        _ = try await a.commit()
        for _ in 0..<40 { try await a.compact() }
        #expect(a.memory.segments.map(\.records) == [1, 1, 10])
        var b = JournalDevice(1, store, info, entropy: entropy)
        try await b.fetch()
        #expect(b.states == a.states)
    }

    @Test func deadLargeSegmentsAreRewritten() async throws {
        let info = try await Store.create(in: store.view(), entropy: entropy)
        var rule = CompactionRule()
        rule.small = 0
        rule.examineOneIn = 1
        var a = JournalDevice(0, store, info, entropy: entropy, rule: rule)
        for number in 0..<10 { a.edit(nil, "\(number)") }
        _ = try await a.commit()
        for item in Array(a.states.keys) { a.edit(item, "again") }
        _ = try await a.commit()
        for _ in 0..<20 { try await a.compact() }
        #expect(a.memory.segments.map(\.records) == [10])
    }

    @Test func newerHeadsAreRefusedAsNewer() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        let key = try #require(store.keys("/head/").first)
        var bytes = Array(try #require(store[key]).dropLast(32))
        bytes[5] = 2
        store[key] = bytes + ContentHash.sha256(bytes).bytes
        await #expect { _ = try await b.fetch() } throws: { ($0 as? DriveError)?.kind == .newerFormat }
    }

    /// An older head is there still: nothing in the store tells that there was a newer one.
    @Test func aHeadThatClaimsLessThanWasJoinedIsNotTheNewest() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        a.edit(nil, "two")
        _ = try await a.commit()
        try await b.fetch()
        var check = StoreCheck(store.view(), store: b.transport.store)
        _ = try await check.checkJournals(joined: b.seen)
        #expect(check.damage.isEmpty)
        let heads = store.keys("/head/")
        for (lost, name) in [(1, "\(a.memory.device).0000000000000002.*"), (0, "\(a.memory.device).*")] {
            store[heads[lost]] = nil
            var check = StoreCheck(store.view(), store: b.transport.store)
            _ = try await check.checkJournals(joined: b.seen)
            #expect(check.damage.map(\.object) == ["head/\(name)"])
            #expect(check.damage.allSatisfy { $0.kind == .head && $0.fault == .missing })
        }
    }

    @Test func debrisOfOtherToolsIsIgnored() async throws {
        var (a, b) = try await pair()
        a.edit(nil, "one")
        _ = try await a.commit()
        let key = try #require(store.keys("/head/").first)
        store[key + ".tmp"] = [1]
        store[key.replacing("/head/", with: "/head/.syncthing.")] = [1]
        #expect(try await b.fetch().journals.count == 1)
        #expect(try await a.transport.recover(a.memory) == .unchanged)
    }

    private func pair() async throws -> (JournalDevice, JournalDevice) {
        let devices = try await devices()
        return (devices[0], devices[1])
    }
}
