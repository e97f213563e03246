import DriveCore
import DriveTransport

/// A fresh, empty folder to check a `FileStore` with.
public struct FolderFixture {
    public var store: any FileStore
    public var person: any FolderPerson
    public var tearDown: () -> Void

    public init(store: any FileStore, person: any FolderPerson, tearDown: @escaping () -> Void = {}) {
        self.store = store
        self.person = person
        self.tearDown = tearDown
    }
}

/// Somebody who works in the root of the store that is checked, without the store's help.
public protocol FolderPerson {
    func create(_ path: DrivePath, _ bytes: [UInt8]) throws
    /// Writes into the file: the inode stays.
    func write(_ path: DrivePath, _ bytes: [UInt8]) throws
    func makeFolder(_ path: DrivePath) throws
    func makeLink(_ path: DrivePath, to target: [UInt8]) throws
    /// A pipe; false where the machine cannot.
    func makePipe(_ path: DrivePath) throws -> Bool
    /// A folder with all in it.
    func remove(_ path: DrivePath) throws
    func move(_ path: DrivePath, to target: DrivePath) throws
    func setExecutable(_ path: DrivePath) throws
    /// False where the file system has no extended attributes.
    func setExtended(_ path: DrivePath, _ name: String, _ value: [UInt8]) throws -> Bool
    func extended(_ path: DrivePath, _ name: String) throws -> [UInt8]?
    /// Nil where no regular file has the path.
    func read(_ path: DrivePath) throws -> [UInt8]?
}

/// The person at a `MemoryFolder`.
public struct MemoryPerson: FolderPerson {
    let folder: MemoryFolder

    public init(_ folder: MemoryFolder) { self.folder = folder }

    private func place(_ path: DrivePath) throws -> Place {
        try requireValue(folder.place(path), "the fixture's folder \(path.parent)")
    }

    private func mustSucceed(_ isDone: Bool, _ path: DrivePath) throws {
        try require(isDone, "the fixture could not change \(path)")
    }

    public func create(_ path: DrivePath, _ bytes: [UInt8]) throws {
        try mustSucceed(folder.create(bytes, at: place(path)), path)
    }

    public func write(_ path: DrivePath, _ bytes: [UInt8]) throws {
        try mustSucceed(folder.write(bytes, at: place(path)), path)
    }

    public func makeFolder(_ path: DrivePath) throws { try mustSucceed(folder.makeFolder(at: place(path)), path) }

    public func makeLink(_ path: DrivePath, to target: [UInt8]) throws {
        try mustSucceed(folder.makeLink(to: target, at: place(path)), path)
    }

    public func makePipe(_ path: DrivePath) throws -> Bool { folder.makeSpecial(at: try place(path)) }

    public func remove(_ path: DrivePath) throws { try mustSucceed(folder.remove(at: place(path)), path) }

    public func move(_ path: DrivePath, to target: DrivePath) throws {
        try mustSucceed(folder.move(from: place(path), to: place(target)), path)
    }

    public func setExecutable(_ path: DrivePath) throws {
        try mustSucceed(folder.setExecutable(true, at: place(path)), path)
    }

    public func setExtended(_ path: DrivePath, _ name: String, _ value: [UInt8]) throws -> Bool {
        folder.setExtended(name, to: value, at: try place(path))
    }

    public func extended(_ path: DrivePath, _ name: String) throws -> [UInt8]? {
        folder.extended(name, at: try place(path))
    }

    public func read(_ path: DrivePath) throws -> [UInt8]? {
        guard case .file(let bytes)? = folder.entry(at: try place(path)) else { return nil }
        return bytes
    }
}
