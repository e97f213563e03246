import ArgumentParser
import DocumentDrive
import DriveCore
import DriveIndex
import FileCoordination

struct StatusCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "How the drive stands: counts, what waits and why.",
        discussion: """
            Works with nothing running and no store at hand. Where nothing watches the drive, the folder is looked at \
            now: what changed in it since the last pass counts as waiting; --check looks at it in any case. What other \
            devices have sent since is not asked. Of items that could not be synced the first 20 are told; --short has all.

            EXAMPLES
              docdrive status
              docdrive status --documents
              docdrive status --check && poweroff
            """)

    @Argument(help: ArgumentHelp("Only these items.", valueName: "path"))
    var paths: [PathArgument] = []

    @Flag(help: "One line for each item that is not in step.")
    var short = false

    @Flag(help: "Which documents cannot be read for searches, and why.")
    var documents = false

    @Flag(help: "Exit with 1 unless everything is in step, as conflict copies are.")
    var check = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if short, documents {
            throw ValidationError("--short and --documents are two lists; say one of them.")
        }
    }

    func work() async throws -> ExitStatus {
        let folder = try DrivePlace(paths.first).found()
        // What was saved a moment ago is not in step.
        let isKnown = try await DriveHolder.of(folder).knowsFolder(within: .seconds(2))
        let reader = try DriveReader(folder)
        var report = try StatusReport(reader, only: try paths.map { try $0.path(beneath: folder) })
        report.note(try await DriveHolder.of(folder))
        try await report.addWaiting(reader, paths, isFolderKnown: isKnown, isThorough: check)
        if documents {
            UnreadableList(report: report, output: output).print()
        } else if !output.printJSON(report) {
            if short { report.printShort(output.color) } else { report.print() }
        }
        return check && !report.isInStep ? .no : .done
    }
}

struct StatusReport: Encodable {
    var v = 1
    var type = "status"
    var folder: String
    var folderBase64: String?
    var store: String?
    var device: String
    /// Another device is called so too.
    var hasNamesake: Bool
    var items = 0
    var bytes: UInt64 = 0
    var states: [String: Int] = [:]
    /// What is not in step, and the copies of conflicts, item by item.
    var pending: [ItemJSON] = []
    var problems: [ProblemJSON] = []
    /// Lines of ignore files that hide nothing.
    var idleRules: [IdleRuleJSON] = []
    var held = 0
    var conflicts = 0
    /// Files whose text and attributes searches do not know yet, and those that cannot be read.
    var unread = 0
    var unreadable: [UnreadableJSON] = []
    /// Milliseconds since 1970: what is told here was true then. Nil where no pass has come through yet, and nothing is known.
    var asOf: UInt64?
    var running: RunningStatus?
    /// Who works on the drive and cannot be asked.
    var holder: HolderJSON?
    /// What waits, by cause; the first of each with all that is known.
    var causes: [CauseCount] = []
    /// Folders that other devices have deleted, and that stay for what is in them and is not synced.
    var kept: [PathJSON] = []
    /// Nothing is sent or brought.
    var pause: Pause?
    /// What a rule did in the last day that may surprise.
    var notes: [EventReport] = []
    /// Of the drive.
    let place: FolderPath
    private var loose: [FoundItem] = []
    /// Item by item, the drive itself as the root.
    var waiting: [Explanation] = []
    /// The folder was looked at for this.
    var hasLooked = false
    /// Why it could not be.
    var cannotLook: String?
    /// The settings do not name the store that the drive has.
    private var isStoreLost = false
    /// Somebody searches in documents.
    private var hasSearch = false

    enum CodingKeys: String, CodingKey {
        case v, type, folder, folderBase64, store, device, hasNamesake, items, bytes, states, pending, problems,
            idleRules, held,
            conflicts,
            unread,
            unreadable,
            asOf, running, holder, causes, kept, cannotLook, pause, notes
    }

    struct HolderJSON: Encodable {
        var process: Int32?
        /// By a signal.
        var isStopped: Bool
        var reason: String
    }

    struct PathJSON: Encodable {
        var path: String
        var pathBase64: String?

        init(_ path: DrivePath) { (self.path, pathBase64) = (path.description, path.base64IfNeeded) }
    }

    struct ProblemJSON: Encodable {
        var path: String
        var pathBase64: String?
        var reason: String
        var since: UInt64
        /// The very bytes.
        let place: DrivePath

        enum CodingKeys: CodingKey { case path, pathBase64, reason, since }

        fileprivate var text: String { "\(Escaped.text(path)): \(Advice.text(Escaped.text(reason)))" }

        init(_ problem: Problem) {
            place = problem.path
            (path, pathBase64) = (place.description, place.base64IfNeeded)
            (reason, since) = (problem.reason, problem.since)
        }
    }

    init(_ reader: DriveReader, only paths: [DrivePath]) throws {
        (place, folder, folderBase64) = (reader.folder, reader.folder.description, reader.folder.base64IfNeeded)
        store = reader.settings.store?.shown
        isStoreLost = try reader.storeConflict() != nil
        device = reader.settings.deviceName
        hasNamesake = try reader.hasNamesake()
        asOf = try reader.isUnseen ? nil : reader.age
        let isChosen = { (path: DrivePath) in paths.isEmpty || paths.contains { path.isInside($0) } }
        for item in try Self.items(reader, paths) {
            items += 1
            bytes = bytes.addingClamped(item.size)
            states[item.state.word, default: 0] += 1
            if item.state != .synced { loose.append(item) }
        }
        pending = loose.map(ItemJSON.init)
        problems = try reader.problems().filter { isChosen($0.path) }.sorted { $0.path < $1.path }
            .map(ProblemJSON.init)
        idleRules = try reader.idleRules().filter { rule in
            paths.isEmpty || paths.contains { $0.isInside(rule.file.parent) || rule.file.isInside($0) }
        }.map(IdleRuleJSON.init)
        hasSearch = try reader.hasDocuments()
        unread = try reader.unreadCount()
        unreadable = try reader.unreadableDocuments().filter { isChosen($0.path) }.map(UnreadableJSON.init)
        let yesterday = max(reader.age, 86_400_000) - 86_400_000
        kept = try reader.keptFolders().filter(isChosen).map(PathJSON.init)
        held = try reader.heldDeletes().filter { isChosen($0.path) }.count
        let copies = try reader.conflicts().map(\.ownPath).filter(isChosen)
        conflicts = copies.count
        notes = try reader.index.events(limit: 1_000)
            .filter { $0.note != nil && $0.time >= yesterday && isChosen($0.path) }
            // What was said of a conflict that is ended by now says nothing.
            .filter { $0.kind != .conflict || copies.contains($0.path) }
            // Damage is among the problems for as long as it is there.
            .filter { $0.kind != .error }
            .prefix(5).reversed().map { EventReport($0) }
    }

    /// These and what is in them, each once; everything if there are none.
    private static func items(_ reader: DriveReader, _ paths: [DrivePath]) throws -> [FoundItem] {
        if paths.isEmpty { return try reader.items() }
        let topmost = Set(paths).filter { path in !paths.contains { $0 != path && path.isInside($0) } }
        return try topmost.sorted().flatMap { path in
            try [reader.item(at: path)].compactMap(\.self) + reader.items(in: path)
        }
    }

    mutating func note(_ found: DriveHolder) {
        if case .watch(_, let status) = found { running = withExactPaths(status) }
        guard let reason = found.sentence else { return }
        var isStopped = false
        if case .silent(let silence) = found { isStopped = silence.isStopped }
        holder = HolderJSON(process: found.process, isStopped: isStopped, reason: reason)
    }

    private func withExactPaths(_ status: RunningStatus) -> RunningStatus {
        var result = status
        result.storeWait?.pathBase64 = ExactPlaces.base64(of: status.storeWait?.path, in: place)
        result.unnotedTrouble?.pathBase64 = ExactPlaces.base64(of: status.unnotedTrouble?.path, in: place)
        return result
    }

    /// A pause alone leaves nothing of this device waiting, and all devices have both sides of a conflict.
    var isInStep: Bool {
        loose.allSatisfy { $0.state == .conflict } && problems.isEmpty && held == 0 && running?.waitsFor == nil
            && causes.isEmpty
            && cannotLook == nil && asOf != nil
    }

    func printShort(_ color: ColorChoice) {
        var lines = Dictionary(loose.map { ($0.path, $0.state) }) { $1 }
        for item in waiting where !item.path.isRoot { lines[item.path] = item.standing }
        for problem in problems { lines[problem.place] = nil }
        for (path, letter) in lines.sorted(by: { $0.key < $1.key }) {
            Output.line("\(color.letter(letter)) \(Escaped.path(path))")
        }
        for problem in problems { Output.line("! \(problem.text)") }
        for rule in idleRules { Output.line("! \(rule.text)") }
    }

    func print() {
        Output.line("Drive    \(Escaped.text(folder)), device \(Escaped.text(device))")
        if hasNamesake {
            Output.line(
                "         another device is called \(Escaped.text(device)) too; "
                    + Advice.text("`docdrive device rename NAME` gives this one another name"))
        }
        Output.line(
            "Store    \(store.map { Escaped.text($0) } ?? Advice.text(isStoreLost ? "not named in the settings" : "none; connect one with `docdrive sync --to URL`"))"
        )
        Output.line("Items    \(Quantity.count(items)), \(Quantity.bytes(bytes))")
        for state in Standing.allCases where state != .synced {
            guard let count = states[state.word] else { continue }
            Output.line("         \(Quantity.count(count)) \(state.word)")
        }
        printRunning()
        // Where the disk is full nothing could be written down of it.
        if let reason = running?.waitsFor, pause == nil, !causes.contains(where: \.isOfDrive) {
            Output.line("Waiting  \(Advice.text(Escaped.text(reason)))")
        }
        for line in waitingLines { Output.line(line) }
        printDocuments()
        for folder in kept {
            Output.line(
                "Kept     \(Escaped.text(folder.path)): another device deleted it; it stays for what is in it, which is not synced"
            )
        }
        for problem in problems.prefix(Self.mostProblems) { Output.line("!        \(problem.text)") }
        if problems.count > Self.mostProblems {
            let all = Advice(place).command("docdrive status --short")
            Output.line("!        ... and \(Quantity.count(problems.count - Self.mostProblems)) more: `\(all)`")
        }
        for rule in idleRules { Output.line("!        \(rule.text)") }
        if conflicts > 0 {
            Output.line("\(Quantity.count(conflicts, "conflict")): `\(Advice(place).command("docdrive conflicts"))`")
        }
        if held > 0 { Output.line(SummaryLine.held(held, Advice(place))) }
        for note in notes {
            Output.line(
                "Note     \(Moment.minute(note.time)) \(Escaped.text(note.path)): "
                    + Advice.text(Escaped.text(note.note ?? "")))
        }
        if isInStep { Output.line("Everything is in step.") }
    }

    /// What cannot be told in a line for many is not to push the rest off the screen.
    private static let mostProblems = 20

    private func printDocuments() {
        var parts: [String] = []
        if unread > 0, hasSearch { parts.append("\(Quantity.count(unread, "file")) not read for searches yet") }
        if !unreadable.isEmpty {
            parts.append("\(Quantity.count(unreadable.count)) cannot be read: `docdrive status --documents`")
        }
        if let reason = running?.documentsWaitFor { parts.append("nothing is read: \(Escaped.text(reason))") }
        if !parts.isEmpty { Output.line("Search   " + Advice.text(parts.joined(separator: "; "))) }
    }

    private func printRunning() {
        guard let running else {
            let looked = cannotLook.map { "; it could not be looked at: \(Escaped.text($0))" } ?? ""
            let pass = asOf.map { "last pass \(Moment.minute($0))" } ?? "no pass has come through yet"
            Output.line(
                "Running  \(holder?.reason ?? "nothing watches the drive"); \(pass)\(hasLooked ? ", looked at now" : looked)"
            )
            return
        }
        let blind = running.unwatched > 0 ? ", \(Quantity.count(running.unwatched)) looked at now and then" : ""
        Output.line(
            "Running  process \(running.process): \(running.phase); watches "
                + "\(Quantity.count(running.watched, "folder"))\(blind)")
    }
}
