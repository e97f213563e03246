import DriveCore
import Synchronization
import Testing

@testable import DriveRemoteStores

/// The order of keys is that of their bytes, whatever the shape of the collections, and however many are read at once.
struct CollectionWalkTests {
    private static let keys: [ObjectKey] = [
        "a-b/1", "a-b/2/3", "a.b", "a/1", "a/1-1", "a/1.1", "a/1/x/y/z", "a/10", "a/2/b", "a0/1", "ab", "b/1/1",
        "b/1/2",
        "b/2/1", "b/3/1", "b/4/1", "b/5/1", "c/d/e/f/g", "z",
    ]

    /// What lies directly in a collection of these keys, in no order, with what other tools leave.
    private static let read: CollectionWalk.Read = { start throws(DriveError) in
        var members: Set<DAVCollection.Member> = [
            DAVCollection.Member(name: Array(".DS_Store".utf8), isCollection: false, size: 6),
            DAVCollection.Member(name: Array("Big Letters".utf8), isCollection: true),
        ]
        for key in keys where key.hasPrefix(start) {
            let rest = key.dropFirst(start.count)
            let name = Array(rest.prefix { $0 != "/" }.utf8)
            let isCollection = name.count < rest.utf8.count
            members.insert(DAVCollection.Member(name: name, isCollection: isCollection, size: isCollection ? nil : 1))
        }
        return Array(members)
    }

    @Test(arguments: [1, 2, 7, 100, 1_000])
    func everyPageIsInOrder(_ limit: Int) async throws {
        for prefix in ["", "a", "a/", "a/1", "b/", "b/4/", "none/", "c/d/e"] {
            for after in [nil, "a/1", "a/1.1", "b", "b/3/1", "zz"] as [ObjectKey?] {
                let wanted = Self.keys.filter { $0.hasPrefix(prefix) && $0 > after ?? "" }
                var walk = try #require(CollectionWalk(prefix: prefix, after: after))
                var found: [ObjectKey] = []
                repeat {
                    let page = try await walk.page(limit, read: Self.read).map(\.key)
                    #expect(page.count <= limit)
                    found += page
                } while !walk.isAtEnd
                #expect(found == wanted, "\(prefix) after \(after ?? "nothing")")
            }
        }
    }

    @Test func onlyAsMuchIsReadAsIsWanted() async throws {
        let read = Mutex<[String]>([])
        var walk = try #require(CollectionWalk(prefix: "b/", after: nil))
        let found = try await walk.page(2) { start throws(DriveError) in
            read.withLock { $0.append(start) }
            return try await Self.read(start)
        }
        #expect(found.map(\.key) == ["b/1/1", "b/1/2"])
        #expect(read.withLock { $0 } == ["b/", "b/1/"])
    }

    @Test func severalAreReadAtOnce() async throws {
        let underWay = Mutex((now: 0, most: 0))
        var walk = try #require(CollectionWalk(prefix: "b/", after: nil))
        let found = try await walk.page(1_000) { start throws(DriveError) in
            underWay.withLock {
                $0.now += 1; $0.most = max($0.most, $0.now)
            }
            // The first of several waits for a second.
            while start == "b/1/", underWay.withLock({ $0.most }) < 2 { await Task.yield() }
            underWay.withLock { $0.now -= 1 }
            return try await Self.read(start)
        }
        #expect(found.map(\.key) == Self.keys.filter { $0.hasPrefix("b/") })
        #expect((2...4).contains(underWay.withLock { $0.most }))
    }

    @Test func aFailureIsNoEnd() async throws {
        var walk = try #require(CollectionWalk(prefix: "", after: nil))
        await #expect(throws: DriveError(.temporary, "no")) {
            _ = try await walk.page(1_000) { start throws(DriveError) in
                if start == "b/" { throw DriveError(.temporary, "no") }
                return try await Self.read(start)
            }
        }
    }
}
