extension Attributes {
    /// The registers of a new item.
    func registers(of kind: ItemKind) -> [AttributeKey: [UInt8]] {
        var result = extended
        if kind == .file, isExecutable { result[.executable] = [1] }
        return result
    }

    /// What a person changed; an edit brings its own time, and folders' times are not carried.
    package func differences(from old: Attributes, kind: ItemKind, isEdited: Bool = false) -> [AttributeKey: [UInt8]] {
        var result: [AttributeKey: [UInt8]] = [:]
        if kind == .file, isExecutable != old.isExecutable { result[.executable] = [isExecutable ? 1 : 0] }
        if kind.hasContent, !isEdited, let modified, modified != old.modified {
            result[.modified] = modified.attributeBytes
        }
        for key in AttributeKey.extendedAttributes where extended[key] != old.extended[key] {
            result[key] = extended[key] ?? []
        }
        return result
    }
}
