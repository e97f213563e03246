import DriveCore
import DriveFiles
import DriveTransport
import FileCoordination
import Glibc

/// Brings the bytes of a version, without changing anything in the drive.
public struct VersionBytes {
    private let reader: DriveReader

    public init(_ reader: DriveReader) { self.reader = reader }

    /// Writes them to a new file, of which nothing is left where this throws: `notFound` where neither this device nor the store
    /// has them, `CancellationError` where the task is cancelled meanwhile.
    public func write(_ version: FileVersion, to target: FolderPath) async throws {
        try await tellingCancellation { try await fetch(version, to: target) }
    }

    private func fetch(_ version: FileVersion, to target: FolderPath) async throws {
        if try copyFromHere(version, to: target) { return }
        guard let content = try reader.index.contents([version.content])[version.content] else { throw lost(version) }
        if case .inline(let bytes) = content.body { return try fill(target, with: bytes) }
        let unsent = reader.unsent
        let access = try StoreAccess(reader.settings, of: reader.folder)
        let kept: (any ObjectStore)? = if let access { unsent.reading(over: access.objects) } else { unsent.kept() }
        guard let store = unsent.store, let objects = kept else { throw lost(version) }
        let transport = JournalTransport(
            objects, store: store, device: try reader.index.numbers().device, entropy: SystemEntropy())
        let file = try NewFile(target)
        do {
            try await transport.contentReader().read(content) { part throws(DriveError) in try file.write(part) }
        } catch {
            file.remove()
            guard error.kind == .notFound else { throw error }
            // Where the store is gone, its contents are not.
            if let access { _ = try await StoreFinder(access).find(store.id) }
            throw lost(version)
        }
    }

    private func fill(_ target: FolderPath, with bytes: [UInt8]) throws {
        let file = try NewFile(target)
        do { try bytes.withUnsafeBytes { try file.write($0) } } catch {
            file.remove()
            throw error
        }
    }

    /// From the folder, a conflict copy, any file with these bytes, or the trash.
    private func copyFromHere(_ version: FileVersion, to target: FolderPath) throws -> Bool {
        let trash = reader.folder.appending(DriveLayout.state).appending("trash")
        // What a file holds that no pass has looked at yet is in no row.
        if version.place == .folder,
            try copy(reader.folder.appending(path: version.path), version.content, to: target)
        {
            return true
        }
        let copied = try reader.index.first(hash: version.content) { row -> Bool? in
            guard !row.isParked else { return nil }
            let place = reader.folder.appending(path: try reader.index.path(of: row))
            return try copy(place, version.content, to: target) ? true : nil
        }
        if copied != nil { return true }
        return try reader.index.trash().contains { entry in
            try entry.hash == version.content && copy(trash.appending(entry.name), version.content, to: target)
        }
    }

    /// False where these are not the bytes.
    private func copy(_ source: FolderPath, _ hash: ContentHash, to target: FolderPath) throws -> Bool {
        let number = source.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard number >= 0 else { return false }
        defer { close(number) }
        let file = try NewFile(target)
        var isWhole = false
        defer { if !isWhole { file.remove() } }
        var digest = try reader.contentDigest()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            try Task.checkCancellation()
            let count = read(number, buffer.baseAddress, buffer.count)
            if count == 0 { isWhole = digest.finish().hash == hash }
            guard count > 0 else { return isWhole }
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            digest.update(part)
            try file.write(part)
        }
    }

    private func lost(_ version: FileVersion) -> DriveError {
        DriveError(
            .notFound, "the bytes of this version are neither here nor on the store any more",
            path: version.path.description)
    }
}
