import CLinux
import DriveCore
import Glibc

extension FolderObjectStore {
    /// Begins with a dot, so it is no key: an unfinished object is never seen.
    private static let draftPrefix = ".docdrive-put-"

    func write(_ key: StoreKey, _ bytes: [UInt8]) throws(DriveError) {
        let root = try root()
        do throws(DriveError) {
            try write(key, bytes, beneath: root)
        } catch  where error.kind == .notFound {
            // A tool that removes empty folders came between; once more, from the top.
            forgetDurable()
            try write(key, bytes, beneath: root)
        }
    }

    private func write(_ key: StoreKey, _ bytes: [UInt8], beneath root: Descriptor) throws(DriveError) {
        let place = "\(displayPath)/\(key.text)"
        let folder = try makeFolder(key.folder, beneath: root)
        let draft = FileName(Self.draftPrefix + String(UInt64.random(in: 0...(.max)), radix: 16))
        let number = dd_create_file(folder.number, draft.bytes, draft.bytes.count, 0o666)
        let file = Descriptor(try check(number, "store the object", path: place))
        SharedStore(try root.facts())?.open(file, isFolder: false)
        var isRenamed = false
        defer { if !isRenamed { _ = dd_remove_file(folder.number, draft.bytes, draft.bytes.count) } }
        if claimTidying(key.folder) { removeAbandoned(in: folder, before: try file.facts().modified) }
        try write(bytes, to: file)
        _ = try check(dd_sync(file.number), "write the object to the disk", path: place)
        var naming = try publish(draft, as: key.name, in: folder, path: place)
        if naming == .taken, try removeFolder(key.name, in: folder, path: place) {
            naming = try publish(draft, as: key.name, in: folder, path: place)
        }
        isRenamed = naming == .renamed
        if naming == .taken, try !holds(key, bytes, in: root) {
            throw DriveError(
                .corrupt, "the store has other bytes under a name that only this device may write; look who changed it",
                path: place)
        }
        try sync(folder, path: place)
        remember(key)
    }

    private func write(_ bytes: [UInt8], to file: Descriptor) throws(DriveError) {
        guard bytes.count >= largeBytes else { return try file.write(bytes) }
        var writer = DirectWriter(file)
        try bytes.withUnsafeBufferPointer { all throws(DriveError) in
            try writer.write(UnsafeRawBufferPointer(all))
        }
        try writer.finish()
    }

    /// Removes what writers left that died more than a day ago, by the folder's own clock. Best effort.
    private func removeAbandoned(in folder: Descriptor, before now: FileTime) {
        let prefix = Array(Self.draftPrefix.utf8)
        try? forEachEntry(in: folder.number) { name, _, _ throws(DriveError) in
            var facts = dd_facts()
            guard name.starts(with: prefix), dd_look(folder.number, name.baseAddress, name.count, &facts) == 0 else {
                return
            }
            if facts.modified_seconds < now.seconds - 86_400 {
                _ = dd_remove_file(folder.number, name.baseAddress, name.count)
            }
        }
    }

    private enum Naming { case renamed, linked, taken }

    /// Gives a finished file its name without replacing.
    private func publish(
        _ draft: FileName, as name: FileName, in folder: Descriptor, path: String
    ) throws(DriveError) -> Naming {
        let number = folder.number
        var naming = Naming.renamed
        var result = dd_move(number, draft.bytes, draft.bytes.count, number, name.bytes, name.bytes.count)
        // NFS and some FUSE file systems know no flags (rename(2)): a second name does not replace either.
        if result == -EINVAL || result == -ENOSYS {
            naming = .linked
            result = dd_link(number, draft.bytes, draft.bytes.count, number, name.bytes, name.bytes.count)
        }
        // Nor hard links (exFAT, SMB, sshfs). Names are written once and by one device, so looking first is enough.
        if result == -EPERM || result == -EOPNOTSUPP || result == -ENOSYS || result == -EMLINK {
            var facts = dd_facts()
            if dd_look(number, name.bytes, name.bytes.count, &facts) == 0 { return .taken }
            naming = .renamed
            result = dd_replace(number, draft.bytes, draft.bytes.count, number, name.bytes, name.bytes.count)
        }
        if result == -EEXIST { return .taken }
        _ = try check(result, "store the object", path: path)
        return naming
    }

    /// Whether an empty folder, which is no object, was in the way and is gone.
    private func removeFolder(_ name: FileName, in folder: Descriptor, path: String) throws(DriveError) -> Bool {
        let result = dd_remove_folder(folder.number, name.bytes, name.bytes.count)
        if result == -ENOTEMPTY || result == -EEXIST {
            throw DriveError(
                .permissionDenied, "a folder lies where the store has an object; move it out of the store", path: path)
        }
        return result == 0
    }

    /// The folder beneath the store's, made if missing, and durable when the call returns.
    private func makeFolder(_ path: [FileName], beneath root: Descriptor) throws(DriveError) -> Descriptor {
        var current = root
        let shared = SharedStore(try root.facts())
        for depth in path.indices {
            let name = path[depth]
            let above = Array(path[...depth])
            let folder = current
            let place = { Descriptor.path(of: name, in: folder.number) }
            var next = try current.folder(name)
            if next == nil {
                let made = dd_make_folder(current.number, name.bytes, name.bytes.count, 0o777)
                if made < 0, made != -EEXIST { throw .system(-made, "make the folder", path: place()) }
                next = try current.folder(name)
                if made >= 0, let next { shared?.open(next, isFolder: true) }
            }
            guard let next else {
                throw DriveError(.permissionDenied, "a link or a file is in the way; remove it", path: place())
            }
            // Also where it was there: whoever made it may not have come to sync it.
            if !isDurable(above) {
                try sync(current, path: place())
                setDurable(above)
            }
            current = next
        }
        return current
    }

    private func sync(_ folder: Descriptor, path: String) throws(DriveError) {
        let result = dd_sync(folder.number)
        // Some network and FUSE file systems cannot sync a folder (fsync(2)): nothing better is to be had there.
        if result < 0, (-result).meansUnsupported { return }
        _ = try check(result, "write the store's folder to the disk", path: path)
    }
}
