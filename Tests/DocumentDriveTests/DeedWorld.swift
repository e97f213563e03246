import DriveCore
import DriveTesting
import FileCoordination
import Testing

@testable import DocumentDrive

/// A drive in memory, for what is done to it and what somebody does in between.
struct DeedWorld {
    let clock = ManualClock()
    let folder: MemoryFolder
    let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
    var parts: DriveParts

    /// With these files, which a pass has seen.
    init(_ texts: [String: String], reports: @escaping (EngineEvent) -> Void = { _ in }) async throws {
        folder = MemoryFolder(clock: clock)
        parts = DriveParts(
            files: folder, state: state, transport: nil, clock: clock, entropy: SeededEntropy(seed: 1), report: reports)
        for (name, text) in texts { #expect(folder.create(Array(text.utf8), at: Self.place(name))) }
        _ = try await DriveEngine(parts).scan()
    }

    static func place(_ name: String) -> Place { Place(folder: MemoryFolder.root, name: FileName(name)) }
    static func hash(_ text: String) -> ContentHash { ContentHasher.hash(of: Array(text.utf8)) }

    /// `body` happens once, before or after the first call of the kind on this name.
    func once(
        _ kind: FolderOperation.Kind, _ name: FileName? = nil, isAfter: Bool = false, _ body: @escaping () -> Void
    ) {
        var isDone = false
        let hook: (FolderOperation) throws(DriveError) -> Void = { operation in
            guard !isDone, operation.kind == kind, name.map({ $0 == operation.name }) ?? true else { return }
            isDone = true
            body()
        }
        if isAfter { folder.afterOperation = hook } else { folder.beforeOperation = hook }
    }

    func endHooks() { (folder.beforeOperation, folder.afterOperation) = (nil, nil) }

    /// What the files of an area hold, by their names.
    func texts(in area: FileArea = .root) throws -> [String: String] {
        let open = try folder.open(area)
        return try Dictionary(
            uniqueKeysWithValues: folder.list(open).filter { $0.kind == .file }.map { entry in
                let bytes = try folder.read(entry.name, in: open)?.first(99) ?? []
                return (entry.name.description, String(decoding: bytes, as: UTF8.self))
            })
    }

    /// What was neither brought nor put away.
    func leftovers() throws -> Int { try texts(in: .incoming).count + texts(in: .outgoing).count }
}
