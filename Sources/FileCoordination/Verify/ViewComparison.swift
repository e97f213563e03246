import DriveCore

/// The maintained view against what follows from all items, folder by folder: of the items only a graph is in memory.
struct ViewComparison {
    /// Places that differ, or that only one of them shows, in folders that both show; empty where both are the same.
    private(set) var differences: [GroupKey] = []

    init(_ state: any DriveState) throws {
        var graph = ItemGraph()
        try state.eachItem { graph.add($0.state) }
        try graph.resolve { try state.item($0)?.state }
        let reader = ViewReader(state)
        try graph.eachFolder(labels: state.labels(), state: { try state.item($0)?.state }) { node, full in
            try compare(full, reader.entries(in: node), in: node)
        }
        if differences.isEmpty, try state.undone() != graph.undone {
            differences = [GroupKey(node: .root, name: FileName("."))]
        }
        differences.sort()
    }

    private mutating func compare(_ full: [ViewEntry], _ maintained: [ViewEntry], in node: ItemID) {
        let expected = Dictionary(grouping: full, by: \.name)
        let found = Dictionary(grouping: maintained, by: \.name)
        let names = Set(expected.keys).union(found.keys).filter { expected[$0] != found[$0] }
        differences += names.map { GroupKey(node: node, name: $0) }
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
