import DriveCore

/// The maintained view against the full one.
struct ViewComparison {
    /// Places that differ, or that only one of them shows; empty where both are the same.
    private(set) var differences: [GroupKey] = []
    private(set) var entries: [GroupKey: ViewEntry]

    init(_ state: any DriveState) throws {
        let full = FullView(try state.allItems().map(\.state), labels: try state.labels())
        let maintained = try ViewReader(state).allEntries()
        let known = Dictionary(
            maintained.map { (GroupKey(node: $0.node, name: $0.name), $0) }, uniquingKeysWith: { $1 })
        entries = full.entries
        differences = Set(full.entries.keys).union(known.keys).filter { full.entries[$0] != known[$0] }.sorted()
        if differences.isEmpty, try known.count != maintained.count || state.undone() != full.undone {
            differences = [GroupKey(node: .root, name: FileName("."))]
        }
    }
}

extension DriveParts {
    /// For tests and debug builds: throws where the maintained view is not the full one.
    func checkView() throws {
        guard options.checksView else { return }
        let differences = try ViewComparison(state).differences
        guard differences.isEmpty else {
            throw DriveError(
                .internalFault,
                "the maintained view differs from the full one: \(differences.map { "\($0.name)" })")
        }
    }
}
