import Glibc
import Testing

/// Loads that make a naive recursive watch lose up to half of the paths.
@Suite(.serialized) struct TortureTests {
    @Test func filesInDeepFoldersMadeAtOnceAreTold() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            await fixture.expectNothingMissed {
                for index in 0..<1000 {
                    DiskWork.folders(root, ["m\(index)", "a", "b", "c", "d"])
                    DiskWork.file("\(root)/m\(index)/a/b/c/d/one")
                    DiskWork.file("\(root)/m\(index)/a/b/two")
                }
            }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func renamesAndSwapsOfTreesLoseNothing(seed: UInt64) async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            await fixture.expectNothingMissed { renameAtRandom(root, operations: 4000, seed: seed) }
        }
    }

    /// What is exchanged is told of twice: as gone, and as there, in an order that does not fit.
    @Test func exchangedFoldersStayWatched() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            await fixture.expectNothingMissed {
                for name in ["p", "q"] { DiskWork.folders(root, [name, "in"]) }
            }
            #expect(await DiskWork.onThread { DiskWork.exchange("p", "q", in: root) })
            // What is taken for gone is let go of after a while.
            let end = ContinuousClock.now + .seconds(4)
            var round = 0
            while ContinuousClock.now < end {
                round += 1
                let now = round
                await fixture.expectNothingMissed {
                    for name in ["p", "q"] { DiskWork.file("\(root)/\(name)/in/f\(now % 50)", "\(now)") }
                }
            }
        }
    }

    /// Paused, the watcher looks at a disk that is thousands of operations ahead of the events.
    @Test(arguments: 5...7 as ClosedRange<UInt64>) func aDiskFarAheadOfTheEventsLosesNothing(seed: UInt64) async throws
    {
        try await WatchFixture.run { fixture in
            let (root, outside) = (fixture.root, fixture.outside)
            let pid = try #require(fixture.watcher.processID)
            for round in 0..<4 {
                await fixture.expectNothingMissed {
                    kill(pid, SIGSTOP)
                    renameAtRandom(root, operations: 300, seed: seed + UInt64(round) * 100)
                    workAtRandom(root, outside, operations: 500, seed: seed + UInt64(round) * 100)
                    kill(pid, SIGCONT)
                }
            }
            #expect(fixture.model.now.rescans.isEmpty)
        }
    }

    @Test func foldersDeletedAndMadeAgainAreFollowed() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            await fixture.expectNothingMissed {
                for round in 0..<3000 {
                    let folder = "\(root)/d\(round % 20)"
                    DiskWork.removeTree(folder)
                    DiskWork.folders(folder, ["", "sub"])
                    DiskWork.file("\(folder)/sub/file", "\(round)")
                }
            }
        }
    }

    @Test func treesMovedInAreTold() async throws {
        try await WatchFixture.run { fixture in
            let (root, outside) = (fixture.root, fixture.outside)
            await fixture.expectNothingMissed {
                for index in 0..<300 {
                    let tree = "\(outside)/t\(index)"
                    DiskWork.folders(tree, ["", "a", "b"])
                    DiskWork.file("\(tree)/a/b/before")
                    DiskWork.move(tree, "\(root)/t\(index)")
                    DiskWork.file("\(root)/t\(index)/a/after")
                    if index % 2 == 1 { DiskWork.move("\(root)/t\(index - 1)", tree) }
                    DiskWork.file("\(root)/t\(index)/a/b/last")
                }
            }
        }
    }

    @Test func aBurstInANewFolderIsTold() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            await fixture.expectNothingMissed {
                DiskWork.folder("\(root)/burst")
                for index in 0..<20_000 { DiskWork.file("\(root)/burst/f\(index)") }
            }
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func mixedWorkLosesNothing(seed: UInt64) async throws {
        try await WatchFixture.run { fixture in
            let (root, outside) = (fixture.root, fixture.outside)
            await fixture.expectNothingMissed { workAtRandom(root, outside, operations: 10_000, seed: seed) }
        }
    }

    @Test func anOverflowOfTheKernelsQueueIsARescan() async throws {
        try await WatchFixture.run { root in
            DiskWork.folder("\(root)/new")
        } _: { fixture in
            let root = fixture.root
            let pid = try #require(fixture.watcher.processID)
            await fixture.expectNothingMissed {
                kill(pid, SIGSTOP)
                for index in 0..<20_000 { DiskWork.file("\(root)/new/f\(index)") }
                DiskWork.folders(root, ["late", "later"])
                DiskWork.file("\(root)/late/later/file")
                kill(pid, SIGCONT)
            }
            #expect(!fixture.model.now.rescans.isEmpty)
            await fixture.expectNothingMissed { DiskWork.file("\(root)/late/later/after") }
        }
    }

    @Test func aFolderDeeperThanPathsMayBeIsWatched() async throws {
        try await WatchFixture.run { fixture in
            let root = fixture.root
            let name = String(repeating: "n", count: 200)
            await DiskWork.onThread {
                // 200 levels of 200 bytes: far beyond PATH_MAX, so relative steps only.
                var folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                for _ in 0..<200 {
                    mkdirat(folder, name, 0o755)
                    let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                    close(folder)
                    folder = next
                }
                close(openat(folder, "deepest", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
                close(folder)
            }
            #expect(await fixture.watcher.barrier())
            #expect(fixture.model.now.touched.contains { $0.components.count == 201 && $0.name == "deepest" })
        }
    }
}

/// Renames, exchanges and fills folders of a small forest.
private func renameAtRandom(_ root: String, operations: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for top in 0..<8 { DiskWork.folders(root, ["t\(top)", "a", "b"]) }
    for index in 0..<operations {
        let folders = ["", "/a", "/a/b"]
        let one = "\(root)/t\(Int.random(in: 0..<8, using: &random))\(folders.randomElement(using: &random) ?? "")"
        let two = "\(root)/t\(Int.random(in: 0..<8, using: &random))\(folders.randomElement(using: &random) ?? "")"
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            DiskWork.move(one, root + "/swap")
            DiskWork.move(two, one)
            DiskWork.move(root + "/swap", two)
        case 1: DiskWork.move(one, "\(two)/moved\(index)")
        case 2: DiskWork.folders(one, ["", "a", "b"])
        case 3: DiskWork.move("\(one)/a", "\(two)/a")
        default: DiskWork.file("\(one)/f\(index % 50)", "\(index)")
        }
    }
}

/// Everything a user might do, in any order.
private func workAtRandom(_ root: String, _ outside: String, operations: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func place() -> String {
        var path = root
        for _ in 0..<Int.random(in: 1...3, using: &random) { path += "/d\(Int.random(in: 0..<4, using: &random))" }
        return path
    }
    for index in 0..<operations {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: DiskWork.folder(place())
        case 3...4: DiskWork.file(place() + "/f\(index % 7)", "\(index)")
        case 5: DiskWork.move(place(), place())
        case 6: DiskWork.move(place(), outside + "/o\(index % 5)")
        case 7: DiskWork.move(outside + "/o\(index % 5)", place())
        case 8: DiskWork.move(place() + "/f\(index % 7)", place() + "/f\(index % 5)")
        default: if index % 5 == 0 { DiskWork.removeTree(place()) } else { unlink(place() + "/f\(index % 7)") }
        }
    }
}
