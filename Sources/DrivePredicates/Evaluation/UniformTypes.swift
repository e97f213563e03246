/// Which types are kinds of others, as far as documents go. An item knows all of its types in
/// `kMDItemContentTypeTree`; this is for comparing types by themselves.
public enum UniformTypes {
    private static let parents: [String: [String]] = [
        "public.data": ["public.item"], "public.folder": ["public.directory"], "public.directory": ["public.item"],
        "public.package": ["public.directory"], "public.composite-content": ["public.content"],
        "com.apple.package": ["public.directory"], "public.symlink": ["public.item"],
        "public.text": ["public.data", "public.content"], "public.plain-text": ["public.text"],
        "public.utf8-plain-text": ["public.plain-text"], "public.utf16-plain-text": ["public.plain-text"],
        "public.rtf": ["public.text"], "public.html": ["public.text"], "public.xml": ["public.text"],
        "public.json": ["public.text"], "public.yaml": ["public.text"], "public.css": ["public.text"],
        "net.daringfireball.markdown": ["public.text"], "public.delimited-values-text": ["public.text"],
        "public.comma-separated-values-text": ["public.delimited-values-text"],
        "public.tab-separated-values-text": ["public.delimited-values-text"],
        "public.source-code": ["public.plain-text"], "public.script": ["public.source-code"],
        "public.swift-source": ["public.source-code"], "public.c-source": ["public.source-code"],
        "public.c-header": ["public.source-code"], "public.c-plus-plus-source": ["public.source-code"],
        "public.objective-c-source": ["public.source-code"], "public.python-script": ["public.script"],
        "public.shell-script": ["public.script"], "public.ruby-script": ["public.script"],
        "public.perl-script": ["public.script"], "com.netscape.javascript-source": ["public.source-code"],
        "com.sun.java-source": ["public.source-code"],
        "com.adobe.pdf": ["public.data", "public.composite-content"],
        "com.adobe.postscript": ["public.data", "public.content"],
        "org.idpf.epub-container": ["public.data", "public.composite-content"],
        "public.image": ["public.data", "public.content"], "public.jpeg": ["public.image"],
        "public.png": ["public.image"], "public.tiff": ["public.image"], "public.heic": ["public.image"],
        "com.compuserve.gif": ["public.image"], "com.microsoft.bmp": ["public.image"],
        "org.webmproject.webp": ["public.image"], "public.svg-image": ["public.image"],
        "public.camera-raw-image": ["public.image"],
        "public.audiovisual-content": ["public.data", "public.content"],
        "public.movie": ["public.audiovisual-content"], "public.video": ["public.movie"],
        "public.audio": ["public.audiovisual-content"], "public.mpeg-4": ["public.movie"],
        "com.apple.quicktime-movie": ["public.video"], "public.avi": ["public.movie"], "public.mpeg": ["public.movie"],
        "public.mp3": ["public.audio"], "public.mpeg-4-audio": ["public.audio"],
        "com.microsoft.waveform-audio": ["public.audio"], "org.xiph.flac": ["public.audio"],
        "public.archive": ["public.data"], "public.zip-archive": ["public.archive"],
        "public.tar-archive": ["public.archive"], "org.gnu.gnu-zip-archive": ["public.archive"],
        "org.7-zip.7-zip-archive": ["public.archive"],
        "public.spreadsheet": ["public.content"], "public.presentation": ["public.composite-content"],
        "com.microsoft.word.doc": ["public.data", "public.composite-content"],
        "org.openxmlformats.wordprocessingml.document": ["public.data", "public.composite-content"],
        "com.microsoft.excel.xls": ["public.data", "public.spreadsheet"],
        "org.openxmlformats.spreadsheetml.sheet": ["public.data", "public.spreadsheet"],
        "com.microsoft.powerpoint.ppt": ["public.data", "public.presentation"],
        "org.openxmlformats.presentationml.presentation": ["public.data", "public.presentation"],
        "org.oasis-open.opendocument.text": ["public.data", "public.composite-content"],
        "org.oasis-open.opendocument.spreadsheet": ["public.data", "public.spreadsheet"],
        "org.oasis-open.opendocument.presentation": ["public.data", "public.presentation"],
        "public.font": ["public.data"], "public.executable": ["public.item"], "public.database": ["public.data"],
        "public.message": ["public.content"], "public.email-message": ["public.data", "public.message"],
        "public.contact": ["public.content"], "public.vcard": ["public.text", "public.contact"],
        "public.calendar-event": ["public.content"],
    ]

    /// The type and all that it is a kind of; names of types have no case.
    public static func tree(of type: String) -> Set<String> {
        var found: Set<String> = []
        var open = [type.lowercased()]
        while let next = open.popLast() {
            if found.insert(next).inserted { open += parents[next] ?? [] }
        }
        return found
    }

    public static func conforms(_ type: String, to other: String) -> Bool {
        let other = other.lowercased()
        return type.lowercased() == other || tree(of: type).contains(other)
    }
}
