public import DriveCore

/// What every `ObjectStore` promises, as checks that need only the seam.
public enum ObjectStoreContract {
    public struct Promise: Sendable, CustomStringConvertible {
        public var description: String
        /// Whether a drive loses data, or does not sync, where a store breaks it. Over one that breaks another, it only takes
        /// more room than it needs.
        public var isNeeded: Bool
        let check: @Sendable (any ObjectStore) async throws -> Void

        init(
            _ description: String, isNeeded: Bool = true,
            _ check: @escaping @Sendable (any ObjectStore) async throws -> Void
        ) {
            self.description = description
            self.isNeeded = isNeeded
            self.check = check
        }

        /// `make` gives an empty store whose writer sees its own objects at once. Throws `ContractViolation` where the
        /// store breaks the promise, and the store's own error where it is gone, knows nobody, is full or busy.
        public func check(_ make: () async throws -> any ObjectStore) async throws {
            let store = try await make()
            do {
                try await check(store)
            } catch let error as DriveError where error.kind.isBesidePromises {
                throw error
            } catch {
                throw ContractViolation("\(description): \(error)")
            }
        }
    }

    /// Every promise, each over a fresh store.
    public static func check(make: () async throws -> any ObjectStore) async throws {
        for promise in promises { try await promise.check(make) }
    }

    public static var promises: [Promise] {
        [
            Promise("an object is the bytes that were put", putsAndGets),
            Promise("a range is cut at the end of the object", ranges),
            Promise("finishing a put twice is harmless", putsTwice),
            Promise("a list has the keys of the prefix, in byte order", lists),
            Promise("a list goes on after a key, there or not", pages),
            Promise("a delete takes nothing else along", deletesAlone),
            Promise("a deleted object is gone, and deleting nothing is no error", isNeeded: false, deletes),
        ]
    }

    private static func putsAndGets(_ store: any ObjectStore) async throws {
        let long = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) }
        let objects: [(ObjectKey, [UInt8])] = [
            ("format", [1]), ("pack/0123/empty", []), ("pack/0123/long", long), ("a/b/c/d-e-f.g", [0, 255, 10]),
        ]
        try require(try await store.get("format", range: nil) == nil, "nothing is there at first")
        for (key, bytes) in objects { try await store.put(key, bytes) }
        for (key, bytes) in objects {
            try require(try await store.get(key, range: nil) == bytes, "the bytes of \(key)")
        }
        try require(try await store.get("pack/0123", range: nil) == nil, "a part of a key is no object")
        try require(try await store.get("pack/0123/none", range: nil) == nil, "another key is no object")
        try require(try await store.get("none/at/all", range: nil) == nil, "another folder is no object")
    }

    private static func ranges(_ store: any ObjectStore) async throws {
        let bytes = (0..<100).map { UInt8($0) }
        try await store.put("object", bytes)
        let wanted: [(Range<UInt64>, [UInt8])] = [
            (0..<100, bytes), (10..<20, Array(bytes[10..<20])), (90..<1_000, Array(bytes[90...])),
            (100..<200, []), (500..<600, []), (40..<40, []), (99..<100, [99]),
        ]
        for (range, part) in wanted {
            try requireSame(try await store.get("object", range: range), part, "the range \(range)")
        }
        try require(try await store.get("none", range: 0..<10) == nil, "a range of no object")
    }

    private static func putsTwice(_ store: any ObjectStore) async throws {
        try await store.put("object", [1, 2, 3])
        try await store.put("object", [1, 2, 3])
        try requireSame(try await store.get("object", range: nil), [1, 2, 3], "the bytes after two puts")
        try requireSame(try await store.listAll(prefix: ""), [StoredObject(key: "object", size: 3)], "the list")
    }

    /// The order of bytes differs from that of folders: `-` and `.` come before `/`, `0` after it.
    private static let keys: [ObjectKey] = [
        "head/a-1", "head/a.1", "head/a/1", "head/a/10", "head/a/2", "head/a/a", "head/a/b", "head/a0", "head/b/1",
        "headless", "seg/a/1",
    ]

    private static func lists(_ store: any ObjectStore) async throws {
        try require(try await store.list(prefix: "", after: nil, limit: 10).isEmpty, "an empty store has no keys")
        for (size, key) in keys.enumerated().reversed() { try await store.put(key, Array(repeating: 1, count: size)) }
        for prefix in ["", "head/", "head/a", "head/a/", "head/a/1", "head", "seg/a/1", "none/", "head/a/1/"] {
            let wanted = keys.enumerated().filter { $0.element.hasPrefix(prefix) }
                .map { StoredObject(key: $0.element, size: UInt64($0.offset)) }
            try requireSame(
                try await store.list(prefix: prefix, after: nil, limit: 100), wanted, "the list of \"\(prefix)\"")
        }
    }

    private static func pages(_ store: any ObjectStore) async throws {
        for key in keys { try await store.put(key, [1]) }
        for limit in [1, 3, 100] {
            var found: [ObjectKey] = []
            while true {
                let page = try await store.list(prefix: "head", after: found.last, limit: limit).map(\.key)
                try require(page.count <= limit, "at most \(limit) keys")
                if page.isEmpty { break }
                found += page
            }
            try requireSame(found, keys.filter { $0.hasPrefix("head") }, "pages of \(limit)")
        }
        let wanted: [(ObjectKey, [ObjectKey])] = [
            ("head/a/15", ["head/a/2", "head/a/a", "head/a/b"]), ("head/a/b", []), ("zzz", []),
            ("a", ["head/a/1", "head/a/10", "head/a/2", "head/a/a", "head/a/b"]),
        ]
        for (after, found) in wanted {
            try requireSame(
                try await store.list(prefix: "head/a/", after: after, limit: 100).map(\.key), found, "after \(after)")
        }
    }

    /// Also where it is refused: what that means is another promise.
    private static func deletesAlone(_ store: any ObjectStore) async throws {
        for key in keys { try await store.put(key, [1]) }
        do throws(DriveError) { try await store.delete("head/a/1") } catch {
            if error.kind.isBesidePromises { throw error }
        }
        func others(_ keys: [ObjectKey]) -> [ObjectKey] { keys.filter { $0 != "head/a/1" } }
        let left = try await store.listAll(prefix: "").map(\.key)
        try requireSame(others(left), others(keys), "the others stay")
    }

    private static func deletes(_ store: any ObjectStore) async throws {
        for key in keys { try await store.put(key, [1]) }
        try await store.delete("head/a/1")
        try await store.delete("head/a/1")
        try await store.delete("never/was")
        try require(try await store.get("head/a/1", range: nil) == nil, "a deleted object is gone")
        try requireSame(
            try await store.listAll(prefix: "").map(\.key), keys.filter { $0 != "head/a/1" },
            "the list after a delete")
    }
}

extension DriveError.Kind {
    /// The store is gone, knows nobody, is full or busy, or nobody waits for it any more, which says nothing about what it keeps.
    package var isBesidePromises: Bool { [.unreachable, .notAuthenticated, .noSpace, .temporary].contains(self) }
}

// In a few words: what is read may be long.
private func requireSame(_ found: [UInt8]?, _ wanted: [UInt8], _ promise: @autoclosure () -> String) throws {
    guard found != wanted else { return }
    guard let found else { throw ContractViolation("\(promise()): nothing is there") }
    let place = zip(found, wanted).prefix { $0 == $1 }.count
    throw ContractViolation(
        found.count == wanted.count
            ? "\(promise()): another byte at \(place)"
            : "\(promise()): \(found.count) bytes in place of \(wanted.count)")
}

private func requireSame(_ found: [StoredObject], _ wanted: [StoredObject], _ promise: @autoclosure () -> String) throws
{
    guard found != wanted else { return }
    try requireSame(found.map(\.key), wanted.map(\.key), promise())
    let sizes = zip(found, wanted).first { $0 != $1 }.map { "\($0.key) has \($0.size) bytes in place of \($1.size)" }
    throw ContractViolation("\(promise()): \(sizes ?? "other sizes")")
}

private func requireSame(_ found: [ObjectKey], _ wanted: [ObjectKey], _ promise: @autoclosure () -> String) throws {
    guard found != wanted else { return }
    let missing = wanted.filter { !found.contains($0) }
    let surplus = found.filter { !wanted.contains($0) }
    let faults = [
        missing.isEmpty ? nil : "without \(missing.shortList)", surplus.isEmpty ? nil : "with \(surplus.shortList)",
    ].compactMap(\.self)
    throw ContractViolation(
        "\(promise()): \(faults.isEmpty ? "in another order, or some twice" : faults.joined(separator: ", "))")
}

extension [ObjectKey] {
    fileprivate var shortList: String {
        prefix(3).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
    }
}
