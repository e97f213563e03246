import DriveCore
import Foundation
import TestSupport
import Testing

@testable import FileCoordination

/// A presenter that is removed is known to no arbiter, whatever happens meanwhile: whoever waited for it would wait for nobody.
struct RemovedPresenterTests {
    private final class Shower: FilePresenter {
        let presentedItemPath: DrivePath?
        init(_ path: DrivePath) { presentedItemPath = path }
    }

    /// Runs the body while the arbiter that has begun to listen is being told of many presenters.
    private func whileTheArbiterIsFound(
        _ body: @Sendable (ArbiterHouse, DriveCoordination, [any FilePresenter]) async throws -> Void
    ) async throws {
        let house = try ArbiterHouse()
        let way = house.coordination()
        let presenters = (0..<50).map { Shower(DrivePath("File\($0)")) }
        for presenter in presenters { await way.add(presenter) }
        try await house.run {
            async let other: Void = way.coordinator().coordinate(writing: "Other") { _ in }
            while house.claims.presentedPaths.isEmpty { await Task.yield() }
            try await body(house, way, presenters)
            try await other
            #expect(way.claims.presentedPaths.isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(20))) func itIsForgottenWhileTheArbiterIsFound() async throws {
        try await whileTheArbiterIsFound { house, way, presenters in
            for presenter in presenters.reversed() { await way.remove(presenter) }
            #expect(house.claims.presentedPaths.isEmpty)
        }
    }

    /// Who does not wait for that is heeded all the same.
    @Test(.timeLimit(.minutes(20))) func itIsForgottenAlsoByWhoIsCancelled() async throws {
        try await whileTheArbiterIsFound { house, way, presenters in
            let removal = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                for presenter in presenters.reversed() { await way.remove(presenter) }
            }
            await removal.value
            try await until { house.claims.presentedPaths.isEmpty }
        }
    }
}
