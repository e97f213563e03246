import DriveCore
import FileCoordination
import Foundation

/// Keeps the search index of a drive that is watched in step with its files: in the background, between passes.
final class DocumentFeed: Sendable {
    let gate = PassGate()
    let indexing: DocumentIndexing
    private let board: StatusBoard
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    /// What failed for a reason that may pass is looked at so often.
    private static let idle = Duration.seconds(900)
    /// After reading so many documents, what that took in memory is given back.
    private static let many = 100

    init(_ drive: Drive, _ board: StatusBoard) {
        self.board = board
        // Half of the machine is left to whoever works at it.
        let workers = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount / 2))
        indexing = DocumentIndexing(drive.folder, engine: drive.engine, gate: gate, workers: workers)
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// After a pass that changed nothing there is nothing to read.
    func passEnded(changedNothing: Bool = false) {
        gate.end()
        if !changedNothing { ring.yield() }
    }

    /// What is not read yet is read from now on, though no pass has ended.
    func begin() { ring.yield() }

    /// Until it is cancelled. What fails is told by `status`, and tried again after the next pass that changes something, or
    /// by and by.
    func run() async {
        await withTaskCancellationHandler {
            await feed()
        } onCancel: {
            // Else whoever stops the watch would wait for the slowest document.
            Task { [indexing] in await indexing.end() }
        }
        await indexing.end()
    }

    private func feed() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [ring] in
                while (try? await Task.sleep(for: Self.idle)) != nil { ring.yield() }
            }
            var isFirst = true
            for await _ in bell {
                do {
                    let outcome = try await indexing.run()
                    board.update { $0.documentsWaitFor = outcome.obstacle }
                    // The first takes up all that changed while nobody watched.
                    if isFirst || outcome.read >= Self.many { try await indexing.releaseMemory() }
                    isFirst = false
                } catch is CancellationError {} catch {
                    let reason = (error as? DriveError)?.message ?? "\(error)"
                    board.update { $0.documentsWaitFor = reason }
                }
            }
            group.cancelAll()
        }
    }
}
