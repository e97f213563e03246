import DriveImporting

/// The boxes of ISO base media files (ISO/IEC 14496-12), which HEIF, MP4 and QuickTime are made of.
struct Box {
    let code: String
    let content: ByteView

    /// Those within bytes that are in memory.
    static func all(in view: ByteView, from start: Int = 0) -> [Box] {
        var boxes: [Box] = []
        var offset = start
        while boxes.count < 4096, let (code, head, length) = header(view, at: offset) {
            let end = length == 0 ? view.count - offset : length
            guard end >= head, let content = view.view(offset + head, end - head) else { break }
            boxes.append(Box(code: code, content: content))
            offset += end
        }
        return boxes
    }

    /// The first box of a code at the top of a file, if it is no larger than so much.
    static func first(_ code: String, in file: ImportFile, atMost limit: Int) throws(ImportFailure) -> Box? {
        var offset = 0
        for _ in 0..<4096 {
            guard let found = header(try file.view(at: offset, count: 16), at: 0) else { return nil }
            let length = found.length == 0 ? file.size - offset : found.length
            guard length >= found.head else { return nil }
            if found.code == code {
                guard length <= limit else {
                    throw ImportFailure(.tooLarge, "its header is larger than \(limit >> 20) MiB")
                }
                let content = try file.view(at: offset + found.head, count: length - found.head)
                return Box(code: code, content: content)
            }
            let (next, overflow) = offset.addingReportingOverflow(length)
            guard !overflow else { return nil }
            offset = next
        }
        return nil
    }

    private static func header(_ view: ByteView, at offset: Int) -> (code: String, head: Int, length: Int)? {
        guard let length = view.long(offset), let code = view.code(offset + 4) else { return nil }
        if length != 1 { return (code, 8, length) }
        return view.number(offset + 8, 8).map { (code, 16, $0) }
    }
}

extension [Box] {
    subscript(_ code: String) -> ByteView? { first { $0.code == code }?.content }
}
