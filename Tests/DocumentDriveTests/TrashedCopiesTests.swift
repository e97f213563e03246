import DriveCore
import Testing

@testable import DocumentDrive

struct TrashedCopiesTests {
    private func entry(_ name: FileName, _ path: DrivePath, _ reason: TrashEntry.Reason = .deleted) -> TrashEntry {
        TrashEntry(name: name, path: path, hash: nil, size: 1, reason: reason, time: 1)
    }

    @Test func eachIsTakenOnceAndTheFirstOfAPathFirst() {
        var copies = TrashedCopies()
        #expect(copies.isEmpty && !copies.has(from: "a"))
        for (name, path) in [("1", "a"), ("2", "b"), ("3", "a")] as [(FileName, DrivePath)] {
            copies.add(entry(name, path))
        }
        copies.add(entry("4", "c", .ancestor))
        #expect(copies.at(["a", "c"]).map(\.name) == ["1", "3", "4"])
        #expect(copies.elsewhere(than: ["b"]).map(\.name) == ["1", "3", "4"])
        #expect(copies.take(from: "a")?.name == "1" && copies.take(from: "a")?.name == "3")
        #expect(copies.take(from: "a") == nil && !copies.has(from: "a"))
        // What a conflict needs is only copied.
        #expect(copies.take(from: "c") == nil && !copies.has(from: "c") && !copies.isEmpty)
        #expect(copies.elsewhere(than: []).map(\.name) == ["2", "4"])
        copies.add(entry("5", "a"))
        #expect(copies.at(["a"]).map(\.name) == ["5"])
        #expect(copies.take(from: "a")?.name == "5" && copies.take(from: "b")?.name == "2")
        #expect(Array(copies.elsewhere(than: ["a"])).map(\.name) == ["4"])
    }
}
