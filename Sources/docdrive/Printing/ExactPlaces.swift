import DocumentDrive

/// The very bytes of what errors name by the nearest text: known of what is a drive's folder or its store, or a text beneath one.
enum ExactPlaces {
    /// In base64 (RFC 4648); nil of a path that is text, and where nobody can tell.
    static func base64(of path: String?, in drive: FolderPath) -> String? {
        guard let path, path.unicodeScalars.contains("\u{FFFD}") else { return nil }
        var places = [drive, drive.resolved]
        if case .folder(let store)? = (try? DriveSettings.load(from: drive))?.store {
            places += [store, store.resolved]
        }
        return places.lazy.compactMap { bytes(of: path, in: $0) }.first?.base64IfNoText
    }

    private static func bytes(of path: String, in place: FolderPath) -> [UInt8]? {
        let start = place.description.utf8
        guard path.utf8.starts(with: start) else { return nil }
        let rest = Array(path.utf8.dropFirst(start.count))
        let isTextBeneath = !String(decoding: rest, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
        guard rest.isEmpty || rest[0] == 0x2F, isTextBeneath else { return nil }
        return place.bytes + rest
    }
}
