import DriveImporting

// How importers fill it.
extension ImportedMetadata {
    mutating func set(_ name: AttributeName, _ text: String?) {
        if let text { self[name] = .string(text) }
    }

    mutating func set(_ name: AttributeName, _ number: (some BinaryInteger)?) {
        if let number = number.flatMap({ Int64(exactly: $0) }) { self[name] = .integer(number) }
    }

    mutating func set(_ name: AttributeName, _ number: Double?) {
        if let number, number.isFinite { self[name] = .real(number) }
    }

    mutating func set(_ name: AttributeName, _ date: ImportedDate?) {
        if let date { self[name] = .date(date) }
    }

    /// Adds to a list, leaving out what is in it.
    mutating func add(_ name: AttributeName, _ text: String) {
        var list: [String] = []
        if case .strings(let held) = self[name] { list = held }
        if list.count < ImportLimits.listCount, !list.contains(text) { self[name] = .strings(list + [text]) }
    }

    mutating func set(_ text: TextGatherer) {
        (self.text, isTextCut) = text.finished()
    }

    /// Trims each text, leaves out empty ones, and cuts long ones.
    func bounded(by limits: ImportLimits) -> ImportedMetadata {
        var result = self
        result.attributes = attributes.compactMapValues { value in
            switch value {
            case .string(let text): limits.bounded(text).map(ImportedValue.string)
            case .strings(let list):
                switch list.prefix(ImportLimits.listCount).compactMap(limits.bounded) {
                case []: nil
                case let list: .strings(list)
                }
            case .real(let number) where !number.isFinite: nil
            default: value
            }
        }
        return result
    }
}
