import DriveCore
import DriveFiles
import FileCoordination
import Glibc

extension SocketPlace {
    /// Of a drive, wherever the process that works on it has its socket.
    init(replica: String, drive: FolderPath) {
        self.init(replica: replica, folder: drive.bytes) {
            guard let process = DriveLock.holder(at: drive.bytes), process > 0, process != getpid() else { return [:] }
            return ProcFile.environment(of: process)
        }
    }
}

extension ProcFile {
    /// What a process of the same person was started with (proc_pid_environ(5)); empty where it cannot be read.
    static func environment(of process: Int32) -> [String: String] {
        var facts = stat()
        guard stat("/proc/\(process)", &facts) == 0, facts.st_uid == geteuid(), let text = text("\(process)/environ")
        else {
            return [:]
        }
        let pairs = text.split(separator: "\0").compactMap { line in
            line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
