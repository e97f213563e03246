public import DriveCore

/// Folders that people see as one document. Their names alone tell, so that every process decides the same, also about
/// what is not there yet.
public enum PackageNames {
    /// Endings of documents, libraries and bundles that are folders (Apple's `com.apple.package`), in lower case.
    public static let endings: Set<String> = [
        "app", "appex", "band", "bundle", "docc", "doccarchive", "download", "dsym", "fcpbundle", "framework",
        "gallery",
        "graffle", "imovielibrary", "kext", "key", "keynote", "logicx", "mpkg", "musiclibrary", "numbers", "oo3",
        "pages", "photoslibrary", "photolibrary", "playground", "plugin", "prefpane", "qlgenerator", "rtfd",
        "saver", "scriv", "sketchpack", "sparsebundle", "template", "textbundle", "theater", "tvlibrary", "wdgt",
        "xcarchive", "xcassets", "xcdatamodeld", "xcodeproj", "xcworkspace", "xcframework", "xpc",
    ]

    /// Whether a folder of this name is a package.
    public static func isPackage(_ name: FileName) -> Bool {
        guard let dot = name.bytes.lastIndex(of: 0x2E), dot > 0 else { return false }
        return endings.contains(String(decoding: name.bytes[(dot + 1)...], as: UTF8.self).lowercased())
    }
}

extension DrivePath {
    /// The outermost package that the path is in, else the path itself: what claims are about.
    public var coordinatedItem: DrivePath {
        guard let place = components.firstIndex(where: PackageNames.isPackage) else { return self }
        return DrivePath(Array(components[...place]))
    }
}
