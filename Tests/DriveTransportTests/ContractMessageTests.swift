import DriveCore
import Testing

@testable import DriveTransport

/// What is said of a store that breaks a promise: a person reads it.
struct ContractMessageTests {
    /// Keeps the first bytes of what is put, and of a list nothing but the first key.
    private struct Forgetful: ObjectStore {
        let base: StoreView
        var capabilities: StoreCapabilities { base.capabilities }

        func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
            try await base.get(key, range: range)
        }
        func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
            try await base.put(key, Array(bytes.prefix(2)))
        }
        func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
            Array(try await base.list(prefix: prefix, after: after, limit: limit).prefix(1))
        }
        func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
    }

    private struct Full: ObjectStore {
        var capabilities: StoreCapabilities { StoreCapabilities() }
        func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? { nil }
        func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
            throw DriveError(.noSpace, "the store is full")
        }
        func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] { [] }
        func delete(_ key: ObjectKey) async throws(DriveError) {}
    }

    @Test func messagesAreShortWords() async throws {
        for promise in ObjectStoreContract.promises {
            do { try await promise.check { Forgetful(base: TestStore().view()) } } catch let violation
                as ContractViolation
            {
                let text = violation.description
                #expect(text.count < 200 && !text.contains("Optional") && !text.contains("StoredObject"), "\(text)")
            }
        }
        let ranges = try #require(ObjectStoreContract.promises.first { $0.description.hasPrefix("a range") })
        let violation = await #expect(throws: ContractViolation.self) {
            try await ranges.check { Forgetful(base: TestStore().view()) }
        }
        #expect(violation?.description.hasSuffix("the range 0..<100: 2 bytes in place of 100") == true)
    }

    @Test func aStoreThatIsFullBreaksNoPromise() async throws {
        for promise in ObjectStoreContract.promises {
            let error = await #expect(throws: DriveError.self) { try await promise.check { Full() } }
            #expect(error?.kind == .noSpace, "\(promise)")
        }
    }
}
