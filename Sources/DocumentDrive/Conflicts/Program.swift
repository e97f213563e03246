import CLinux
import DriveCore
import Glibc

/// Another program that does a part of the work, without a terminal.
enum Program {
    /// Its exit status, or 128 and its signal's number as shells have it. What it prints goes to a new file; what it
    /// complains about to another one, or nowhere.
    static func run(
        _ program: String, _ arguments: [[UInt8]], output: FolderPath, errors: FolderPath? = nil
    ) throws(DriveError) -> Int32 {
        let words: [UnsafeMutablePointer<CChar>?] = ([Array(program.utf8)] + arguments).map { word in
            (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { strdup($0.baseAddress!) }
        }
        defer { for word in words { free(word) } }
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { throw SmallFile.failure("start a program with", FolderPath("/dev/null")) }
        defer { close(nothing) }
        let printed = try NewFile(output, mode: 0o600)
        var complaints: NewFile?
        if let errors { complaints = try NewFile(errors, mode: 0o600) }
        var number: pid_t = 0
        let standard = [nothing, printed.number, complaints?.number ?? nothing]
        let code = -dd_start_program(words + [nil], environ, 0, standard, false, &number)
        withExtendedLifetime((printed, complaints)) {}
        guard code == 0 else {
            throw DriveError(
                .needsDecision,
                "the program cannot be started: \(String(cString: strerror(code))); install it (`apt install diffutils`)",
                path: program)
        }
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}

/// A folder that only this user may look into, for a moment.
public struct TemporaryFiles: Sendable {
    private let folder: FolderPath

    public init() throws(DriveError) {
        // The bytes as they are: a path need not be text.
        let parent = getenv("TMPDIR").map { name in
            UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
        }
        try self.init(in: parent ?? Array("/tmp".utf8))
    }

    init(in parent: [UInt8]) throws(DriveError) {
        var template = (parent + Array("/docdrive-XXXXXX".utf8)).map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else {
            throw Self.failure(errno, in: String(decoding: parent, as: UTF8.self))
        }
        folder = FolderPath(template.dropLast().map { UInt8(bitPattern: $0) })
    }

    private static func failure(_ code: Int32, in parent: String) -> DriveError {
        let (kind, place): (DriveError.Kind, String) =
            switch code {
            case ENOENT, ENOTDIR: (.needsDecision, "a folder that is there")
            case EACCES, EPERM: (.permissionDenied, "a folder that you may write to")
            case EROFS: (.readOnly, "a folder that can be written to")
            default: (.noSpace, "a place with room")
            }
        let reason = String(cString: strerror(code))
        return DriveError(
            kind, "no temporary folder can be made: \(reason); set TMPDIR to \(place)", path: parent)
    }

    public func path(_ name: String) -> FolderPath { folder.appending(FileName(name)) }

    public func write(_ bytes: [UInt8], _ name: String) throws -> FolderPath {
        let place = path(name)
        let file = try NewFile(place, mode: 0o600)
        try bytes.withUnsafeBytes { try file.write($0) }
        return place
    }

    /// With what is in it.
    public func remove() {
        for name in (try? folder.names()).flatMap(\.self) ?? [] {
            folder.appending(name).withPointer { _ = unlink($0) }
        }
        folder.withPointer { _ = rmdir($0) }
    }
}
