import DriveCore

extension StoreCheck {
    /// Every chunk of these contents, and of those that nobody needs any more, as far as it is still there. Holds one object at a
    /// time.
    public mutating func check(_ contents: [Content], unneeded: [Content] = []) async throws(DriveError) {
        var needs: [ObjectKey: [ChunkUse]] = [:]
        let needed = Set(contents)
        for content in needed.union(unneeded) {
            let isNeeded = needed.contains(content)
            do {
                for chunk in try await chunks(of: content, isNeeded) {
                    needs[chunk.object, default: []].append(
                        ChunkUse(chunk: chunk, content: content.hash, isNeeded: isNeeded))
                }
            } catch  where error.kind == .objectFailed {
                guard case .list(let list) = content.body else { throw error }
                noteUnread(list.object, .content, contents: [content.hash])
            }
        }
        referenced.formUnion(needs.keys)
        var sizes = try await self.sizes("pack/")
        sizes.merge(try await self.sizes("blob/")) { first, _ in first }
        for (key, uses) in needs.sorted(by: { bytesPrecede($0.key, $1.key) }) {
            do { try await check(key, uses, listed: sizes[key]) } catch  where error.kind == .objectFailed {
                noteUnread(key, .content, contents: Set(uses.map(\.content)))
            }
        }
    }

    /// A chunk that a content needs.
    private struct ChunkUse {
        var chunk: ChunkReference
        var content: ContentHash
        /// Else it may have left the store.
        var isNeeded: Bool
    }

    /// Lists of chunks are read in every look: nothing else tells what they name.
    private mutating func chunks(of content: Content, _ isNeeded: Bool) async throws(DriveError) -> [ChunkReference] {
        switch content.body {
        case .inline: return []
        case .chunks(let chunks): return chunks
        case .list(let list):
            referenced.insert(list.object)
            guard let bytes = try await self.list(list) else {
                let isThere = try await read(list.object) != nil
                if isThere || isNeeded { note(list.object, isThere ? .damaged : .missing, [content.hash]) }
                return []
            }
            count(UInt64(list.storedLength))
            return try ChunkListCodec.decode(bytes)
        }
    }

    /// Nil where it is not there or not whole, twice.
    private func list(_ list: ChunkReference) async throws(DriveError) -> [UInt8]? {
        for _ in 1...2 {
            do throws(DriveError) {
                try list.checkLengths(limit: ChunkListCodec.maximumBytes)
                guard let stored = try await folder.get(list.object, range: list.range) else { continue }
                return try list.plain(stored, zstd)
            } catch { guard error.kind == .corrupt || error.kind == .inputOutput else { throw error } }
        }
        return nil
    }

    private mutating func check(_ key: ObjectKey, _ uses: [ChunkUse], listed: UInt64?) async throws(DriveError) {
        if isQuick, let listed {
            let cut = uses.filter { $0.chunk.offset + UInt64($0.chunk.storedLength) > listed }
            count(listed)
            if !cut.isEmpty { note(key, .damaged, Set(cut.map(\.content))) }
            return
        }
        for attempt in 1...2 {
            // Lists may be late: what is not listed is asked for.
            guard let first = try await read(key, 0..<Self.window) else {
                let needed = Set(uses.filter(\.isNeeded).map(\.content))
                if !needed.isEmpty { note(key, .missing, needed) }
                return
            }
            let lost = try await lost(uses, of: key, first)
            if lost.isEmpty {
                count(listed ?? UInt64(first.count))
                return
            }
            if attempt == 2 { note(key, .damaged, lost) }
        }
    }

    /// No object that is written today is longer; of others the chunks are read one by one.
    private static var window: UInt64 { 32 << 20 }

    /// The contents that cannot be had from the object, which begins with these bytes.
    private func lost(
        _ uses: [ChunkUse], of key: ObjectKey, _ first: [UInt8]
    ) async throws(DriveError) -> Set<ContentHash> {
        var verified: [ChunkReference: Bool] = [:]
        var result: Set<ContentHash> = []
        for use in uses {
            if verified[use.chunk] == nil { verified[use.chunk] = try await isWhole(use.chunk, first) }
            if verified[use.chunk] == false { result.insert(use.content) }
        }
        return result
    }

    private func isWhole(_ chunk: ChunkReference, _ first: [UInt8]) async throws(DriveError) -> Bool {
        guard let range = try? chunk.range, (try? chunk.checkLengths(limit: Chunker.maximum)) != nil else {
            return false
        }
        let stored: [UInt8]?
        if range.upperBound <= UInt64(first.count) {
            stored = Array(first[Int(range.lowerBound)..<Int(range.upperBound)])
        } else {
            stored = range.upperBound <= Self.window ? nil : try await read(chunk.object, range)
        }
        guard let stored else { return false }
        return (try? chunk.plain(stored, zstd)) != nil
    }

    private mutating func note(_ key: ObjectKey, _ fault: StoreDamage.Fault, _ contents: Set<ContentHash>) {
        if let place = damage.firstIndex(where: { $0.object == key && $0.kind == .content }) {
            damage[place].contents.formUnion(contents)
        } else {
            damage.append(StoreDamage(key, .content, fault, contents: contents))
        }
    }
}

/// `String` compares by Unicode; stores compare bytes.
private func bytesPrecede(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
