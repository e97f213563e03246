import DocumentDrive
import DriveCore
import DriveIndex

/// Prints bare paths that the shell can use, relative to the current folder where they lie in it.
struct FoundPrinter {
    private let output: OutputOptions
    private let nul: Bool
    private let long: Bool
    private let drive: FolderPath
    private let base: DrivePath
    private let isHere: Bool

    /// `base` is the current folder beneath the drive, if it lies in it.
    init(output: OutputOptions, nul: Bool, long: Bool, drive: FolderPath, base: DrivePath?) {
        self.output = output
        self.nul = nul
        self.long = long
        self.drive = drive
        self.base = base ?? .root
        isHere = FolderPath.currentFolder.resolved.isInside(drive.resolved)
    }

    /// Whether sizes, dates and states are printed too.
    var needsItems: Bool { output.isJSON || long }

    func print(_ items: [FoundItem]) {
        ItemPrinter(output: output, nul: false, long: long, base: .root).print(items)
    }

    /// Escaped for terminals alone: what reads a pipe gets the bytes of names.
    func print(_ paths: PathList) {
        let above = drive.bytes + [0x2F]
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

    /// For people.
    func text(_ path: DrivePath) -> String { Escaped.text(String(decoding: usable(path), as: UTF8.self)) }

    private func usable(_ path: DrivePath) -> [UInt8] {
        guard isHere, path.isInside(base) else { return drive.bytes + [0x2F] + path.bytes }
        if path == base { return [0x2E] }
        return base.isRoot ? path.bytes : Array(path.bytes.dropFirst(base.bytes.count + 1))
    }
}
