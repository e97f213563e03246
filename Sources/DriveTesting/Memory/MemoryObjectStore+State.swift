import DriveCore

extension MemoryObjectStore {
    struct StoredBytes: Sendable {
        var bytes: [UInt8]
        var writer: Int
        var time: UInt64
        /// When it was deleted, for readers who still see it.
        var deleted: UInt64?
    }

    struct State {
        var mode: Mode
        var objects: [ObjectKey: StoredBytes] = [:]
        /// Sorted by bytes, deleted ones that somebody may see included.
        var keys: [ObjectKey] = []
        /// What every key was meant to hold, for ever.
        var intended: [ObjectKey: [UInt8]] = [:]
        var capacity: UInt64 = .max
        var used: UInt64 = 0
        var readers: [Int: Reader] = [:]
        var violations: [String] = []
    }

    struct Reader {
        var isReachable = true
        var isDead = false
        var calls = 0
        var hook: (@Sendable (StoreOperation) -> StoreFault?)?
    }
}

extension MemoryObjectStore.State {
    func isVisible(_ key: ObjectKey, _ object: MemoryObjectStore.StoredBytes, to reader: Int, at now: UInt64) -> Bool {
        guard case .sync(let seed, let delays, _) = mode, !delays.isEmpty, object.writer != reader else {
            return object.deleted == nil
        }
        let delay = { (salt: UInt64) in delays[Int(key.mixed(with: seed ^ salt, reader) % UInt64(delays.count))] }
        if let deleted = object.deleted, now >= deleted + delay(1) { return false }
        return now >= object.time + delay(0)
    }

    mutating func remove(_ key: ObjectKey) {
        guard let object = objects.removeValue(forKey: key) else { return }
        used -= UInt64(object.bytes.count)
        keys.remove(at: position(of: key))
    }

    /// The place of the first key that is not before `key`.
    func position(of key: ObjectKey) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if bytesPrecede(keys[middle], key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// `String` compares by Unicode; stores compare bytes.
func bytesPrecede(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

extension String {
    /// A number that depends on the key, the seed and the reader alone, so that removing other steps leaves it alone.
    fileprivate func mixed(with seed: UInt64, _ reader: Int) -> UInt64 {
        var hash = seed &+ UInt64(reader) &* SeededGenerator.step
        for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return SeededGenerator.mixed(hash)
    }
}
