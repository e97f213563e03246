/// What records of one encoding share: devices, folders and objects are written once and then by their place.
///
/// Writer and reader fill the tables in the same order, so nothing of them is stored apart.
struct WireTables<Element: Hashable> {
    private(set) var elements: [Element] = []
    private var places: [Element: Int] = [:]

    /// For writing: the place of an element that has been added.
    func place(of element: Element) -> Int? {
        // Most elements repeat the last one.
        if let last = elements.last, last == element { return elements.count - 1 }
        return places[element]
    }

    /// Adding an element again changes nothing.
    mutating func add(_ element: Element) {
        guard places[element] == nil else { return }
        places[element] = elements.count
        elements.append(element)
    }

    /// For reading.
    func element(at place: UInt64) throws(DriveError) -> Element {
        guard place < UInt64(elements.count) else { throw .malformed("a reference leads nowhere") }
        return elements[Int(place)]
    }
}

/// The running state of an encoder or decoder: the tables, and what the next values are counted from.
struct WireContext {
    var devices = WireTables<DeviceID>()
    var items = WireTables<ItemID>()
    var objects = WireTables<ObjectKey>()
    /// Where the last chunk of each object ended: the next one usually begins there.
    var objectEnds: [ObjectKey: UInt64] = [:]
    var time: UInt64 = 0
    var n: UInt64 = 0

    /// The seconds since 1970 of the last tag.
    var seconds: UInt64 { HybridTime(rawValue: time).milliseconds / 1_000 }
}
