import DriveCore

/// A promise of the drive (sync-model, "Invariants") that does not hold.
public struct InvariantViolation: Error, Hashable, Sendable, CustomStringConvertible {
    public var invariant: Invariant
    public var details: String

    public init(_ invariant: Invariant, _ details: String) {
        self.invariant = invariant
        self.details = details
    }

    public var description: String { "\(invariant.rawValue): \(details)" }
}

public enum Invariant: String, Hashable, Sendable, CaseIterable {
    case nothingLost, convergence, wholeFilesOnly, noNeedlessCopy, noResurrection, idempotence, noEcho, confinement
    /// A file that nobody replaced or deleted never passes through a trash.
    case noNeedlessTrash
    /// The product's own checks of index, files and store find nothing wrong.
    case soundness
    /// An act takes only what it was asked to take.
    case nothingAsked
    /// An act is one operation, and one that is undone leaves all as it was.
    case reversible
}

/// All devices of a drive when nothing is left to do.
public struct QuietDrive: Sendable {
    public var devices: [Device]
    public var view: [DrivePath: TreeEntry]
    /// Conflict copies that nobody has touched, each with the name of what it is a copy of.
    public var derived: [DrivePath: FileName]

    public struct Device: Sendable {
        public var label: String
        public var tree: [DrivePath: TreeEntry]
        public var attributes: [DrivePath: Attributes]
        /// Contents in the trash.
        public var trash: [[UInt8]]
        /// What is left in the areas that should be empty.
        public var leftovers: [FileName]

        public init(label: String, folder: MemoryFolder) {
            self.label = label
            tree = folder.tree()
            attributes = folder.attributes()
            trash = folder.trashContents()
            leftovers = [FileArea.incoming, .parked, .outgoing].flatMap {
                folder.walk(from: $0.number).map(\.place.name)
            }
            // The beginning of a download, which the next one may go on with.
            .filter { !$0.bytes.starts(with: "part-".utf8) }
        }
    }

    public init(devices: [Device], view: [DrivePath: TreeEntry], derived: [DrivePath: FileName]) {
        self.devices = devices
        self.view = view
        self.derived = derived
    }
}

extension QuietDrive {
    /// Throws the first promise that is broken. `allowsCopies` is false where no two changes met.
    public func check(_ history: History, allowsCopies: Bool = true) throws(InvariantViolation) {
        try checkConvergence()
        try checkWholeness(history)
        try checkLosses(history)
        try checkResurrections(history)
        try checkNeedlessTrash(history)
        try checkCopies(allowsCopies: allowsCopies)
        try checkLeftovers()
    }

    private var live: Set<Body> { Set(view.values.compactMap(\.body)) }

    private func checkConvergence() throws(InvariantViolation) {
        for device in devices where device.tree != view {
            throw InvariantViolation(.convergence, "\(device.label) differs from the view: \(difference(device.tree))")
        }
        guard let first = devices.first else { return }
        for device in devices where device.attributes != first.attributes {
            let path = Set(device.attributes.keys).union(first.attributes.keys).sorted()
                .first { device.attributes[$0] != first.attributes[$0] }
            throw InvariantViolation(
                .convergence, "attributes of \(path ?? .root) differ on \(first.label) and \(device.label)")
        }
    }

    private func difference(_ tree: [DrivePath: TreeEntry]) -> String {
        let paths = Set(tree.keys).union(view.keys).filter { tree[$0] != view[$0] }.sorted()
        return paths.prefix(4).map { path in
            "\(path) is \(tree[path].text), should be \(view[path].text)"
        }.joined(separator: "; ")
    }

    private func checkWholeness(_ history: History) throws(InvariantViolation) {
        for (path, entry) in view.sorted(by: { $0.key < $1.key }) where entry != .folder {
            if case .file(let bytes) = entry, history.damaged.contains(bytes) { continue }
            guard let body = entry.body, history.written.contains(body) else {
                throw InvariantViolation(.wholeFilesOnly, "\(path) holds what nobody saved: \(Optional(entry).text)")
            }
        }
    }

    private func checkLosses(_ history: History) throws(InvariantViolation) {
        let live = live
        for body in history.written.sorted() where !live.contains(body) && !history.excused.contains(body) {
            let kept = devices.contains { $0.trash.contains(body.bytes) }
            throw InvariantViolation(.nothingLost, "\(body) is \(kept ? "only in a trash" : "gone")")
        }
    }

    private func checkResurrections(_ history: History) throws(InvariantViolation) {
        let live = live
        for body in history.deleted.sorted() where live.contains(body) && history.mustStayDeleted(body) {
            throw InvariantViolation(.noResurrection, "\(body) came back")
        }
    }

    private func checkNeedlessTrash(_ history: History) throws(InvariantViolation) {
        let live = live
        for device in devices {
            for body in device.trash.compactMap({ Body($0) }).sorted()
            where live.contains(body) && !history.excused.contains(body) && history.isOnlySave(body)
                && !history.movedOver.contains(body) && !history.copies.contains(body)
            {
                throw InvariantViolation(.noNeedlessTrash, "\(body) is in the trash of \(device.label)")
            }
        }
    }

    private func checkCopies(allowsCopies: Bool) throws(InvariantViolation) {
        if !allowsCopies, let copy = derived.keys.min() {
            throw InvariantViolation(.noNeedlessCopy, "\(copy), though no changes met")
        }
        for (path, original) in derived.sorted(by: { $0.key < $1.key }) {
            guard let name = path.name, ConflictCopyName(name) != nil else {
                throw InvariantViolation(.noNeedlessCopy, "\(path) is derived, and its name does not say so")
            }
            guard view[path]?.body != nil else { continue }
            for other in siblings(of: path, named: original) where view[other] == view[path] {
                throw InvariantViolation(.noNeedlessCopy, "\(path) is equal to \(other)")
            }
        }
    }

    /// The file that has the name, and the other copies of it.
    private func siblings(of path: DrivePath, named original: FileName) -> [DrivePath] {
        let parent = path.parent
        let copies = derived.filter { $0.key != path && $0.key.parent == parent && $0.value == original }
        return [parent.appending(original)] + copies.keys.sorted()
    }

    private func checkLeftovers() throws(InvariantViolation) {
        for device in devices {
            if let name = device.leftovers.first {
                throw InvariantViolation(.idempotence, "\(name) is left beside the root of \(device.label)")
            }
        }
    }
}

extension Optional where Wrapped == TreeEntry {
    /// For messages.
    var text: String {
        switch self {
        case nil: "missing"
        case .folder: "a folder"
        case .other: "special"
        case .file(let bytes), .link(let bytes):
            Body(bytes)?.description ?? String(decoding: bytes.prefix(40), as: UTF8.self)
        }
    }
}
