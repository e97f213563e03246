/// What a simulated person or their programs do in one go.
public enum UserAct: String, Hashable, Sendable, CaseIterable {
    case create, edit, append, save, saveWithBackup
    case move, moveFolder, moveAwayAndCreate, swap
    case delete, removeFolder, makeFolder, changeType
    case copy, copyFolder, makeLink, retargetLink
    case setExecutable, touch, tag
    /// One of two lines of a file, so that who edits the other may be merged with it.
    case editPart
    /// `ln`, and `cp -al` of a folder: several names of one file.
    case addName, copyNames
    /// A mapped file is written to: no time says so until `SimulatedUser.flushMappings`.
    case editSilently

    /// How often each happens, from the Python model; what it lacks is rarer.
    public static let ordinary: [UserAct] =
        repeated([
            (.create, 6), (.edit, 5), (.append, 1), (.save, 4), (.saveWithBackup, 1), (.move, 8),
            (.moveAwayAndCreate, 1),
            (.swap, 2), (.delete, 4), (.removeFolder, 2), (.makeFolder, 4), (.changeType, 2), (.copy, 2),
            (.copyFolder, 1), (.makeLink, 1), (.retargetLink, 1), (.setExecutable, 2), (.touch, 1), (.tag, 1),
        ])

    /// Cycles of folders, and folders that are moved here and deleted there.
    public static let aboutFolders: [UserAct] =
        repeated([
            (.move, 4), (.moveFolder, 5), (.create, 1), (.edit, 1), (.removeFolder, 1), (.swap, 1), (.makeFolder, 1),
            (.delete, 1),
        ])

    /// Beyond the ordinary ones, where files have several names.
    static let aboutNames: [UserAct] = repeated([
        (.addName, 8), (.copyNames, 3), (.edit, 4), (.save, 2), (.move, 4), (.delete, 2), (.setExecutable, 2),
        (.tag, 1),
        (.touch, 1),
    ])

    /// How a drive is filled before its device joins.
    public static let filling: [UserAct] = [.create, .create, .makeFolder, .copy]

    private static func repeated(_ weights: [(UserAct, Int)]) -> [UserAct] {
        weights.flatMap { Array(repeating: $0.0, count: $0.1) }
    }
}
