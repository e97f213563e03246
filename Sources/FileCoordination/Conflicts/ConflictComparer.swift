import DriveCore

/// Compares both sides of a conflict with one another and with what they come from.
struct ConflictComparer {
    private let parts: DriveParts
    var ancestors: AncestorKeeper

    init(_ parts: DriveParts) throws {
        self.parts = parts
        ancestors = try AncestorKeeper(parts)
    }

    /// Nil where one of them cannot be compared now: the next pass looks again.
    mutating func record(of derived: DerivedName, copy: Row, current: Row?) async throws -> ConflictRecord? {
        guard let item = try parts.state.item(derived.item)?.state else { return nil }
        var record = ConflictRecord(
            item: derived.item, dot: derived.dot, current: current?.hash, copy: copy.hash, ancestor: nil, kind: .binary,
            context: item.context, time: parts.clock.milliseconds())
        guard let current, current.kind == .file, copy.kind == .file else { return record }
        guard current.hash != copy.hash else {
            record.kind = .identical
            return record
        }
        guard let mine = try text(current), let theirs = try text(copy) else { return nil }
        guard case .bytes(let a) = mine, case .bytes(let b) = theirs else {
            if mine.isLargeText || theirs.isLargeText, mine != .binary, theirs != .binary { record.kind = .divergent }
            return record
        }
        let base = try await ancestor(of: derived, item, current)
        guard let base else { return nil }
        record.ancestor = base.hash
        let kind = ConflictClass(a, b, ancestor: base.bytes) {
            base.bytes.flatMap { parts.options.mergesCleanly(a, $0, b) }
        }
        record.kind = kind ?? .divergent
        return record
    }

    private enum Text: Hashable {
        case bytes([UInt8])
        case binary, large

        var isLargeText: Bool { self == .large }
    }

    /// Nil where the file is not as it was recorded.
    private func text(_ row: Row) throws -> Text? {
        var locator = FolderLocator(parts)
        guard let (folder, name) = try locator.verified(row), let reader = try parts.files.readUndated(name, in: folder)
        else { return nil }
        let isLarge = reader.facts.size > ConflictClass.greatestSize
        let bytes = try reader.first(isLarge ? 64 << 10 : ConflictClass.greatestSize)
        if isLarge { return bytes.contains(0) ? .binary : .large }
        guard ContentHasher.hash(of: bytes) == row.hash else { return nil }
        return ConflictClass.isText(bytes) ? .bytes(bytes) : .binary
    }

    private struct Base {
        var hash: ContentHash?
        var bytes: [UInt8]?
    }

    /// Empty where there is none that anybody here knows of; nil where its bytes cannot be had now.
    private mutating func ancestor(of derived: DerivedName, _ item: ItemState, _ current: Row) async throws -> Base? {
        guard let copy = item.head(derived.dot) else { return Base() }
        let past = try parts.state.pastVersions(of: item.id).map(\.head).filter { item.head($0.dot) == nil }
        let mains = current.member(item.id)?.dots.compactMap { item.head($0) } ?? []
        let copies = item.heads.filter { $0.mark == copy.mark && $0.content.hash == copy.content.hash }
        guard let content = Self.common(mains, copies, Ancestry(past)), content.size <= ConflictClass.greatestSize
        else { return Base() }
        switch try await ancestors.bytes(of: content, for: parts.state.path(of: current)) {
        case .here(let bytes): return Base(hash: content.hash, bytes: bytes)
        case .lost: return Base()
        case .later: return nil
        }
    }

    /// Where several records have the bytes of one side, each of them has done something of its own.
    private static func common(_ mains: [Head], _ copies: [Head], _ ancestry: Ancestry) -> Content? {
        var found: Content?
        for main in mains {
            for copy in copies {
                guard let content = ancestry.common(main, copy) else { return nil }
                if let found, found.hash != content.hash { return nil }
                found = content
            }
        }
        return found
    }
}

extension FileReader {
    /// Up to so many bytes from the beginning.
    package func first(_ limit: Int) throws(DriveError) -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(limit, 64 << 10), alignment: 64)
        defer { buffer.deallocate() }
        while result.count < limit {
            let count = try read(into: buffer)
            if count == 0 { break }
            result += buffer[..<count]
        }
        return Array(result.prefix(limit))
    }
}
