import DocumentDrive
import DriveCore

/// A file and one of its versions, as people write it: `Letter.txt`, `Letter.txt@3fa2`, `Letter.txt@yesterday`.
struct VersionArgument {
    let path: DrivePath
    /// As if the `@` were a part of the name.
    let whole: DrivePath
    let versions: [FileVersion]
    /// What stands behind the `@`; nil where there is none.
    let selector: String?
    private let argument: PathArgument
    private let reader: DriveReader

    /// A name may have an `@` of its own: what there is under the whole name comes first.
    init(_ argument: PathArgument, _ reader: DriveReader, _ lookup: VersionLookup) throws {
        (self.argument, self.reader) = (argument, reader)
        whole = try argument.path(beneath: reader.folder)
        let found = try lookup.versions(of: whole)
        guard found.isEmpty, let at = argument.bytes.lastIndex(of: UInt8(ascii: "@")), at > 0,
            let name = PathArgument(bytes: Array(argument.bytes[..<at]))
        else {
            (path, versions, selector) = (whole, found, nil)
            return
        }
        path = try name.path(beneath: reader.folder)
        versions = try lookup.versions(of: path)
        selector = String(decoding: argument.bytes[(at + 1)...], as: UTF8.self)
    }

    /// The version that a text names: the beginning of its id, or a time at which it was in force.
    func version(_ text: String) throws -> FileVersion {
        if text == "current", let current = versions.first(where: { $0.kind == .current }) { return current }
        let found = versions.filter { $0.persistentIdentifier.hasPrefix(text.lowercased()) }
        if !text.isEmpty, found.count == 1 { return found[0] }
        if !text.isEmpty, found.count > 1 {
            let beginning = Escaped.text(text)
            throw DriveError(
                .usage, "several versions begin with \(beginning); give more of the id", path: path.description)
        }
        if let date = DateArgument(text) { return try version(at: date.time.milliseconds, text) }
        try checkIsAFile()
        throw DriveError(
            .usage, "no version \(Escaped.text(text)); \(list) lists them, with the ids to name them by",
            path: path.description)
    }

    private var list: String { "`\(Advice(reader.folder).command("docdrive versions \(path.shellText)"))`" }

    /// Of a file with nothing but the content that it has.
    var noEarlier: DriveError {
        DriveError(
            .notFound, "no earlier content of it is known; \(list) lists what is",
            path: String(decoding: argument.bytes, as: UTF8.self))
    }

    /// Throws where no content is known of it.
    func checkIsAFile() throws {
        guard versions.isEmpty else { return }
        if reader.folder.appending(path: path).isFolder {
            let log = Advice(reader.folder).command("docdrive log \(path.shellText)")
            throw DriveError(
                .usage,
                "versions are of files, and this is a folder; name a file in it, `\(log)` tells what happened there",
                path: path.description)
        }
        throw try reader.nothingKnown(of: path, argument, "nothing is known of a file that was here")
    }

    private func version(at time: UInt64, _ text: String) throws -> FileVersion {
        try checkIsAFile()
        guard let version = versions.version(at: time) else {
            throw DriveError(
                .notFound,
                "no version of it is known from before \(Escaped.text(text)); \(list) lists those that are, the oldest last",
                path: path.description)
        }
        return version
    }
}

extension DriveReader {
    /// Of what was moved it is said where it is: its contents are known by that name.
    func nothingKnown(of path: DrivePath, _ argument: PathArgument, _ sentence: String) throws -> DriveError {
        let known = try path.isRoot ? nil : explanation(of: path)
        var message = "\(sentence); `docdrive trash` lists what was removed, `docdrive log` what was moved"
        if let known, [.movedHere, .movedElsewhere].contains(known.cause), let now = known.others.first {
            let command = Advice(folder).command("docdrive versions \(now.shellText)")
            message = "it was moved, and is \(Escaped.path(now)) now; `\(command)` lists its contents"
        }
        return DriveError(.notFound, message, path: String(decoding: argument.bytes, as: UTF8.self))
    }
}

extension FileVersion {
    /// Enough of the id to name it by.
    var shortID: String { String(persistentIdentifier.prefix(8)) }
}
