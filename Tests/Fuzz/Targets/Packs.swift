import DriveCompression
@testable import DriveCore
@testable import DriveTesting
@testable import DriveTransport

extension FuzzTarget {
    /// Chunks in packs and blobs: an honest pack is made of the first part of the input, then the pack and the reference
    /// are damaged as the rest says. What comes out is what went in, or nothing.
    static let packs = FuzzTarget(name: "packs", run: Packs.run, seeds: Packs.seeds)
    /// Compressed data that claims any size.
    static let zstd = FuzzTarget(name: "zstd", run: Frames.run, seeds: Frames.seeds)
}

private enum Packs {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let zstd = Zstd()
        var pack = OpenPack(device: DeviceID(high: 1, low: 2), entropy: SeededEntropy(seed: 1))
        var plain: [[UInt8]] = []
        for _ in 0...input.choice(4) {
            let chunk = input.bytes()
            plain.append(chunk)
            _ = pack.append(EncodedChunk(chunk, id: .sha256(chunk), zstd))
        }
        var references = pack.references
        var object = pack.bytes
        damage(&references, &object, &input)
        var windows = ObjectWindows()
        for (reference, chunk) in zip(references, plain) {
            guard let found = try read(reference, object, &windows, zstd) else { continue }
            try require(found.count == Int(reference.length), "a chunk has the length that it should have")
            try require(found == chunk, "only the bytes that were stored come out")
        }
    }

    static func seeds() -> [[UInt8]] {
        let text = Array(String(repeating: "the same line again\n", count: 40).utf8)
        let chunks = [measured(text), measured([1, 2, 3]), measured([]), measured(Array("x".utf8))]
        let whole = [3] + chunks.joined()
        return [
            whole, whole + [1, 0, 0, 0, 9, 1], whole + [2, 1, 0, 0, 0, 0, 0, 0, 0, 5], whole + [3, 0, 0, 0, 1, 0],
            whole + [4, 0, 0, 1, 0, 0], whole + [5, 1], whole + [6, 0, 9],
        ]
    }

    private static func damage(
        _ references: inout [ChunkReference], _ object: inout [UInt8], _ input: inout FuzzInput
    ) {
        while !input.isAtEnd {
            let act = input.choice(7)
            let which = input.choice(references.count)
            switch act {
            case 0: break
            case 1:
                let place = Int(input.number(UInt16.self))
                if place < object.count { object[place] ^= input.byte() | 1 }
            case 2: references[which].offset = input.number(UInt64.self)
            case 3: references[which].storedLength = input.number(UInt32.self)
            case 4: references[which].length = input.number(UInt32.self)
            case 5: references[which].encoding = references[which].encoding == .raw ? .zstd : .raw
            default: object = Array(object.prefix(Int(input.number(UInt16.self))))
            }
        }
    }

    /// As `CachingContentReader` does, less the store. Nil where the chunk is refused.
    private static func read(
        _ reference: ChunkReference, _ object: [UInt8], _ windows: inout ObjectWindows, _ zstd: Zstd
    ) throws -> [UInt8]? {
        do {
            try reference.checkLengths(limit: Chunker.maximum)
            let range = try reference.range
            if let bytes = windows.bytes(reference.object, range) { return try reference.plain(bytes, zstd) }
            let request = windows.request(reference.object, range)
            try require(request.lowerBound == range.lowerBound, "a request begins where the chunk does")
            try require(request.upperBound >= range.upperBound, "a request holds the chunk")
            let start = Int(clamping: request.lowerBound)
            let end = min(Int(clamping: request.upperBound), object.count)
            let bytes = start < end ? Array(object[start..<end]) : []
            windows.keep(reference.object, from: range.lowerBound, bytes)
            return try reference.plain(Array(bytes.prefix(Int(reference.storedLength))), zstd)
        } catch let error as DriveError {
            try require(error.kind == .corrupt, "a chunk is damaged")
            return nil
        }
    }
}

private enum Frames {
    static func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        // A byte more than what is left could be expanded to would only cost time here.
        let size = Int(input.number(UInt32.self) % (4 << 20))
        let frame = input.remainder()
        let zstd = Zstd()
        if let plain = try? zstd.decompress(frame, size: size) {
            try require(plain.count == size, "what comes out has the announced size")
        }
        let small = Array(frame.prefix(1 << 16))
        let packed = try zstd.compress(small, level: 1)
        try require(try zstd.decompress(packed, size: small.count) == small, "what goes in comes out")
        for size in [small.count + 1, small.count - 1] where size >= 0 {
            try require((try? zstd.decompress(packed, size: size)) == nil, "another size is refused")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        try [0, 1, 100, 70_000].map { count in
            let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let size = UInt32(count)
            return try (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
                + Zstd().compress(plain, level: 3)
        }
    }
}
