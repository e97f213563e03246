import DrivePredicates
import Glibc

/// What is asked of a folded name.
struct NameTest: Hashable {
    enum Place { case anywhere, beginning, end, whole }

    /// Folded, and not empty.
    let text: [UInt8]
    let place: Place
    private let finder: ByteFinder

    init(text: [UInt8], place: Place) {
        self.text = text
        self.place = place
        finder = ByteFinder(text)
    }

    func holds(for name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= text.count else { return false }
        return switch place {
        case .anywhere: finder.first(in: name, from: 0) != nil
        case .beginning: equals(name, at: 0)
        case .end: equals(name, at: name.count - text.count)
        case .whole: name.count == text.count && equals(name, at: 0)
        }
    }

    private func equals(_ name: UnsafeRawBufferPointer, at place: Int) -> Bool {
        text.withUnsafeBytes { text in
            guard let name = name.baseAddress, let text = text.baseAddress else { return false }
            return memcmp(name + place, text, self.text.count) == 0
        }
    }
}

extension NameTest: CustomStringConvertible {
    var description: String {
        let text = String(decoding: text, as: UTF8.self)
        return switch place {
        case .anywhere: "*\(text)*"
        case .beginning: "\(text)*"
        case .end: "*\(text)"
        case .whole: text
        }
    }
}
