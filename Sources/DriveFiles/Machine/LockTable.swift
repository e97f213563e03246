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
            if let holder = holder(in: String(cString: text), of: inodes) { return holder }
        }
        return nil
    }

    /// `1: FLOCK  ADVISORY  WRITE 2718 08:01:31415 0 EOF`; who only waits has an arrow behind the number.
    private static func holder(in line: String, of inodes: [String]) -> Int32? {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK", let inode = words[5].split(separator: ":").last,
            inodes.contains(String(inode))
        else { return nil }
        return Int32(words[4])
    }

    private static func inode(at place: [UInt8]) -> String? {
        var facts = stat()
        return place.withPathPointer { stat($0, &facts) } == 0 ? "\(facts.st_ino)" : nil
    }
}
