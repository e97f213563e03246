import DriveTypes

/// The kinds of items, and what else people call them.
public enum KindWords {
    /// All values of `kMDItemKind`: importers too take them from the table of types.
    public static let kinds = ContentTypes.kinds.sorted()

    /// Each names one of them.
    static let others: [String: String] = [
        "app": "application", "apps": "application", "applications": "application", "archives": "archive",
        "zip": "archive", "music": "audio", "song": "audio", "songs": "audio", "sound": "audio",
        "calendar": "event", "calendars": "event", "events": "event", "contacts": "contact", "documents": "document",
        "doc": "document", "docs": "document", "emails": "email", "mail": "email", "folders": "folder",
        "directory": "folder", "directories": "folder", "files": "file", "fonts": "font", "images": "image",
        "photo": "image", "photos": "image", "picture": "image", "pictures": "image", "links": "link",
        "symlink": "link", "movies": "movie", "video": "movie", "videos": "movie", "film": "movie", "pdfs": "pdf",
        "presentations": "presentation", "slides": "presentation", "code": "source", "program": "source",
        "spreadsheets": "spreadsheet", "sheet": "spreadsheet", "table": "spreadsheet", "texts": "text",
    ]

    /// The kind that a word names; nil where it names none. As queries compare, case and marks do not count.
    static func kind(_ word: String) -> String? {
        let folded = TextFolding.folded(word, [.caseInsensitive, .diacriticInsensitive])
        return others[folded] ?? (kinds.contains(folded) ? folded : nil)
    }

    /// The word that was probably meant by one that names no kind.
    static func nearest(_ word: String) -> String? {
        NearestNames.nearest(to: word, in: kinds + others.keys, count: 1).first
    }
}
