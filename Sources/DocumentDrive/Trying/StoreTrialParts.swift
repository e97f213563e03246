import DriveCore
import DriveFiles
import DriveTransport

/// How long it takes until others see what was put. A drive only needs that it happens, so late is no broken promise.
struct Freshness {
    let own: any ObjectStore
    let other: any ObjectStore
    private let rounds = 20

    init(own: any ObjectStore, other: any ObjectStore) {
        self.own = own
        self.other = other
    }

    func check() async throws -> String? {
        var late = 0
        var times: [Duration] = []
        for round in 0..<rounds {
            let key = "fresh/\(round)"
            let start = ContinuousClock.now
            try await own.put(key, [UInt8(round)])
            times.append(.now - start)
            let isRead = try await other.get(key, range: nil) == [UInt8(round)]
            let isListed = try await other.list(prefix: key, after: nil, limit: 10).contains { $0.key == key }
            if !isRead || !isListed { late += 1 }
        }
        let median = times.sorted()[rounds / 2]
        let pace = "an object in \(median.milliseconds) ms"
        return late == 0 ? pace : "\(pace); \(late) of \(rounds) came late, so devices may hear of changes later"
    }
}

/// One object as large as any that a drive makes, and more: up, down whole, and a part.
struct LargeObject {
    let size: Int

    func check(_ store: any ObjectStore) async throws -> String? {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var word = seed
            for place in 0..<size {
                // Xorshift (Marsaglia, 2003): nothing on the way can compress it.
                if place.isMultiple(of: 8) {
                    word ^= word << 13
                    word ^= word >> 7
                    word ^= word << 17
                }
                buffer[place] = UInt8(truncatingIfNeeded: word >> UInt64(place % 8 * 8))
            }
            count = size
        }
        let start = ContinuousClock.now
        try await store.put("large", bytes)
        let middle = ContinuousClock.now
        guard try await store.get("large", range: nil) == bytes else {
            throw ContractViolation("other bytes came back")
        }
        let end = ContinuousClock.now
        let part = UInt64(size / 2)..<UInt64(size / 2 + 1_000)
        guard try await store.get("large", range: part) == Array(bytes[size / 2..<size / 2 + 1_000]) else {
            throw ContractViolation("other bytes came back for a part of it")
        }
        func rate(_ time: Duration) -> String {
            "\(UInt64(size) / 1024 * 1000 / max(1, time.milliseconds) / 1024) MiB/s"
        }
        return "\(rate(middle - start)) up, \(rate(end - middle)) down"
    }
}

/// Devices that publish at once, each in a journal of its own: a segment, then a head, then the head before the last goes, where
/// the store lets it.
struct PublishingRace {
    let commits: Int

    func check(_ stores: [any ObjectStore]) async throws -> String? {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (device, store) in stores.enumerated() {
                group.addTask { [commits] in
                    var removes = true
                    for number in 1...commits {
                        try await store.put("race/log/d\(device)/\(number)", Array("segment \(number)".utf8))
                        try await store.put("race/head/d\(device).\(number)", Array("head \(number)".utf8))
                        if number > 2, removes {
                            removes = try await Self.removes("race/head/d\(device).\(number - 2)", store)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let time = ContinuousClock.now - start
        var lost: [String] = []
        for device in stores.indices {
            for number in 1...commits {
                let key = "race/log/d\(device)/\(number)"
                if try await stores[0].get(key, range: nil) != Array("segment \(number)".utf8) { lost.append(key) }
            }
            let head = "race/head/d\(device).\(commits)"
            if try await stores[0].get(head, range: nil) != Array("head \(commits)".utf8) { lost.append(head) }
        }
        let listed = Set(try await stores[0].listAll(prefix: "race/log/").map(\.key))
        guard lost.isEmpty, listed.count == stores.count * commits else {
            let some = lost.prefix(3).joined(separator: ", ") + (lost.count > 3 ? " and \(lost.count - 3) more" : "")
            throw ContractViolation(
                "\(lost.isEmpty ? "" : "lost: \(some); ")\(listed.count) of \(stores.count * commits) listed")
        }
        let rate = UInt64(stores.count * commits) * 1000 / max(1, time.milliseconds)
        return "\(stores.count * commits) commits, \(rate) a second"
    }

    /// False where that is refused: a device publishes all the same.
    private static func removes(_ key: ObjectKey, _ store: any ObjectStore) async throws(DriveError) -> Bool {
        do throws(DriveError) { try await store.delete(key) } catch {
            if error.kind.isBesidePromises { throw error }
            return false
        }
        return true
    }
}

extension Duration {
    var milliseconds: UInt64 {
        UInt64(max(0, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
    }
}
