import DriveCore
import DriveTesting
import Foundation
import Glibc

/// Histories over the program itself: each device is a folder with a drive of its own, each pass a process.
final class DiskHistoryDriver: HistoryDriver {
    private let place: String
    private let program: String
    private let environment: [String]
    private var sites: [Site] = []

    private struct Site {
        var hands: DiskHands
        var pass: PassProcess?
        var isPaused = false
    }

    /// Makes the drives, which share one folder store.
    init(program: String, devices: Int, place: String) throws {
        self.program = program
        var template = Array("\(place)/histories-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw DiskFault("no folder in \(place): \(String(cString: strerror(errno)))")
        }
        self.place = template.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }
        environment = [
            "HOME=\(self.place)", "XDG_RUNTIME_DIR=\(self.place)", "XDG_CONFIG_HOME=\(self.place)",
            "XDG_DATA_HOME=\(self.place)", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
        ]
        for number in 0..<devices {
            let name = String(UnicodeScalar(UInt8(0x41 + number)))
            let root = "\(self.place)/\(name)"
            let side = "\(self.place)/\(name).side"
            mkdir(root, 0o700)
            mkdir(side, 0o700)
            sites.append(Site(hands: DiskHands(root: root, side: side)))
            let ended = try run(
                ["sync", root, "--to", "\(self.place)/store", "--name", name, "--yes", "--json"], number)
            if ended.code != 0 { throw DiskFault("no drive: \(ended.text)") }
        }
    }

    private func run(_ arguments: [String], _ device: Int) throws -> PassProcess.Ended {
        var process = try spawn(arguments, device)
        return process.wait()
    }

    private func spawn(_ arguments: [String], _ device: Int) throws -> PassProcess {
        try PassProcess(program, arguments, environment, output: "\(sites[device].hands.side)/output")
    }

    func start(_ device: Int) async throws {
        sites[device].pass = try spawn(["sync", sites[device].hands.root, "--json"], device)
    }

    func finish(_ device: Int) async throws -> HistoryPass {
        guard var pass = sites[device].pass else { throw DiskFault("no pass runs") }
        return try ended(pass.wait(), device)
    }

    func poll(_ device: Int) throws -> HistoryPass? {
        guard let ended = sites[device].pass?.poll() else { return nil }
        return try self.ended(ended, device)
    }

    private func ended(_ ended: PassProcess.Ended, _ device: Int) throws -> HistoryPass {
        sites[device].pass = nil
        sites[device].isPaused = false
        var ended = ended
        if ended.code == Self.held {
            // A person who is asked about many deletes, and meant them.
            _ = try run(["deletes", "confirm", "-C", sites[device].hands.root, "--yes"], device)
            ended = try run(["sync", sites[device].hands.root, "--json"], device)
        }
        return ended.pass
    }

    private static let held: Int32 = 12

    func setPaused(_ isPaused: Bool, _ device: Int) {
        guard let pass = sites[device].pass else { return }
        sites[device].isPaused = isPaused
        kill(pass.number, isPaused ? SIGSTOP : SIGCONT)
    }

    /// A pass takes about 30 ms; commands take none, so they have to wait to meet it everywhere.
    func goOn(_ pace: UInt64) {
        guard sites.contains(where: { $0.pass != nil && !$0.isPaused }) else { return }
        var generator = SeededGenerator(seed: pace)
        usleep(generator.choice([0, 0, 200, 1_000, 2_000, 4_000, 8_000, 12_000, 20_000]))
    }

    func end() async {
        for device in sites.indices {
            guard var pass = sites[device].pass else { continue }
            kill(pass.number, SIGKILL)
            _ = pass.wait()
        }
        try? FileManager.default.removeItem(atPath: place)
    }

    func tree(of device: Int) -> [DrivePath: SeenEntry] { sites[device].hands.tree() }
    func read(_ path: DrivePath, on device: Int) -> SeenEntry? { sites[device].hands.look(path) }
    func kept(on device: Int) -> Set<[UInt8]> { sites[device].hands.kept() }

    func perform(_ command: HistoryCommand, at path: DrivePath) -> [HistoryEffect] {
        sites[command.device].hands.perform(command, at: path)
    }
}

struct DiskFault: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
