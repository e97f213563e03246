import CLinux
import DriveCore
import Glibc

extension DiskFileStore {
    public func move(
        _ name: FileName, in folder: OpenFolder, to newName: FileName, in newFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome {
        if isOwn(name, in: folder) || isOwn(newName, in: newFolder) { return .impossible }
        let result = dd_move(
            folder.descriptor, name.bytes, name.bytes.count,
            newFolder.descriptor, newName.bytes, newName.bytes.count)
        return try outcome(result, "move it", name, in: folder)
    }

    public func exchange(
        _ name: FileName, in folder: OpenFolder, with otherName: FileName, in otherFolder: OpenFolder
    ) throws(DriveError) -> RenameOutcome {
        if isOwn(name, in: folder) || isOwn(otherName, in: otherFolder) { return .impossible }
        let result = dd_exchange(
            folder.descriptor, name.bytes, name.bytes.count,
            otherFolder.descriptor, otherName.bytes, otherName.bytes.count)
        return try outcome(result, "exchange it", name, in: folder)
    }

    public func obstruction(at name: FileName, in folder: OpenFolder, isLeaving: Bool) -> DriveError? {
        let result = dd_obstruction(folder.descriptor, name.bytes, name.bytes.count, isLeaving)
        if result >= 0 { return nil }
        return DriveError.system(
            -result, "change what is there", path: Descriptor.path(of: name, in: folder.descriptor))
    }

    public func removeFolder(_ name: FileName, in folder: OpenFolder) throws(DriveError) -> RenameOutcome {
        if isOwn(name, in: folder) { return .impossible }
        let result = dd_remove_folder(folder.descriptor, name.bytes, name.bytes.count)
        // A file or a link has the name now: the folder is not there any more.
        if result == -ENOTDIR { return .missing }
        return try outcome(result, "remove the folder", name, in: folder)
    }

    public func discard(_ name: FileName, in area: FileArea) throws(DriveError) {
        guard let folder = areas[area], area == .incoming || area == .trash else {
            throw DriveError(.internalFault, "refused to remove something of a person's", path: "\(name)")
        }
        var result = dd_remove_file(folder.number, name.bytes, name.bytes.count)
        if result == -EISDIR { result = dd_remove_folder(folder.number, name.bytes, name.bytes.count) }
        // What somebody had filled in the moment in which it was taken out has come here as a whole.
        if result == -ENOTEMPTY, area == .trash { return try DiscardedTree(folder).remove(name) }
        if result == -ENOENT { return }
        _ = try check(result, "remove it", path: Descriptor.path(of: name, in: folder.number))
    }

    /// What a rename's result means; a lost race is a value, an impossible name too.
    private func outcome(
        _ result: Int32, _ action: String, _ name: FileName, in folder: OpenFolder
    ) throws(DriveError) -> RenameOutcome {
        switch -result {
        case ...0: return .done
        case EEXIST, ENOTEMPTY: return .occupied
        case ENOENT, ENOTDIR: return .missing
        // With the flags known to work here (`requireTraits`), EINVAL is a folder into itself (rename(2)).
        case EINVAL, ENAMETOOLONG, EILSEQ, Int32(DD_BAD_NAME): return .impossible
        // It lies where the rest does (`isForeignMount` tells what does not): a folder of a layer beneath an overlay, or another quota
        // of a project (rename(2)).
        case EXDEV:
            throw DriveError(
                .unmovable, "cannot \(action): this file system would have it copied; move it by hand (`mv`)",
                path: Descriptor.path(of: name, in: folder.descriptor))
        default: throw .system(-result, action, path: Descriptor.path(of: name, in: folder.descriptor))
        }
    }

    /// Refuses a file system that cannot move without replacing, or exchange: without them an edit that happens in
    /// between would be lost. Also one on which an edit right after another does not show.
    func requireTraits() throws(DriveError) {
        let traits = try traits()
        guard traits.datesEdits else {
            throw DriveError(
                .usage,
                "FAT does not date every edit and has no executable bit, so that edits would go unseen and others be made "
                    + "up; keep the drive on ext4, XFS, Btrfs, F2FS or tmpfs",
                path: String(decoding: path, as: UTF8.self))
        }
        guard traits.canExchange else {
            throw DriveError(
                .usage,
                "this file system cannot exchange two names (renameat2); keep the drive on ext4, XFS, Btrfs, "
                    + "F2FS or tmpfs", path: String(decoding: path, as: UTF8.self))
        }
    }

    /// Takes back what `create` made where it then refused; what is not empty stays.
    func removeEmptyAreas() {
        for area in areas.keys { removeEmpty(DriveLayout.path(of: area)) }
        removeEmpty([DriveLayout.staging])
        _ = dd_remove_folder(rootFolder.number, DriveLayout.state.bytes, DriveLayout.state.bytes.count)
    }

    private func removeEmpty(_ path: [FileName]) {
        var folder = stateFolder
        for name in path.dropLast() {
            guard let next = try? folder.folder(name) else { return }
            folder = next
        }
        if let name = path.last { _ = dd_remove_folder(folder.number, name.bytes, name.bytes.count) }
    }

    /// What the volume of this drive can do; tries it in the staging folder.
    public func traits() throws(DriveError) -> FolderTraits { try FolderTraits(probing: areas[.incoming]!) }
}
