public import DriveCore
import DriveFiles
import DriveIndex
import DriveTransport
public import FileCoordination

/// Whether a drive's files hold what was recorded, and whether what it remembers fits together.
///
/// Changes nothing (`Drive.perform(.note(_:))` lists what was found), needs no store, and works beside a running drive. Where
/// the store can be reached, all that is remembered is compared with its journals, too.
///
///     let verification = try await Verification(FolderPath("/home/ada/Documents"))
///     print(verification.files.damaged.map(\.path))
public struct Verification: Sendable {
    public internal(set) var files = FileCheck.Outcome()
    /// What is wrong with the index; a path where the damage has one.
    public internal(set) var index: [IndexCheck.Finding] = []

    /// Objects of journals that are damaged or missing in the store, which `StoreLook` tells more of and `DriveAct.repairStore`
    /// mends; of the contents there nothing is read.
    public internal(set) var journals: [StoreReport.Damage] = []

    /// Why the index could not be compared with the store; nil where it was, or there is none.
    public internal(set) var storeObstacle: String?

    /// Of what is here; journals in the store are another matter.
    public var isWell: Bool { files.damaged.isEmpty && index.isEmpty }

    /// Everything; or the files at or in these paths, with what is recorded of them, at a cost that does not grow with the drive.
    public init(
        _ folder: FolderPath, only paths: [DrivePath] = [], report: @escaping (EngineEvent) -> Void = { _ in }
    ) async throws {
        guard let replica = try Drive.replica(of: folder) else {
            throw DriveError(.usage, "this folder is no drive", path: folder.description)
        }
        do {
            let reader = try DriveReader(folder)
            if paths.isEmpty || paths.contains(.root) {
                index = try Self.check(reader.index)
                if index.isEmpty { try await compareWithStore(reader) }
            } else {
                index = try IndexCheck(reader.index, only: paths).findings
            }
            var check = try FileCheck(
                files: DiskFileStore.open(at: folder, replica: replica, index: reader.index), rows: reader.index,
                known: KnownDamage(reader.index), report: report)
            defer { files = check.outcome }
            try check.run(only: paths)
        } catch let error as DriveError where error.kind == .corrupt {
            let finding = IndexCheck.Finding(path: .root, reason: error.message)
            if !index.contains(finding) { index.append(finding) }
        }
    }

    private static func check(_ index: DriveIndex) throws -> [IndexCheck.Finding] {
        let damage = try index.damage().map { IndexCheck.Finding(path: .root, reason: $0) }
        return damage.isEmpty ? try IndexCheck(index).findings : damage
    }

    /// What neither SQLite nor the view can see: a record that is another than its writer's.
    private mutating func compareWithStore(_ reader: DriveReader) async throws {
        do {
            guard let (objects, store) = try await reader.storePlace() else { return }
            var known = try KnownStates(reader.index)
            var check = StoreCheck(objects, store: store)
            try known.join(try await check.checkJournals(joined: known.joined))
            let damage = check.damage.filter { !known.isOfNobody($0, isQuick: false) }
            journals = damage.map { StoreReport.Damage($0, known) }
            storeObstacle = check.unread.first.map {
                DriveError(.objectFailed, "the store fails to read a part of a journal", path: $0.object).description
            }
            let view = ViewReader(reader.index)
            for item in known.contradicted {
                let path = try view.group(of: item).flatMap { group in
                    try view.path(ofNode: group.node)?.appending(group.name)
                }
                index.append(
                    IndexCheck.Finding(path: path ?? .root, reason: "what is remembered is not what its records say"))
            }
        } catch let error as DriveError where error.kind != .corrupt { storeObstacle = error.description }
    }
}
