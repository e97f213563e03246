import DriveCore
import FileCoordination
import Synchronization

/// Passes on what happens to everybody who looks on.
final class Announcements: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Announcement>.Continuation] = [:]
        var next = 0
        var isFinished = false
        var held = 0
        var problems: Set<ToldProblem> = []
    }

    private let first: @Sendable (Announcement) -> Void
    private let state = Mutex(State())

    init(first: @escaping @Sendable (Announcement) -> Void) { self.first = first }

    func tell(_ announcement: Announcement) {
        first(announcement)
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(announcement) }
    }

    /// So many deletes are held now. That there are none any more is somebody's decision, and no news.
    func hold(_ count: Int) {
        let isNews = state.withLock { state in
            defer { state.held = count }
            return state.held != count && count > 0
        }
        if isNews { tell(.held(count)) }
    }

    /// These items cannot be synced now. That one can again is told by what happens to it then.
    func note(_ problems: [Problem]) {
        let new = state.withLock { state in
            let known = state.problems
            state.problems = Set(problems.map(ToldProblem.init))
            return problems.filter { !known.contains(ToldProblem($0)) }
        }
        if !new.isEmpty { tell(.problems(new)) }
    }

    /// What happens from now on; a listener that does not keep up loses the oldest.
    func listen() -> AsyncStream<Announcement> {
        let (stream, continuation) = AsyncStream<Announcement>.makeStream(bufferingPolicy: .bufferingNewest(10_000))
        let number = state.withLock { state -> Int? in
            if state.isFinished { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}

private struct ToldProblem: Hashable {
    var path: DrivePath
    var reason: String

    init(_ problem: Problem) { (path, reason) = (problem.path, problem.reason) }
}
