import DriveCore
import Testing

@testable import DriveTransport

@Suite struct StoreTests {
    let store = TestStore()

    @Test func idsReadBackFromTheirText() {
        var random = Seeded(4)
        for _ in 0..<1_000 {
            let id = StoreID(high: random.next(), low: random.next())
            #expect(StoreID(id.description) == id && id.description.count == 26)
        }
        #expect(StoreID(String(repeating: "z", count: 26)) == nil)
        #expect(StoreID(high: .max, low: .max).description == String(repeating: "7", count: 25) + "4")
    }

    @Test func emptyStoreHasNone() async throws {
        #expect(try await Store.find(in: store.view()) == nil)
    }

    @Test func whatWasCreatedIsFound() async throws {
        let info = try await Store.create(in: store.view(), entropy: TestEntropy(1))
        #expect(try await Store.find(in: store.view()) == info)
        #expect(try await Store.devices(of: info, in: store.view()).isEmpty)
    }

    @Test func twoCreatorsTakeTheSameStore() async throws {
        let first = try await Store.create(in: store.view(), entropy: TestEntropy(1))
        let second = try await Store.create(in: store.view(), entropy: TestEntropy(2))
        #expect(try await Store.find(in: store.view()) == min(first, second) { $0.id < $1.id })
    }

    @Test func aStoreInUseWinsOverAnUnusedOne() async throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            let store = TestStore()
            let used = try await Store.create(in: store.view(), entropy: TestEntropy(seed))
            var device = JournalDevice(0, store, used, entropy: TestEntropy(9))
            device.edit(nil, "one")
            _ = try await device.commit()
            #expect(try await Store.create(in: store.view(), entropy: TestEntropy(seed + 100)) == used)
        }
    }

    @Test func severalDrivesNeedAName() async throws {
        var infos: [StoreInfo] = []
        for seed in 1...2 as ClosedRange<UInt64> {
            let other = TestStore()
            let info = try await Store.create(in: other.view(), entropy: TestEntropy(seed))
            var device = JournalDevice(0, other, info, entropy: TestEntropy(seed + 10))
            device.edit(nil, "one")
            _ = try await device.commit()
            for key in other.keys("") { store[key] = other[key] }
            infos.append(info)
        }
        await #expect { _ = try await Store.find(in: store.view()) } throws: {
            ($0 as? DriveError)?.kind == .needsDecision
        }
        for info in infos { #expect(try await Store.find(in: store.view(), named: info.id) == info) }
    }

    @Test func othersInThePlaceAreThoseThatAreUsed() async throws {
        let used = try await Store.create(in: store.view(), entropy: TestEntropy(1))
        var device = JournalDevice(0, store, used, entropy: TestEntropy(9))
        device.edit(nil, "one")
        _ = try await device.commit()
        let other = TestStore()
        let unused = try await Store.create(in: other.view(), entropy: TestEntropy(2))
        for key in other.keys("") { store[key] = other[key] }
        #expect(try await Store.others(than: used.id, in: store.view()).isEmpty)
        #expect(try await Store.others(than: unused.id, in: store.view()) == [used.id])
    }

    @Test func newerFormatIsRefused() async throws {
        _ = try await Store.create(in: store.view(), entropy: TestEntropy(1))
        let key = try #require(store.keys("format").first)
        var bytes = Array(try #require(store[key]).dropLast(32))
        bytes[bytes.count - 1] = 9
        store[key] = bytes + ContentHash.sha256(bytes).bytes
        await #expect { _ = try await Store.find(in: store.view()) } throws: {
            ($0 as? DriveError)?.kind == .newerFormat
        }
    }

    @Test func tornFormatIsNoStore() async throws {
        _ = try await Store.create(in: store.view(), entropy: TestEntropy(1))
        let key = try #require(store.keys("format").first)
        store[key] = store[key]?.dropLast()
        #expect(try await Store.find(in: store.view()) == nil)
    }

    @Test func devicesAreListedWithTheirLastLabel() async throws {
        let info = try await Store.create(in: store.view(), entropy: TestEntropy(1))
        var device = JournalDevice(0, store, info, entropy: TestEntropy(5))
        device.memory.labels = [DeviceLabel(from: 1, text: "laptop"), DeviceLabel(from: 2, text: "desk")]
        for text in ["one", "two"] {
            device.edit(nil, text)
            _ = try await device.commit()
        }
        let listed = try await Store.devices(of: info, in: store.view())
        #expect(listed == [StoreDevice(id: device.memory.device, label: "desk", published: 2, records: 2)])
    }

    @Test func labelsThatWouldBreakNamesAreRefused() {
        for label in ["", "a/b", "a(b", "x)", "tab\t", String(repeating: "x", count: 41)] {
            #expect(!DeviceLabel.isValid(label))
        }
        for label in ["desk", "Büro 2", String(repeating: "x", count: 40)] { #expect(DeviceLabel.isValid(label)) }
    }

    private func min(_ a: StoreInfo, _ b: StoreInfo, _ isLess: (StoreInfo, StoreInfo) -> Bool) -> StoreInfo {
        isLess(a, b) ? a : b
    }
}
