/// A content that an item had until another took its place.
///
/// The bytes are where the content says, on the store, for as long as collection leaves them there; a device that had the
/// file itself may have them in its trash too.
public struct PastVersion: Hashable, Sendable {
    public var item: ItemID
    /// The content, who wrote it and when.
    public var head: Head
    /// When this device recorded, or learned, that another content took its place; milliseconds since 1970.
    public var until: UInt64

    public init(item: ItemID, head: Head, until: UInt64) {
        self.item = item
        self.head = head
        self.until = until
    }

    /// How long contents that were replaced or removed are kept, in milliseconds: 30 days.
    public static let kept: UInt64 = 30 * 86_400_000
}

extension [PastVersion] {
    /// Of what was deleted, that something else had taken the place of the head before: the delete names it for what the store never
    /// got, which was replaced last.
    public func has(_ head: Head) -> Bool { contains { $0.head.dot == head.dot } }
}

/// A head that a join or a record left out.
public struct ReplacedHead: Hashable, Sendable {
    public var item: ItemID
    public var head: Head
}

extension ItemState {
    /// What of this state the newer one has no more.
    public func heads(replacedIn newer: ItemState) -> [ReplacedHead] {
        heads.filter { newer.head($0.dot) == nil }.map { ReplacedHead(item: id, head: $0) }
    }
}
