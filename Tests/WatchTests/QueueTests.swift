import DriveCore
import Testing

@testable import DriveFiles

@Suite struct QueueTests {
    private func touched(_ index: Int) -> WatchEvent {
        .touched(folder: .root, name: FileName("\(index)"), isClosed: true)
    }

    @Test func aFullStreamBecomesOneRescan() async {
        let queue = WatchEventQueue(capacity: 4, barriers: WatchBarriers())
        queue.put(.ready(watched: 1, unwatched: 2))
        for index in 0..<9 { queue.put(touched(index)) }
        queue.finish()
        var events: [WatchEvent] = []
        while let event = await queue.next() { events.append(event) }
        #expect(events.first == .ready(watched: 1, unwatched: 2))
        guard case .rescan = events.dropFirst().first else {
            Issue.record("no rescan in \(events)")
            return
        }
        #expect(events.count <= 4)
        #expect(events.last == touched(8))
    }

    @Test func aBarrierPassesOnlyWhenTheConsumerComesBack() async {
        let barriers = WatchBarriers()
        let queue = WatchEventQueue(capacity: 4, barriers: barriers)
        let token = barriers.open()
        queue.put(touched(1))
        queue.putBarrier(token)
        queue.put(touched(2))
        #expect(await queue.next() == touched(1))
        // Still dealing with the first: failing it now must win.
        barriers.complete(token, isSure: false)
        #expect(await queue.next() == touched(2))
        #expect(await barriers.wait(token) == false)
        let second = barriers.open()
        queue.putBarrier(second)
        queue.put(touched(3))
        #expect(await queue.next() == touched(3))
        #expect(await barriers.wait(second))
    }

    @Test func barriersSurviveAFullStream() async {
        let barriers = WatchBarriers()
        let queue = WatchEventQueue(capacity: 2, barriers: barriers)
        let token = barriers.open()
        queue.put(touched(0))
        queue.putBarrier(token)
        for index in 1..<5 { queue.put(touched(index)) }
        queue.finish()
        while await queue.next() != nil {}
        #expect(await barriers.wait(token))
    }

    @Test func aCancelledConsumerGetsTheEnd() async {
        let queue = WatchEventQueue(capacity: 2, barriers: WatchBarriers())
        let event = await withTaskGroup(of: WatchEvent?.self) { group in
            group.addTask { await queue.next() }
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(event == nil)
    }
}
