@testable import DocumentDrive
@testable import DriveCore

extension FuzzTarget {
    /// Names and paths as bytes; a first path with its length in front, then another.
    static let paths = FuzzTarget(name: "paths", run: Paths.run, seeds: Paths.seeds)
}

enum Paths {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let first = input.bytes()
        let second = input.remainder()
        try checkName(FileName(bytes: first))
        let path = DrivePath(bytes: first)
        try require(DrivePath(bytes: path.bytes) == path, "a path comes back as it was")
        try require(path.components.allSatisfy { !$0.bytes.isEmpty }, "no component is empty")
        let folder = FolderPath(slash + first.filter { $0 != 0 })
        try check(folder)
        let place = FolderPath(slash + second.filter { $0 != 0 })
        try check(place)
        try inside(place, folder)
        try inside(FolderPath(folder.bytes + slash + second.filter { $0 != 0 }), folder)
    }

    static func seeds() -> [[UInt8]] {
        let pairs = [
            ("a/b", "a/b/c"), ("..", "../x"), ("/srv//drive/.", "/srv/drive/x"), ("", "/"), ("ä", "ä/\u{301}"),
        ]
        return pairs.map { measured(Array($0.utf8)) + Array($1.utf8) }
    }

    static func check(_ path: FolderPath) throws {
        try require(path.bytes.first == 0x2F, "a folder's path is absolute")
        try require(!path.bytes.contains(0), "a folder's path ends where the system sees its end")
        let names = path.bytes.split(separator: 0x2F, omittingEmptySubsequences: true)
        try require(!names.contains([0x2E]) && !names.contains([0x2E, 0x2E]), "a folder's path goes down only")
        try require(FolderPath(path.bytes) == path, "a folder's path comes back as it was")
        try require(path.ancestry.last?.isRoot == true, "all folders lie in the root")
    }

    private static let slash: [UInt8] = [0x2F]

    private static func checkName(_ name: FileName) throws {
        guard name.isValid else { return }
        try require(DrivePath(bytes: name.bytes).components == [name], "a valid name is one component")
        try require((1...255).contains(name.bytes.count), "a valid name fits")
        try require(!name.bytes.contains { $0 == 0 || $0 == 0x2F }, "a valid name leads nowhere")
    }

    /// By name only: nothing here exists, so no link is followed.
    private static func inside(_ place: FolderPath, _ folder: FolderPath) throws {
        guard place.isInside(folder) else { return }
        let beneath = DrivePath(bytes: place.bytes.dropFirst(folder.isRoot ? 0 : folder.bytes.count))
        try require(FolderPath(folder.bytes + slash + beneath.bytes) == place, "what is inside lies beneath")
        try require(place.ancestry.contains(folder), "what is inside has the folder above it")
    }
}
