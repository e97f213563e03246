import Glibc

extension DriveLock {
    /// The process that works on a drive now, as the kernel's table of locks has it (proc_locks(5)): to take the lock for a
    /// look would turn away whoever comes for it in that moment. Nil where nobody does, or it cannot be told.
    public static func holder(at path: [UInt8]) -> Int32? {
        let folder: [UInt8] = path + [0x2F] + DriveLayout.state.bytes
        let lock: [UInt8] = folder + [0x2F] + DriveLayout.lock.bytes
        // Of who has the folder somebody may have removed the file.
        let inodes = [lock, folder].compactMap { inode(at: $0) }
        guard !inodes.isEmpty, let file = fopen("/proc/locks", "re") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0, let text = line {
            guard let lock = FolderLock(String(cString: text)), inodes.contains(lock.inode) else { continue }
            // Of two disks that were filled alike the same files have the same numbers.
            if let device = device(at: folder), device != lock.device { continue }
            return lock.process
        }
        return nil
    }

    private static func inode(at place: [UInt8]) -> String? {
        var facts = stat()
        return place.withPathPointer { stat($0, &facts) } == 0 ? "\(facts.st_ino)" : nil
    }

    /// As the table names it, of the file system itself: those of a file may be of a subvolume. Nil where it cannot be told.
    private static func device(at place: [UInt8]) -> String? {
        let number = place.withPathPointer { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { return nil }
        defer { close(number) }
        // proc(5): `mnt_id:` of a file, and the mount with that number, whose third field is the device.
        guard let line = lines(of: "/proc/self/fdinfo/\(number)").first(where: { $0.hasPrefix("mnt_id:") }),
            let mount = line.split(separator: "\t").last
        else { return nil }
        for line in lines(of: "/proc/self/mountinfo") {
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count > 3, words[0] == mount else { continue }
            let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }
            return numbers.count == 2 ? FolderLock.device(numbers[0], numbers[1]) : nil
        }
        return nil
    }

    /// Mounts may have names that are no text; what is looked for is in front of them.
    private static func lines(of file: String) -> [Substring] {
        guard let handle = fopen(file, "re") else { return [] }
        defer { fclose(handle) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while case let count = fread(&part, 1, part.count, handle), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}

/// A line of the table: `1: FLOCK  ADVISORY  WRITE 2718 08:01:31415 0 EOF`; who only waits has an arrow behind the number.
private struct FolderLock {
    let process: Int32
    let device: String
    let inode: String

    init?(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK", let process = Int32(words[4]),
            let end = words[5].lastIndex(of: ":")
        else { return nil }
        self.process = process
        device = String(words[5][..<end])
        inode = String(words[5][words[5].index(after: end)...])
    }

    /// locks_get_lock_info in fs/locks.c of the kernel: `%02x:%02x`.
    static func device(_ major: UInt32, _ minor: UInt32) -> String {
        [major, minor].map { number in
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
