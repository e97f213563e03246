import DocumentDrive
import DriveCore
import Synchronization

/// Commands that people are told: paths in them begin at the drive's folder, and they are to work where they are read.
struct Advice {
    /// How the drive is reached from the current folder; nil where that is the drive's.
    private let way: String?
    private let isInside: Bool

    /// Where the person is who reads it, whom `-C` does not move: asked for before that changes the folder.
    static let reader = FolderPath.currentFolder

    init(_ drive: FolderPath, from here: FolderPath = reader) {
        let (drive, here) = (drive.resolved, here.resolved)
        isInside = here.bytes == drive.bytes || here.bytes.starts(with: drive.bytes + [0x2F])
        if here.bytes == drive.bytes {
            way = nil
        } else if isInside {
            let depth = here.bytes[drive.bytes.count...].count { $0 == 0x2F }
            way = Array(repeating: "..", count: depth).joined(separator: "/")
        } else {
            let isBelow = drive.bytes.starts(with: here.bytes + (here.isRoot ? [] : [0x2F]))
            way = (isBelow ? "" : "/") + Self.word(drive.bytes.dropFirst(isBelow ? here.bytes.count : 0))
        }
    }

    /// A folder as a command takes it where it is read, in one word.
    static func word(for folder: FolderPath) -> String {
        let here = reader.bytes
        if folder.bytes == here { return "." }
        let isBelow = folder.bytes.starts(with: here + (reader.isRoot ? [] : [0x2F]))
        return (isBelow ? "" : "/") + word(folder.bytes.dropFirst(isBelow ? here.count : 0))
    }

    private static func word(_ path: ArraySlice<UInt8>) -> String {
        DrivePath(path.split(separator: 0x2F).map { FileName(bytes: Array($0)) }).shellText
    }

    func command(_ text: String) -> String {
        guard let way else { return text }
        let program = "docdrive "
        guard text.hasPrefix(program) else { return "(cd \(way) && \(text))" }
        let rest = text.dropFirst(program.count)
        // One without a path finds the drive that it is run in.
        return isInside && !rest.contains(" ") ? text : "\(program)-C \(way) \(rest)"
    }

    /// The same for what a text names in backticks, without paths: from inside the drive it is right as it is.
    func text(_ text: String) -> String {
        guard way != nil, !isInside, Self.names(text) else { return text }
        return text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { place, part in
            let isCommand =
                place % 2 == 1 && part.hasPrefix("docdrive ")
                && !Self.placed.contains { part.hasPrefix("docdrive \($0)") }
            return isCommand ? command(String(part)) : String(part)
        }.joined(separator: "`")
    }

    static func text(_ text: String) -> String { names(text) ? current?.text(text) ?? text : text }

    private static func names(_ text: String) -> Bool {
        text.utf8.contains(0x60) && text.contains("`docdrive ")
    }

    /// What says itself where it is to be run.
    private static let placed = ["-C ", "init", "sync DIR", "--"]

    /// The drive that the command is about, once it is found: what errors advise is for it.
    static var drive: FolderPath? {
        get { found.withLock { $0.drive } }
        set { found.withLock { $0 = (newValue, nil) } }
    }

    /// Made when it is first asked for: thousands of lines may want it.
    private static var current: Advice? {
        found.withLock { found in
            if found.advice == nil { found.advice = found.drive.map { Advice($0) } }
            return found.advice
        }
    }

    private static let found = Mutex<(drive: FolderPath?, advice: Advice?)>((nil, nil))
}
