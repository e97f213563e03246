import DriveCore
import DrivePredicates
import Foundation

/// `find --evaluate`: an answer for each line, in order, so that the n-th belongs to the n-th: also to an empty one.
struct EvaluationRun {
    private let file: PathArgument

    init(_ file: PathArgument) { self.file = file }

    func run() throws -> ExitStatus {
        let input: FileHandle
        if file.bytes == [0x2D] {
            input = .standardInput
        } else {
            let path = String(decoding: file.bytes, as: UTF8.self)
            guard let opened = FileHandle(forReadingAtPath: path) else {
                throw DriveError(.usage, "there is no such file, or it may not be read", path: path)
            }
            input = opened
        }
        var rest = Data()
        while let part = try input.read(upToCount: 1 << 16), !part.isEmpty {
            rest.append(part)
            while let end = rest.firstIndex(of: 0x0A) {
                answer(rest[..<end])
                rest.removeSubrange(...end)
            }
        }
        if !rest.isEmpty { answer(rest) }
        return .done
    }

    private func answer(_ line: Data) {
        Output.line(EvaluationLine.answer(to: String(decoding: line, as: UTF8.self)))
    }
}
