public import DriveCore

// A perfect watcher: every change in the root is known by its name and the folder that it is in, and where that folder is
// now. What is written through a mapping it does not see, as inotify does not.
extension MemoryFolder {
    /// What changed since the last call, by the numbers of folders, for they may move.
    public func takeTouched() -> TouchedNames<Int> {
        lastTouched = touched
        touched = TouchedNames()
        return lastTouched
    }

    /// Where these and what was touched since are in the root now.
    public func touchedPaths(and names: TouchedNames<Int>) -> TouchedPaths {
        touched.union(names).placed(pathInRoot)
    }

    /// Who looks at what was touched there may look for it at the old place.
    func touchAgain(movedWith folder: MemoryNode) {
        guard folder.kind == .folder else { return }
        for number in lastTouched.folders {
            if let node = folderNode(number), isInside(node, folder) { touched.insert(whole: number) }
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
