@testable import DriveCore
@testable import DriveTransport

extension FuzzTarget {
    /// What a device is about to remove from a store. The first byte tells whether the rest is the whole object or its body.
    static let collections = FuzzTarget(name: "collections", run: Collections.run, seeds: Collections.seeds)
}

private enum Collections {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        let isBody = (bytes.first ?? 0) % 2 == 1
        let object = isBody ? Envelope.seal(.collection, rest) : rest
        var input = FuzzInput(isBody ? rest : Array(rest.dropFirst(16)))
        let device = DeviceID(high: input.number(UInt64.self), low: input.number(UInt16.self))
        let reference = CollectionReference(
            nonce: input.number(UInt64.self), size: UInt64(object.count), hash: .sha256(object))
        do {
            guard let notice = try CollectionObject.open(object, of: device, reference) else { return }
            try require(notice.objects.allSatisfy(CollectionObject.mayRemove), "only contents are ever removed")
            try require(notice.objects.count <= CollectionNotice.maximumObjects, "no more than are asked for at once")
            let (again, other) = CollectionObject.seal(notice)
            try require(try CollectionObject.open(again, of: device, other) == notice, "a notice comes back as it was")
        } catch let error as DriveError {
            try require(error.kind == .newerFormat, "a notice is void, or newer")
        }
    }

    static func seeds() -> [[UInt8]] {
        let device = DeviceID(high: 0x0123_4567_89AB_CDEF, low: 0x4567)
        let keys = (0..<5).map { StoredKey.packKey(device, nonce: UInt64($0)) } + ["blob/00/00.0011223344"]
        return (0...keys.count).flatMap { count -> [[UInt8]] in
            let notice = CollectionNotice(
                device: device, nonce: 7, basis: DeviceVector(device, UInt64(count)), objects: keys.prefix(count))
            let object = CollectionObject.seal(notice).bytes
            return [[0] + object, [1] + object.dropFirst(16).dropLast(32)]
        }
    }
}
