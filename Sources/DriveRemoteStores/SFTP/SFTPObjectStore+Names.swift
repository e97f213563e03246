import DriveCore

extension SFTPObjectStore {
    /// More names than that in one folder are a server's mistake, or meant to fill our memory.
    private static let mostNames = 4_000_000

    /// Calls `body` for each name in a folder, in any order, without `.` and `..`. False where there is no such folder.
    func forEachName(
        in folder: [UInt8], _ session: SFTPSession, _ body: (SFTPName) -> Void
    ) async throws(DriveError) -> Bool {
        let handle: [UInt8]
        switch try await session.handle(.openFolder(path: root.path(of: folder))) {
        case .success(let opened): handle = opened
        case .failure(let status) where status.code == .noSuchFile: return false
        case .failure(let status):
            // What is no folder has no names, and version 3 no code for it.
            if try await attributes(folder, session, "list the store")?.isFolder != true, !folder.isEmpty {
                return false
            }
            throw refusal(status, "list the store", folder)
        }
        defer { session.send(.close(handle: handle)) }
        var count = 0
        while true {
            switch try await session.names(handle) {
            case .success(nil): return true
            case .success(let names?):
                count += names.count
                guard count <= Self.mostNames, !names.isEmpty else {
                    throw DriveError(
                        .unreachable, "\(host) lists a folder without an end; look at it",
                        path: root.display(of: folder))
                }
                for name in names where name.name != Array(".".utf8) && name.name != Array("..".utf8) { body(name) }
            case .failure(let status): throw refusal(status, "list the store", folder)
            }
        }
    }
}
