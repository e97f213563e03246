import CLinux
import DriveCore
import DriveTesting
import Glibc

/// A person's acts in a real folder, in which a pass may be at work at the same time.
///
/// Whoever writes holds the file open, and afterwards looks at what became of it. So what is reported is what happened,
/// not what was there a moment before: only people write into files, and an inode without a name is what was replaced.
struct DiskHands {
    let root: String
    /// A folder beside the drive, on the same file system, where new files are made.
    let side: String

    func text(_ path: DrivePath) -> String { path.isRoot ? root : "\(root)/\(path)" }

    func perform(_ command: HistoryCommand, at path: DrivePath) -> [HistoryEffect] {
        let bytes = HistoryBytes(command)
        switch command.action {
        case .write: return write(path, bytes)
        case .save: return save(path, bytes)
        case .append: return append(path, bytes)
        case .rename(_, let target): return move(path, target, isOver: false)
        case .moveOver(_, let target): return move(path, target, isOver: true)
        case .delete: return remove(path)
        case .makeFolder: return mkdir(text(path), 0o755) == 0 ? [.madeFolder(path)] : []
        case .setExecutable(_, let flag): return setExecutable(flag, path)
        default: return []
        }
    }

    private func write(_ path: DrivePath, _ bytes: HistoryBytes) -> [HistoryEffect] {
        guard let file = OpenFile(text(path), O_RDWR) else { return create(path, bytes.new()) }
        let before = file.bytes()
        let new = bytes.new(atLeast: before.count)
        pwrite(file.number, new, new.count, 0)
        return [.wrote(path, new, instead: before, isAway: !file.isAt(text(path)))]
    }

    private func append(_ path: DrivePath, _ bytes: HistoryBytes) -> [HistoryEffect] {
        guard let file = OpenFile(text(path), O_RDWR | O_APPEND) else { return [] }
        let before = file.bytes()
        Glibc.write(file.number, bytes.more, bytes.more.count)
        return [.wrote(path, before + bytes.more, instead: before, isAway: !file.isAt(text(path)))]
    }

    /// The new file has its name only when it is whole.
    private func create(_ path: DrivePath, _ bytes: [UInt8]) -> [HistoryEffect] {
        guard let new = newFile(bytes, mode: 0o644),
            renameNew(new, text(path))
        else { return [] }
        return [.wrote(path, bytes, instead: nil, isAway: false)]
    }

    private func save(_ path: DrivePath, _ bytes: HistoryBytes) -> [HistoryEffect] {
        let new = bytes.new()
        guard let old = OpenFile(text(path), O_RDONLY) else { return create(path, new) }
        guard let file = newFile(new, mode: old.facts.st_mode & 0o777) else { return [] }
        guard Glibc.rename(file, text(path)) == 0 else {
            unlink(file)
            return []
        }
        if old.hasNoName { return [.wrote(path, new, instead: old.bytes(), isAway: false)] }
        return [.replacedSomething(path), .wrote(path, new, instead: nil, isAway: false)]
    }

    private func newFile(_ bytes: [UInt8], mode: mode_t) -> String? {
        let name = "\(side)/new"
        let number = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard number >= 0 else { return nil }
        defer { close(number) }
        fchmod(number, mode)
        return Glibc.write(number, bytes, bytes.count) == bytes.count ? name : nil
    }

    /// Gives it a name that is free, or nothing happens; what was made beside the drive is then removed.
    private func renameNew(_ old: String, _ new: String) -> Bool {
        let (from, to) = (split(old), split(new))
        defer { if old.hasPrefix(side) { unlink(old) } }
        guard let source = OpenFile(from.folder, O_RDONLY, alsoFolders: true),
            let target = OpenFile(to.folder, O_RDONLY, alsoFolders: true)
        else { return false }
        return dd_move(source.number, from.name, from.name.count, target.number, to.name, to.name.count) == 0
    }

    private func split(_ path: String) -> (folder: String, name: [UInt8]) {
        let parts = path.split(separator: "/")
        return ("/" + parts.dropLast().joined(separator: "/"), Array((parts.last ?? "").utf8))
    }

    private func move(_ path: DrivePath, _ target: DrivePath, isOver: Bool) -> [HistoryEffect] {
        if path == target { return [] }
        guard let file = OpenFile(text(path), O_RDONLY, alsoFolders: true) else { return [] }
        var replaced: OpenFile?
        if isOver, !file.isFolder { replaced = OpenFile(text(target), O_RDONLY) }
        if replaced != nil {
            guard Glibc.rename(text(path), text(target)) == 0 else { return [] }
        } else {
            guard renameNew(text(path), text(target)) else { return [] }
        }
        if file.isFolder {
            let inside = tree(target).compactMapValues(\.bytes)
            return [.movedFolder(path, to: target, inside: inside)]
        }
        // A pass may have put another file there just before.
        let bytes = file.isAt(text(target)) ? file.bytes() : look(target)?.bytes ?? file.bytes()
        if let replaced, !replaced.hasNoName {
            return [.replacedSomething(target), .moved(path, to: target, bytes, instead: nil)]
        }
        return [.moved(path, to: target, bytes, instead: replaced?.bytes())]
    }

    private func remove(_ path: DrivePath, withFolder: Bool = false) -> [HistoryEffect] {
        guard let file = OpenFile(text(path), O_RDONLY, alsoFolders: true) else { return [] }
        if !file.isFolder {
            guard unlink(text(path)) == 0 else { return [] }
            return file.hasNoName
                ? [.removed(path, file.bytes(), withFolder: withFolder)] : [.replacedSomething(path)]
        }
        var effects: [HistoryEffect] = []
        for name in names(path) { effects += remove(path.appending(name), withFolder: true) }
        if rmdir(text(path)) == 0 { effects.append(.removedFolder(path)) }
        return effects
    }

    private func setExecutable(_ flag: Bool, _ path: DrivePath) -> [HistoryEffect] {
        guard let file = OpenFile(text(path), O_RDONLY) else { return [] }
        let mode = file.facts.st_mode & 0o777
        fchmod(file.number, flag ? mode | 0o111 : mode & ~0o111)
        return [.setExecutable(path, file.bytes(), flag)]
    }
}
