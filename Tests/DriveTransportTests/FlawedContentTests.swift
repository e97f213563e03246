import DriveCore
import Testing

@testable import DriveTransport

/// A file of several chunks of which one cannot be had: the others are not fetched again with each pass.
@Suite struct FlawedContentTests {
    private let store = TestStore()
    private let bytes: [UInt8]

    init() {
        var random = Seeded(5)
        bytes = random.bytes(7 << 20)
    }

    private func stored() async throws -> (JournalTransport, Content, last: String) {
        let entropy = TestEntropy(4)
        let info = try await Store.create(in: store.view(), entropy: entropy)
        let transport = JournalTransport(store.view(), store: info, device: entropy.deviceID(), entropy: entropy)
        let writer = transport.contentWriter { _ in nil }
        let content = try #require(try await writer.add(BytesReader(bytes)))
        _ = try await writer.finish()
        guard case .chunks(let chunks) = content.body else { throw DriveError(.corrupt, "no chunks") }
        try #require(chunks.count > 3)
        return (transport, content, transport.folder.prefix + (try #require(chunks.last)).object)
    }

    /// As one pass reads it: what it asked for, and how it ended.
    private func pass(_ content: Content, _ transport: JournalTransport) async -> (gets: Int, end: DriveError.Kind?) {
        store.change { $0.gets = [] }
        var result: [UInt8] = []
        var end: DriveError.Kind?
        do { try await transport.contentReader().read(content) { result += $0 } } catch {
            end = error.kind
        }
        if end == nil { #expect((result == bytes) as Bool) }
        return (store.state.withLock(\.gets).count, end)
    }

    @Test func whatIsMissingIsLookedForFirst() async throws {
        let (transport, content, last) = try await stored()
        let kept = try #require(store[last])
        store[last] = nil
        let first = await pass(content, transport)
        #expect(first.gets > 3 && first.end == .notFound)
        for _ in 0..<3 {
            let next = await pass(content, transport)
            #expect(next.gets == 1 && next.end == .notFound)
        }
        store[last] = kept
        #expect(await pass(content, transport).end == nil)
        #expect(transport.flaws.contents.isEmpty)
    }

    /// One that is all there is looked at less and less often.
    @Test func whatIsDamagedIsLookedForFirst() async throws {
        let (transport, content, last) = try await stored()
        let kept = try #require(store[last])
        store[last] = kept.dropLast() + [kept[kept.count - 1] ^ 1]
        let first = await pass(content, transport)
        #expect(first.gets > 3 && first.end == .corrupt)
        var gets: [Int] = []
        for _ in 0..<8 {
            let next = await pass(content, transport)
            gets.append(next.gets)
            #expect(next.end == .corrupt)
        }
        #expect(gets == [0, 1, 0, 0, 1, 0, 0, 0])
        store[last] = kept
        // It would be left alone once more, but for who asks.
        transport.flaws.lookAgain()
        #expect(await pass(content, transport).end == nil)
        #expect(transport.flaws.contents.isEmpty)
    }

    /// What this disk has of the content need not be on the store.
    @Test func whatIsHereIsNotLookedForThere() async throws {
        let (transport, content, last) = try await stored()
        store[last] = nil
        #expect(await pass(content, transport).end == .notFound)
        let local = LocalContent(content: content, file: BytesReader(bytes))
        var result: [UInt8] = []
        _ = try await transport.contentReader().read(content, reusing: [local]) { part, _ in result += part }
        #expect((result == bytes) as Bool)
    }
}
