import ArgumentParser
import DocumentDrive
import DriveCore
import FileCoordination

struct WaitCommand: DriveCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Returns when everything is in step.",
        discussion: """
            Whatever was changed before it began counts; nothing that comes later. Where waiting does not help, because deletes \
            are held or access is denied, it ends at once with the exit code of the reason. Where nothing watches the drive, it \
            says so and syncs by itself. Conflict copies are in step; a pause without an end is not waited for.

            EXAMPLES
              docdrive wait && poweroff
              docdrive wait Letters Budget.ods
              docdrive wait --timeout 30s
            """)

    @Argument(help: ArgumentHelp("Only these items, and what is in them.", valueName: "path"))
    var paths: [PathArgument] = []

    @OptionGroup var timeout: TimeoutOption

    func work() async throws -> ExitStatus {
        let folder = try paths.first.map(DrivePlace.holding) ?? DrivePlace(nil).found()
        let items = try paths.map { try $0.path(beneath: folder) }
        let waiting = Waiting(folder: folder, paths: items)
        Interruption.onStop { waiting.tellLast() }
        timeout.start()
        if try DriveSettings.load(from: folder).store == nil {
            if let error = try DriveReader(folder).storeConflict() { throw error }
            Output.error("docdrive: the drive has no store, so that there is nothing to wait for")
            return .done
        }
        for item in items where try isUnknown(item, in: folder) {
            throw DriveError(
                .usage, "nothing of this name is here, and no device told of one; check the spelling",
                path: item.description)
        }
        let report: WaitReport
        do { report = try await waiting.run() } catch is CancellationError {
            // The process ends now, whether or not whoever stopped it has come to this.
            waiting.tellLast()
            throw CancellationError()
        }
        if report.isDone, try DriveReader(folder).pause() != nil {
            Output.error("docdrive: the drive is paused: all that is here was sent; what others changed is not brought")
        }
        guard let obstacle = report.obstacle else { return .done }
        Output.error("docdrive: waiting does not help: \(WaitText.line(obstacle, of: report, Advice(folder)))")
        return ExitStatus(obstacle.cause)
    }

    /// An index of an older version says nothing before the pass that brings it up to date.
    private func isUnknown(_ item: DrivePath, in folder: FolderPath) throws -> Bool {
        do { return try DriveReader(folder).explanation(of: item).cause == .unknown } catch let error as DriveError
            where error == .olderIndex
        {
            return false
        }
    }
}
