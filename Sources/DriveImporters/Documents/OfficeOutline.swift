import DriveImporting

/// How the parts of an Office document belong together. Their names tell it in most, but programs may give them any, and
/// people move slides and sheets after they were named.
struct OfficeOutline {
    /// The parts with properties of the document, as they are named where nothing else is said.
    private var properties: Set<String> = ["docProps/core.xml", "docProps/app.xml"]
    /// What the list of slides or sheets names, from the first to the last.
    private var listed: [String] = []
    /// Parts by the names that the list has for them.
    private var targets: [String: String] = [:]
    private var slides: Set<String> = []
    private var isPresentation = false
    /// The list tells of all slides that are shown.
    private var isComplete = false
    /// Where parts of the list stand in it.
    private var places: [String: Int] = [:]

    /// Looks through a document once, and at its lists only.
    init(_ file: ImportFile, limits: ImportLimits) throws(ImportFailure) {
        var outline = OfficeOutline()
        try ZipParts.read(file, limits: limits) { (archive) throws(ImportFailure) in
            while let part = try archive.next() { try outline.take(part, from: &archive, limits: limits) }
        }
        outline.finish()
        self = outline
    }

    private init() {}

    /// How many slides people see; nil where it has none.
    var slideCount: Int? {
        let count = isComplete ? listed.count : slides.count
        return count > 0 ? count : nil
    }

    func hasProperties(_ name: String) -> Bool { properties.contains(name) }

    /// Of a slide or a sheet; nil for what no list names.
    func place(of name: String) -> Int? { places[name] }

    /// A slide that the list of slides leaves out was deleted.
    func isShown(_ name: String) -> Bool {
        !isComplete || places[name] != nil || !slides.contains(name)
    }

    private mutating func take(
        _ part: ZipParts.Part, from archive: inout ZipParts, limits: ImportLimits
    ) throws(ImportFailure) {
        if part.name.hasPrefix("ppt/slides/slide"), part.name.hasSuffix(".xml") { slides.insert(part.name) }
        switch part.name {
        case "_rels/.rels":
            let reader = RelationshipReader(of: "", limits: limits)
            try Self.parse(part, from: &archive, reader, limits: limits)
            let named = reader.found.filter(\.isProperties).map(\.target)
            if !named.isEmpty { properties = Set(named) }
        case "ppt/_rels/presentation.xml.rels", "xl/_rels/workbook.xml.rels":
            let reader = RelationshipReader(of: String(part.name.prefix { $0 != "/" }), limits: limits)
            try Self.parse(part, from: &archive, reader, limits: limits)
            for relationship in reader.found { targets[relationship.id] = relationship.target }
        case "ppt/presentation.xml", "xl/workbook.xml":
            isPresentation = part.name.hasPrefix("ppt")
            let reader = PageListReader(limits: limits)
            try Self.parse(part, from: &archive, reader, limits: limits)
            listed = reader.listed
        default: break
        }
    }

    /// A document whose lists are damaged can be read without them.
    private static func parse(
        _ part: ZipParts.Part, from archive: inout ZipParts, _ reader: any MarkupReader, limits: ImportLimits
    ) throws(ImportFailure) {
        do throws(ImportFailure) {
            try archive.parse(part, reader, limits: limits)
        } catch {
            guard error.kind == .malformed else { throw error }
        }
    }

    /// A list of slides that names what is not there is of no use.
    private mutating func finish() {
        let names = listed.compactMap { targets[$0] }
        if isPresentation {
            guard names.count == listed.count, slides.isSuperset(of: names) else { return }
            isComplete = !names.isEmpty
        }
        for (index, name) in names.enumerated() { places[name] = index }
    }
}

/// What a part refers to (ISO/IEC 29500-2, section 9.3).
final class RelationshipReader: MarkupReader {
    struct Relationship {
        let id: String
        let type: String
        /// The name of a part.
        let target: String

        /// Of the transitional and the strict form.
        var isProperties: Bool {
            ["/core-properties", "/extended-properties", "/extendedProperties"].contains { type.hasSuffix($0) }
        }
    }

    private let folder: String
    private let limit: Int
    private(set) var found: [Relationship] = []

    /// Of a part in that folder, or in none.
    init(of folder: String, limits: ImportLimits) {
        self.folder = folder
        limit = limits.entries
    }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        guard name == "Relationship", found.count < limit, attributes["TargetMode"] != "External",
            let id = attributes["Id"], let type = attributes["Type"], let target = attributes["Target"]
        else { return }
        found.append(Relationship(id: id, type: type, target: Self.name(of: target, in: folder)))
    }

    func end(_ name: String) {}
    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// Targets are relative to the folder of the part, or begin with a slash.
    static func name(of target: String, in folder: String) -> String {
        var names: [Substring] = target.hasPrefix("/") ? [] : folder.split(separator: "/")
        for name in target.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return names.joined(separator: "/")
    }
}

/// The ids of slides or sheets, in the order in which they are shown.
private final class PageListReader: MarkupReader {
    private let limit: Int
    private(set) var listed: [String] = []

    init(limits: ImportLimits) { limit = limits.entries }

    func start(_ name: String, _ attributes: MarkupAttributes) {
        guard name == "sldId" || name == "sheet", listed.count < limit,
            let id = attributes["id", inNamespaceEnding: "/relationships"]
        else { return }
        listed.append(id)
    }

    func end(_ name: String) {}
    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
