import DocumentDrive
import DriveCore

/// A three-way merge as people read it, with both sides of what overlaps between markers.
struct MergedText {
    private let outcome: ThreeWayMerge.Outcome

    init(_ outcome: ThreeWayMerge.Outcome) { self.outcome = outcome }

    func print(_ color: ColorChoice) throws {
        switch outcome {
        case .clean(let text):
            Output.bytes(text)
        case .overlap(let text):
            var side: Side?
            for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast(
                text.last == UInt8(ascii: "\n") ? 1 : 0)
            {
                side = Side(marker: line) ?? (Self.isEnd(line) ? nil : side)
                let code = color.isOn ? side?.code ?? (Self.isEnd(line) ? "1" : nil) : nil
                let bytes = Array(line)
                Output.bytes(code.map { Array("\u{1B}[\($0)m".utf8) + bytes + Array("\u{1B}[0m".utf8) } ?? bytes)
                Output.bytes([UInt8(ascii: "\n")])
            }
        }
    }

    private static func isEnd(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: Array(">>>>>>> ".utf8)) }

    private enum Side {
        case current, ancestor, copy

        /// The side that begins with this line.
        init?(marker line: ArraySlice<UInt8>) {
            if line.starts(with: Array("<<<<<<< ".utf8)) {
                self = .current
            } else if line.starts(with: Array("||||||| ".utf8)) {
                self = .ancestor
            } else if line.elementsEqual(Array("=======".utf8)) {
                self = .copy
            } else {
                return nil
            }
        }

        var code: String {
            switch self {
            case .current: "32"
            case .ancestor: "2"
            case .copy: "36"
            }
        }
    }
}
