/// One head of one item: what names a conflict copy, and what is known of it.
package struct HeadKey: Hashable, Sendable {
    package var item: ItemID
    package var dot: Dot

    package init(_ item: ItemID, _ dot: Dot) {
        self.item = item
        self.dot = dot
    }
}

extension DerivedName {
    package var key: HeadKey { HeadKey(item, dot) }
}

extension ConflictRecord {
    package var key: HeadKey { HeadKey(item, dot) }
}
