import DriveCore

/// What is mounted where, as this process sees it (proc_pid_mounts(5)).
struct MountTable {
    private var mounts: [(place: FolderPath, kind: String)] = []

    /// Empty where the kernel does not tell.
    static var current: MountTable { MountTable((try? SmallFile.read(FolderPath("/proc/self/mounts"))) ?? []) }

    /// Changes made by other machines are not announced there.
    private static let remote = ["nfs", "cifs", "smb", "fuse", "9p", "ceph", "afs", "virtiofs"]

    /// Whether a kind of file system is one of those.
    static func isRemote(_ kind: String) -> Bool { remote.contains(where: kind.hasPrefix) }

    init(_ text: [UInt8]) {
        for line in text.split(separator: 0x0A) {
            let fields = line.split(separator: 0x20)
            guard fields.count > 2 else { continue }
            mounts.append((FolderPath(Self.unescaped(fields[1])), String(decoding: fields[2], as: UTF8.self)))
        }
    }

    /// The last one at the longest path counts.
    func kind(of path: FolderPath) -> String? {
        var best: (length: Int, kind: String)?
        for mount in mounts where path == mount.place || path.isInside(mount.place) {
            if mount.place.bytes.count >= best?.length ?? 0 { best = (mount.place.bytes.count, mount.kind) }
        }
        return best?.kind
    }

    /// Where something is mounted beneath a folder, of whose path no part is a link.
    func places(in folder: FolderPath) -> [DrivePath] {
        let start = folder.bytes.last == 0x2F ? folder.bytes : folder.bytes + [0x2F]
        return mounts.map(\.place.bytes).filter { $0.count > start.count && $0.starts(with: start) }
            .map { DrivePath(bytes: Array($0.dropFirst(start.count))) }
    }

    /// Spaces and the like are three octal digits.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            if byte == 0x5C, rest.count >= 3,
                let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                result.append(value)
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
