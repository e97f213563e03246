import Glibc

/// Whether the disk still gives anything of a file. SQLite calls an index damaged of which it could not read a page
/// (SQLITE_IOERR_CORRUPTFS, vdbe.c): with its disk gone a sound one too.
enum Readability {
    /// What the disk says where it gives no part of the file; nil where it gives some, so that what is wrong is in the file.
    static func refusal(of path: String) -> CInt? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return isOfDisk(errno) ? errno : nil }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { return isOfDisk(errno) ? errno : nil }
        let last = max(0, (Int(facts.st_size) - 1) / block * block)
        var refusal: CInt?
        for place in Set([0, last / 2 / block * block, last]) {
            let code = read(file, place)
            guard code != 0 else { return nil }
            refusal = code
        }
        return refusal.flatMap { isOfDisk($0) ? $0 : nil }
    }

    private static let block = 4096

    /// From the disk, not from what is remembered of it: of one that was unplugged much is still at hand.
    private static func read(_ file: CInt, _ place: Int) -> CInt {
        _ = posix_fadvise(file, off_t(place), off_t(block), POSIX_FADV_DONTNEED)
        let count = withUnsafeTemporaryAllocation(byteCount: block, alignment: block) {
            pread(file, $0.baseAddress, block, off_t(place))
        }
        return count < 0 ? errno : 0
    }

    private static func isOfDisk(_ code: CInt) -> Bool {
        [EIO, ENXIO, ENODEV, ESTALE, ENOTCONN, EREMOTEIO, ETIMEDOUT, ENOMEDIUM].contains(code)
    }
}
