import Glibc

/// Which processes have locks of a drive's lock file. The kernel says it only beside their open files (proc_pid_fdinfo(5)), so
/// this looks through those of all processes of this user: for sentences, when somebody waits.
enum LockHolders {
    struct Lock: Hashable {
        var process: Int32
        var place: Int64
        var isAlone: Bool
    }

    /// Locks of this open file, or of a file of this path, that other processes have.
    static func others(file: [UInt8]) -> [Lock] {
        var facts = stat()
        guard stat(file.map { CChar(bitPattern: $0) } + [0], &facts) == 0 else { return [] }
        return names(in: "/proc").compactMap { Int32($0) }.filter { $0 != getpid() }.flatMap { process in
            locks(of: process, device: facts.st_dev, inode: facts.st_ino)
        }
    }

    private static func locks(of process: Int32, device: dev_t, inode: ino_t) -> [Lock] {
        names(in: "/proc/\(process)/fd").flatMap { number -> [Lock] in
            var facts = stat()
            guard stat("/proc/\(process)/fd/\(number)", &facts) == 0, facts.st_dev == device, facts.st_ino == inode,
                let bytes = SmallProcFile.bytes("/proc/\(process)/fdinfo/\(number)")
            else { return [] }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Lock($0, process) }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { name in
                    String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}

extension LockHolders.Lock {
    /// `lock:	1: OFDLCK ADVISORY  WRITE -1 fe:00:16221729 START END`
    init?(_ line: Substring, _ process: Int32) {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard words.count >= 9, words[0] == "lock:", words[2] == "OFDLCK", let place = Int64(words[7]) else {
            return nil
        }
        self.init(process: process, place: place, isAlone: words[4] == "WRITE")
    }
}
