// SPDX-License-Identifier: GPL-2.0-only

import Glibc
import Synchronization
import WatchProtocol

/// What is to be sent, collected by the library's thread and taken in batches by the writer's.
///
/// Repeated reports of one name within a batch become one. A drive that does not read cannot make it grow without end:
/// past the limit everything becomes one rescan.
final class Outbox: Sendable {
    struct Key: Hashable {
        var folder: ObjectIdentifier
        /// Paths of one folder differ between generations of the tree.
        var generation: UInt32
        var name: [UInt8]
    }

    private struct State {
        var bytes: [UInt8] = []
        /// Where the frame of a name is.
        var frames: [Key: Int] = [:]
        var barriers: [WatchReport] = []
        var coverage: WatchReport?
        var isWriting = false
    }

    static let limit = 8 << 20
    private let state = Mutex(State())
    private let bell: Bell

    init(bell: Bell) { self.bell = bell }

    func touched(_ key: Key, folder: @autoclosure () -> [UInt8], isClosed: Bool) {
        let isFirst = state.withLock { state in
            if let frame = state.frames[key] {
                if isClosed { WatchReport.markClosed(&state.bytes, frame: frame) }
                return false
            }
            let folder = folder()
            guard folder.count + key.name.count + 16 <= WatchProtocol.maximumPayload else {
                return Self.append(.rescan(reason: "a path is too long to be told"), to: &state)
            }
            state.frames[key] = state.bytes.count
            return Self.append(.touched(folder: folder, name: key.name, isClosed: isClosed), to: &state)
        }
        if isFirst { bell.ring(.soon) }
    }

    /// Sends at once what is there, and this after it.
    func send(_ report: WatchReport) {
        state.withLock { state in
            switch report {
            case .barrier: state.barriers.append(report)
            case .ready: state.coverage = report
            default: break
            }
            _ = Self.append(report, to: &state)
        }
        bell.ring(.now)
    }

    /// Everything so far; the caller says `wrote` afterwards.
    func take() -> [UInt8] {
        state.withLock { state in
            defer {
                state = State()
                state.isWriting = true
            }
            return state.bytes
        }
    }

    func wrote() { state.withLock { $0.isWriting = false } }

    var isEmpty: Bool { state.withLock { $0.bytes.isEmpty && !$0.isWriting } }

    /// Whether these are the first bytes of a batch.
    private static func append(_ report: WatchReport, to state: inout State) -> Bool {
        if state.bytes.count > limit { collapse(&state) }
        let isFirst = state.bytes.isEmpty
        report.encode(into: &state.bytes)
        return isFirst
    }

    private static func collapse(_ state: inout State) {
        state.bytes = []
        state.frames = [:]
        state.coverage?.encode(into: &state.bytes)
        WatchReport.rescan(reason: "events came faster than the drive read them").encode(into: &state.bytes)
        for barrier in state.barriers { barrier.encode(into: &state.bytes) }
    }
}
