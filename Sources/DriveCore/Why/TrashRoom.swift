/// How much room emptying the trash would make, by how long what is in it has been there.
public struct TrashRoom: Hashable, Sendable {
    private struct Part: Hashable {
        /// What has been there for longer; nil for all.
        var span: String?
        var bytes: UInt64
    }

    /// The longest span first. Without those for which there is nothing.
    private var parts: [Part] = []
    /// Bytes that are lacking before anything more is brought.
    private var lacking: UInt64 = 0
    private static let spans: [(text: String, milliseconds: UInt64)] = [
        ("7d", 7 * 86_400_000), ("1d", 86_400_000), ("1h", 3_600_000),
    ]

    public init() {}

    public init(_ entries: [TrashEntry], lacking: UInt64, now: UInt64) {
        self.lacking = lacking
        for (text, time) in Self.spans { add(entries.filter { $0.time < now - min(time, now) }, text) }
        add(entries, nil)
    }

    private mutating func add(_ entries: [TrashEntry], _ span: String?) {
        if !entries.isEmpty { parts.append(Part(span: span, bytes: entries.map(\.size).clampedSum())) }
    }

    /// Takes no more than makes room for so many bytes, or else all; nil where there is nothing to take.
    func command(for size: UInt64) -> String? {
        let need = size.addingClamped(lacking)
        guard let part = parts.first(where: { $0.bytes >= need }) ?? parts.last else { return nil }
        return part.span.map { "docdrive trash empty --older-than \($0)" } ?? "docdrive trash empty"
    }
}
