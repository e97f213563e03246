import DocumentDrive
import DriveCore
import Glibc

extension PathArgument {
    /// The folder as a place in the drive; nil for the whole of it. A link stands for the folder that it leads to.
    func folder(in drive: FolderPath, for asker: String) throws(DriveError) -> DrivePath? {
        let target = folder.resolved
        let kind = target.fileType(stat)
        guard kind == S_IFDIR else {
            let what = kind == S_IFREG ? "a file; name the folder that it is in" : "none; name one in the drive"
            throw DriveError(.usage, "\(asker) takes a folder, and this is \(what)", path: folder.description)
        }
        guard let path = target.path(beneath: drive) else {
            throw DriveError(.usage, "the folder leads out of the drive; name one in it", path: folder.description)
        }
        return path.isRoot ? nil : path
    }
}

extension PathArgument {
    /// Where a folder is wanted, and a file is there.
    func refuseFile(_ advice: String) throws(DriveError) {
        // Nil also where it may not be looked at.
        guard let kind = folder.fileType(stat), kind != S_IFDIR else { return }
        throw DriveError(.usage, "this is a file; \(advice)", path: folder.description)
    }
}

extension FolderPath {
    /// Also where it leads nowhere: then it is still an item of its folder.
    var isLink: Bool { fileType(lstat) == S_IFLNK }

    /// Or a link that leads to one.
    var isFolder: Bool { fileType(stat) == S_IFDIR }

    fileprivate func fileType(_ look: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32) -> mode_t? {
        var facts = stat()
        return look(bytes.map(CChar.init(bitPattern:)) + [0], &facts) == 0 ? facts.st_mode & S_IFMT : nil
    }
}
