import DriveCore
import DrivePredicates

/// What the document of a row has.
protocol DocumentValues {
    /// Null for what it does not have.
    func value(_ name: String, of row: Row) -> PredicateValue
}

/// What documents have, asked for row by row during one search.
final class DocumentReader: DocumentValues {
    private let index: SearchIndex?
    private let lookups: [(candidates: DocumentCandidates, test: PreparedPredicate)]
    private var last: (row: RowID, document: HeldDocument?)?
    /// An evaluator cannot be told that the disk fails, so whoever runs it looks here afterwards.
    private var failure: (any Error)?

    init(_ index: SearchIndex?, _ lookups: [SearchPlan.Lookup] = []) throws {
        self.index = index
        self.lookups = try lookups.map { ($0.candidates, try MetadataPredicate.comparison($0.comparison).prepared()) }
    }

    func value(_ name: String, of row: Row) -> PredicateValue {
        do { return try found(name, of: row) } catch {
            failure = failure ?? error
            return .null
        }
    }

    func throwFailure() throws { if let failure { throw failure } }

    private func found(_ name: String, of row: Row) throws -> PredicateValue {
        if let number = SearchPlan.lookup(name) {
            guard lookups.indices.contains(number) else { return .null }
            return .bool(try fulfils(lookups[number].candidates, lookups[number].test, row))
        }
        guard let index, let document = try document(of: row) else { return .null }
        guard name == DocumentContent.textAttribute else { return document.attributes[name] ?? .null }
        guard document.traits.contains(.hasText) else { return .null }
        return try index.text(of: row.id).map { .string($0) } ?? .null
    }

    private func fulfils(_ candidates: DocumentCandidates, _ test: PreparedPredicate, _ row: Row) throws -> Bool {
        if candidates.sure.contains(row.id.rawValue) { return try document(of: row) != nil }
        guard candidates.maybe.contains(row.id.rawValue), try document(of: row) != nil else { return false }
        return try test.evaluate(OneDocument(reader: self, row: row))
    }

    /// Each row's attributes are asked for one after the other.
    private func document(of row: Row) throws -> HeldDocument? {
        if let last, last.row == row.id { return last.document }
        let document = try index?.document(of: row)
        last = (row.id, document)
        return document
    }

    /// The names of the attributes that were read out of the file.
    func attributes(of row: Row) throws -> [String: PredicateValue] { try document(of: row)?.attributes ?? [:] }
}

private struct OneDocument: PredicateObject {
    let reader: DocumentReader
    let row: Row

    func value(forAttribute name: String) -> PredicateValue { reader.value(name, of: row) }
}
