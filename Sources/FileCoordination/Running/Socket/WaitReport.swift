public import DriveCore

/// What somebody waits for who wants everything, or some items, in step.
public struct WaitReport: Hashable, Sendable, Codable {
    /// How many items are not in step.
    public var count: Int
    /// Some of them; those that waiting does not help first.
    public var items: [Item]

    public struct Item: Hashable, Sendable, Codable {
        public var path: String
        public var cause: Cause
        public var sentence: String
        public var waitsFor: String?
        /// Milliseconds since 1970.
        public var nextTry: UInt64?
        public var remedy: String?
        /// It may come in step though nobody does anything.
        public var mayPass: Bool
        /// What ended the last pass; `waitsFor` is in the words of whoever met it. A watch of an older version does not say.
        public var isOfTrouble: Bool?
    }

    public init(_ waiting: [Explanation]) {
        count = waiting.count
        let ordered = waiting.filter { !$0.mayPass } + waiting.filter(\.mayPass)
        items = ordered.prefix(Self.listed).map { explanation in
            Item(
                path: explanation.path.description, cause: explanation.cause, sentence: explanation.sentence,
                waitsFor: explanation.waitsFor, nextTry: explanation.nextTry, remedy: explanation.remedy,
                mayPass: explanation.mayPass, isOfTrouble: explanation.isOfTrouble)
        }
    }

    public var isDone: Bool { count == 0 }
    /// What no waiting helps.
    public var obstacle: Item? { items.first { !$0.mayPass } }
    public var isFinal: Bool { isDone || obstacle != nil }

    private static let listed = 10
}
