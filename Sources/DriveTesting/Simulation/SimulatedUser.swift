import DriveCore

/// A random person at one device, who sees what is on the disk and writes into the history what they did.
///
/// A value that lives for one act: everything it does is a function of the folder, the history and its generator.
public struct SimulatedUser {
    let folder: MemoryFolder
    let device: Int
    var generator: SeededGenerator
    /// All that is in the root, parents first.
    let entries: [WalkedEntry]

    /// Few names and flat folders, so that people meet.
    static let names: [FileName] = ["a", "b", "c", "d", "e", "f"]
    static let depth = 3

    private init(_ folder: MemoryFolder, _ device: Int, _ generator: SeededGenerator) {
        self.folder = folder
        self.device = device
        self.generator = generator
        entries = folder.walk().filter { !Litter.isNamed($0.place.name) }
    }

    /// Does one of the acts, and returns what was done; nil where it could not be done, and then nothing has changed.
    public static func act(
        oneOf acts: [UserAct] = UserAct.ordinary, on folder: MemoryFolder, device: Int, history: inout History,
        seed: UInt64
    ) -> DoneAct? {
        var user = SimulatedUser(folder, device, SeededGenerator(seed: seed))
        let act = user.generator.choice(acts)
        guard let text = user.perform(act, &history) else { return nil }
        history.acts += 1
        return DoneAct(device: device, act: act, text: text)
    }

    /// Only acts that cannot meet those of the other devices: the first edits, the second moves, others create.
    public static func actApart(
        on folder: MemoryFolder, device: Int, history: inout History, seed: UInt64
    ) -> DoneAct? {
        if device == 0 {
            return act(oneOf: [.edit, .save, .edit], on: folder, device: device, history: &history, seed: seed)
        }
        var user = SimulatedUser(folder, device, SeededGenerator(seed: seed))
        let done = device == 1 ? user.moveApart(&history) : user.createApart(&history)
        guard let done else { return nil }
        history.acts += 1
        return DoneAct(device: device, act: device == 1 ? .move : .create, text: done)
    }

    /// The kernel writes the times of files that were written through a mapping.
    public static func flushMappings(of folder: MemoryFolder) {
        for area in [FileArea.root, .parked] { folder.flushMappings(in: area) }
    }

    private mutating func perform(_ act: UserAct, _ history: inout History) -> String? {
        switch act {
        case .create: create(&history)
        case .edit: edit(&history) { $0.write($1, at: $2) }
        case .append: edit(&history) { $0.write($1, at: $2) }
        case .save: edit(&history) { $0.save($1, at: $2) }
        case .saveWithBackup: saveWithBackup(&history)
        case .editPart: editPart(&history)
        case .editSilently: editSilently(&history)
        case .move: move(entries, &history)
        case .moveFolder: moveFolder(&history)
        case .moveAwayAndCreate: moveAwayAndCreate(&history)
        case .swap: swap(&history)
        case .delete: delete(&history)
        case .removeFolder: removeFolder(&history)
        case .makeFolder: makeFolder()
        case .changeType: changeType(&history)
        case .copy: copy(&history)
        case .copyFolder: copyFolder(&history) { $0.copy(from: $1, to: $2) }
        case .addName: addName(&history)
        case .copyNames:
            copyFolder(&history) { $0.addName(to: $1, at: $2) || $0.copy(from: $1, to: $2) }
        case .makeLink: makeLink(&history)
        case .retargetLink: retargetLink(&history)
        case .setExecutable: setExecutable(&history)
        case .touch: touchFile(&history)
        case .tag: tag(&history)
        }
    }
}

/// An act for the trace.
public struct DoneAct: Sendable, CustomStringConvertible {
    public var device: Int
    public var act: UserAct
    public var text: String

    public var description: String { "device \(device): \(act.rawValue) \(text)" }
}
