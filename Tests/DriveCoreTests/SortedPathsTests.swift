import DriveCore
import DriveTesting
import Testing

struct SortedPathsTests {
    @Test func whatIsInAFolderIsFoundAsByALookAtAll() {
        var random = SeededGenerator(seed: 3)
        let names: [FileName] = ["a", "a!", "aa", "b"]
        func path() -> DrivePath { DrivePath((0..<random.below(4)).map { _ in random.choice(names) }) }
        for _ in 0..<200 {
            let all = (0..<random.below(12)).map { _ in path() }
            let sorted = SortedPaths(all)
            for _ in 0..<8 {
                let folder = path()
                #expect(Array(sorted.inside(folder)) == all.filter { $0.isInside(folder) }.sorted())
            }
        }
    }
}
