public import DriveCore

/// Whether what a drive remembers fits together: the maintained view is that of the items, and rows stand for items
/// that hold what the rows say. Changes nothing.
public struct IndexCheck {
    public struct Finding: Hashable, Sendable {
        public var path: DrivePath
        public var reason: String

        /// With the root as path where the damage has none of its own.
        public init(path: DrivePath, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    private let state: any DriveState
    public private(set) var findings: [Finding] = []

    /// Looks at everything, in one transaction, so that a drive at work is seen at one moment.
    public init(_ state: any DriveState) throws {
        self.state = state
        try state.transaction {
            try compareViews()
            try checkRows()
        }
    }

    /// Looks at what is recorded of the files at or in these paths, and at nothing else.
    public init(_ state: any DriveState, only paths: [DrivePath]) throws {
        self.state = state
        try state.transaction { try CheckedRows(state, only: paths).each { try check($0) } }
    }

    private mutating func compareViews() throws {
        let reader = ViewReader(state)
        for place in try ViewComparison(state).differences {
            let folder = try reader.path(ofNode: place.node) ?? .root
            findings.append(
                Finding(
                    path: folder.appending(place.name), reason: "what is shown here does not follow from the records"))
        }
    }

    private mutating func checkRows() throws { try state.eachRow { if $0.id != .root { try check($0) } } }

    private mutating func check(_ row: Row) throws {
        guard let reason = try fault(of: row) else { return }
        findings.append(Finding(path: try state.path(of: row), reason: reason))
    }

    private func fault(of row: Row) throws -> String? {
        guard let parent = try state.row(row.parent), parent.kind == .folder else {
            return "its folder is not known"
        }
        guard !row.members.isEmpty else { return "it stands for no item" }
        if row.kind != .folder, row.hash == nil { return "its content is not known" }
        for member in row.members {
            guard let item = try state.item(member.item)?.state else { continue }
            if item.kind != row.kind { return "it stands for an item of another kind" }
            for dot in member.dots {
                if let head = item.head(dot), head.content.hash != row.hash {
                    return "its recorded content is not that of its item"
                }
            }
        }
        return nil
    }
}
