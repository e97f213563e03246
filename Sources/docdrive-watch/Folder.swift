// SPDX-License-Identifier: GPL-2.0-only

/// A folder that exists, or existed when last looked at.
///
/// All folders of a tree are on one file system, so the inode number is the identity. Small on purpose: there may be
/// hundreds of thousands.
final class Folder {
    let inode: UInt64
    fileprivate var shortName: FolderName
    var parent: Folder?
    var children = FolderChildren()
    // A number, for an optional would make the object larger.
    private var watchNumber: Int32 = -1
    /// When something in it was last reported, in seconds; 0 for never.
    var lastReport: UInt32 = 0

    init(inode: UInt64, name: [UInt8]) {
        self.inode = inode
        shortName = FolderName(name)
    }

    /// Must not change while it is among somebody's children.
    var name: [UInt8] {
        get { shortName.bytes }
        set { shortName = FolderName(newValue) }
    }

    /// Nil if the kernel has no watch for it: none was left, or it was deleted.
    var watch: Int32? {
        get { watchNumber < 0 ? nil : watchNumber }
        set { watchNumber = newValue ?? -1 }
    }

    /// This folder and all beneath it.
    func forEach(_ body: (Folder) -> Void) {
        var rest = [self]
        while let folder = rest.popLast() {
            body(folder)
            rest.append(contentsOf: folder.children)
        }
    }
}

extension Folder: Hashable {
    static func == (a: Folder, b: Folder) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What is in a folder, by name. The names are kept by the folders alone.
struct FolderChildren: Sequence {
    private struct Child: Hashable {
        let folder: Folder

        static func == (a: Child, b: Child) -> Bool { a.folder.shortName == b.folder.shortName }
        func hash(into hasher: inout Hasher) { hasher.combine(folder.shortName) }
    }

    private var children: Set<Child> = []

    subscript(name: [UInt8]) -> Folder? {
        guard !children.isEmpty, let place = children.firstIndex(of: Child(folder: Folder(inode: 0, name: name)))
        else { return nil }
        return children[place].folder
    }

    /// In the place of one that has its name.
    mutating func insert(_ folder: Folder) { children.update(with: Child(folder: folder)) }

    /// Does nothing unless it is this one that has the name.
    mutating func remove(_ folder: Folder) {
        guard let place = children.firstIndex(of: Child(folder: folder)), children[place].folder === folder else {
            return
        }
        children.remove(at: place)
    }

    func makeIterator() -> some IteratorProtocol<Folder> { children.lazy.map(\.folder).makeIterator() }
}
