import DriveCore
import DriveIndex
import DrivePredicates
import Testing

@testable import DocumentDrive

/// The first so many in an order are those that the order of all has first.
struct FirstItemsTests {
    private func drive() async throws -> (WhyWorld, WhyDevice) {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        for number in 0..<300 {
            let name = ["Äpfel", "apfel", "Birne", "birne"][number % 4]
            let text = String(repeating: "x", count: number % 11)
            try device.write("Folder \(number % 7)/\(name) \(number % 50).txt", text)
        }
        try await device.sync()
        return (world, device)
    }

    private static let orders: [[MetadataSort]] = [
        [], [MetadataSort("kMDItemFSName")], [MetadataSort("kMDItemFSSize", isAscending: false)],
        [MetadataSort("kMDItemFSSize"), MetadataSort("kMDItemFSName", isAscending: false)],
        [MetadataSort("kMDItemTitle"), MetadataSort("kMDItemFSName")],
    ]

    @Test func theyAreThoseOfTheWholeOrder() async throws {
        let (world, device) = try await drive()
        defer { withExtendedLifetime(world) {} }
        let reader = try DriveReader(device.folder)
        for folders in [[], ["Folder 1", "Folder 3"]] as [[DrivePath]] {
            for order in Self.orders {
                let all = try reader.items(NameQuery(), in: folders).sorted(by: order)
                #expect(folders.isEmpty ? all.count > 256 : all.count > 20)
                for limit in [-1, 0, 1, 5, 64, 65, 200, all.count, all.count + 1] {
                    let first = try reader.items(NameQuery(), in: folders, by: order, limit: limit)
                    let isSame = first.map(\.path) == all.prefix(max(0, limit)).map(\.path)
                    #expect(isSame, "\(order), \(limit), \(folders)")
                }
                let whole = try reader.items(NameQuery(), in: folders, by: order, limit: nil) == all
                #expect(whole)
            }
        }
    }
}
