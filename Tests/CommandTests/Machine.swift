import Foundation
import Glibc
import TestSupport
import Testing

/// A temporary folder with a home, a runtime folder and the real program, gone at the end.
final class Machine: Sendable {
    let root: String
    /// What every command finds beside the usual.
    private let variables: [String: String]

    struct Result: Sendable {
        var code: Int32
        var output: String
        var error: String
    }

    init(in place: String = NSTemporaryDirectory(), variables: [String: String] = [:]) throws {
        self.variables = variables
        root = place + "docdrive-command-\(UUID().uuidString)"
        for folder in ["home", "run"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Beside the test program.
    static let program: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: executable).deletingLastPathComponent().appendingPathComponent("docdrive").path
    }()

    /// Runs the program in the temporary folder, to its end.
    func run(_ arguments: String...) throws -> Result { try run(arguments) }

    func run(_ arguments: [String], program: String = Machine.program) throws -> Result {
        try start(arguments, program: program).finish()
    }

    /// The same as somebody whom permissions bind: root, too, heeds them without the power over others' files (capabilities(7)).
    func runBound(_ arguments: String...) throws -> Result { try runBound(arguments) }

    func runBound(_ arguments: [String]) throws -> Result {
        guard geteuid() == 0 else { return try run(arguments) }
        let without = "--bounding-set=-dac_override,-dac_read_search"
        return try run([without, Self.program] + arguments, program: "/usr/bin/setpriv")
    }

    /// A large file of `a` of which the store has all but what changed last; it is gone again, and the store is at `gone`. Returns what
    /// it held.
    func loseALargeFileWhileTheStoreIsAway(sent: () throws -> Void = {}) throws -> Data {
        let file = URL(fileURLWithPath: "\(root)/a/large")
        var bytes = Data((0..<6 << 20).map { _ in UInt8.random(in: 0...255) })
        try bytes.write(to: file)
        #expect(try run("sync", "a").code == 0)
        try sent()
        try move("store", to: "gone")
        bytes[4 << 20] ^= 1
        try bytes.write(to: file)
        #expect(try run("sync", "a").code == 69)
        try remove("a/large")
        #expect(try run("sync", "a").code == 69)
        return bytes
    }

    /// Whether a file of the trash of `a` holds this.
    func trashHolds(_ bytes: Data) throws -> Bool {
        let trash = "\(root)/a/.docdrive/trash"
        let names = try FileManager.default.contentsOfDirectory(atPath: trash)
        return names.contains { FileManager.default.contents(atPath: "\(trash)/\($0)") == bytes }
    }

    func start(_ arguments: String...) throws -> Running { try start(arguments) }

    func start(
        _ arguments: [String], program: String = Machine.program, input: Int32? = nil, errors terminal: Int32? = nil
    ) throws -> Running {
        var environment = [
            "HOME": "\(root)/home", "XDG_RUNTIME_DIR": "\(root)/run", "PATH": "/usr/bin:/bin", "TZ": "UTC",
        ]
        environment.merge(variables) { $1 }
        // A sanitizer writes its reports where the run looks for them (`Scripts/sanitize`).
        for name in ["TSAN_OPTIONS", "ASAN_OPTIONS"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        let number = UUID().uuidString
        let (output, error) = ("\(root)/run/out-\(number)", "\(root)/run/err-\(number)")
        // Files, so that nobody waits for a reader.
        let process = try ChildProcess(
            program, arguments, in: root, environment: environment, input: input, output: .file(output),
            errors: terminal.map { .descriptor($0) } ?? .file(error))
        return Running(process: process, outputFile: output, errorFile: error)
    }

    /// A watch that sees the folder.
    func watch(_ folder: String, _ options: String...) throws -> Running {
        let running = try start(["watch", folder] + options)
        let isUp = try eventually { try isWatched(folder) }
        #expect(isUp, "\(running.error)")
        return running
    }

    /// Whether whoever watches the drive answers, and has its watches.
    func isWatched(_ folder: String) throws -> Bool {
        let status = try run("-C", folder, "status", "--json").output
        return status.contains("\"watched\"") && !status.contains("\"watched\" : 0")
    }

    /// The text with the temporary folder as `~`.
    func plain(_ text: String) -> String {
        text.replacingOccurrences(of: root, with: "~").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

// Files.
extension Machine {
    func write(_ text: String, to path: String) throws {
        let place = "\(root)/\(path)"
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: place, atomically: false, encoding: .utf8)
    }

    func read(_ path: String) -> String? { try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }

    /// When it was changed last.
    func date(_ path: String) throws -> Date {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
        return try #require(facts[.modificationDate] as? Date)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: "\(root)/\(path)") }

    func move(_ path: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: "\(root)/\(path)", toPath: "\(root)/\(other)")
    }

    /// Every file of a drive and what it holds, without what is the drive's own.
    func files(_ folder: String) -> [String: String] {
        var result: [String: String] = [:]
        let place = "\(root)/\(folder)"
        for path in FileManager.default.enumerator(atPath: place)?.allObjects as? [String] ?? [] {
            if path.hasPrefix(".docdrive/") || path == ".docdrive" || path == ".driveignore" { continue }
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(place)/\(path)", isDirectory: &isFolder)
            result[path] = isFolder.boolValue ? "/" : read("\(folder)/\(path)") ?? ""
        }
        return result
    }

    /// A drive `a` with these files and a drive `b`, in step.
    func twoDrives(_ files: [String: String] = ["Letter.txt": "dear\n"]) throws {
        for (path, text) in files { try write(text, to: "a/\(path)") }
        #expect(try run("sync", "a", "--to", "store", "--yes", "--name", "alpha").code == 0)
        #expect(try run("sync", "b", "--to", "store", "--yes", "--name", "beta").code == 0)
    }

    /// Passes on both until nothing is left.
    func settle() throws {
        for folder in ["a", "b", "a", "b"] { _ = try run("sync", folder) }
    }
}

/// A program that goes on.
final class Running: Sendable {
    let process: ChildProcess
    let outputFile: String
    let errorFile: String

    init(process: ChildProcess, outputFile: String, errorFile: String) {
        self.process = process
        self.outputFile = outputFile
        self.errorFile = errorFile
    }

    var output: String { (try? String(contentsOfFile: outputFile, encoding: .utf8)) ?? "" }
    var error: String { (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "" }

    func finish() -> Machine.Result {
        let code = process.wait()
        return Machine.Result(code: code, output: output, error: error)
    }

    /// As a person ends it.
    func end() {
        signal(SIGTERM)
        _ = finish()
    }

    func signal(_ number: Int32) { process.send(number) }
}

/// Waits until something is true, for as long as a busy machine may need.
func eventually(_ seconds: Double = 600, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if try condition() { return true }
        usleep(5_000)
    }
    return try condition()
}
