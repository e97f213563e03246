// SPDX-License-Identifier: GPL-2.0-only

/// A folder that exists, or existed when last looked at.
///
/// All folders of a tree are on one file system, so the inode number is the identity. Small on purpose: there may be
/// hundreds of thousands.
final class Folder {
    let inode: UInt64
    var name: [UInt8]
    var parent: Folder?
    var children: [[UInt8]: Folder] = [:]
    /// Nil if the kernel has no watch for it: none was left, or it was deleted.
    var watch: Int32?
    /// When something in it was last reported, in seconds; 0 for never.
    var lastReport: UInt32 = 0

    init(inode: UInt64, name: [UInt8]) {
        self.inode = inode
        self.name = name
    }

    /// This folder and all beneath it.
    func forEach(_ body: (Folder) -> Void) {
        var rest = [self]
        while let folder = rest.popLast() {
            body(folder)
            rest.append(contentsOf: folder.children.values)
        }
    }
}

extension Folder: Hashable {
    static func == (a: Folder, b: Folder) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
