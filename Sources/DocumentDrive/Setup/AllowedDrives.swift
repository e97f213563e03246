import DriveCore

/// Drives of other users that a person works on all the same: a line of a file of their own for each, as git has them in
/// `safe.directory`. It is a path, which may begin with `~/`; with `/*` behind it, all that lie beneath; or `*` for all.
struct AllowedDrives {
    private let file: FolderPath?
    private var lines: [ArraySlice<UInt8>] = []
    /// Why the file says nothing, though it is there.
    private var failure: DriveError?

    init() {
        let folder = FolderPath.base("XDG_CONFIG_HOME", orInHome: [".config"])?.appending("docdrive")
        file = folder?.appending("allowed-drives")
        guard let file else { return }
        do throws(DriveError) {
            let bytes = try SmallFile.read(file, to: "read it")
            lines = bytes?.split(separator: 0x0A, omittingEmptySubsequences: false) ?? []
        } catch { failure = error }
    }

    func contain(_ drive: FolderPath) -> Bool {
        let place = drive.resolved
        // The name of a folder may end as lines do by a slip.
        return lines.contains { Self.allows($0, place) || Self.allows(Self.trimmed($0), place) }
    }

    private static func allows(_ text: ArraySlice<UInt8>, _ place: FolderPath) -> Bool {
        if text.elementsEqual([0x2A]) { return true }
        guard let path = path(text) else { return false }
        if path.resolved == place { return true }
        guard path.name == "*" else { return false }
        let folder = path.parent.resolved
        return place != folder && place.isInside(folder)
    }

    /// Nil where it is none.
    private static func path(_ text: ArraySlice<UInt8>) -> FolderPath? {
        if text.first == 0x2F { return FolderPath(Array(text)) }
        let rest = text.dropFirst()
        guard text.first == 0x7E, rest.isEmpty || rest.first == 0x2F, let home = FolderPath.home else { return nil }
        return FolderPath(home.bytes + rest)
    }

    /// Without blanks around it, and the return that some editors end lines with.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let text = line.drop(while: isBlank)
        return text.prefix(text.reversed().drop(while: isBlank).count)
    }

    private static func meansNothing(_ line: ArraySlice<UInt8>) -> Bool {
        let text = trimmed(line)
        if text.isEmpty || text.first == 0x23 || text.elementsEqual([0x2A]) { return false }
        return path(text) == nil
    }

    func advice(_ drive: FolderPath) -> String {
        guard let file else { return "set HOME, and name it in ~/.config/docdrive/allowed-drives" }
        if let failure { return "see to \(file.shellText), where it is to be named: \(failure.message)" }
        // The last line need not have an end.
        let format = lines.last?.isEmpty == false ? "'\\n%s\\n'" : "'%s\\n'"
        let command = "mkdir -p \(file.parent.shellText) && printf \(format) \(drive.shellText) >> \(file.shellText)"
        let idle = lines.indices.filter { Self.meansNothing(lines[$0]) }.map { String($0 + 1) }
        guard let last = idle.last else { return "run `\(command)`" }
        if idle.count == 1 {
            return "run `\(command)`; line \(last) of that file allows none as it is: begin its path with / or ~/"
        }
        let list = idle.prefix(5).joined(separator: ", ") + (idle.count > 5 ? " and more" : "")
        return "run `\(command)`; the lines \(list) of that file allow none as they are: begin their paths with / or ~/"
    }
}
