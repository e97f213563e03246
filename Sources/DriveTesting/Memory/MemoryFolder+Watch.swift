public import DriveCore

// A perfect watcher: every change in the root is known by the folder that it is in, and where that folder is now. What is
// written through a mapping it does not see, as inotify does not.
extension MemoryFolder {
    /// Folders in which something changed since the last call, by number, for they may move.
    public func takeTouched() -> Set<Int> {
        lastTouched = touched
        touched.removeAll(keepingCapacity: true)
        return lastTouched
    }

    /// What was taken is to be looked at again.
    public func touch(_ folders: Set<Int>) { touched.formUnion(folders) }

    /// Where these and those touched since are in the root now.
    public func touchedPaths(and folders: Set<Int>) -> Set<DrivePath> {
        var result: Set<DrivePath> = []
        for number in touched.union(folders) { if let path = pathInRoot(number) { result.insert(path) } }
        return result
    }

    /// Who looks at what was touched there may look for it at the old place.
    func touchAgain(movedWith folder: MemoryNode) {
        guard folder.kind == .folder else { return }
        for number in lastTouched {
            if let node = folderNode(number), isInside(node, folder) { touched.insert(number) }
        }
    }

    private func pathInRoot(_ number: Int) -> DrivePath? {
        var names: [FileName] = []
        var number = number
        while number != Self.root {
            guard let folder = folderNode(number), folder.parent != 0 else { return nil }
            names.append(folder.name)
            number = folder.parent
        }
        return DrivePath(names.reversed())
    }
}
