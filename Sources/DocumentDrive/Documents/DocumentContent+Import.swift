import DriveImporting
import DriveIndex
import DrivePredicates

extension DocumentContent {
    /// What an importer says, as queries see it.
    init(_ imported: ImportedMetadata) {
        self.init(text: imported.text, isTextCut: imported.isTextCut)
        for (name, value) in imported.attributes {
            let name = name == AttributeName.mimeType.rawValue ? "kDDItemMIMEType" : name
            attributes[name] = PredicateValue(value, as: AttributeTable.standard.named(name))
        }
    }
}

extension PredicateValue {
    /// One value or several, and yes or no, as the table says.
    fileprivate init(_ value: ImportedValue, as attribute: MetadataAttribute?) {
        switch value {
        case .integer(let number):
            self = attribute?.kind == .boolean ? .bool(number != 0) : .integer(number)
        case .real(let number): self = .real(number)
        case .date(let date): self = .date(PredicateDate(seconds: date.seconds, nanoseconds: date.nanoseconds))
        case .string(let text): self = attribute?.isMultiValued == true ? .list([.string(text)]) : .string(text)
        case .strings(let list):
            let isOne = attribute?.isMultiValued == false
            self = isOne ? .string(list.joined(separator: ", ")) : .list(list.map { .string($0) })
        }
    }
}
