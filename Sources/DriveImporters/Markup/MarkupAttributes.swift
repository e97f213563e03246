import CXML2
import Glibc

/// The attributes of an element, by their local names; valid only while the reader is called.
struct MarkupAttributes {
    private enum Source {
        /// Name, value, name, value, nil.
        case html(UnsafeMutablePointer<UnsafePointer<xmlChar>?>?)
        /// Name, prefix, namespace, begin and end of the value.
        case xml(UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, Int)
    }

    private let source: Source

    init(html: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) { source = .html(html) }

    init(xml: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int) { source = .xml(xml, count) }

    subscript(_ name: String) -> String? {
        switch source {
        case .html(let list):
            guard var next = list else { return nil }
            while let key = next[0] {
                if Self.isEqual(key, name) { return next[1].map { String(cString: $0) } ?? "" }
                next += 2
            }
        case .xml(let list, let count):
            guard let list else { return nil }
            for index in 0..<count {
                let entry = list + index * 5
                if let key = entry[0], Self.isEqual(key, name), let value = Self.value(of: entry) { return value }
            }
        }
        return nil
    }

    /// For attributes that have the local name of another. Elements of HTML have none.
    subscript(_ name: String, inNamespaceEnding ending: String) -> String? {
        guard case .xml(let list?, let count) = source else { return nil }
        for index in 0..<count {
            let entry = list + index * 5
            guard let key = entry[0], Self.isEqual(key, name), let space = entry[2] else { continue }
            if String(cString: space).hasSuffix(ending) { return Self.value(of: entry) }
        }
        return nil
    }

    private static func value(of entry: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) -> String? {
        guard let begin = entry[3], let end = entry[4] else { return nil }
        let value = String(decoding: UnsafeBufferPointer(start: begin, count: end - begin), as: UTF8.self)
        // An ampersand comes as a reference to it, as no entity is expanded (xmlParseAttValueComplex).
        return value.replacing("&#38;", with: "&")
    }

    private static func isEqual(_ key: UnsafePointer<xmlChar>, _ name: String) -> Bool {
        key.withMemoryRebound(to: CChar.self, capacity: 1) { strcmp($0, name) == 0 }
    }
}
