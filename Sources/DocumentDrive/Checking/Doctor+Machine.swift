import DriveCore
import DriveFiles
import DriveImporting
import FileCoordination
import Glibc

// What watches the drive, and what the kernel allows.
extension Doctor {
    /// inotify(7), "/proc interfaces". Folders beyond the limit are only looked at now and then.
    func limits() -> [Report] {
        let limit = ProcFile.number("sys/fs/inotify/max_user_watches")
        let instances = ProcFile.number("sys/fs/inotify/max_user_instances")
        guard let limit, let instances else { return [Report(.warning, "the limits of inotify cannot be read")] }
        var folders = 0
        try? DriveReader(folder).index.eachRow { row in if row.kind == .folder { folders += 1 } }
        let text = "\(limit) folders may be watched, \(folders) are to be; \(instances) watchers at once"
        if folders >= limit {
            return [
                Report(
                    .problem, text,
                    "raise it with `sudo sysctl fs.inotify.max_user_watches=\(max(limit, folders) * 2)`")
            ]
        }
        // Other programs of the user share the number.
        return [Report(folders > limit / 2 || instances < 16 ? .warning : .ok, text)]
    }

    func watcher() throws -> [Report] { [Report(.ok, try WatchProgram.find())] }

    /// Without it documents are found by their names alone.
    func importer() -> [Report] {
        do throws(ImportFailure) { return [Report(.ok, try ImportProgram.find())] } catch {
            return [Report(.warning, "no documents can be read for searches: \(error)")]
        }
    }

    /// As the kernel has it: to take the lock for a look would turn away whoever comes for it in that moment.
    func lock() throws -> [Report] {
        let holder = DriveLock.holder(at: folder.bytes)
        return [Report(.ok, holder.map { "process \($0) works on the drive" } ?? "nobody works on the drive")]
    }

    func service() throws -> [Report] {
        let service = try UserService(drive: folder.resolved, program: .runningProgram)
        switch try service.state() {
        case .absent: return [Report(.ok, "none is installed; `docdrive service install` would watch at every login")]
        case .running: return [Report(.ok, "\(service.unit.name) runs")]
        case .stopped:
            return [
                Report(.warning, "\(service.unit.name) does not run", "`systemctl --user start \(service.unit.name)`")
            ]
        case .failed:
            return [
                Report(.warning, "\(service.unit.name) failed", "`journalctl --user -u \(service.unit.name)` tells why")
            ]
        case .elsewhere:
            let place = service.formerFolder?.description ?? ""
            return [
                Report(
                    .warning, "\(service.unit.name) watches \(place), where the drive is not any more",
                    "run `docdrive service install`")
            ]
        }
    }

    func running() async throws -> [Report] {
        let holder = try await DriveHolder.of(folder)
        guard case .watch(_, let status) = holder else {
            let reason = holder.sentence
            return [
                Report(reason == nil ? .ok : .warning, reason ?? "nothing watches the drive; `docdrive watch` would")
            ]
        }
        var reports = [
            Report(
                .ok,
                "process \(status.process) watches \(status.watched) folder\(status.watched == 1 ? "" : "s"): "
                    + status.phase)
        ]
        if status.unwatched > 0 {
            reports.append(
                Report(
                    .warning, "\(status.unwatched) folders cannot be watched and are looked at now and then",
                    "raise fs.inotify.max_user_watches"))
        }
        if let reason = status.waitsFor { reports.append(Report(.warning, "it waits: \(reason)")) }
        return reports
    }
}

/// Small files of proc(5).
enum ProcFile {
    static func text(_ name: String) -> String? {
        guard let bytes = try? SmallFile.read(FolderPath("/proc/\(name)")) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func number(_ name: String) -> Int? {
        text(name).flatMap { Int($0.split(separator: "\n").first ?? "") }
    }
}
