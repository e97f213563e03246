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
        var unneeded = Set(try state.pastContents())
        try state.eachItem { item in unneeded.formUnion(item.state.heads.map(\.content)) }
        unneeded.subtract(try ContentUse(state).contents())
        var left = try load(from: state)
        left.note(objects, standing, unneeded: unneeded)
        try left.save(to: state)
    }

    /// These are not on the store. Within the caller's transaction.
    public static func note(_ contents: some Sequence<Content>, _ standing: Standing, in state: any DriveState) throws {
        var left = try load(from: state)
        left.note(contents, standing)
        try left.save(to: state)
    }
}
