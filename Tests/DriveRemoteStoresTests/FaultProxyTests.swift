import DriveCore
import DriveTesting
import DriveTransport
import Foundation
import TestSupport
import Testing

@testable import DriveRemoteStores

/// Stores over HTTP behind a proxy that does what networks do, with a real server behind it.
///
/// rclone serves both kinds: `Scripts/servers/rclone check` says what it needs.
@Suite(.serialized, .mayBlock, .enabled(if: TestServer.isPossible("rclone")))
struct FaultProxyTests {
    static let kinds = ["s3", "webdav"]

    private struct Bench {
        let proxy: FaultProxy
        let url: StoreURL
        let options: RemoteStoreOptions

        init(_ kind: String, seed: Int = 0, rate: Int = 0) async throws {
            let server = try await TestServer.shared("rclone", kind)
            url = try server.freshURL()
            var options = RemoteStoreOptions(environment: server.environment)
            if let password = server.environment["PASSWORD"] {
                options.credentials = StoreCredentials(
                    user: server.environment["USER"] ?? "", secret: Secret(password))
            }
            self.options = options
            try await RemoteStores.open(url, options).create()
            proxy = try FaultProxy(before: url, seed: seed, rate: rate)
        }

        /// Through the proxy.
        func store() throws -> any RemoteStore { try RemoteStores.open(proxy.place(of: url), options) }
        /// The same for one that is to meet a fault: nobody waits long for what stalls, nor gives up what a busy machine does late.
        func store(meeting fault: String) throws -> any RemoteStore {
            var options = options
            if fault == "stall" { options.progressSeconds = 2 }
            return try RemoteStores.open(proxy.place(of: url), options)
        }
        /// Past it.
        func direct() throws -> any RemoteStore { try RemoteStores.open(url, options) }
    }

    /// The kind of error that a fault is, if any; twice where a request that was not taken is sent again by itself.
    private static let faults: [(fault: String, times: Int, kind: DriveError.Kind?)] = [
        ("refuse", 2, .unreachable), ("cut-request:10", 2, .unreachable), ("cut-answer:10", 1, .unreachable),
        ("swallow", 2, .unreachable), ("replay", 1, nil), ("duplicate", 1, nil), ("delay:0.1", 1, nil),
        ("drip:60:5", 1, nil), ("stall", 1, .unreachable), ("429:7", 1, .temporary), ("503", 1, .temporary),
        ("507", 1, .noSpace), ("html", 1, .unreachable),
    ]

    @Test(arguments: kinds, faults.indices)
    func aPutThatMeetsAFaultSaysSoAndTheNextOneWorks(_ kind: String, _ number: Int) async throws {
        let (fault, times, expected) = Self.faults[number]
        let bench = try await Bench(kind)
        let store = try bench.store()
        let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // The folders are made before, so that the fault meets the object.
        try await store.put("pack/first", [1])
        try bench.proxy.plan(Array(repeating: "PUT pack/second \(fault)", count: times))
        let meeting = try bench.store(meeting: fault)
        let error = await driveError { try await meeting.put("pack/second", bytes) }
        // A server that locks what it writes answers one of two at once with 423 (RFC 4918, section 11.3).
        let isLocked = fault == "duplicate" && error?.kind == .temporary
        #expect(isLocked || error?.kind == expected, "\(fault): \(String(describing: error))")
        #expect(bench.proxy.planned.isEmpty, "the fault happened")
        if fault == "429:7" { #expect(error?.retryAfter == 7) }
        if error != nil { try await store.put("pack/second", bytes) }
        #expect(try await bench.direct().get("pack/second", range: nil) == bytes)
        #expect(try await store.listAll(prefix: "pack/").map(\.key) == ["pack/first", "pack/second"])
    }

    @Test(arguments: kinds, faults.indices)
    func aGetThatMeetsAFaultNeverGivesOtherBytes(_ kind: String, _ number: Int) async throws {
        let (fault, times, expected) = Self.faults[number]
        // Without a body there is nothing to cut off.
        if fault.hasPrefix("cut-request") { return }
        let bench = try await Bench(kind)
        let store = try bench.store()
        let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await store.put("blob/one", bytes)
        try bench.proxy.plan(Array(repeating: "GET blob/one \(fault)", count: times))
        var found: [UInt8]?
        let meeting = try bench.store(meeting: fault)
        let error = await driveError { found = try await meeting.get("blob/one", range: 100..<4_000) }
        // What was swallowed or cut may be asked for once more by itself: reading twice is harmless.
        #expect(error == nil || error?.kind == expected, "\(fault): \(String(describing: error))")
        if error == nil { #expect(found == Array(bytes[100..<4_000]), "\(fault)") }
        if ["429:7", "503", "507", "html", "stall", "cut-answer:10"].contains(fault) {
            #expect(error != nil, "\(fault)")
        }
        #expect(try await store.get("blob/one", range: nil) == bytes)
    }

    @Test(arguments: kinds)
    func anAnswerThatEndsEarlyIsNoAnswer(_ kind: String) async throws {
        let bench = try await Bench(kind)
        let store = try bench.store()
        let bytes = [UInt8](repeating: 7, count: 200_000)
        try await store.put("blob/one", bytes)
        for cut in [1, 50, 150, 1_000, 150_000, 200_000] {
            try bench.proxy.plan(Array(repeating: "GET blob/one cut-answer:\(cut)", count: 2))
            let error = await driveError { _ = try await store.get("blob/one", range: nil) }
            #expect(error?.kind == .unreachable, "cut after \(cut): \(String(describing: error))")
            try bench.proxy.plan([])
        }
    }

    /// Everything that was answered is there, and nothing else than what was put, whatever happened on the way.
    @Test(arguments: kinds, [1, 2, 3])
    func whatWasAnsweredIsNotLost(_ kind: String, _ seed: Int) async throws {
        let bench = try await Bench(kind, seed: seed, rate: 4)
        var rule = RetryRule()
        (rule.first, rule.triesOfUnreachable) = (0.01, 4)
        let store = RetryingObjectStore(
            try bench.store(), rule: rule, circuit: StoreCircuit(clock: ManualClock(milliseconds: 0)),
            clock: ManualClock(), entropy: SeededEntropy(seed: UInt64(seed)), sleep: { _ in })
        var model: [ObjectKey: [UInt8]] = [:]
        var unclear: Set<ObjectKey> = []
        for number in 0..<60 {
            let key = "log/d\(number % 3)/\(number)"
            let bytes = [UInt8](repeating: UInt8(number), count: number * 97)
            if await driveError({ try await store.put(key, bytes) }) == nil {
                model[key] = bytes
            } else {
                unclear.insert(key)
            }
            guard number % 5 == 4 else { continue }
            let old = "log/d\((number - 3) % 3)/\(number - 3)"
            if await driveError({ try await store.delete(old) }) != nil { unclear.insert(old) }
            model[old] = nil
        }
        let direct = try bench.direct()
        for (key, bytes) in model where !unclear.contains(key) {
            #expect(try await direct.get(key, range: nil) == bytes, "\(key)")
        }
        let listed = Set(try await direct.listAll(prefix: "").map(\.key))
        #expect(listed.subtracting(unclear) == Set(model.keys).subtracting(unclear))
        #expect(bench.proxy.requests.count { !$0.hasSuffix(" -") } > 5)
    }

    private func driveError(_ body: () async throws -> Void) async -> DriveError? {
        do { try await body() } catch { return error as? DriveError ?? DriveError(.internalFault, "\(error)") }
        return nil
    }
}

/// Cuts beneath TLS: in the handshake, in a request, in an answer. `Scripts/servers/apache check` says what it needs.
@Suite(.mayBlock, .enabled(if: TestServer.isPossible("apache")))
struct TLSCutTests {
    @Test(arguments: [1, 300, 900, 2_500, 40_000])
    func aCutIsUnreachableAndTheNextCallWorks(_ bytes: Int) async throws {
        let server = try await TestServer.shared("apache", tls: true)
        let url = try server.freshURL()
        var options = RemoteStoreOptions(environment: [:])
        options.credentials = StoreCredentials(
            user: server.environment["USER"] ?? "", secret: Secret(server.environment["PASSWORD"] ?? ""))
        options.authorities = server.environment["CA"]
        try await RemoteStores.open(url, options).create()
        let proxy = try FaultProxy(before: url, isRaw: true)
        let store = try RemoteStores.open(proxy.place(of: url), options)
        // A request that was not taken is sent once more by itself.
        try proxy.plan(Array(repeating: "* * cut:\(bytes)", count: 2))
        let object = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let error = await #expect(throws: DriveError.self) { try await store.put("object", object) }
        // The server may still hold the lock of the one that was cut, and answer the next with 423.
        let isLocked = error?.kind == .temporary && error?.message.contains("423") == true
        #expect(error?.kind == .unreachable || isLocked, "\(String(describing: error))")
        try proxy.plan([])
        try await store.put("object", object)
        #expect(try await store.get("object", range: nil) == object)
    }
}
