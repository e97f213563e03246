import DriveCore
import DriveFiles

/// The ignore rules that a new drive begins with.
enum DefaultRules {
    /// Written where everything that comes into the folder is, and never over a file of the person's.
    static func place(in files: DiskFileStore, entropy: any Entropy) throws {
        let bytes = Array(IgnoreRules.defaultFile.utf8)
        let draft = FileName("rules-\(entropy.nonce(16))")
        let writer = try files.stageFile(draft, size: UInt64(bytes.count))
        try bytes.withUnsafeBytes { try writer.write($0) }
        _ = try writer.finish(Attributes())
        try files.makeDurable()
        let root = try files.open(.root)
        if try files.move(draft, in: files.open(.incoming), to: IgnoreRules.fileName, in: root) != .done {
            try files.discard(draft, in: .incoming)
        }
    }
}
