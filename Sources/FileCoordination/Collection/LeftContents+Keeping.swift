public import DriveCore

extension LeftContents {
    private static let key = "left-contents"

    public static func load(from state: any DriveState) throws -> LeftContents {
        try state.setting(key).map { try LeftContents($0) } ?? LeftContents()
    }

    /// Within the caller's transaction.
    private func save(to state: any DriveState) throws { try state.setSetting(isEmpty ? nil : bytes, Self.key) }

    /// These objects are removed, or may be by others from now on; nothing here needs them. Within the caller's transaction.
    static func note(_ objects: Set<ObjectKey>, _ standing: Standing, in state: any DriveState) throws {
        if objects.isEmpty { return }
        var left = try load(from: state)
        left.note(objects, standing, unneeded: try unneeded(in: state))
        try left.save(to: state)
    }

    /// The store has lost nobody knows what. What is needed is offered again; of all else nothing is promised any more. Within the
    /// caller's transaction, before anything is offered.
    static func noteLoss(in state: any DriveState) throws { try note(unneeded(in: state), .given, in: state) }

    /// All contents that are remembered and that nothing here needs.
    private static func unneeded(in state: any DriveState) throws -> Set<Content> {
        var unneeded = Set(try state.pastContents())
        try state.eachItem { item in unneeded.formUnion(item.state.heads.map(\.content)) }
        unneeded.subtract(try ContentUse(state).contents())
        return unneeded
    }

    /// These are not on the store, or may not be. Within the caller's transaction.
    public static func note(_ contents: some Sequence<Content>, _ standing: Standing, in state: any DriveState) throws {
        var left = try load(from: state)
        left.note(contents, standing)
        try left.save(to: state)
    }

    /// It was read from the store.
    public static func noteFound(_ content: Content, in state: any DriveState) throws {
        var left = try load(from: state)
        guard left.standing(of: content) != .kept else { return }
        left.noteFound(content)
        try state.transaction { try left.save(to: state) }
    }
}
