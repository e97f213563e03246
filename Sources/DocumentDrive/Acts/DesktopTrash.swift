import DriveCore
import DriveFiles
import Glibc

/// The trash of a person's desktop (freedesktop.org, "Trash Specification" 1.0), on the disk of the home folder.
struct DesktopTrash {
    private let folder: FolderPath

    init() throws {
        let data = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? ""
        guard
            let base = data.hasPrefix("/") ? FolderPath(data) : FolderPath.home?.appending(".local").appending("share")
        else { throw DriveError(.usage, "there is no home folder, so there is no trash; set HOME") }
        folder = base.appending("Trash")
        for place in folder.ancestry.reversed() + [folder.appending("files"), folder.appending("info")] {
            _ = place.withPointer { mkdir($0, 0o700) }
        }
    }

    func take(_ path: FolderPath) throws {
        guard let slash = path.bytes.lastIndex(of: 0x2F) else { return }
        let name = Array(path.bytes[(slash + 1)...])
        for ordinal in 1..<1_000 {
            let free = FileName(bytes: (ordinal == 1 ? name : name.prefix(240) + Array(".\(ordinal)".utf8)))
            let note = folder.appending("info").appending(FileName(bytes: free.bytes + Array(".trashinfo".utf8)))
            // The note claims the name, as the specification has it.
            let number = note.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            if number < 0, errno == EEXIST { continue }
            guard number >= 0 else { throw SmallFile.failure("write", note) }
            defer { close(number) }
            let text = Array("[Trash Info]\nPath=\(escaped(path))\nDeletionDate=\(date())\n".utf8)
            _ = text.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            let target = folder.appending("files").appending(free)
            guard path.withPointer({ from in target.withPointer { rename(from, $0) } }) == 0 else {
                let failure = errno
                _ = note.withPointer { unlink($0) }
                errno = failure
                throw DriveError(
                    .inputOutput,
                    "it cannot be moved to the trash (\(String(cString: strerror(failure)))); remove it by hand",
                    path: path.description)
            }
            return
        }
        throw DriveError(.usage, "the trash has too many files of this name; empty it", path: path.description)
    }

    private func escaped(_ path: FolderPath) -> String {
        path.bytes.map { byte in
            switch byte {
            case 0x2D...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x7E: String(Unicode.Scalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    private func date() -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
