import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

/// Where tests put their folders: the usual place and, where there is one, a file system in memory.
let scratchPlaces: [String] =
    [getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"] + (access("/dev/shm", W_OK) == 0 ? ["/dev/shm"] : [])

/// A folder of a test's own, removed with all that is in it.
final class Scratch {
    let text: String
    var path: [UInt8] { Array(text.utf8) }

    init(in place: String = scratchPlaces[0]) throws {
        var template = Array("\(place)/docdrive-test-XXXXXX".utf8CString)
        text = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        if let folder = try? Descriptor.root(at: path) { Scratch.empty(folder) }
        rmdir(text)
    }

    private static func empty(_ folder: Descriptor) {
        var names: [FileName] = []
        try? forEachEntry(in: folder.number) { bytes, _, _ throws(DriveError) in
            names.append(FileName(bytes: Array(bytes)))
        }
        for name in names {
            if let inner = try? folder.folder(name) {
                empty(inner)
                _ = dd_remove_folder(folder.number, name.bytes, name.bytes.count)
            } else {
                _ = dd_remove_file(folder.number, name.bytes, name.bytes.count)
            }
        }
    }

    func callAsFunction(_ name: String) -> String { "\(text)/\(name)" }

    func write(_ name: String, _ bytes: String, mode: UInt32 = 0o644) throws {
        let number = Glibc.open(self(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        try Descriptor(#require(number >= 0 ? number : nil)).write(Array(bytes.utf8))
        chmod(self(name), mode)
    }

    func read(_ name: String) -> String? {
        let number = Glibc.open(self(name), O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = Descriptor(number)
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = max(0, dd_read(file.number, buffer.baseAddress, buffer.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func status(_ name: String) throws -> stat {
        var status = stat()
        try #require(lstat(self(name), &status) == 0)
        return status
    }

    func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(self(name), &status) == 0
    }
}

/// A drive in a scratch folder.
struct ScratchDrive {
    let scratch: Scratch
    let store: DiskFileStore
    let root: OpenFolder

    init(in place: String = scratchPlaces[0]) throws {
        scratch = try Scratch(in: place)
        store = try DiskFileStore.create(at: scratch.path, replica: "replica-1")
        root = try store.open(.root)
    }

    func stage(
        _ name: FileName, _ text: String, _ attributes: Attributes = Attributes()
    ) throws -> FileFacts {
        let writer = try store.stageFile(name, size: UInt64(text.utf8.count))
        try Array(text.utf8).withUnsafeBytes { try writer.write($0) }
        return try writer.finish(attributes)
    }

    func names(_ folder: OpenFolder? = nil) throws -> Set<FileName> {
        Set(try store.list(folder ?? root).map(\.name))
    }

    func needExtendedAttributes() throws {
        guard try store.traits().keepsExtendedAttributes else { try Test.cancel("this volume has no user attributes") }
    }
}

/// The kind of the error that a call throws; nil where it throws none.
func kind(of call: () throws -> Void) -> DriveError.Kind? {
    do {
        try call()
        return nil
    } catch {
        return (error as? DriveError)?.kind
    }
}

func kind(of call: () async throws -> Void) async -> DriveError.Kind? {
    do {
        try await call()
        return nil
    } catch {
        return (error as? DriveError)?.kind
    }
}
