import DriveImporting
import DriveIndex

/// When a document that could not be read is tried again, as long as it stays what it is (docs/importers.md).
enum RetryPlan {
    /// Hours until the next attempt after each; then none before the file changes.
    private static let pauses: [UInt64] = [1, 6, 24, 168]

    static func failure(
        _ failure: ImportFailure, after earlier: DocumentFailure?, now: UInt64
    ) -> DocumentFailure {
        let attempts = (earlier?.attempts ?? 0) + 1
        let pause = failure.isWorthRepeating && attempts <= pauses.count ? pauses[attempts - 1] : nil
        return DocumentFailure(
            kind: Int(failure.kind.rawValue), reason: failure.message, since: earlier?.since ?? now, attempts: attempts,
            retry: pause.map { now + $0 * 3_600_000 })
    }

    /// Whether it may be another time, if somebody asks for it.
    static func isWorthRepeating(_ failure: DocumentFailure) -> Bool {
        UInt8(exactly: failure.kind).flatMap(ImportFailure.Kind.init).map { ImportFailure($0, "").isWorthRepeating }
            ?? false
    }
}
