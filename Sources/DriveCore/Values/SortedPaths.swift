/// Paths of which those in a folder are found without a look at the others.
public struct SortedPaths: Sendable {
    private let paths: [DrivePath]

    public init(_ paths: some Sequence<DrivePath>) { self.paths = paths.sorted() }

    /// One after the other, in their order; the folder itself first.
    public func inside(_ folder: DrivePath) -> some Sequence<DrivePath> {
        // What is in a folder follows it at once, since paths are compared name by name.
        paths[paths.partition { !($0 < folder) }...].lazy.prefix { $0.isInside(folder) }
    }
}

extension Array {
    /// The first place from which on it holds, where it holds of none before.
    package func partition(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
