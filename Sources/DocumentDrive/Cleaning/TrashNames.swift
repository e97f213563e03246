import DriveCore

/// The names that the trashes of systems and programs have.
enum TrashNames {
    /// In lower case: Windows writes `$RECYCLE.BIN` and `$Recycle.Bin`.
    private static let names: Set<String> = [
        // At the top of file systems: the specification of freedesktop.org (also `.Trash-UID`), macOS, Windows.
        ".trash", ".trashes", "$recycle.bin",
        // Of file servers: Samba, Synology, QNAP.
        ".recycle", "#recycle", "@recycle",
        // Of programs: Obsidian has `.trash` too; Syncthing's versions; Dropbox keeps there what it deleted lately.
        ".stversions", ".dropbox.cache",
    ]

    static func contains(_ name: FileName) -> Bool {
        let text = name.description.lowercased()
        return names.contains(text) || text.hasPrefix(".trash-")
    }

    /// Resilio Sync keeps old and deleted files in `.sync/Archive`, and its settings beside it.
    static func contains(_ name: FileName, _ next: FileName) -> Bool { name == ".sync" && next == "Archive" }
}
