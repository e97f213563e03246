import CLinux
import DriveCore
import Glibc

/// Moves what lies anywhere on a file system to another place on it.
public enum ExclusiveRename {
    /// One rename that replaces nothing (`RENAME_NOREPLACE`, renameat2(2)), between folders given by their paths. Returns 0
    /// or the error's number: EEXIST where the name is taken, EXDEV between file systems.
    public static func move(
        _ name: FileName, in folder: [UInt8], to newName: FileName, in newFolder: [UInt8]
    ) -> Int32 {
        let target = newFolder.withPathPointer { dd_open_root($0) }
        guard target >= 0 else { return -target }
        defer { close(target) }
        return move(name, in: folder, to: newName, in: target)
    }

    /// To one that is open.
    static func move(_ name: FileName, in folder: [UInt8], to newName: FileName, in target: Int32) -> Int32 {
        let source = folder.withPathPointer { dd_open_root($0) }
        guard source >= 0 else { return -source }
        defer { close(source) }
        let moved = dd_move(source, name.bytes, name.bytes.count, target, newName.bytes, newName.bytes.count)
        // Some file systems do not know the flag: then the name was looked at, and nobody else would choose it.
        if moved != -EINVAL { return -moved }
        var facts = dd_facts()
        let found = dd_look(target, newName.bytes, newName.bytes.count, &facts)
        guard found == -ENOENT else { return found == 0 ? EEXIST : -found }
        return -dd_replace(source, name.bytes, name.bytes.count, target, newName.bytes, newName.bytes.count)
    }
}
