import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "The store that the devices share.",
        discussion: """
            EXAMPLES
              docdrive store check
              docdrive store check --repair
              docdrive store gc --dry-run
              docdrive store login
            """,
        subcommands: [
            StoreCheckCommand.self, StoreCollectionCommand.self, StoreLoginCommand.self, StoreLogoutCommand.self,
        ])
}

struct StoreCheckCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reads the store and names what is damaged or missing.",
        discussion: """
            Everything that any file needs, and what is kept of deleted ones, is read and compared with its hash. Damage is \
            named by object, and by the files that need it. Exits with 65 where damage is left. What the store fails to \
            read while it answers otherwise is told as unread: it may be whole. Where nothing else is wrong, that exits \
            with 75.

            --repair stores again what this device has whole, and publishes its own journal anew where that is damaged; \
            what is unread at a second look, too, likewise. What only another device has is repaired there. A pass does it, which sends and brings what is due as \
            `docdrive sync` does. Files of the folder are read and mended by `docdrive verify`.

            --give-up repairs, and ends the wait for what is lost then: files whose content neither the store nor this \
            device has are deleted on all devices; of what is unread nothing is given up. Where an earlier content lies here, that counts from then on. A device \
            that still has the content keeps it in its trash; run --repair there first, and it is not lost.

            EXAMPLES
              docdrive store check
              docdrive store check --repair
              docdrive store check --give-up
            """)

    @Argument(help: ArgumentHelp("The drive; found from the current folder upward if left out.", valueName: "dir"))
    var folder: PathArgument?

    @Flag(help: "Compare only presence and sizes.")
    var quick = false

    @Flag(help: "Store again what this device has whole.")
    var repair = false

    @Flag(help: "Also end the wait for files whose content is lost.")
    var giveUp = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        timeout.start()
        let folder = try DrivePlace(folder).found()
        let progress = ProgressLine()
        progress.note(.phase(.check))
        let look = StoreLook(try DriveReader(folder), isQuick: quick) { progress.note($0) }
        let found = try await look.run()
        ProgressLine.clear()
        var left = found
        let repairs = repair || giveUp
        if repairs, !found.repair.isEmpty {
            try await mend(found.repair, folder)
            left = try await again(found, folder)
        }
        if repairs, !found.unread.isEmpty, !quick { left = try await mendUnread(found, left, folder) }
        var report = StoreCheckReport(found: found, left: left, isRepair: repairs)
        if giveUp, !report.lostFiles.isEmpty {
            if !output.isJSON { report.print(output) }
            try await giveUp(left, report.lostFiles.count, folder)
            left = try await again(left, folder)
            report.givenUp = Set(report.left.damage.filter { !left.damage.contains($0) }.map(\.object))
            if output.isJSON { report.print(output) }
        } else {
            report.print(output)
        }
        if !left.damage.isEmpty { return .corrupt }
        return left.isWell ? .done : .temporary
    }

    /// The contents that were damaged or could not be read, and all journals, once more.
    private func again(_ found: StoreReport, _ folder: FolderPath) async throws -> StoreReport {
        let all = found.repair.contents.union(found.repairOfUnread.contents)
        let contents = Set(all.compactMap { ContentHash(bytes: $0) })
        return try await StoreLook(try DriveReader(folder), isQuick: quick).run(only: contents)
    }

    private func giveUp(_ left: StoreReport, _ count: Int, _ folder: FolderPath) async throws {
        try Question.ask(
            "Give up the content of \(Quantity.count(count, "file")) for all devices?", yes: yes,
            path: folder.description)
        try await DriveActing(folder: folder, isTold: !output.isJSON)
            .perform(.giveUp(contents: left.repair.contents), syncs: true)
    }

    /// What the store fails to read at a second look, too, is stored again: it may be whole, but whoever needs it waits.
    private func mendUnread(_ found: StoreReport, _ left: StoreReport, _ folder: FolderPath) async throws -> StoreReport
    {
        let second = found.repair.isEmpty ? try await again(found, folder) : left
        if second.unread.isEmpty { return second }
        var repair = second.repair.union(second.repairOfUnread)
        // Nothing new is to rest on what the first look found damaged either.
        repair.objects.formUnion(found.repair.objects)
        try await mend(repair, folder)
        return try await again(found, folder)
    }

    private func mend(_ repair: StoreRepair, _ folder: FolderPath) async throws {
        try await DriveActing(folder: folder, isTold: false).perform(.repairStore(repair), syncs: true)
    }
}
