import DriveCore

/// Puts the recorded bytes of damaged files back, from the store as far as they are damaged, by the step that brings other devices' edits.
///
/// What is there goes to the trash, since it may be what a program wrote through a memory map. A file that the store
/// does not have whole is left as it is, and so is one that was touched: the next scan takes it for an edit.
struct FileRepair {
    private let parts: DriveParts
    private let download: Download?
    private var runner: StepRunner

    init(_ parts: DriveParts) {
        self.parts = parts
        download = parts.transport.map { Download(parts, $0.contentReader()) }
        runner = StepRunner(parts)
        runner.isAct = true
    }

    /// Looks again first: only what is damaged now, at these paths.
    mutating func run(_ paths: [DrivePath]) async throws -> [RepairedFile] {
        var check = FileCheck(files: parts.files, rows: parts.state)
        try check.run(only: paths)
        var result: [RepairedFile] = []
        for file in check.outcome.damaged {
            runner.left = []
            let obstacle = try await repair(file)
            result.append(RepairedFile(path: file.path, obstacle: obstacle, isInUse: !runner.left.isEmpty))
            runner.locator.forget()
        }
        return result
    }

    /// Nil where it is done, else why not.
    private mutating func repair(_ file: DamagedFile) async throws -> String? {
        if file.isTouched { return "its inode or change time says that it may be meant as it is" }
        guard let row = try parts.state.row(file.row), let content = try recordedContent(of: row) else {
            return "what it held is not known any more; sync, and look again"
        }
        guard let download else { return "the drive has no store to fetch it from" }
        let staged = FileName("heal-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
        do {
            let facts = try await stage(content, row, as: staged, download)
            return try place(staged, facts, row, file)
        } catch let error as DriveError where error.remedy == .skip {
            return "the store does not have it whole (\(error))"
        }
    }

    private func recordedContent(of row: Row) throws -> Content? {
        for member in row.members {
            let heads = try parts.state.item(member.item)?.state.heads ?? []
            if let head = heads.first(where: { $0.content.hash == row.hash }) { return head.content }
        }
        return nil
    }

    private mutating func stage(
        _ content: Content, _ row: Row, as name: FileName, _ download: Download
    ) async throws -> FileFacts {
        if case .inline(let target) = content.body {
            return try parts.files.stageLink(name, target: target, modified: row.attributes.modified)
        }
        try download.makeRoom(for: content)
        guard let (folder, old) = try runner.locator.place(of: row) else {
            return try await download.stage(content, row.attributes, as: name).facts
        }
        // Most of a damaged file is as it was.
        let damaged = (try? parts.files.readUndated(old, in: folder)).map { LocalContent(content: content, file: $0) }
        let facts = try await download.stage(content, row.attributes, as: name, replacing: damaged).facts
        do {
            try parts.files.adoptLocalMetadata(from: old, in: folder, to: name)
            return facts
        } catch {
            try? parts.files.discard(name, in: .incoming)
            throw error
        }
    }

    /// The step looks at what it takes out: only the very bytes that were found go to the trash.
    private mutating func place(
        _ staged: FileName, _ facts: FileFacts, _ row: Row, _ file: DamagedFile
    ) throws -> String? {
        let now = parts.clock.milliseconds()
        let trash = TrashEntry(
            name: FileName("damaged-\(row.id.rawValue)-\(parts.entropy.nonce(16))"), path: file.path, hash: file.found,
            size: file.size, reason: .damaged, time: now)
        var new = row
        new.facts = facts
        new.placedInBoot = parts.options.boot
        let step = Intent.Step.replace(staged: staged, trash: trash)
        guard try runner.run([Intent(step: step, identity: facts.identity, row: new)])[0] != nil else {
            return runner.refused.last?.1.message ?? "somebody was faster; look again"
        }
        try parts.state.transaction {
            try parts.log(
                DriveEvent(
                    time: now, kind: .recovered, path: file.path,
                    note: "Its bytes were not those recorded, and are brought back. What was there is in the trash: "
                        + "`docdrive trash restore` puts it beside the file."))
        }
        return nil
    }
}

/// What became of a damaged file.
public struct RepairedFile: Hashable, Sendable {
    public var path: DrivePath
    /// Why it could not be repaired.
    public var obstacle: String?
    /// That is why: somebody uses it (`FileCoordinator`).
    public var isInUse = false
}

extension DriveEngine {
    /// Brings the recorded bytes of these files back where they are damaged.
    public func repairFiles(_ paths: [DrivePath]) async throws -> [RepairedFile] {
        try recoverSteps()
        var repair = FileRepair(parts)
        let repaired = try await repair.run(paths)
        try forgetMendedFiles()
        return repaired
    }
}
