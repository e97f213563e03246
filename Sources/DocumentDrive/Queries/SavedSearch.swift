public import DriveCore
import DriveFiles
import Foundation
import Glibc

/// A search that people gave a name: what they asked, as they wrote it, so that `2 days ago` is another time tomorrow.
public struct SavedSearch: Hashable, Sendable, Codable {
    /// The version of the file's format.
    public var v = 1
    /// Words or a raw query.
    public var words: [String] = []
    public var predicate: String?
    public var name: String?
    public var extensions: String?
    public var kind: String?
    public var size: String?
    public var since: String?
    public var before: String?
    public var state: String?
    /// Beneath the drive.
    public var folder: String?
    public var sort: [String] = []
    public var limit: Int?

    public init() {}

    /// What it asks, with what is said again here in the place of what was said then. Words and predicate are the other's alone: they
    /// may be of two languages, and whoever searches asks both, as `docdrive find @NAME WORD` does.
    public func refined(by other: SavedSearch) -> SavedSearch {
        var result = self
        result.words = other.words
        result.predicate = other.predicate
        result.name = other.name ?? name
        result.extensions = other.extensions ?? extensions
        result.kind = other.kind ?? kind
        result.size = other.size ?? size
        result.since = other.since ?? since
        result.before = other.before ?? before
        result.state = other.state ?? state
        result.folder = other.folder ?? folder
        result.sort = other.sort.isEmpty ? sort : other.sort
        result.limit = other.limit ?? limit
        return result
    }
}

/// The saved searches of a drive on this device.
public struct SavedSearches: Sendable {
    private let place: FolderPath

    public init(_ drive: FolderPath) { place = drive.appending(DriveLayout.state).appending("searches") }

    /// In the order of their names.
    public func names() throws(DriveError) -> [String] {
        let found = try (place.names() ?? []).map(\.description)
        return found.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }.sorted()
    }

    /// Throws `notFound` where there is none of this name.
    public func search(_ name: String) throws(DriveError) -> SavedSearch {
        try Self.check(name)
        guard let bytes = try SmallFile.read(path(name)) else {
            throw DriveError(
                .notFound, "there is no saved search of this name; `docdrive search ls` lists them", path: name)
        }
        let found: SavedSearch
        do { found = try JSONDecoder().decode(SavedSearch.self, from: Data(bytes)) } catch {
            throw DriveError(
                .corrupt, "the saved search cannot be read; save it anew, or remove it with `docdrive search rm`",
                path: path(name).description)
        }
        guard found.v == 1 else {
            throw DriveError(
                .newerFormat, "the search was saved by a newer version of docdrive; update this one", path: name)
        }
        return found
    }

    /// Takes the place of one of the same name.
    public func save(_ search: SavedSearch, as name: String) throws(DriveError) {
        try Self.check(name)
        let result = place.withPointer { mkdir($0, 0o700) }
        guard result == 0 || errno == EEXIST else { throw SmallFile.failure("make the folder", place) }
        if result == 0 { Ownership.give(folder: place.bytes) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes: Data
        do { bytes = try encoder.encode(search) } catch {
            throw DriveError(.internalFault, "the search cannot be written: \(error)", path: name)
        }
        try SmallFile.write(Array(bytes) + [0x0A], to: path(name))
    }

    /// Throws `notFound` where there is none of this name.
    public func remove(_ name: String) throws(DriveError) {
        try Self.check(name)
        guard path(name).withPointer({ unlink($0) }) == 0 else {
            throw DriveError(
                .notFound, "there is no saved search of this name; `docdrive search ls` lists them", path: name)
        }
    }

    private func path(_ name: String) -> FolderPath { place.appending(FileName(name + Self.ending)) }

    private static let ending = ".json"

    private static func check(_ name: String) throws(DriveError) {
        let isPlain = name.unicodeScalars.allSatisfy { $0 != "/" && $0.value >= 0x20 && $0.value != 0x7F }
        guard isPlain, !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("."), !name.hasPrefix("@") else {
            throw DriveError(
                .usage,
                "the name of a search has 1 to 100 bytes, no slash or control character, and begins with neither "
                    + "a dot nor an @", path: name)
        }
    }
}
