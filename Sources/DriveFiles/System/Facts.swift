import CLinux
import DriveCore

extension dd_facts {
    var identity: FileIdentity {
        FileIdentity(
            inode: inode,
            birth: has_birth ? FileTime(seconds: birth_seconds, nanoseconds: birth_nanoseconds) : nil)
    }

    var modified: FileTime { FileTime(seconds: modified_seconds, nanoseconds: modified_nanoseconds) }

    /// The owner may execute it (`S_IXUSR`, inode(7)).
    var isExecutable: Bool { kind == DD_KIND_FILE && mode & 0o100 != 0 }

    func facts(on volume: Volume) -> FileFacts {
        FileFacts(
            kind: FileFacts.Kind(rawValue: kind)!, identity: identity, size: size, modified: modified,
            changed: FileTime(seconds: changed_seconds, nanoseconds: changed_nanoseconds),
            isExecutable: isExecutable, isForeignMount: Volume(self) != volume)
    }
}

/// The mounted file system that an item lies on. Numbers of this run: both change when it is mounted again.
public struct Volume: Hashable, Sendable {
    var device: UInt64
    /// Tells a bind mount of the same device; 0 before Linux 5.8.
    var mount: UInt64

    init(_ facts: dd_facts) {
        device = facts.device
        mount = facts.mount
    }

    /// Nil where nothing is there, or it may not be looked at.
    public init?(at path: [UInt8]) {
        var facts = dd_facts()
        guard path.withPathPointer({ dd_look_at_path($0, &facts) }) == 0 else { return nil }
        self.init(facts)
    }

    /// Whether it is one of Btrfs's volumes within another, which no mount shows. False where that is not known.
    func isSubvolume(of other: Volume) -> Bool { device != other.device && mount == other.mount && mount != 0 }
}
