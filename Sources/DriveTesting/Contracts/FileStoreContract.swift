import DriveCore
import DriveTransport

/// What every `FileStore` promises, as checks that need only the seam and a person at the folder.
public enum FileStoreContract {
    public struct Promise: Sendable, CustomStringConvertible {
        public var description: String
        let check: @Sendable (FolderFixture) throws -> Void

        init(_ description: String, _ check: @escaping @Sendable (FolderFixture) throws -> Void) {
            self.description = description
            self.check = check
        }

        /// Throws `ContractViolation` where the store breaks the promise.
        public func check(_ make: () throws -> FolderFixture) throws {
            let fixture = try make()
            defer { fixture.tearDown() }
            do {
                try check(fixture)
            } catch {
                throw ContractViolation("\(description): \(error)")
            }
        }
    }

    public static var promises: [Promise] { reading + staging + moving + attributes }

    /// Every promise, each over a fresh fixture.
    public static func check(make: () throws -> FolderFixture) throws {
        for promise in promises { try promise.check(make) }
    }
}

/// What the checks read through the seam.
struct FolderView {
    let store: any FileStore

    init(_ fixture: FolderFixture) { store = fixture.store }

    func root() throws -> OpenFolder { try store.open(.root) }

    func names(_ folder: OpenFolder) throws -> Set<FileName> { Set(try store.list(folder).map(\.name)) }

    func bytes(_ name: FileName, in folder: OpenFolder, piece: Int = 3) throws -> [UInt8]? {
        guard let reader = try store.read(name, in: folder) else { return nil }
        return try Self.drain(reader, piece: piece)
    }

    static func drain(_ reader: any FileReader, piece: Int = 3) throws -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: piece)
        while true {
            let count = try readPiece(reader, &buffer)
            if count == 0 { return result }
            result += buffer[..<count]
        }
    }

    static func digest(_ reader: any FileReader, piece: Int) throws -> ContentHash {
        var digest = reader.contentDigest()
        var buffer = [UInt8](repeating: 0, count: piece)
        while true {
            let count = try readPiece(reader, &buffer)
            if count == 0 { return digest.finish().hash }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    private static func readPiece(_ reader: any FileReader, _ buffer: inout [UInt8]) throws -> Int {
        try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
    }

    @discardableResult
    func stage(_ name: FileName, _ bytes: [UInt8], _ attributes: Attributes = Attributes()) throws -> FileFacts {
        let writer = try store.stageFile(name, size: UInt64(bytes.count))
        let middle = bytes.count / 2
        try bytes[..<middle].withUnsafeBytes { try writer.write($0) }
        try bytes[middle...].withUnsafeBytes { try writer.write($0) }
        return try writer.finish(attributes)
    }

    func facts(_ name: FileName, in folder: OpenFolder) throws -> FileFacts {
        try requireValue(try store.look(at: name, in: folder), "look at \(name)")
    }

    func folder(_ name: FileName, in folder: OpenFolder) throws -> OpenFolder {
        try requireValue(try store.open(name, in: folder), "open \(name)")
    }
}
