/// What is said of the items of a HEIF file (ISO/IEC 23008-12, section 9.3): a list, and which of it belongs to which.
struct HEIFProperties {
    private let all: [Box]
    private let own: [Box]

    /// In the boxes of its `meta`.
    init(_ boxes: [Box]) {
        let properties = boxes["iprp"].map { Box.all(in: $0) } ?? []
        let all = properties["ipco"].map { Box.all(in: $0) } ?? []
        var own: [Box] = []
        if let item = boxes["pitm"].flatMap({ $0.byte(0) == 0 ? $0.short(4) : $0.long(4) }) {
            for list in properties where list.code == "ipma" && own.isEmpty {
                // They count from one.
                own = Self.numbers(of: item, in: list.content).compactMap {
                    all.indices.contains($0 - 1) ? all[$0 - 1] : nil
                }
            }
        }
        (self.all, self.own) = (all, own)
    }

    /// Those of the picture that is shown; all, but for turns, where they do not tell its size.
    var shown: [Box] { own["ispe"] == nil ? all.filter { $0.code != "irot" } : own }

    private static func numbers(of item: Int, in view: ByteView) -> [Int] {
        guard let version = view.byte(0), let flags = view.byte(3), let items = view.long(4) else { return [] }
        let itemSize = version == 0 ? 2 : 4, numberSize = flags & 1 == 1 ? 2 : 1
        // The highest bit says that a program has to know it.
        let mask = numberSize == 2 ? 0x7FFF : 0x7F
        var at = 8
        for _ in 0..<min(items, 65_536) {
            guard let found = view.number(at, itemSize), let count = view.byte(at + itemSize) else { return [] }
            at += itemSize + 1
            if found == item {
                return (0..<count).compactMap { view.number(at + $0 * numberSize, numberSize).map { $0 & mask } }
            }
            at += count * numberSize
        }
        return []
    }
}
