/// The kinds of items, and what else people call them.
public enum KindWords {
    /// All values of `kMDItemKind`.
    public static let kinds = [
        "application", "archive", "audio", "book", "calendar", "contact", "document", "email", "folder", "font",
        "image", "link", "movie", "pdf", "presentation", "source", "spreadsheet", "text",
    ]

    private static let others: [String: String] = [
        "app": "application", "apps": "application", "applications": "application", "archives": "archive",
        "zip": "archive", "music": "audio", "song": "audio", "songs": "audio", "sound": "audio", "books": "book",
        "ebook": "book", "event": "calendar", "events": "calendar", "contacts": "contact", "documents": "document",
        "doc": "document", "docs": "document", "emails": "email", "mail": "email", "folders": "folder",
        "directory": "folder", "directories": "folder", "fonts": "font", "images": "image", "photo": "image",
        "photos": "image", "picture": "image", "pictures": "image", "links": "link", "symlink": "link",
        "movies": "movie", "video": "movie", "videos": "movie", "film": "movie", "pdfs": "pdf",
        "presentations": "presentation", "slides": "presentation", "code": "source", "program": "source",
        "spreadsheets": "spreadsheet", "sheet": "spreadsheet", "table": "spreadsheet", "texts": "text",
    ]

    /// The kind that a word names; a word that names none stays.
    static func kind(_ word: String) -> String { others[word.lowercased()] ?? word }
}
