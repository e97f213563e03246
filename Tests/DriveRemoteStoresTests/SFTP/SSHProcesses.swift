import DriveCore
import Foundation

/// The processes that a store started, told by a variable in their environment.
struct SSHProcesses {
    /// To be given to the store.
    let mark = ["DOCDRIVE_TEST_MARK": UUID().uuidString]

    /// Those that run.
    func running() -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let children = tasks.flatMap { task in
            let list = (try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? ""
            return list.split(separator: " ").compactMap { Int32($0) }
        }
        return children.filter { child in
            guard let data = FileManager.default.contents(atPath: "/proc/\(child)/environ") else { return false }
            return String(decoding: data, as: UTF8.self).contains(mark["DOCDRIVE_TEST_MARK"] ?? "-")
        }
    }

    /// Whether nothing is left of a process, not even to be waited for.
    static func isGone(_ process: Int32) -> Bool { !FileManager.default.fileExists(atPath: "/proc/\(process)/stat") }
}
