import DriveCore
import Foundation
import Glibc

/// The service that watches a drive whenever its owner is logged in: a unit of the person's own systemd.
public struct UserService: Sendable {
    public let unit: ServiceUnit
    /// The folder that the installed unit watches, where that is not this one: the drive was there before it was moved.
    public let formerFolder: FolderPath?
    private let folder: FolderPath

    public enum State: String, Hashable, Sendable, Codable {
        case absent, stopped, running
        /// Its last start failed; systemd tries again.
        case failed
        /// It watches the folder where the drive was before it was moved.
        case elsewhere
    }

    /// `$XDG_CONFIG_HOME/systemd/user`, else beneath `~/.config` (systemd.unit(5)).
    public init(drive: FolderPath, program: FolderPath) throws {
        guard let replica = try Drive.replica(of: drive) else {
            let marker = LostMarker(folder: drive)
            if try marker.isLost { throw marker.error }
            throw DriveError(
                .usage, "this folder is no drive; make it one with `docdrive sync \(drive.shellText) --to URL`",
                path: drive.description)
        }
        guard let base = FolderPath.base("XDG_CONFIG_HOME", orInHome: [".config"]) else {
            throw DriveError(.usage, "nobody's home folder is known; set HOME")
        }
        folder = ["systemd", "user"].reduce(base) { $0.appending(FileName($1)) }
        let (name, former) = try InstalledUnits(in: folder, replica: replica).name(for: drive)
        unit = ServiceUnit(name, program: program, drive: drive)
        formerFolder = former
    }

    /// Where the unit file is, or would be.
    public var path: FolderPath { folder.appending(FileName(unit.name)) }

    /// Writes the unit, starts it, and has it started at every login. Done again, it takes up what has changed.
    public func install() throws {
        // Nothing is written where nobody would read it.
        try Systemd.run(["show-environment"])
        try makeFolder()
        try SmallFile.write(Array(unit.text.utf8), to: path, mode: 0o644)
        try Systemd.run(["daemon-reload"])
        try Systemd.run(["enable", unit.name])
        try Systemd.run(["restart", unit.name])
    }

    /// Stops it and takes the unit away; false where there was none.
    public func remove() throws -> Bool {
        guard path.exists else { return false }
        try Systemd.run(["disable", "--now", unit.name])
        guard path.withPointer({ unlink($0) }) == 0 || errno == ENOENT else { throw SmallFile.failure("remove", path) }
        try Systemd.run(["daemon-reload"])
        // One that had failed stays listed; of others it says that it knows none.
        _ = try? Systemd.ask(["reset-failed", unit.name])
        return true
    }

    public func state() throws -> State {
        guard path.exists else { return .absent }
        if formerFolder != nil { return .elsewhere }
        // Its status tells the same, and differs between versions (systemctl(1), "is-active").
        switch try Systemd.ask(["is-active", unit.name]) {
        case "active", "activating", "reloading": return .running
        case "failed": return .failed
        default: return .stopped
        }
    }

    private func makeFolder() throws(DriveError) {
        for place in folder.ancestry.reversed() where !place.exists {
            guard place.withPointer({ mkdir($0, 0o755) }) == 0 || errno == EEXIST else {
                throw SmallFile.failure("make the folder", place)
            }
        }
    }
}

/// The person's own service manager.
enum Systemd {
    static func run(_ arguments: [String]) throws {
        let (status, _, message) = try call(arguments)
        guard status == 0 else {
            let reason = message.split(separator: "\n").first.map(String.init) ?? "status \(status)"
            throw DriveError(
                .needsDecision,
                "`systemctl --user \(arguments.joined(separator: " "))` failed (\(reason)); log in as the person "
                    + "who is to own the service, on a system with systemd, and try again")
        }
    }

    static func ask(_ arguments: [String]) throws -> String {
        try call(arguments).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func call(_ arguments: [String]) throws -> (status: Int32, output: String, message: String) {
        let files = try TemporaryFiles()
        defer { files.remove() }
        let (output, message) = (files.path("output"), files.path("message"))
        let words = (["--user"] + arguments).map { Array($0.utf8) }
        guard let status = try? Program.run("systemctl", words, output: output, errors: message) else {
            throw DriveError(.needsDecision, "systemctl cannot be run; use `docdrive watch` without a service")
        }
        let texts = [output, message].map { String(decoding: (try? SmallFile.read($0) ?? []) ?? [], as: UTF8.self) }
        return (status, texts[0], texts[1])
    }
}
