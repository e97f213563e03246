import DocumentDrive
import DriveCore
import DriveIndex

/// Paths that the shell can use, relative to the current folder where they lie in it.
struct ShellPaths {
    fileprivate let drive: FolderPath
    fileprivate let base: DrivePath
    fileprivate let isHere: Bool

    /// `base` is the current folder beneath the drive, if it lies in it.
    init(_ drive: FolderPath, base: DrivePath?) {
        self.drive = drive
        self.base = base ?? .root
        isHere = FolderPath.currentFolder.resolved.isInside(drive.resolved)
    }

    func bytes(_ path: DrivePath) -> [UInt8] {
        guard isHere, path.isInside(base) else { return drive.bytes + [0x2F] + path.bytes }
        if path == base { return [0x2E] }
        return base.isRoot ? path.bytes : Array(path.bytes.dropFirst(base.bytes.count + 1))
    }
}

/// Prints bare paths that the shell can use.
struct FoundPrinter {
    private let output: OutputOptions
    private let nul: Bool
    private let long: Bool
    private let places: ShellPaths

    init(output: OutputOptions, nul: Bool, long: Bool, _ places: ShellPaths) {
        self.output = output
        self.nul = nul
        self.long = long
        self.places = places
    }

    /// Whether sizes, dates and states are printed too.
    var needsItems: Bool { output.isJSON || long }

    func print(_ items: [FoundItem]) {
        ItemPrinter(output: output, long: long, name: places.bytes).print(items)
    }

    /// Escaped for terminals alone: what reads a pipe gets the bytes of names.
    func print(_ paths: PathList) {
        let (base, isHere) = (places.base, places.isHere)
        let above = places.drive.bytes + [0x2F]
        let prefix = base.isRoot ? [] : base.bytes + [0x2F]
        let end: UInt8 = nul ? 0 : 0x0A
        let escapes = !nul && Output.isTerminal
        var bytes: [UInt8] = []
        paths.forEach { path in
            let start = bytes.count
            if isHere, path.starts(with: prefix), path.count > prefix.count {
                bytes += path.dropFirst(prefix.count)
            } else if isHere, path.elementsEqual(base.bytes) {
                bytes.append(0x2E)
            } else {
                bytes += above
                bytes += path
            }
            if escapes {
                let text = Escaped.text(String(decoding: bytes[start...], as: UTF8.self))
                bytes.replaceSubrange(start..., with: text.utf8)
            }
            bytes.append(end)
        }
        Output.bytes(bytes)
    }

    /// A line with something before the path.
    func print(_ path: DrivePath, after start: String) { Output.line(start, listing: places.bytes(path)) }
}
