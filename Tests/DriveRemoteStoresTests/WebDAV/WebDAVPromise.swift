import DriveCore
import DriveTransport
import Foundation
import Testing

@testable import DriveRemoteStores

/// What the store owes over every WebDAV server: the contract of all stores, and how it behaves where things are missing,
/// refused or strange.
struct WebDAVPromise: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let body: @Sendable (TestServer) async throws -> Void

    private init(_ description: String, _ body: @escaping @Sendable (TestServer) async throws -> Void) {
        testDescription = description
        self.body = body
    }

    func check(_ server: TestServer) async throws { try await body(server) }

    static var all: [WebDAVPromise] {
        ObjectStoreContract.promises.map { promise in
            WebDAVPromise(promise.description) { server in
                try await promise.check { try await server.freshCollection() }
            }
        } + [
            WebDAVPromise("a place is made and found again", aPlaceIsMadeAndFoundAgain),
            WebDAVPromise("a place is taken away when no object is in it", aPlaceIsTakenAway),
            WebDAVPromise("what lies nowhere is not reached", whatLiesNowhereIsNotReached),
            WebDAVPromise("a wrong password is said and not shown", aWrongPasswordIsSaidAndNotShown),
            WebDAVPromise("what other tools leave is not seen", whatOtherToolsLeaveIsNotSeen),
            WebDAVPromise("an upload replaces what was left of one", anUploadReplacesWhatWasLeftOfOne),
            WebDAVPromise("a collection is not deleted as an object", aCollectionIsNotDeletedAsAnObject),
            WebDAVPromise("collections that went are made again", collectionsThatWentAreMadeAgain),
            WebDAVPromise("many puts at once, and a list page by page", manyAtOnce),
        ]
    }
}

extension TestServer {
    /// As a person's drive would open it.
    func login() -> RemoteStoreOptions {
        RemoteStoreOptions(
            credentials: StoreCredentials(
                user: environment["USER"] ?? "", secret: Secret(environment["PASSWORD"] ?? "")),
            environment: [:])
    }

    /// A store in a new collection of the server's.
    func freshCollection() async throws -> WebDAVObjectStore {
        let store = try WebDAVObjectStore(freshURL(), login())
        try await store.create()
        return store
    }
}

extension WebDAVPromise {
    private static func aPlaceIsMadeAndFoundAgain(_ server: TestServer) async throws {
        let store = try WebDAVObjectStore(server.freshURL(), server.login())
        #expect(try await store.look() == .absent)
        try await store.create()
        try await store.create()
        #expect(try await store.look() == .empty)
        try await store.put("dd1/x/format", [1])
        #expect(try await store.look() == .store)
        var inside = store.url
        inside.path += "/dd1"
        #expect(try await WebDAVObjectStore(inside, server.login()).look() == .occupied)
    }

    private static func aPlaceIsTakenAway(_ server: TestServer) async throws {
        let store = try await server.freshCollection()
        try await store.put("dd1/a/b/object", [1])
        try await store.put("dd1/c/object", [1])
        try await store.delete("dd1/c/object")
        let error = await #expect(throws: DriveError.self) { try await store.remove() }
        #expect(error?.kind == .usage, "\(error as Any)")
        #expect(try await store.get("dd1/a/b/object", range: nil) == [1])
        try await store.delete("dd1/a/b/object")
        try await store.remove()
        #expect(try await store.look() == .absent)
        try await store.remove()
    }

    private static func whatLiesNowhereIsNotReached(_ server: TestServer) async throws {
        var url = try server.freshURL()
        url.path += "/deeper"
        let store = try WebDAVObjectStore(url, server.login())
        for act in [{ _ = try await store.look() }, { try await store.create() }] as [@Sendable () async throws -> Void]
        {
            let error = await #expect(throws: DriveError.self) { try await act() }
            #expect(error?.kind == .unreachable)
            #expect(error?.message.contains("is there; correct the address") == true, "\(error as Any)")
        }
        let acts: [@Sendable () async throws -> Void] = [
            { try await store.put("format", [1]) }, { try await store.put("a/b/c", [1]) },
            { try await store.put("a/b/c", [UInt8](repeating: 1, count: 200_000)) },
            { _ = try await store.get("format", range: nil) },
            { _ = try await store.list(prefix: "a/", after: nil, limit: 9) },
            { _ = try await store.list(prefix: "", after: nil, limit: 9) },
        ]
        for act in acts {
            let error = await #expect(throws: DriveError.self) { try await act() }
            #expect(error?.kind == .unreachable, "\(error as Any)")
            #expect(error?.message.contains("the store's collection is not there") == true, "\(error as Any)")
        }
    }

    private static func aWrongPasswordIsSaidAndNotShown(_ server: TestServer) async throws {
        let canary = "canary-0f3b-password"
        var options = server.login()
        options.credentials?.secret = Secret(canary)
        let store = try WebDAVObjectStore(server.url, options)
        let word = Data("\(options.credentials?.user ?? ""):\(canary)".utf8).base64EncodedString()
        let acts: [@Sendable () async throws -> Void] = [
            { _ = try await store.look() }, { _ = try await store.get("a/b", range: nil) },
            { try await store.put("a/b", [1]) },
            { try await store.put("a/b", [UInt8](repeating: 1, count: 3_000_000)) },
            { _ = try await store.list(prefix: "", after: nil, limit: 1) }, { try await store.delete("a/b") },
        ]
        for act in acts {
            let error = await #expect(throws: DriveError.self) { try await act() }
            #expect(error?.kind == .notAuthenticated, "\(error as Any)")
            #expect(error?.message.contains("the server refused name or password (401)") == true, "\(error as Any)")
            #expect("\(error as Any)".contains(canary) == false)
            #expect("\(error as Any)".contains(word) == false)
        }
        options.credentials = nil
        let nobody = try WebDAVObjectStore(server.url, options)
        let error = await #expect(throws: DriveError.self) { try await nobody.look() }
        #expect(error?.message.contains("DOCDRIVE_STORE_PASSWORD") == true, "\(error as Any)")
    }

    private static func whatOtherToolsLeaveIsNotSeen(_ server: TestServer) async throws {
        let store = try await server.freshCollection()
        try await store.put("a/object", [1, 2])
        for name in ["Thumbs.db", ".hidden", "a b", "ü&<%41>+'", "semi;colon=[1]", "x~", "back\\slash", "#1", "q?"] {
            let path = store.root + "a/" + PercentEncoding.text(name.utf8)
            let answer = try await store.exchange.answer(
                to: HTTPRequest("PUT", path, body: [1, 2, 3], subject: name), limit: 1 << 20)
            #expect(answer.isSuccess, "\(name): \(answer.status)")
            let made = try await store.exchange.answer(
                to: HTTPRequest("MKCOL", path.dropLast(1) + "Z/", subject: name), limit: 1 << 20)
            #expect(made.isSuccess, "\(name): \(made.status)")
        }
        #expect(try await store.listAll(prefix: "") == [StoredObject(key: "a/object", size: 2)])
        #expect(try await store.look() == .occupied)
    }

    /// An upload that was cut may have left something under its name.
    private static func anUploadReplacesWhatWasLeftOfOne(_ server: TestServer) async throws {
        let store = try await server.freshCollection()
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) }
        try await store.put("pack/one", Array(bytes[..<1_000_000]))
        try await store.put("pack/one", bytes)
        #expect(try await store.get("pack/one", range: nil) == bytes)
        #expect(try await store.listAll(prefix: "") == [StoredObject(key: "pack/one", size: 3_000_000)])
    }

    /// A store of other objects than those that are named must not lose them.
    private static func aCollectionIsNotDeletedAsAnObject(_ server: TestServer) async throws {
        let store = try await server.freshCollection()
        try await store.put("a/b/c", [1])
        try await store.delete("a/b")
        #expect(try await store.get("a/b/c", range: nil) == [1])
    }

    private static func collectionsThatWentAreMadeAgain(_ server: TestServer) async throws {
        let store = try await server.freshCollection()
        let large = [UInt8](repeating: 7, count: 300_000)
        try await store.put("a/b/c/one", large)
        for bytes in [[1], large] {
            let request = HTTPRequest("DELETE", store.root + "a/", subject: "a")
            #expect(try await store.exchange.answer(to: request, limit: 1 << 20).isSuccess)
            do {
                try await store.put("a/b/c/two", bytes)
            } catch {
                // Some cut the connection when they refuse a large body. After that the collection is looked for.
                #expect(bytes == large && error.kind == .unreachable, "\(error)")
                try await store.put("a/b/c/two", bytes)
            }
            #expect(try await store.listAll(prefix: "").map(\.key) == ["a/b/c/two"])
        }
    }

    private static func manyAtOnce(_ server: TestServer) async throws {
        let store = try await server.freshCollection()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<store.capabilities.concurrentRequests {
                group.addTask {
                    for number in 0..<40 {
                        try await store.put(
                            "blob/\(number % 10)/\(worker)-\(number)", [UInt8](repeating: 1, count: 2_000 * worker))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.listAll(prefix: "").count == 160)
        var pages: [ObjectKey] = []
        while true {
            let page = try await store.list(prefix: "blob/", after: pages.last, limit: 7).map(\.key)
            if page.isEmpty { break }
            pages += page
        }
        #expect(pages.count == 160)
        #expect(pages == pages.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
}
