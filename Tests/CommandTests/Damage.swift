import Foundation
import Glibc

/// Changes bytes as a failing disk does.
enum Damage {
    /// A folder of a file system that does not note writes through a map in a file's dates; nil where there is none.
    static let quietPlace: String? = {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        return mounts.contains(" /dev/shm tmpfs ") ? "/dev/shm/" : nil
    }()

    /// Changes one bit and, on a quiet place, no date.
    static func flipBit(_ bit: Int, of path: String) throws {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        var facts = stat()
        fstat(file, &facts)
        let size = Int(facts.st_size)
        guard size > 0, let bytes = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), bytes != MAP_FAILED
        else { throw POSIXError(.EIO) }
        defer { munmap(bytes, size) }
        bytes.assumingMemoryBound(to: UInt8.self)[bit / 8 % size] ^= 1 << UInt8(bit % 8)
    }
}

extension Machine {
    /// Paths of the store's objects of one kind: `pack`, `log`, `head`, `blob`.
    func objects(_ kind: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: "\(root)/store")?.allObjects as? [String] ?? []
        return all.filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(root)/store/\(path)", isDirectory: &isFolder)
            return !isFolder.boolValue && path.contains("/\(kind)")
        }.sorted().map { "store/\($0)" }
    }

    func flipBit(_ bit: Int, of path: String) throws { try Damage.flipBit(bit, of: "\(root)/\(path)") }
}
