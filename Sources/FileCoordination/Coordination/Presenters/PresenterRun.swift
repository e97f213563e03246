import DriveCore
import Synchronization

/// Calls one presenter, for one thing after the other, in the order in which the arbiter wants it.
final class PresenterRun: Sendable {
    enum Errand: Sendable {
        case question(
            UInt64, ClaimID, PresenterQuestion, asker: ClaimClient, _ answer: @Sendable (PresenterAnswer) -> Void)
        case notice(PresenterNotice)
    }

    let presenter: any FilePresenter
    let number: UInt64
    let purpose: String
    private let errands: AsyncStream<Errand>.Continuation
    private let place: Mutex<Place>
    private let work: Task<Void, Never>

    init(_ presenter: any FilePresenter, _ number: UInt64, purpose: String) {
        self.presenter = presenter
        self.number = number
        self.purpose = purpose
        place = Mutex(Place(said: presenter.presentedItemPath))
        let (stream, errands) = AsyncStream<Errand>.makeStream()
        self.errands = errands
        // Ends with the presenter's registration, which no scope of ours encloses. Detached: what is claimed where the
        // presenter was added is not held by its callbacks.
        work = Task.detached {
            var reacquirers: [ClaimID: [Reacquirer]] = [:]
            for await errand in stream { await Self.run(errand, presenter, purpose, &reacquirers) }
        }
    }

    func take(_ errand: Errand) {
        if case .notice(.didMove(let path)) = errand { place.withLock { $0.moved = path } }
        errands.yield(errand)
    }

    /// Where the item is now, though the presenter may say where it was.
    var path: DrivePath? {
        let now = presenter.presentedItemPath
        return place.withLock { place in
            if place.said != now { place = Place(said: now) }
            return place.moved ?? now
        }
    }

    /// The presenter says its place anew.
    func forgetMoves() { place.withLock { $0.moved = nil } }

    private struct Place {
        /// By the presenter.
        var said: DrivePath?
        /// Where an arbiter has seen it go since.
        var moved: DrivePath?
    }

    /// Nothing more is begun; what runs is told by cancelling it.
    func stop() {
        errands.finish()
        work.cancel()
    }

    private static func run(
        _ errand: Errand, _ presenter: any FilePresenter, _ purpose: String,
        _ reacquirers: inout [ClaimID: [Reacquirer]]
    ) async {
        switch errand {
        case .question(let number, let claim, let question, let asker, let answer):
            let part = TaskPart(purposes: [purpose], answering: number, asker: asker)
            let reply = await TaskPart.$current.withValue(part) { () -> Reply in
                await Reply(presenter, question)
            }
            if let reacquirer = reply.reacquirer { reacquirers[claim, default: []].append(reacquirer) }
            answer(PresenterAnswer(reacquires: reply.reacquirer != nil, failure: reply.failure))
        case .notice(.reacquire(let claim)):
            // The arbiter says it once for each.
            guard var left = reacquirers[claim], !left.isEmpty else { return }
            let first = left.removeFirst()
            reacquirers[claim] = left.isEmpty ? nil : left
            await asPart(of: purpose) { await first() }
        case .notice(let notice): await asPart(of: purpose) { await presenter.hear(notice) }
        }
    }

    /// What it does then it does for itself: nobody asks the presenter about that, who is busy with it.
    private static func asPart(of purpose: String, _ body: () async -> Void) async {
        await TaskPart.$current.withValue(TaskPart(purposes: [purpose]), operation: body)
    }
}

private struct Reply {
    var reacquirer: Reacquirer?
    var failure: String?

    init(_ presenter: any FilePresenter, _ question: PresenterQuestion) async {
        do {
            switch question {
            case .relinquishToReader: reacquirer = await presenter.relinquishPresentedItemToReader()
            case .relinquishToWriter: reacquirer = await presenter.relinquishPresentedItemToWriter()
            case .save: try await presenter.savePresentedItemChanges()
            case .accommodateDeletion: try await presenter.accommodatePresentedItemDeletion()
            case .accommodateSubitemDeletion(let path):
                try await presenter.accommodatePresentedSubitemDeletion(at: path)
            }
        } catch { failure = "\(error)" }
    }
}

extension FilePresenter {
    fileprivate func hear(_ notice: PresenterNotice) async {
        switch notice {
        case .reacquire: break
        case .didMove(let path): await presentedItemDidMove(to: path)
        case .didChange: await presentedItemDidChange()
        case .subitemDidAppear(let path): await presentedSubitemDidAppear(at: path)
        case .subitemDidMove(let from, let to): await presentedSubitem(at: from, didMoveTo: to)
        case .subitemDidChange(let path): await presentedSubitemDidChange(at: path)
        case .version(let news): await presentedItemVersions(news)
        case .subitemVersion(let path, let news): await presentedSubitemVersions(at: path, news)
        }
    }
}

/// What the running task is part of, so that the arbiter sees who waits for whom.
struct TaskPart: Sendable {
    /// Claims that it holds, outermost first.
    var inside: [Enclosure] = []
    /// Of what it is a part of.
    var purposes: Set<String> = []
    /// What processes hold that wait for it, beside what the whole of this process is a part of (`FileClaims.heed`).
    var outer: [Enclosure] = []
    /// The question that it answers.
    var answering: UInt64?
    /// The way to who asks it, and waits for what is claimed for the answer.
    var asker: ClaimClient?

    @TaskLocal static var current = TaskPart()
}
