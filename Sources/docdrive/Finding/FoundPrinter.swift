import DocumentDrive
import DriveCore
import DriveIndex

/// Prints bare paths that the shell can use, relative to the current folder where they lie in it.
struct FoundPrinter {
    let output: OutputOptions
    let nul: Bool
    let long: Bool
    let drive: FolderPath
    let base: DrivePath

    func print(_ items: [FoundItem]) {
        if output.json || output.jsonl || long {
            ItemPrinter(output: output, nul: false, long: long, base: .root).print(items)
            return
        }
        for item in items {
            if nul { Output.bytes(usable(item.path) + [0]) } else { Output.line(text(item.path)) }
        }
    }

    /// For people.
    func text(_ path: DrivePath) -> String { Escaped.text(String(decoding: usable(path), as: UTF8.self)) }

    private func usable(_ path: DrivePath) -> [UInt8] {
        let here = FolderPath.currentFolder.resolved
        guard here.isInside(drive.resolved), path.isInside(base) else { return drive.bytes + [0x2F] + path.bytes }
        return DrivePath(Array(path.components.dropFirst(base.components.count))).bytes
    }
}
