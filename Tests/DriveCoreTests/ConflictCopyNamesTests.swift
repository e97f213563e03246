import DriveTesting
import Testing

@testable import DriveCore

@Suite("Names of conflict copies where few things change") struct ConflictCopyNamesTests {
    /// Files of one folder that want each other's names, all of the same second.
    struct Crowd {
        var random: SeededGenerator
        var files: [ItemState] = []
        private var last: UInt64 = 0

        static let names: [FileName] = {
            let plain: [FileName] = ["a", "b.txt"]
            // Cut for the marker they are one name.
            let long = ["1", "2"].map { FileName(String(repeating: "l", count: 250) + $0) }
            return plain + long
                + (plain + [long[0]]).flatMap { name in
                    (1...3).map {
                        ConflictName.derived(from: name, device: "000000", time: HybridTime(rawValue: 0), ordinal: $0)
                    }
                }
        }()

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        private mutating func tag() -> DriveCore.Tag {
            last += 1
            return DriveCore.Tag(
                time: HybridTime(rawValue: 0),
                dot: Dot(device: DeviceID(high: UInt64(random.number(in: 1...2)), low: 0), n: last))
        }

        /// One file is made, renamed or deleted, or brought back.
        mutating func step() -> ItemState {
            let tag = tag()
            let name = Register(tag: tag, value: random.choice(Self.names))
            guard !files.isEmpty, random.chance(percent: 50) else {
                let content = Content(
                    hash: ContentHash(words: (last, 0, 0, 0)), size: 1, modified: FileTime(seconds: 0),
                    body: .inline([1]))
                files.append(
                    ItemState(
                        id: ItemID(high: random.next(), low: last), kind: .file,
                        context: DeviceVector(tag.device, tag.n), name: name,
                        placement: Register(tag: tag, value: Placement(parent: .root, from: .root)),
                        heads: [Head(dot: tag.dot, time: tag.time, content: content)], life: [LifeDot(dot: tag.dot)]))
                return files[files.count - 1]
            }
            let place = random.below(files.count)
            files[place].context[tag.device] = tag.n
            if random.chance(percent: 50) {
                files[place].name = name
            } else {
                files[place].life = files[place].life.isEmpty ? [LifeDot(dot: tag.dot)] : []
            }
            return files[place]
        }
    }

    @Test(arguments: 0..<200) func theyAreThoseOfTheFullView(seed: Int) throws {
        var crowd = Crowd(seed: UInt64(seed))
        let learner = ViewMaintenanceTests.Learner()
        for _ in 0..<30 {
            try learner.learn([crowd.step()])
            let differences = try learner.differences()
            #expect(differences.isEmpty)
            if !differences.isEmpty { return }
        }
    }
}
