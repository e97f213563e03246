import Glibc

/// How much one file may give and cost.
public struct ImportLimits: Hashable, Sendable {
    /// Bytes of UTF-8 that are kept of a file's text.
    public var textBytes = 4 << 20
    /// Bytes of one attribute.
    public var attributeBytes = 4 << 10
    /// What all parts of a document together may unpack to.
    public var unpackedBytes = 128 << 20
    /// Entries of an archive.
    public var entries = 20_000
    /// Elements within each other.
    public var depth = 512
    /// What is read of an image or a markup file at most.
    public var inputBytes = 32 << 20
    /// Wall clock of a program that an importer starts.
    public var programSeconds = 12
    /// Processor time of one file.
    public var processorSeconds = 10

    /// Names in one list.
    public static let listCount = 256

    public init() {}
}

/// The programs that importers start; nil where one is not installed.
public struct ImportTools: Hashable, Sendable {
    public var pdfInfo: String?
    public var pdfToText: String?

    public init(pdfInfo: String?, pdfToText: String?) {
        self.pdfInfo = pdfInfo
        self.pdfToText = pdfToText
    }

    /// Those of the system.
    public static func installed() -> ImportTools {
        ImportTools(pdfInfo: find("pdfinfo"), pdfToText: find("pdftotext"))
    }

    private static func find(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
    }
}
