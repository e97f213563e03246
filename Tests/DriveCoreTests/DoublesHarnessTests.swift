import DriveCore
import DriveTesting
import Testing

/// A device that only mirrors what the first one has: enough to run the whole simulation without an engine.
private final class MirrorDevice: SimulatedDevice {
    /// What has been published, for all devices of a run.
    final class Board {
        var tree: [DrivePath: TreeEntry] = [:]
    }

    let label: String
    let folder: MemoryFolder
    private let isWriter: Bool
    private let board: Board
    private let losesFiles: Bool
    private var seen: [DrivePath: TreeEntry] = [:]

    init(_ setup: DeviceSetup, _ board: Board, losesFiles: Bool) {
        label = setup.label
        folder = setup.folder
        isWriter = setup.number == 0
        self.board = board
        self.losesFiles = losesFiles
    }

    func scan() async throws(DriveError) -> Int {
        try look(folder.open(.root))
        return 0
    }

    private func look(_ here: OpenFolder) throws(DriveError) {
        for entry in try folder.list(here) {
            _ = try folder.look(at: entry.name, in: here)
            if let inner = try folder.open(entry.name, in: here) { try look(inner) }
        }
    }

    func commit(compacting: Bool) async throws(DriveError) { if isWriter { board.tree = folder.tree() } }

    func fetch(only labels: Set<String>?) async throws(DriveError) { seen = board.tree }

    func apply() async throws(DriveError) {
        if isWriter {
            if losesFiles { try loseOneOfThree() }
            return
        }
        for (path, entry) in seen.sorted(by: { $0.key < $1.key }) {
            guard let place = folder.place(path) else { continue }
            switch entry {
            case .file(let bytes): folder.create(bytes, at: place)
            case .link(let target): folder.makeLink(to: target, at: place)
            case .folder, .other: folder.makeFolder(at: place)
            }
        }
    }

    private func loseOneOfThree() throws(DriveError) {
        let root = try folder.open(.root)
        let files = try folder.list(root).filter { $0.kind == .file }
        guard files.count >= 3, let first = files.first else { return }
        _ = try folder.move(first.name, in: root, to: first.name, in: try folder.open(.trash))
    }

    func restart(afterPowerCut: Bool) async throws(DriveError) {}

    func view() async throws(DriveError) -> SimulatedView {
        SimulatedView(tree: isWriter ? folder.tree() : seen, derived: [:], unpublished: 0)
    }
}

@Suite struct DoublesHarnessTests {
    private func campaign(losesFiles: Bool) -> Campaign {
        var board = MirrorDevice.Board()
        var campaign = Campaign { setup in
            if setup.number == 0 { board = MirrorDevice.Board() }
            return MirrorDevice(setup, board, losesFiles: losesFiles)
        }
        campaign.adjust = { plan in
            plan.devices = 1
            plan.skews = [0]
            plan.filling.removeAll { $0.device > 0 }
            plan.steps.removeAll { $0.device > 0 }
        }
        return campaign
    }

    @Test func anHonestMirrorPassesEveryRun() async {
        let campaign = campaign(losesFiles: false)
        var tally = CampaignTally()
        for seed in 0..<400 {
            let report = await campaign.run(UInt64(seed))
            if let failure = report.failure { Issue.record("seed \(seed): \(failure)") }
            tally.add(report)
        }
        #expect(tally.failedSeeds.isEmpty)
        #expect(!tally.description.contains(" 0 deaths") && !tally.description.contains(" 0 interruptions"))
    }

    @Test func aLossIsFoundShrunkAndTraced() async throws {
        let campaign = campaign(losesFiles: true)
        var failed: UInt64?
        for seed in 0..<100 where failed == nil {
            let report = await campaign.run(UInt64(seed))
            if report.failure?.kind == Invariant.nothingLost.rawValue { failed = report.seed }
        }
        let seed = try #require(failed)
        let report = try #require(await campaign.shrink(seed))
        #expect(report.failure?.kind == Invariant.nothingLost.rawValue)
        // Three files must exist before one is lost, and nothing else needs to happen.
        #expect(report.acts <= 4)
        #expect(report.trace.text.contains("FAILED nothingLost"))
    }

    @Test func equalSeedsEndEqually() async {
        for seed in 0..<20 { #expect(await campaign(losesFiles: false).isDeterministic(UInt64(seed))) }
    }
}
